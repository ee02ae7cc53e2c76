import type { FrameRange } from './ranges.ts';

/** Takes captured pictures one after another. Disposing ends whatever still works on them. */
export interface FrameSink extends AsyncDisposable {
  /** Hands one picture over; resolves when there is room for the next. */
  write(picture: Buffer): Promise<void>;
  /** No more pictures follow; resolves when all are kept. */
  finish(): Promise<void>;
}

/** One kind of file in the making. */
export interface FilmOutput {
  /** The part of the film, cut where a sink may begin. */
  readonly ranges: readonly FrameRange[];
  /**
   * The sink for the range of that index. Begun again, it starts over: what the first one left is replaced.
   * `onFrames` hears how many frames of the range are done.
   */
  begin(index: number, onFrames: (frames: number) => void): Promise<FrameSink>;
  /** When all ranges are finished: makes the file out of them. */
  assemble(): Promise<void>;
}
