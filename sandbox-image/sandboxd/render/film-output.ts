import type { ColourFilter } from './ffmpeg-args.ts';
import type { LiveFilm } from './live-film.ts';
import type { FrameRange } from './ranges.ts';

/** Takes captured pictures one after another. Disposing ends whatever still works on them. */
export interface FrameSink extends AsyncDisposable {
  /** Hands one picture over; resolves when there is room for the next. */
  write(picture: Buffer): Promise<void>;
  /** No more pictures follow; resolves when all are kept. */
  finish(): Promise<void>;
}

/** Where a file is made, and with what. */
export interface OutputOptions {
  /** The finished file. */
  readonly path: string;
  /** A folder for what is only needed meanwhile. */
  readonly scratch: string;
  /** Where the film is to be seen while it is made; null = nowhere. */
  readonly live: LiveFilm | null;
  readonly filter: ColourFilter;
  readonly ffmpegPath: string;
  readonly signal: AbortSignal;
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
