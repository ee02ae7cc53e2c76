import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Film, ThemeName } from '#kinds/film/contract/film.ts';
import { printFilm } from '../../../server/kinds/film/document/print.ts';
import { formatOf } from '../../../server/kinds/film/formats/catalogue.ts';

const run = promisify(execFile);

/** Long enough for formats to move at their usual pace. */
const minSeconds = 5;

interface FormatFilm {
  readonly theme: ThemeName;
  readonly seconds: number;
}

/** Builds the product's page for a film of one format, with the format's own example. Throws Vite's error message. */
export async function buildFormatFilm(format: string, options: FormatFilm & { root: string; outDir: string }): Promise<void> {
  const template = join(options.root, 'sandbox-image/templates/film');
  const folder = await mkdtemp(join(tmpdir(), 'koda-format-film-'));
  try {
    await cp(template, folder, {
      recursive: true,
      filter: (path) => !/\/(node_modules|\.koda|dist)(\/|$)/.test(path.slice(template.length)),
    });
    await symlink(join(template, 'node_modules'), join(folder, 'node_modules'));
    for (const { path, content } of printFilm(filmOf(format, options))) await writeFile(join(folder, path), content);
    const vite = join(template, 'node_modules/vite/bin/vite.js');
    const args = ['build', '--configLoader', 'native', '--outDir', options.outDir, '--emptyOutDir', '--logLevel', 'warn'];
    await run(process.execPath, [vite, ...args], { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws an Error if there is no such format. */
export function filmOf(format: string, { theme, seconds }: FormatFilm): Film {
  const found = formatOf(format);
  if (!found) throw new Error(`There is no format "${format}".`);
  const props = found.example as Record<string, unknown>;
  return {
    ...{ version: 3, title: format, style: 'smooth', theme, aspect: '16:9', fps: 30, seed: 1, language: 'en' },
    ...{ colors: {}, music: null },
    scenes: [{ id: `scene-${format}`, seconds: Math.max(minSeconds, seconds), format, props }],
  };
}
