import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderProbe } from '../../../server/contract/render.ts';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import { PageEvidence } from '../browser/page-evidence.ts';
import { Stage, type StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { runFfmpeg } from './encode.ts';
import type { ColourFilter } from './ffmpeg-args.ts';
import { pictureFormat } from './formats.ts';
import { parseStatistics, planComparison } from './psnr-args.ts';

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
      500,
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
    sparesCanvases: false,
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
    500,
    `Verification failed: frame ${frame} (${seconds.toFixed(3)} s) differs from a fresh screenshot of that moment (PSNR ${psnrDb.toFixed(1)} dB, at least ${lowestPsnrDb} wanted). The picture must be a function of the time alone: look for state that seeks leave behind, random numbers without a seed, or assets that load late; then render again.`,
    { frame, seconds, psnrDb },
  );
}
