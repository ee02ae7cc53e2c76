import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { createServer } from 'vite';
import { findChromium, installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { inspectPage } from '../../sandbox-image/sandboxd/browser/inspection.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import { defaultLimits } from '../../sandbox-image/sandboxd/browser/stage.ts';
import buildPageScripts from '../../sandbox-image/sandboxd/build-page-scripts.ts';
import { emitAll } from '../../server/authors/director/emit/emit.ts';
import type { Aspect } from '../../server/contract/film.ts';
import { plannedFilm, readSentences, type Sentence } from './sentences.ts';

/**
 * Draws the director's film of each sentence and keeps twelve of its frames as one picture, for judges who see nothing
 * else: `node test/corpus/sheets.ts SENTENCES.json FOLDER [--only a-001,a-002]`. `FOLDER/films.json` says what the plan says.
 */
const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const [file, folder] = positionals;
if (file === undefined || folder === undefined) {
  console.error('Name the file of sentences and the folder for the pictures.');
  process.exit(2);
}
const only = values.only?.split(',');
const sentences = (await readSentences(file)).filter(({ id }) => only === undefined || only.includes(id));

const template = join(import.meta.dirname, '../../sandbox-image/templates/animation');
const frames = 12;
/** Of a frame, in px. */
const longSide = 480;
const { signal } = new AbortController();

await buildPageScripts();
await mkdir(folder, { recursive: true });
const workspace = await mkdtemp(join(tmpdir(), 'koda-corpus-'));
await cp(template, workspace, { recursive: true, filter: (path) => !path.startsWith(join(template, 'node_modules')) });
await symlink(join(template, 'node_modules'), join(workspace, 'node_modules'));
const server = await createServer({
  configFile: join(workspace, 'vite.config.ts'),
  logLevel: 'error',
  server: { port: 0, hmr: false },
});
await server.listen();
const origin = new URL(server.resolvedUrls?.local[0] ?? '').origin;
const launcher = new BrowserLauncher(
  () => findChromium({ configured: process.env['KODA_CHROMIUM'] ?? null, path: process.env['PATH'] ?? '' }),
  installedBackend(),
);
const chromium = await launcher.launch(signal);
const films: unknown[] = [];
try {
  for (const sentence of sentences) {
    films.push(await draw(sentence));
    await writeFile(join(folder, 'films.json'), `${JSON.stringify(films, null, 1)}\n`);
  }
} finally {
  await chromium[Symbol.asyncDispose]();
  await server.close();
  await rm(workspace, { recursive: true, force: true });
}

async function draw({ id, sentence }: Sentence): Promise<unknown> {
  const { film, caveat } = plannedFilm(sentence, id);
  await rm(join(workspace, 'src/scenes'), { recursive: true, force: true });
  for (const { path, content } of emitAll(film)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), content);
  }
  server.moduleGraph.invalidateAll();
  const last = film.durationSeconds - 1 / film.fps;
  const atSeconds = Array.from({ length: frames }, (_, index) => (last * index) / (frames - 1));
  const request = { atSeconds, ...sizeOf(film.aspect), parameterSets: [], contactSheet: true };
  const { report, stage } = await inspectPage(chromium, request, { origin, limits: defaultLimits, signal });
  await stage?.[Symbol.asyncDispose]();
  if (report.contactSheet !== null)
    await writeFile(join(folder ?? '', `${id}.png`), pngOf(Buffer.from(report.contactSheet, 'base64')));
  const errors = report.console.filter(({ level }) => level === 'error').map(({ text }) => text);
  const blank = report.frames.filter(({ contrast }) => contrast < 0.02).length;
  console.log(id, `${film.durationSeconds} s`, errors.length > 0 ? errors[0] : '', blank > 0 ? `${blank} blank` : '');
  const scenes = film.scenes.map(({ title, description }) => ({ title, description }));
  return { id, sentence, seconds: film.durationSeconds, caveat, scenes, errors, blank };
}

function sizeOf(aspect: Aspect): { width: number; height: number } {
  const [across = 16, down = 9] = aspect.split(':').map(Number);
  const scale = longSide / Math.max(across, down);
  return { width: Math.round(across * scale), height: Math.round(down * scale) };
}

function pngOf(picture: Buffer): Buffer {
  const { width, height, data } = jpeg.decode(picture);
  const png = new PNG({ width, height });
  png.data = Buffer.from(data);
  return PNG.sync.write(png);
}
