import { readFileSync } from 'node:fs';

/** The entries of `page`, each bundled by `build-page-scripts.ts`. */
export type PageScript = 'agent' | 'capture' | 'still-canvas';

const read = new Map<PageScript, string>();

/** The source of a script that runs in pages. Throws Error when the scripts were never built. */
export function pageScript(name: PageScript): string {
  const known = read.get(name);
  if (known !== undefined) return known;
  try {
    const source = readFileSync(new URL(`./page/dist/${name}.js`, import.meta.url), 'utf8');
    read.set(name, source);
    return source;
  } catch (cause) {
    throw new Error('The page scripts are not built: run `node sandbox-image/sandboxd/build-page-scripts.ts`.', { cause });
  }
}
