import { availableParallelism } from 'node:os';

/** Settings shared by every contender: size, codec settings and number of browsers. */
export interface FilmSettings {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly durationSeconds: number;
  readonly crf: number;
  /** `same`: all encode with Koda's settings. `shipped`: each encodes with its own defaults. */
  readonly encoder: 'same' | 'shipped';
  /** JPEG quality of captured frames, if a contender uses JPEG. */
  readonly jpegQuality: number;
  /** Browsers or tabs that run in parallel. */
  readonly workers: number;
}

export type PageSettings = Pick<FilmSettings, 'width' | 'height' | 'fps' | 'durationSeconds'>;

export function filmSettings(durationSeconds: number, encoder: FilmSettings['encoder'] = 'same'): FilmSettings {
  return {
    width: 1920,
    height: 1080,
    fps: 30,
    durationSeconds,
    crf: 18,
    encoder,
    jpegQuality: 95,
    workers: availableParallelism(),
  };
}

export function frameCount(film: FilmSettings): number {
  return Math.max(1, Math.round(film.durationSeconds * film.fps));
}

/** Returns every n-th frame, so that at most `most` frames are spread across the film. */
export function sampledFrames(totalFrames: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(totalFrames / most));
  const frames: number[] = [];
  for (let frame = 0; frame < totalFrames; frame += step) frames.push(frame);
  return frames;
}
