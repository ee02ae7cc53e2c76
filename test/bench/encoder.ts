// npm run bench -- encoder. Compares x264 settings on the benchmark's scenes and on films made of formats.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { z } from 'zod';
import { gopFrames } from '../../sandbox-image/sandboxd/render/formats.ts';
import { type Encoded, relativeTo, summariseSources } from './encoder/comparison.ts';
import { namedSettings, reference } from './encoder/settings.ts';
import { captureFilms, captureScenes, rawInput, type Source } from './encoder/sources.ts';
import { median } from './render/statistics.ts';
import { plainText } from './render/table.ts';
import { findTools } from './render/tools.ts';

const run = promisify(execFile);
const help = `npm run bench -- encoder [options]

Encodes the same captured frames with different x264 settings, alternating between them, and compares each with veryfast, CRF 18.
Prints per setting: the sources whose SSIM is not lower in a file at most 1.3 times as large, and as ratios CPU time, bytes and
distortion (1 - SSIM) with the worst source, and the lowest difference in PSNR. CPU times are medians; the rest does not vary.

  --settings a,b    only these: ${Object.keys(namedSettings).join(', ')}
  --setting "…"     another setting, such as "-preset superfast -crf 18"; repeatable
  --frames N        frames of each source (60)
  --rounds N        how often each setting encodes each source (1)
  --each            also print CPU time, SSIM, PSNR and kB for each source
`;
const { values } = parseArgs({
  options: {
    settings: { type: 'string' },
    setting: { type: 'string', multiple: true, default: [] },
    frames: { type: 'string' },
    rounds: { type: 'string' },
    each: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}

const count = z.coerce.number().int().min(1);
const frames = count.default(60).parse(values.frames);
const rounds = count.default(1).parse(values.rounds);
const named = values.settings?.split(',').map((name) => name.trim()) ?? Object.keys(namedSettings);
const settings = new Map<string, string>([
  ['reference', reference],
  ...named.map((name) => [name, settingNamed(name)] as const),
  ...values.setting.map((setting) => [setting, setting] as const),
]);
const tools = findTools();
const folder = await mkdtemp(join(tmpdir(), 'koda-encoder-'));
try {
  console.error('==> Capturing the scenes');
  const scenes = await captureScenes({ frames, folder, tools });
  console.error('==> Capturing films made of formats');
  const films = await captureFilms({ frames, folder, tools });
  const results: Results = new Map();
  for (const source of [...scenes, ...films]) {
    console.error(`==> Encoding ${source.name}`);
    results.set(source, await encodeAll(source));
  }
  console.log([...settings].map(([name, options]) => `${name}: ${options}`).join('\n'));
  console.log(`\nScenes\n${summaryTable(results, scenes)}\n\nFilms made of formats\n${summaryTable(results, films)}`);
  if (values.each) for (const source of results.keys()) console.log(`\n${source.name}\n${sourceTable(results, source)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Results by source and by the setting's name. */
type Results = Map<Source, ReadonlyMap<string, Encoded>>;

function settingNamed(name: string): string {
  const setting = namedSettings[name];
  if (setting !== undefined) return setting;
  throw new Error(`There is no setting "${name}". Settings: ${Object.keys(namedSettings).join(', ')}.`);
}

async function encodeAll(source: Source): Promise<Map<string, Encoded>> {
  const cpuMs = new Map<string, number[]>([...settings.keys()].map((name) => [name, []]));
  const encoded = new Map<string, Encoded>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, options] of settings) {
      const path = join(folder, 'encoded.nut');
      const times = cpuMs.get(name) ?? [];
      times.push(await encode(source, options, path));
      const known = encoded.get(name) ?? { bytes: (await stat(path)).size, ...(await quality(source, path)) };
      encoded.set(name, { ...known, cpuMs: median(times) });
    }
  }
  return encoded;
}

/** Encodes as the product does, with its keyframes and threads. Returns the CPU time per frame in milliseconds. */
async function encode(source: Source, options: string, output: string): Promise<number> {
  const gop = String(gopFrames(source.fps));
  const { stderr } = await run(tools.ffmpegPath, [
    ...['-hide_banner', '-benchmark', '-y', ...rawInput(source), '-c:v', 'libx264', ...options.split(' ')],
    ...['-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-flags', '+cgop', '-threads', '3', '-f', 'nut', output],
  ]);
  const [, user, system] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  if (user === undefined || system === undefined) throw new Error(`FFmpeg reported no CPU time: ${stderr.slice(-500)}`);
  return ((Number(user) + Number(system)) * 1000) / frames;
}

async function quality(source: Source, path: string): Promise<Pick<Encoded, 'ssim' | 'psnrDb'>> {
  const filter = '[0:v]format=yuv420p,split[a][b];[1:v]split[c][d];[a][c]ssim;[b][d]psnr';
  const { stderr } = await run(tools.ffmpegPath, [
    ...['-hide_banner', '-i', path, ...rawInput(source), '-lavfi', filter, '-f', 'null', '-'],
  ]);
  const ssim = /\bSSIM .*All:([\d.]+)/.exec(stderr)?.[1];
  const psnr = /\bPSNR .*average:([\d.]+)/.exec(stderr)?.[1];
  if (ssim === undefined || psnr === undefined) throw new Error(`FFmpeg compared nothing: ${stderr.slice(-500)}`);
  return { ssim: Number(ssim), psnrDb: Number(psnr) };
}

function resultOf(results: Results, source: Source, name: string): Encoded {
  const encoded = results.get(source)?.get(name);
  if (encoded === undefined) throw new Error(`${name} did not encode ${source.name}.`);
  return encoded;
}

function summaryTable(results: Results, sources: readonly Source[]): string {
  const row = (name: string) => {
    const summary = summariseSources(
      sources.map((source) => relativeTo(resultOf(results, source, 'reference'), resultOf(results, source, name))),
    );
    const { meeting, cpu, bytes, largestBytes, distortion, worstDistortion, lowestPsnrDb } = summary;
    const ratios = [cpu, bytes, largestBytes, distortion, worstDistortion, lowestPsnrDb].map((ratio) => ratio.toFixed(2));
    return [name, `${meeting} of ${sources.length}`, ...ratios];
  };
  return plainText({
    head: ['setting', 'no worse', 'CPU', 'bytes', 'largest', 'distortion', 'worst', 'PSNR, lowest'],
    rows: [...settings.keys()].map(row),
  });
}

function sourceTable(results: Results, source: Source): string {
  const row = (name: string) => {
    const { cpuMs, bytes, ssim, psnrDb } = resultOf(results, source, name);
    const relative = relativeTo(resultOf(results, source, 'reference'), { cpuMs, bytes, ssim, psnrDb });
    return [
      name,
      ...[cpuMs.toFixed(1), ssim.toFixed(6), psnrDb.toFixed(2), (bytes / 1000).toFixed(0)],
      ...[relative.cpu, relative.bytes, relative.distortion].map((ratio) => ratio.toFixed(2)),
    ];
  };
  return plainText({
    head: ['setting', 'CPU ms/frame', 'SSIM', 'PSNR', 'kB', '× CPU', '× bytes', '× distortion'],
    rows: [...settings.keys()].map(row),
  });
}
