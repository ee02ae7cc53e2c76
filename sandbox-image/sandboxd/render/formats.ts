import { formatsWith, type RenderFormat, renderFiles } from '#contract/render.ts';
import type { RenderJob } from '#contract/sandbox/answers.ts';
import type { ImageFormat } from '../browser/stage.ts';
import { invalidRequest } from '../http.ts';

export interface FrameRate {
  readonly numerator: number;
  readonly denominator: number;
}

/** Format of a captured frame. `i420` is bare pixels in BT.709 with limited range, which encoders take as they are. */
export type FrameFormat = ImageFormat | 'i420';

interface FormatTraits {
  /** `stored` saves the images as captured. */
  readonly kind: 'video' | 'gif' | 'stored';
  /** Captures PNG; the other formats use JPEG, which is much faster. */
  readonly lossless: boolean;
  /** Chroma is subsampled, so width and height must be even. */
  readonly subsampledChroma: boolean;
  readonly sound: 'aac' | 'opus' | 'pcm' | null;
}

const video = { kind: 'video', lossless: false, subsampledChroma: true } as const;
const stored = { kind: 'stored', lossless: true, subsampledChroma: false, sound: null } as const;

export const formatTraits: Record<RenderFormat, FormatTraits> = {
  mp4: { ...video, sound: 'aac' },
  webm: { ...video, sound: 'opus' },
  mov: { ...video, lossless: true, subsampledChroma: false, sound: 'pcm' },
  gif: { ...stored, kind: 'gif', lossless: false },
  'png-sequence': stored,
  png: stored,
  jpeg: { ...stored, lossless: false },
};

/** Throws VALIDATION_ERROR if the format does not support the job's settings. */
export function assertSupported({ format, width, height, transparent }: RenderJob): void {
  if (formatTraits[format].subsampledChroma && (width % 2 !== 0 || height % 2 !== 0)) {
    throw invalidRequest(`${format} does not support a video of ${width}×${height}: both must be even.`);
  }
  if (transparent && !renderFiles[format].alpha) {
    throw invalidRequest(
      `${format} does not support transparency. Use one of these formats: ${formatsWith(({ alpha }) => alpha)}.`,
    );
  }
}

/** Returns the format in which the page itself is captured. */
export function captureFormat({ format, transparent }: Pick<RenderJob, 'format' | 'transparent'>): ImageFormat {
  return transparent || formatTraits[format].lossless ? 'png' : 'jpeg';
}

/**
 * Returns the output's frame rate. A GIF measures delays in hundredths of a second, and browsers slow down a delay of 1. It
 * therefore gets the nearest 100 / n with n ≥ 2 (60 becomes 50, 30 becomes 33⅓), and its frames match those timestamps.
 */
export function frameRate({ format, fps }: Pick<RenderJob, 'format' | 'fps'>): FrameRate {
  if (format !== 'gif') return { numerator: fps, denominator: 1 };
  return { numerator: 100, denominator: Math.max(2, Math.round(100 / fps)) };
}

export interface FrameRange {
  readonly first: number;
  readonly count: number;
}

/** One keyframe every 2 s allows fast seeking without enlarging the file. */
const gopSeconds = 2;
/** Limits the frames lost if an encoder fails. Joints need no extra keyframes. */
const rangeSeconds = 10;

export function gopFrames(fps: number): number {
  return Math.max(1, Math.round(gopSeconds * fps));
}

/** Frames of one format. */
export interface FrameSegment extends FrameRange {
  readonly frameFormat: FrameFormat;
}

/**
 * Splits a range into segments of whole GOPs, and where the format of the frames changes. Depends only on the film: an
 * encoder's decisions depend on its first frame, so with one segment per worker, the output would depend on the number of
 * workers.
 */
export function planSegments(range: FrameRange, fps: number, formatAt: (frame: number) => FrameFormat): FrameSegment[] {
  const length = gopFrames(fps) * Math.round(rangeSeconds / gopSeconds);
  const end = range.first + range.count;
  const segments: FrameSegment[] = [];
  for (let first = range.first; first < end; ) {
    const frameFormat = formatAt(first);
    let next = first + 1;
    while (next < Math.min(first + length, end) && formatAt(next) === frameFormat) next++;
    segments.push({ first, count: next - first, frameFormat });
    first = next;
  }
  return segments;
}
