import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderProbe } from '../../../server/contract/render.ts';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import { PageEvidence } from '../browser/page-evidence.ts';
import { type ImageFormat, Stage, type StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { type ColourFilter, type FfmpegPlan, runFfmpeg } from './encode.ts';
import { pictureInput, toEncoderPixels } from './ffmpeg-args.ts';
import { type FrameRange, pictureFormat } from './formats.ts';

/** Odd, so that the middle is one of them. */
const mostSamples = 11;
/** What equal pictures count as: JSON has no infinity. */
const equalPsnrDb = 100;

/** Frames spread over the part, the same ones each time: the first, the middle and the last are always there. */
export function sampleFrames({ first, count }: FrameRange): number[] {
  const samples = Math.min(mostSamples, count);
  if (samples === 1) return [first];
  return Array.from({ length: samples }, (_, index) => first + Math.round((index * (count - 1)) / (samples - 1)));
}

export interface Comparison {
  /** Pictures as they were captured, one after another in one file. */
  readonly captured: string;
  readonly picture: ImageFormat;
  /** The same moments as PNG. */
  readonly truth: string;
  readonly filter: ColourFilter;
  /** Where FFmpeg writes a line of statistics for each pair. */
  readonly statistics: string;
}

/**
 * Compares the pictures pair by pair. What was captured as JPEG is compared as the encoder gets it, with halved
 * colours, since it has no more; PNG is compared as it is, alpha included.
 */
export function planComparison(job: Pick<RenderJob, 'format'>, comparison: Comparison): FfmpegPlan {
  const { captured, picture, truth, filter, statistics } = comparison;
  const rate = { numerator: 1, denominator: 1 };
  const [pixels, truePixels] = picture === 'png' ? ['format=gbrap', 'format=gbrap'] : halved(job, filter);
  return {
    inputs: [pictureInput(picture, { rate, path: captured }), pictureInput('png', { rate, path: truth })],
    outputOptions: [
      '-filter_complex',
      `[0:v]${pixels}[captured];[1:v]${truePixels}[truth];[captured][truth]psnr=stats_file=${escaped(statistics)}`,
      ...['-f', 'null'],
    ],
    output: '-',
  };
}

/** JPEG's colours stand in the middle of the pixels they belong to, so those of the PNG are put there as well. */
function halved({ format }: Pick<RenderJob, 'format'>, filter: ColourFilter): [string, string] {
  const settings = { format, transparent: false };
  const truth =
    filter === 'zscale'
      ? 'format=gbrp,zscale=matrix=709:range=limited:chromal=center,format=yuv420p'
      : toEncoderPixels(settings, { picture: 'png', filter });
  return [toEncoderPixels(settings, { picture: 'jpeg', filter }), truth];
}

/** PSNR of each pair in dB, over all its planes together. */
export function parseStatistics(text: string): number[] {
  return [...text.matchAll(/\bpsnr_avg:(\S+)/g)].map(([, value]) =>
    value === 'inf' ? equalPsnrDb : Math.min(equalPsnrDb, Number(value)),
  );
}

/** A path as the value of an option in a filter graph (https://ffmpeg.org/ffmpeg-filters.html#Notes-on-filtergraph-escaping). */
function escaped(path: string): string {
  return path.replace(/[\\':]/g, '\\$&').replace(/[\\'[\],;]/g, '\\$&');
}

/** Below this a picture differs for the eye; the fast way's JPEG alone stays above 45 dB. */
const lowestPsnrDb = 40;

export type Verification = NonNullable<RenderProbe['verification']>;

/** A frame as it was captured for the film. */
export interface CapturedSample {
  readonly frame: number;
  /** Of its picture. */
  readonly path: string;
}

export interface VerificationOptions {
  readonly launcher: BrowserLauncher;
  readonly limits: StageLimits;
  readonly origin: string;
  /** Frame n is at n / fps seconds. */
  readonly fps: number;
  readonly filter: ColourFilter;
  readonly ffmpegPath: string;
  /** A folder for what is only needed meanwhile. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/**
 * Captures the samples again in a fresh browser that draws by its own clock, one whole PNG screenshot after
 * another, and compares. Throws RENDER_FAILED when a frame is not what the page shows.
 */
export async function verifyFrames(
  job: RenderJob,
  samples: readonly CapturedSample[],
  options: VerificationOptions,
): Promise<Verification> {
  const captured = join(options.scratch, 'captured');
  const truth = join(options.scratch, 'truth');
  for (const { path } of samples) await appendFile(captured, await readFile(path));
  await captureAgain(job, samples, { ...options, path: truth });
  const statistics = join(options.scratch, 'psnr.txt');
  const plan = planComparison(job, { captured, picture: pictureFormat(job), truth, filter: options.filter, statistics });
  await runFfmpeg(plan, { ffmpegPath: options.ffmpegPath, signal: options.signal, onFrames: null });
  const psnrDb = parseStatistics(await readFile(statistics, 'utf8'));
  if (psnrDb.length !== samples.length) {
    throw new ProtocolError(
      'RENDER_FAILED',
      `Of ${samples.length} frames ${psnrDb.length} could be compared. Render again; if that stays so, render without verification.`,
    );
  }
  const lowest = Math.min(...psnrDb);
  const worst = samples[psnrDb.indexOf(lowest)];
  if (worst && lowest < lowestPsnrDb) throw differing(worst.frame, worst.frame / options.fps, lowest);
  return {
    frames: samples.length,
    lowestPsnrDb: lowest,
    meanPsnrDb: psnrDb.reduce((sum, value) => sum + value, 0) / psnrDb.length,
  };
}

async function captureAgain(
  job: RenderJob,
  samples: readonly CapturedSample[],
  options: VerificationOptions & { readonly path: string },
): Promise<void> {
  const { launcher, limits, origin, signal } = options;
  await using chromium = await launcher.launchPlain(signal);
  await using stage = await Stage.open(chromium, {
    origin,
    size: { width: job.width, height: job.height },
    transparent: job.transparent,
    parameters: job.parameters,
    skipsRedundantDraws: false,
    limits,
    signal,
    evidence: new PageEvidence(),
  });
  for (const { frame } of samples) {
    await stage.seek(frame / options.fps);
    await appendFile(options.path, await stage.capture('png'));
  }
}

function differing(frame: number, seconds: number, psnrDb: number): ProtocolError {
  return new ProtocolError(
    'RENDER_FAILED',
    `Verification failed: frame ${frame} (${seconds.toFixed(3)} s) differs from a fresh screenshot of that moment (PSNR ${psnrDb.toFixed(1)} dB, at least ${lowestPsnrDb} wanted). The picture must be a function of the time alone: look for state that seeks leave behind, random numbers without a seed, or assets that load late; then render again.`,
    { frame, seconds, psnrDb },
  );
}
