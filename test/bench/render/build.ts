import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { clipFiles, fontFile, photoFiles, prepareAssets } from './assets.ts';
import type { PageSettings } from './film.ts';
import { buildFormatFilm } from './format-film.ts';
import { plainPage, stagePage, templateClock } from './pages.ts';
import { isFormatFilm, type SceneEntry, sceneNamed } from './scene-list.ts';

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

/**
 * Builds the scenes' pages as for production: one minified module per scene, which every contender loads unchanged. Building
 * is not measured.
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
    await build({
      entryPoints: [join(import.meta.dirname, 'scenes', `${isFormatFilm(entry) ? 'format-film' : name}.ts`)],
      outfile: join(folder, 'scene.js'),
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      // 3D code comes from the product's own template.
      nodePaths: [join(root, 'sandbox-image/templates/film/node_modules')],
      logLevel: 'warning',
    });
    await writeFile(join(folder, 'index.html'), stagePage(film, clock));
    await writeFile(join(folder, 'plain.html'), plainPage(film));
    if (isFormatFilm(entry)) await addFormatFilm(entry, folder, options);
    for (const file of assetsOf(sceneNamed(name))) await copyFile(join(assets, file), join(folder, 'assets', file));
  }
}

/** Returns the names of the asset files that a scene needs. */
export function assetsOf(scene: SceneEntry): string[] {
  return scene.pictures ? [fontFile, ...photoFiles(), ...clipFiles()] : [fontFile];
}

/** Adds a film's built page twice: as the page that Koda renders, and as an asset that the others show in a frame. */
async function addFormatFilm({ name }: SceneEntry, folder: string, { root, film }: BuildOptions): Promise<void> {
  const outDir = join(folder, 'assets/film');
  await buildFormatFilm(name, { root, outDir, seconds: film.durationSeconds });
  await cp(join(outDir, 'assets'), join(folder, 'assets'), { recursive: true });
  await copyFile(join(outDir, 'index.html'), join(folder, 'index.html'));
}
