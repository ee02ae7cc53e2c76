import { countFrames, renderFiles } from '../../../server/contract/render.ts';
import type { RenderJob, StageInfo } from '../../../server/contract/sandboxd.ts';
import { invalidRequest } from '../http.ts';
import type { FrameRange } from './ranges.ts';

/** How long the film is. A job may ask for more than the page says, or for a short beginning of it. */
export function filmSeconds(job: Pick<RenderJob, 'durationSeconds'>, info: Pick<StageInfo, 'durationSeconds'>): number {
  return Math.max(job.durationSeconds, info.durationSeconds);
}

/**
 * The frames of the film that a job asks for, counted from the film's beginning at `fps`: frame n shows the
 * film at n / fps seconds, also where the finished file begins later than the film. `fps` is the rate of the
 * finished file, which for a GIF is not quite the one that was asked for; a range in frames counts in the
 * latter. A still is the part's first frame. Throws VALIDATION_ERROR when the film has no such scene or frames.
 */
export function resolvePart(
  job: Pick<RenderJob, 'range' | 'fps' | 'durationSeconds' | 'format'>,
  options: { readonly info: Pick<StageInfo, 'durationSeconds' | 'scenes'>; readonly fps: number },
): FrameRange {
  const part = askedPart(job, options);
  return renderFiles[job.format].still ? { first: part.first, count: 1 } : part;
}

function askedPart(
  job: Pick<RenderJob, 'range' | 'fps' | 'durationSeconds'>,
  options: { readonly info: Pick<StageInfo, 'durationSeconds' | 'scenes'>; readonly fps: number },
): FrameRange {
  const { info, fps } = options;
  if (job.range === null) return { first: 0, count: countFrames(job.durationSeconds, fps) };
  const lengthSeconds = filmSeconds(job, info);
  const { startSeconds, endSeconds } =
    'scene' in job.range ? sceneTimes(job.range.scene, info.scenes) : frameTimes(job.range, { fps: job.fps, lengthSeconds });
  const filmFrames = countFrames(lengthSeconds, fps);
  const first = Math.round(startSeconds * fps);
  if (first >= filmFrames) {
    throw invalidRequest(
      `The part begins at ${startSeconds.toFixed(2)} s, but the film ends at ${lengthSeconds.toFixed(2)} s. Ask for a part within the film.`,
    );
  }
  return { first, count: Math.max(1, Math.min(Math.round(endSeconds * fps), filmFrames) - first) };
}

interface Times {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

function sceneTimes(id: string, scenes: StageInfo['scenes']): Times {
  const scene = scenes.find((candidate) => candidate.id === id);
  if (scene) return { startSeconds: scene.startSeconds, endSeconds: scene.startSeconds + scene.durationSeconds };
  const known = scenes.map((candidate) => candidate.id).join(', ');
  throw invalidRequest(
    scenes.length > 0
      ? `The film has no scene "${id}". Its scenes are: ${known}.`
      : `The film has no scene "${id}": its page names no scenes (window.__exportInfo.scenes). Ask for frames instead.`,
  );
}

function frameTimes(
  range: { readonly fromFrame: number; readonly toFrame: number },
  film: { readonly fps: number; readonly lengthSeconds: number },
): Times {
  const total = countFrames(film.lengthSeconds, film.fps);
  if (range.fromFrame >= range.toFrame || range.toFrame > total) {
    throw invalidRequest(
      `Frames ${range.fromFrame} to ${range.toFrame} cannot be rendered: the film has ${total} at ${film.fps} fps, counted from 0, and the range must hold at least one.`,
    );
  }
  return { startSeconds: range.fromFrame / film.fps, endSeconds: range.toFrame / film.fps };
}
