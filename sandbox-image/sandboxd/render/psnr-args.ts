import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import type { PictureFormat } from '../browser/stage.ts';
import { type ColourFilter, type FfmpegPlan, pictureInput, toEncoderPixels } from './ffmpeg-args.ts';
import type { FrameRange } from './ranges.ts';

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
  readonly picture: PictureFormat;
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
