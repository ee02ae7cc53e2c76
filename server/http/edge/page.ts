export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:56rem;margin:12vh auto 4rem;padding:0 1.5rem}
h1{font-size:1.6rem;letter-spacing:-.02em}h2{font-size:1.05rem;margin-top:2.5rem}code,pre{font:13px/1.5 ui-monospace,monospace}
pre{overflow:auto;padding:1rem;border-radius:.5rem;background:color-mix(in srgb,currentColor 7%,transparent)}summary{cursor:pointer}
.method{display:inline-block;min-width:4.5rem;font-weight:600}p{opacity:.8}`;

/** Returns a small page without scripts or external resources. `body` is HTML. */
export function htmlPage(
  title: string,
  body: string,
  options: { reloadSeconds: number | null } = { reloadSeconds: null },
): string {
  const reload = options.reloadSeconds === null ? '' : `<meta http-equiv="refresh" content="${options.reloadSeconds}">`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${reload}<title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>`;
}
