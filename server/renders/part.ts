import { KodaError } from '../contract/errors.ts';
import { countFrames, type RenderRange, type RenderRequest } from '../contract/render.ts';

/** What of a plan decides which part of the film can be asked for. */
export interface FilmLength {
  readonly durationSeconds: number;
  readonly fps: number;
  /** The scenes of the plan; absent when they are not known. */
  readonly scenes?: readonly { readonly number: number; readonly durationSeconds: number }[];
}

/** The scenes of a plan are called so in the project; a project may have scenes of other names. */
const plannedSceneId = /^scene-(\d+)$/;

/**
 * The asked part of a film in frames, or its scene; null = all of it. Throws VALIDATION_ERROR when the part is empty or
 * lies outside the film, NOT_FOUND when the plan has no such scene.
 */
export function resolveRange(asked: RenderRequest['range'], film: FilmLength): RenderRange | null {
  if (asked === undefined) return null;
  if ('scene' in asked) {
    assertScene(asked.scene, film);
    return asked;
  }
  const frames = countFrames(film.durationSeconds, film.fps);
  const range =
    'fromFrame' in asked
      ? asked
      : {
          fromFrame: Math.round(asked.fromSeconds * film.fps),
          toFrame: asked.toSeconds === undefined ? frames : Math.round(asked.toSeconds * film.fps),
        };
  if (range.fromFrame < range.toFrame && range.toFrame <= frames) return range;
  throw new KodaError(
    'VALIDATION_ERROR',
    `Frames ${range.fromFrame} to ${range.toFrame} are no part of the film: it has ${frames} (${film.durationSeconds} s at ${film.fps} fps), counted from 0, and a part holds at least one.`,
    { details: { frames, durationSeconds: film.durationSeconds, fps: film.fps }, recovery: 'correct_request' },
  );
}

/** The one frame of a still: that of the moment, or the film's middle. Throws VALIDATION_ERROR for a moment after its end. */
export function stillRange(atSeconds: number | undefined, film: FilmLength): RenderRange {
  const frames = countFrames(film.durationSeconds, film.fps);
  if (atSeconds !== undefined && atSeconds > film.durationSeconds) {
    throw new KodaError(
      'VALIDATION_ERROR',
      `The film ends at ${film.durationSeconds} s, so there is no picture at ${atSeconds} s.`,
      {
        details: { durationSeconds: film.durationSeconds },
        recovery: 'correct_request',
      },
    );
  }
  const frame = Math.min(frames - 1, Math.round((atSeconds ?? film.durationSeconds / 2) * film.fps));
  return { fromFrame: frame, toFrame: frame + 1 };
}

/** How long the part plays, in seconds; for a scene that the plan does not know, as long as the whole film. */
export function partSeconds(range: RenderRange | null, film: FilmLength): number {
  if (range === null) return film.durationSeconds;
  if ('fromFrame' in range) return (range.toFrame - range.fromFrame) / film.fps;
  const number = Number(plannedSceneId.exec(range.scene)?.[1]);
  return film.scenes?.find((scene) => scene.number === number)?.durationSeconds ?? film.durationSeconds;
}

function assertScene(id: string, { scenes }: FilmLength): void {
  const planned = plannedSceneId.exec(id);
  if (planned === null || scenes === undefined || scenes.some(({ number }) => number === Number(planned[1]))) return;
  const known = scenes.map(({ number }) => `scene-${number}`).join(', ');
  throw new KodaError('NOT_FOUND', `The film has no scene "${id}". Its scenes are: ${known}.`, {
    details: { scenes: known },
    recovery: 'correct_request',
  });
}
