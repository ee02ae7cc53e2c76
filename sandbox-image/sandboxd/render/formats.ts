import { formatsWith, type RenderFormat, renderFiles } from '../../../server/contract/render.ts';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import type { ImageFormat } from '../browser/stage.ts';
import { invalidRequest } from '../http.ts';

/** Frames per second as a fraction, as FFmpeg takes it. */
export interface FrameRate {
  readonly numerator: number;
  readonly denominator: number;
}

interface FormatTraits {
  /** `stored`: the pictures go into the file as they were captured. */
  readonly kind: 'video' | 'gif' | 'stored';
  /** Pictures are captured as PNG; the others are good enough at JPEG's quality, which is much faster. */
  readonly lossless: boolean;
  /** The colours have half the width and height, so both must be even. */
  readonly halvedColours: boolean;
  readonly sound: 'aac' | 'opus' | 'pcm' | null;
}

const video = { kind: 'video', lossless: false, halvedColours: true } as const;
const stored = { kind: 'stored', lossless: true, halvedColours: false, sound: null } as const;

export const formatTraits: Record<RenderFormat, FormatTraits> = {
  mp4: { ...video, sound: 'aac' },
  webm: { ...video, sound: 'opus' },
  mov: { ...video, lossless: true, halvedColours: false, sound: 'pcm' },
  gif: { ...stored, kind: 'gif', lossless: false },
  'png-sequence': stored,
  png: stored,
  jpeg: { ...stored, lossless: false },
};

/** Throws VALIDATION_ERROR for what the format cannot hold. */
export function assertPossible({ format, width, height, transparent }: RenderJob): void {
  if (formatTraits[format].halvedColours && (width % 2 !== 0 || height % 2 !== 0)) {
    throw invalidRequest(`A video of ${width}×${height} is not possible in ${format}: both must be even.`);
  }
  if (transparent && !renderFiles[format].alpha) {
    throw invalidRequest(`${format} has no transparency. Use one of these formats: ${formatsWith(({ alpha }) => alpha)}.`);
  }
}

export function pictureFormat({ format, transparent }: Pick<RenderJob, 'format' | 'transparent'>): ImageFormat {
  return transparent || formatTraits[format].lossless ? 'png' : 'jpeg';
}

/**
 * The rate of the finished file. A GIF shows each picture for whole hundredths of a second, and browsers take
 * one hundredth for ten: so it gets the nearest 100 / n with n of at least 2 (60 becomes 50, 30 becomes 33⅓),
 * and its pictures are those of the moments at which they are shown.
 */
export function frameRate({ format, fps }: Pick<RenderJob, 'format' | 'fps'>): FrameRate {
  if (format !== 'gif') return { numerator: fps, denominator: 1 };
  return { numerator: 100, denominator: Math.max(2, Math.round(100 / fps)) };
}

/** A run of frames that one encoder turns into one file: `first` and the `count - 1` frames after it. */
export interface FrameRange {
  readonly first: number;
  readonly count: number;
}

/** A keyframe every two seconds: quick to seek in, and dear enough that more would swell the file. */
const gopSeconds = 2;
/** An encoder that dies costs at most this much film; every joint costs a keyframe that is there anyway. */
const rangeSeconds = 10;

/** Frames from one keyframe to the next. */
export function gopFrames(fps: number): number {
  return Math.max(1, Math.round(gopSeconds * fps));
}

/**
 * Cuts a part of a film into ranges of whole GOPs; only the last may be shorter. It depends on the film alone
 * and never on how many browsers are at work: an encoder's choices depend on where it began, so cutting by
 * worker would change the picture with their number.
 */
export function planRanges(part: FrameRange, fps: number): FrameRange[] {
  const length = gopFrames(fps) * Math.round(rangeSeconds / gopSeconds);
  const end = part.first + part.count;
  const ranges: FrameRange[] = [];
  for (let first = part.first; first < end; first += length) {
    ranges.push({ first, count: Math.min(length, end - first) });
  }
  return ranges;
}
