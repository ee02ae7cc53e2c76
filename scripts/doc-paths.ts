/**
 * Returns the repository paths that a Markdown document mentions: relative link targets, and code spans that start with one of
 * `roots` (names at the top of the repository). Skips paths with placeholders (`<id>`, `*`, `{a,b}`, `…`).
 */
export function mentionedPaths(markdown: string, roots: readonly string[]): string[] {
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^([a-z][a-z0-9+.-]*:|#|\/)/i.test(target))
    .map((target) => target.replace(/[#?].*$/, ''));
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)]
    .flatMap((match) => (match[1] ?? '').split(/\s+/))
    .map((word) => word.replace(/[.,;:]+$/, '').replace(/:\d+$/, ''))
    .filter((word) => /^[\w.@/-]+$/.test(word))
    .filter((word) => roots.includes(word.split('/')[0] ?? '') && (word.includes('/') || /\.\w+$/.test(word)));
  return [...new Set([...links, ...spans])].filter((path) => path !== '');
}
