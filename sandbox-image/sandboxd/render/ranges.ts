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
