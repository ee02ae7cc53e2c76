const maxStemLength = 60;
/** Names that Windows reserves. */
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * A file name that is safe on every system, in URLs and in code: lower-case ASCII letters, digits, `.`, `_` and `-`,
 * with the extension of what the file really is, and different from all of `taken`. Accents are dropped
 * (`Ünï.PNG` → `uni.png`); a name of which nothing is left becomes `fallback`.
 */
export function safeAssetName(
  name: string,
  options: { extension: string; fallback: string; taken: ReadonlySet<string> },
): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  const stem = base
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, maxStemLength)
    .replace(/^[._-]+|[._-]+$/g, '');
  const plain = stem === '' || reserved.test(stem.split('.')[0] ?? '') ? options.fallback : stem;
  for (let number = 1; ; number++) {
    const candidate = `${plain}${number === 1 ? '' : `-${number}`}.${options.extension}`;
    if (!options.taken.has(candidate)) return candidate;
  }
}
