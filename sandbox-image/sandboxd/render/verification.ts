import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderProbe } from '#contract/render.ts';
import type { RenderJob, StageInfo } from '#contract/sandbox/answers.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import { PageEvidence } from '../browser/page-evidence.ts';
import { Stage, type StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { mayDiffer } from '../page/protocol.ts';
import { type ColourFilter, type FfmpegPlan, runFfmpeg } from './encode.ts';
import { type FrameStream, frameInput, imageInput, toEncoderPixels } from './ffmpeg-args.ts';
import type { FrameFormat, FrameRange } from './formats.ts';

/** Odd, to include the middle frame. */
const maxSamples = 11;
/** PSNR for identical images, because JSON has no infinity. */
const equalPsnrDb = 100;

/** Returns evenly spaced frames, including the first, middle and last. Deterministic. */
export function sampleFrames({ first, count }: FrameRange): number[] {
  const samples = Math.min(maxSamples, count);
  if (samples === 1) return [first];
  return Array.from({ length: samples }, (_, index) => first + Math.round((index * (count - 1)) / (samples - 1)));
}

export interface Comparison {
  /** Captured frames in one file. */
  readonly captured: string;
  readonly stream: FrameStream;
  /** PNGs of the page at the same timestamps, in one file. */
  readonly truth: string;
  readonly filter: ColourFilter;
  readonly statistics: string;
}

/** Plans a pairwise comparison. PNG captures are compared with alpha, others with subsampled chroma. */
export function planComparison(job: Pick<RenderJob, 'format'>, comparison: Comparison): FfmpegPlan {
  const { captured, stream, truth, filter, statistics } = comparison;
  const rate = { numerator: 1, denominator: 1 };
  const [pixels, truePixels] =
    stream.frameFormat === 'png' ? ['format=gbrap', 'format=gbrap'] : halved(job, stream.frameFormat, filter);
  return {
    inputs: [frameInput(stream, { rate, path: captured }), imageInput('png', { rate, path: truth })],
    outputOptions: [
      '-filter_complex',
      `[0:v]${pixels}[captured];[1:v]${truePixels}[truth];[captured][truth]psnr=stats_file=${escaped(statistics)}`,
      ...['-f', 'null'],
    ],
    output: '-',
  };
}

/**
 * Captured frames centre their chroma samples, so the PNG's are centred too. I420 frames are compared by swscale, which also
 * averages four pixels per chroma sample. zscale's wider filter lowers the PSNR of fine coloured edges to 49 dB.
 */
function halved({ format }: Pick<RenderJob, 'format'>, frameFormat: FrameFormat, filter: ColourFilter): [string, string] {
  const settings = { format, transparent: false };
  const truth =
    filter === 'zscale' && frameFormat === 'jpeg'
      ? 'format=gbrp,zscale=matrix=709:range=limited:chromal=center,format=yuv420p'
      : toEncoderPixels(settings, { frameFormat: 'png', filter });
  return [toEncoderPixels(settings, { frameFormat, filter }), truth];
}

export interface ComparisonTools {
  readonly filter: ColourFilter;
  readonly ffmpegPath: string;
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** Returns the PSNR in dB of each captured frame, or fewer values if FFmpeg could not read all of them. */
export async function compareFrames(
  job: Pick<RenderJob, 'format'>,
  files: Pick<Comparison, 'captured' | 'stream' | 'truth'>,
  { filter, ffmpegPath, scratch, signal }: ComparisonTools,
): Promise<number[]> {
  const statistics = join(scratch, 'psnr.txt');
  await runFfmpeg(planComparison(job, { ...files, filter, statistics }), { ffmpegPath, signal, onFrames: null });
  return parseStatistics(await readFile(statistics, 'utf8'));
}

/** Returns each pair's PSNR in dB, averaged over all planes. */
export function parseStatistics(text: string): number[] {
  return [...text.matchAll(/\bpsnr_avg:(\S+)/g)].map(([, value]) =>
    value === 'inf' ? equalPsnrDb : Math.min(equalPsnrDb, Number(value)),
  );
}

/** Escapes a path for a filter graph (https://ffmpeg.org/ffmpeg-filters.html#Notes-on-filtergraph-escaping). */
function escaped(path: string): string {
  return path.replace(/[\\':]/g, '\\$&').replace(/[\\'[\],;]/g, '\\$&');
}

/** A lower PSNR is visible; the fast path's JPEG stays above 45 dB. */
const minPsnrDb = 40;

export type Verification = NonNullable<RenderProbe['verification']>;

export interface CapturedSample {
  readonly frame: number;
  readonly path: string;
  readonly frameFormat: FrameFormat;
}

export interface VerificationOptions extends ComparisonTools {
  readonly launcher: BrowserLauncher;
  readonly limits: StageLimits;
  readonly origin: string;
  /** Frame n is at n / fps seconds. */
  readonly fps: number;
}

/** Compares sample frames with PNG captures from a browser without frame control. Throws RENDER_FAILED if they differ. */
export async function verifyFrames(
  job: RenderJob,
  samples: readonly CapturedSample[],
  options: VerificationOptions,
): Promise<Verification> {
  const reference = await captureReference(job, samples, options);
  const psnrDb = await psnrOf(job, samples, { ...options, images: reference.images });
  if (psnrDb.length !== samples.length) {
    throw new ProtocolError(
      'RENDER_FAILED',
      `Verification failed: only ${psnrDb.length} of ${samples.length} frames could be compared. Render again. If it fails again, render without verification.`,
    );
  }
  const lowest = Math.min(...psnrDb);
  const worst = samples[psnrDb.indexOf(lowest)];
  if (worst && lowest < minPsnrDb) {
    const image = reference.images[samples.indexOf(worst)];
    const again = await captureReference(job, [worst], options);
    const depends = image?.equals(again.images[0] ?? Buffer.alloc(0)) ? 'on when it was drawn' : 'on the frames before it';
    const cause = reference.uncontrolled[0] ?? `It depends ${depends}. ${remedies}`;
    throw verificationFailed(reference.info, { frame: worst.frame, seconds: worst.frame / options.fps, psnrDb: lowest, cause });
  }
  return {
    frames: samples.length,
    lowestPsnrDb: lowest,
    meanPsnrDb: psnrDb.reduce((sum, value) => sum + value, 0) / psnrDb.length,
  };
}

/** Compares samples in runs of one format. Returns their PSNR in order. */
async function psnrOf(
  job: RenderJob,
  samples: readonly CapturedSample[],
  options: VerificationOptions & { readonly images: readonly Buffer[] },
): Promise<number[]> {
  const captured = join(options.scratch, 'captured');
  const truth = join(options.scratch, 'truth');
  const psnrDb: number[] = [];
  for (const [frameFormat, group] of Map.groupBy(samples, (sample) => sample.frameFormat)) {
    await writeFile(captured, await Promise.all(group.map(({ path }) => readFile(path))));
    await writeFile(
      truth,
      group.map((sample) => options.images[samples.indexOf(sample)] ?? Buffer.alloc(0)),
    );
    const stream = { frameFormat, width: job.width, height: job.height };
    const found = await compareFrames(job, { captured, stream, truth }, options);
    for (const [index, value] of found.entries()) psnrDb[samples.indexOf(group[index] as CapturedSample)] = value;
  }
  return psnrDb;
}

const remedies =
  'A frame must depend only on the time. Look for state that persists across seeks, or for something that changes a while after a seek.';

interface Reference {
  readonly images: readonly Buffer[];
  readonly info: StageInfo;
  /** What the page uses although the film's time does not drive it. */
  readonly uncontrolled: readonly string[];
}

async function captureReference(
  job: RenderJob,
  samples: readonly CapturedSample[],
  options: VerificationOptions,
): Promise<Reference> {
  const { launcher, limits, origin, signal } = options;
  const evidence = new PageEvidence();
  await using chromium = await launcher.launchPlain(signal);
  await using stage = await Stage.open(chromium, {
    origin,
    size: { width: job.width, height: job.height },
    transparent: job.transparent,
    parameters: job.parameters,
    aspect: job.aspect,
    skipsRedundantDraws: false,
    limits,
    signal,
    evidence,
  });
  const images: Buffer[] = [];
  for (const { frame } of samples) {
    await stage.seek(frame / options.fps);
    images.push(await stage.capture('png'));
  }
  return { images, info: stage.info, uncontrolled: evidence.errors.filter((text) => text.includes(mayDiffer)) };
}

interface Difference {
  readonly frame: number;
  readonly seconds: number;
  readonly psnrDb: number;
  readonly cause: string;
}

function verificationFailed({ scenes }: StageInfo, difference: Difference): ProtocolError {
  const { frame, seconds, psnrDb, cause } = difference;
  const scene = scenes.findLast(({ startSeconds, durationSeconds }) => {
    return seconds >= startSeconds && seconds <= startSeconds + durationSeconds;
  });
  const where = scene === undefined ? '' : ` in the scene "${scene.id}"`;
  return new ProtocolError(
    'RENDER_FAILED',
    `Verification failed: frame ${frame} (${seconds.toFixed(3)} s)${where} differs from a fresh screenshot of that time (PSNR ${psnrDb.toFixed(1)} dB; the minimum is ${minPsnrDb} dB). ${cause} Then render again.`,
    { ...difference, scene: scene?.id ?? null },
  );
}
