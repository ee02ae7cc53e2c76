import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { ThemeName } from '#kinds/film/contract/film.ts';
import { clipFiles, fontFile, photoFiles, prepareAssets } from './assets.ts';
import type { PageSettings } from './film.ts';
import { type FilmData, fontFileOf, fonts } from './films/film.ts';
import { filmNamed } from './films/films.ts';
import { buildFormatFilm } from './format-film.ts';
import { plainPage, stagePage, templateClock } from './pages.ts';
import { type SceneEntry, sceneNamed } from './scene-list.ts';

const templateModules = 'sandbox-image/templates/film/node_modules';

export interface BuildOptions {
  readonly root: string;
  /** The benchmark's own git-ignored folder. */
  readonly work: string;
  readonly film: PageSettings;
  readonly ffmpegPath: string;
}

export function sceneFolder(work: string, name: string): string {
  return join(work, 'scenes', name);
}

/** Returns the folder of the page that Koda renders. */
export function kodaFolder(work: string, { name, film }: SceneEntry): string {
  return film?.from === 'format' ? join(sceneFolder(work, name), 'koda') : sceneFolder(work, name);
}

/** Returns the page in the scene's folder whose screenshots show exactly what Koda renders. */
export function truthPage({ film }: SceneEntry): string {
  return film?.from === 'format' ? 'truth.html' : 'plain.html';
}

/**
 * Builds the scenes' pages as for production: one minified module per scene, which every contender loads unchanged unless
 * the scene is a film. Building is not measured.
 */
export async function buildScenes(entries: readonly SceneEntry[], options: BuildOptions): Promise<void> {
  const { root, work, film } = options;
  const assets = join(work, 'assets');
  await prepareAssets(assets, options.ffmpegPath);
  const clock = await templateClock(root);
  for (const entry of entries) {
    const { name } = entry;
    const folder = sceneFolder(work, name);
    await rm(folder, { recursive: true, force: true });
    await mkdir(join(folder, 'assets'), { recursive: true });
    const code = entry.film === undefined ? `export * from './scenes/${name}.ts';` : filmModule(name);
    await bundle(code, join(folder, 'scene.js'), root);
    await writeFile(join(folder, 'index.html'), stagePage(film, clock));
    await writeFile(join(folder, 'plain.html'), plainPage(film));
    if (entry.film !== undefined) await copyFonts(filmNamed(name), join(folder, 'assets'), root);
    if (entry.film?.from === 'format') await addFormatFilm(name, { ...options, folder, theme: entry.film.theme });
    for (const file of assetsOf(sceneNamed(name))) await copyFile(join(assets, file), join(folder, 'assets', file));
  }
}

/** Returns the names of the asset files that a scene needs. */
export function assetsOf(scene: SceneEntry): string[] {
  return scene.pictures ? [fontFile, ...photoFiles(), ...clipFiles()] : [fontFile];
}

function filmModule(name: string): string {
  return `import { filmNamed } from './films/films.ts';
import { playFilm } from './scenes/film.ts';
export const { mount, draw } = playFilm(filmNamed(${JSON.stringify(name)}));`;
}

async function bundle(contents: string, outfile: string, root: string): Promise<void> {
  await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // 3D code comes from the product's own template.
    nodePaths: [join(root, templateModules)],
    logLevel: 'warning',
  });
}

async function copyFonts(film: FilmData, folder: string, root: string): Promise<void> {
  for (const name of film.fonts) {
    const file = fontFileOf(name);
    await copyFile(join(root, templateModules, fonts[name][0], 'files', file), join(folder, file));
  }
}

interface FormatFilmOptions extends BuildOptions {
  readonly folder: string;
  readonly theme: ThemeName;
}

/** Adds the page that Koda renders, and one that shows it in a frame for reference screenshots. */
async function addFormatFilm(name: string, { folder, theme, root, film }: FormatFilmOptions): Promise<void> {
  await buildFormatFilm(name, { root, outDir: join(folder, 'koda'), theme, seconds: film.durationSeconds });
  await bundle("export * from './scenes/format-film.ts';", join(folder, 'truth.js'), root);
  await writeFile(join(folder, 'truth.html'), plainPage(film, './truth.js'));
}
