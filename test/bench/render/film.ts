import { availableParallelism } from 'node:os';

/** What every contender renders: the same size, codec settings and number of browsers, from one place. */
export interface FilmSettings {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly durationSeconds: number;
  readonly crf: number;
  /** Of x264. */
  readonly preset: 'veryfast';
  /** JPEG quality of captured frames, where a contender uses JPEG. */
  readonly jpegQuality: number;
  /** Browsers or tabs at work side by side. */
  readonly workers: number;
}

/** What a page has to know of the film. */
export type PageSettings = Pick<FilmSettings, 'width' | 'height' | 'fps' | 'durationSeconds'>;

export function filmSettings(durationSeconds: number): FilmSettings {
  return {
    width: 1920,
    height: 1080,
    fps: 30,
    durationSeconds,
    crf: 18,
    preset: 'veryfast',
    jpegQuality: 95,
    workers: availableParallelism(),
  };
}

export function frameCount(film: FilmSettings): number {
  return Math.max(1, Math.round(film.durationSeconds * film.fps));
}

/** Every `step`-th frame, so that at most `most` frames spread over the whole film. */
export function sampledFrames(totalFrames: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(totalFrames / most));
  const frames: number[] = [];
  for (let frame = 0; frame < totalFrames; frame += step) frames.push(frame);
  return frames;
}
