import { readFileSync } from 'node:fs';

/** Entry points in `page`, bundled by `build.ts`. */
export type PageScript = 'agent' | 'capture' | 'frame-writer' | 'redundant-draws';

const sources = new Map<PageScript, string>();

export function pageScript(name: PageScript): string {
  const cached = sources.get(name);
  if (cached !== undefined) return cached;
  try {
    const source = readFileSync(new URL(`./page/dist/${name}.js`, import.meta.url), 'utf8');
    sources.set(name, source);
    return source;
  } catch (cause) {
    throw new Error('The page scripts are not built: run `node sandbox-image/sandboxd/build.ts`.', { cause });
  }
}
