// npm run bench -- memory: checks that memory stays flat during a long render.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import { defaultLimits } from '../../sandbox-image/sandboxd/browser/stage.ts';
import { readSources } from '../../sandbox-image/sandboxd/files/sources.ts';
import { renderFilm } from '../../sandbox-image/sandboxd/render/film.ts';
import { FrameStore } from '../../sandbox-image/sandboxd/render/frame-store.ts';
import { serveFolder } from '../../sandbox-image/sandboxd/render/static-server.ts';
import { buildScenes, kodaFolder } from './render/build.ts';
import { descendants, readProcesses, readPssBytes } from './render/process-tree.ts';
import { sceneNamed } from './render/scene-list.ts';
import { findTools } from './render/tools.ts';

const helpText = `npm run bench -- memory [options]

Renders one long film with the product's render path, its frame store included, and samples the memory of the
renderer with all its processes (proportional set size) every two seconds. After the first minute the means of ten
seconds have to stay within 5 % of the mean of all; single samples show the collection of garbage, too, and are told.

  --seconds S        length of the film (300)
  --height H         of the frames, in pixels; the width is 16:9 (360)
  --scene NAME       which of the scenes of the render benchmark (mixed)
  --json FILE        write the result there as JSON
  --help             this text
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    height: { type: 'string' },
    scene: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(helpText);
  process.exit(0);
}
const options = z
  .object({
    seconds: z.coerce.number().min(1).max(600).default(300),
    height: z.coerce.number().int().min(90).max(2160).multipleOf(18).default(360),
    scene: z.string().default('mixed'),
    json: z.string().optional(),
  })
  .parse(values);

const sampleMs = 2000;
const warmUpMs = 60_000;
const tolerance = 0.05;
const windowSamples = 5;
const fps = 30;
const root = resolve(import.meta.dirname, '../..');
const work = join(root, '.tools/bench');
const size = { width: (options.height * 16) / 9, height: options.height };
const tools = findTools();
const film = {
  ...size,
  fps,
  durationSeconds: options.seconds,
  crf: 18,
  workers: availableParallelism(),
} as const;
await buildScenes([sceneNamed(options.scene)], { root, work, film, ffmpegPath: tools.ffmpegPath });

interface Sample {
  readonly atMs: number;
  readonly bytes: number;
}
const samples: Sample[] = [];
const startedAtMs = performance.now();
const sampler = setInterval(() => {
  const bytes = descendants(readProcesses(), process.pid).reduce((sum, { pid }) => sum + readPssBytes(pid), 0);
  samples.push({ atMs: performance.now() - startedAtMs, bytes });
}, sampleMs);

const folder = await mkdtemp(join(tmpdir(), 'koda-bench-'));
let frames = 0;
try {
  const page = kodaFolder(work, sceneNamed(options.scene));
  await using server = await serveFolder(page);
  const launcher = new BrowserLauncher(() => tools.chromiumPath, installedBackend());
  const signal = new AbortController().signal;
  const probe = await renderFilm(
    {
      ...{ id: 'bench', source: 'build', ...size, fps, durationSeconds: options.seconds, format: 'mp4', crf: film.crf },
      ...{
        transparent: false,
        range: null,
        parameters: null,
        aspect: null,
        chapters: true,
        verify: false,
        speed: 'fast',
        workers: film.workers,
        preparesFinal: false,
      },
      timeoutMs: 3_600_000,
    },
    {
      tools: { launcher, ...tools, limits: defaultLimits },
      ...{ origin: server.origin, roots: [], folder, signal, onProgress: () => undefined, live: null, takeOpenPage: null },
      cache: {
        store: new FrameStore(join(folder, 'frames'), 4 * 1024 ** 3),
        sources: await readSources(page),
        renderer: await launcher.identity(signal),
        isCurrent: () => Promise.resolve(true),
      },
    },
  );
  frames = probe.frames;
} finally {
  clearInterval(sampler);
  await rm(folder, { recursive: true });
}

const minutes = (performance.now() - startedAtMs) / 60_000;
const megabytes = (bytes: number) => Math.round(bytes / 1e6);
// The last samples are excluded, because processes end one after another during them.
const settled = samples.filter(({ atMs }) => atMs > warmUpMs).slice(0, -2);
if (settled.length < 5) throw new Error(`The render took ${minutes.toFixed(1)} minutes only: ask for a longer film.`);
const mean = settled.reduce((sum, { bytes }) => sum + bytes, 0) / settled.length;
const deviation = (bytes: number) => (bytes - mean) / mean;
const range = (deviations: readonly number[]) => [Math.min(...deviations), Math.max(...deviations)] as const;
const [lowestSample, highestSample] = range(settled.map(({ bytes }) => deviation(bytes)));
const windows = settled.slice(windowSamples - 1).map((_, first) => settled.slice(first, first + windowSamples));
const [lowest, highest] = range(
  windows.map((window) => deviation(window.reduce((sum, { bytes }) => sum + bytes, 0) / window.length)),
);
// Slope of a least-squares line, which would reveal a leak.
const meanAt = settled.reduce((sum, { atMs }) => sum + atMs, 0) / settled.length;
const slope =
  settled.reduce((sum, { atMs, bytes }) => sum + (atMs - meanAt) * (bytes - mean), 0) /
  settled.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0);
const percent = (share: number) => `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
console.log(
  `${frames} frames of ${size.width}×${size.height} (${options.scene}) in ${minutes.toFixed(1)} min, ${film.workers} browsers`,
);
console.log(
  `after the first minute: mean ${megabytes(mean)} MB; means of ten seconds ${percent(lowest)} to ${percent(highest)}, ` +
    `single samples ${percent(lowestSample)} to ${percent(highestSample)}; ${megabytes(slope * 60_000)} MB a minute`,
);
if (options.json) {
  const result = { area: 'memory', frames, ...size, scene: options.scene, minutes, meanBytes: mean, lowest, highest };
  await writeFile(options.json, `${JSON.stringify({ ...result, bytesAMinute: slope * 60_000, samples }, null, 2)}\n`);
}
if (lowest < -tolerance || highest > tolerance) {
  console.error(`Memory left the band of ${percent(tolerance)} around its mean.`);
  process.exitCode = 1;
}
