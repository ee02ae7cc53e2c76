import type { Film, FilmScene } from '../../../contract/film.ts';
import { type Frame, round } from './frame.ts';
import { type KeyChannels, type KeyStop, stop } from './keyframes.ts';
import type { SceneLayout } from './layout/places.ts';
import type { ScenePart } from './scene-parts.ts';
import { type SceneTiming, shareOfRun } from './timing.ts';

/** Rows behind one another are seen from a little higher. */
const isSeenFromAbove = (layout: SceneLayout): boolean => layout.subjects.some(({ rows, stands }) => stands && rows > 1);

/** In the last scene a move is still under way when the film ends: a camera that has stopped ends it too early. */
const moveUntil = ({ last, durationSeconds }: SceneTiming): number => round(durationSeconds * (last ? 1.35 : 1));

/** How the scene's camera moves; the horizon stays level and every move is slow enough not to be noticed as one. */
function cameraChannels(
  film: Film,
  scene: FilmScene,
  layout: SceneLayout,
  timing: SceneTiming,
  followed: readonly KeyStop[] | null,
  frame: Frame,
): { comment: string; channels: KeyChannels } {
  const until = timing.durationSeconds;
  const end = moveUntil(timing);
  const cinematic = film.style === 'cinematic';
  const ease = 'swingOver';
  const y = layout.cameraY === 0 ? {} : { y: layout.cameraY };
  if (scene.camera === 'static' && scene.still !== undefined)
    return {
      comment: 'The camera stands still.',
      channels: { distance: 1, ...(isSeenFromAbove(layout) ? { elevation: 11 } : {}), ...y },
    };
  switch (scene.camera) {
    case 'static':
      return {
        comment: 'The camera hardly moves: a slow drift that goes on to the end, so that the picture never stands dead.',
        channels: {
          distance: [stop(0, 1.018), stop(round(until), 0.978, 'linear')],
          azimuth: [stop(0, -1.6), stop(round(until), 1.8, 'linear')],
          ...(isSeenFromAbove(layout) ? { elevation: 11 } : {}),
          ...y,
        },
      };
    case 'push-in':
      return {
        comment: 'A slow push towards the subject.',
        channels: {
          distance: [stop(0, cinematic ? 1.1 : 1.06), stop(end, cinematic ? 0.94 : 0.97, ease)],
          elevation: [stop(0, cinematic ? 9 : 8), stop(end, 6, ease)],
          ...y,
        },
      };
    case 'orbit':
      return {
        comment: 'The camera walks around the subject.',
        channels: {
          azimuth: [stop(0, -16), stop(end, 16, ease)],
          distance: [stop(0, 1.06), stop(end, 1, ease)],
          elevation: cinematic ? 9 : 8,
          ...y,
        },
      };
    case 'dolly':
      return {
        comment: 'The camera travels past the subject.',
        channels: {
          x: [stop(0, round(-frame.width * 0.045)), stop(end, round(frame.width * 0.045), ease)],
          azimuth: [stop(0, 7), stop(end, -7, ease)],
          distance: [stop(0, 1.06), stop(end, 1.02, ease)],
          ...y,
        },
      };
    case 'follow': {
      if (followed === null)
        return {
          comment: 'The camera drifts along.',
          channels: { x: [stop(0, -0.3), stop(end, 0.3, ease)], distance: 1.03, ...y },
        };
      // A fifth of the way is enough to feel followed; the subject stays well inside the frame.
      return {
        comment: 'The camera follows, a fifth of the way.',
        channels: { x: followed.map((key) => ({ ...key, value: round(key.value * 0.2), note: null })), distance: 1.05, ...y },
      };
    }
  }
}

/** The piece of a move that falls to one scene of a run: the camera does not start again at a cut. */
function partOf(whole: KeyChannels, [begins, ends]: readonly [number, number], seconds: number): KeyChannels {
  if (begins === 0 && ends === 1) return whole;
  return Object.fromEntries(
    Object.entries(whole).map(([name, stops]) => {
      if (typeof stops === 'number' || stops.length !== 2) return [name, stops];
      const [from, until] = [stops[0]?.value ?? 0, stops[1]?.value ?? 0];
      const at = (share: number): number => round(from + (until - from) * share);
      return [name, [stop(0, at(begins)), stop(round(seconds), at(ends), 'linear')]];
    }),
  );
}

export function cameraPart(
  film: Film,
  scene: FilmScene,
  layout: SceneLayout,
  timing: SceneTiming,
  followed: readonly KeyStop[] | null,
  frame: Frame,
): ScenePart {
  const { comment, channels: whole } = cameraChannels(film, scene, layout, timing, followed, frame);
  const channels = partOf(whole, shareOfRun(film, scene), timing.durationSeconds);
  return {
    kit: [['camera.tsx', 'Camera']],
    tracks: [{ name: 'camera', comment, channels }],
    constants: [],
    world: ['<Camera track={tracks.camera} />'],
    overlay: [],
    parameters: [],
    accents: [],
  };
}
