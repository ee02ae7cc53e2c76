import type { RenderJob, StageInfo } from '../../../server/contract/sandboxd.ts';
import { type Chapter, planChapters } from './chapters.ts';
import { filmSeconds, resolvePart } from './film-part.ts';
import { formatTraits, frameRate } from './formats.ts';
import type { FrameRange } from './ranges.ts';
import { findSounds, type SoundFileOptions } from './sound-files.ts';
import type { Sound } from './sound-mix.ts';

/** What goes into the file of a job, known before the first frame is captured. */
export interface FilmContent {
  /** Frames of the film, at `fps`. */
  readonly part: FrameRange;
  readonly fps: number;
  /** Length of the whole film. */
  readonly filmSeconds: number;
  readonly chapters: readonly Chapter[];
  readonly sounds: readonly Sound[];
}

/** Frames per second of the finished file. */
export function outputFps(job: Pick<RenderJob, 'format' | 'fps'>): number {
  const { numerator, denominator } = frameRate(job);
  return numerator / denominator;
}

/** Throws VALIDATION_ERROR when the film has no such part, or when a file of its sound cannot be used. */
export async function planContent(job: RenderJob, info: StageInfo, options: SoundFileOptions): Promise<FilmContent> {
  const fps = outputFps(job);
  const part = resolvePart(job, { info, fps });
  const { kind, sound } = formatTraits[job.format];
  const times = { startSeconds: part.first / fps, endSeconds: (part.first + part.count) / fps };
  return {
    part,
    fps,
    filmSeconds: filmSeconds(job, info),
    chapters: kind === 'video' ? planChapters(info.scenes, times) : [],
    sounds: sound === null ? [] : await findSounds(info.audio, options),
  };
}
