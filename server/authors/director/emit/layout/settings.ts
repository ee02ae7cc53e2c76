import type { FilmScene, FilmText, Subject } from '../../../../contract/film.ts';
import { type Frame, round } from '../frame.ts';
import { placeSubjects } from './bodies.ts';
import type { Area, SceneLayout } from './places.ts';
import { estimateEm, moveDown, stack } from './text-stack.ts';
import { countOf } from './traits.ts';

/** A mark and its name, in per cent of the frame's height: where the mark's middle is, its part, and the air below it. */
const lockupMiddle = 40;
const lockupPart = 54;
const lockupGap = 5.5;

/**
 * A logo (or the sign that holds its place) and its name: one group in the middle of the frame, the name close below
 * the mark. Null when it is another kind of scene, or when the name needs more room than that.
 */
export function lockup(
  scene: FilmScene,
  bodies: readonly Subject[],
  { top, others }: { top: readonly FilmText[]; others: number },
  frame: Frame,
): SceneLayout | null {
  const [mark] = bodies;
  if (!mark || bodies.length > 1 || countOf(mark) > 1 || others > 0 || top.length === 0 || top[0]?.role !== 'title') return null;
  if (mark.kind !== 'logo' && !(mark.kind === 'shape' && mark.shape === 'hexagon')) return null;
  if (!['appear', 'grow', 'pulse', 'spin', 'float'].includes(mark.motion.type)) return null;
  const area: Area = { left: 6, right: 94, top: lockupMiddle - lockupPart / 2, bottom: lockupMiddle + lockupPart / 2 };
  const [placed] = placeSubjects([mark], area, frame, 0);
  const foot = lockupMiddle + ((placed?.radius ?? 0) / frame.height) * 100;
  const name = stack(top, frame.text.left, frame.text.right, 0.85, 'center', frame, frame.text.bottom - foot - lockupGap);
  if (name.places.some(({ size, box }) => box.height < size)) return null;
  return {
    texts: moveDown(name.places, foot + lockupGap),
    subjects: scene.subjects.map((subject) =>
      subject === mark && placed
        ? { ...placed, area: { ...area, bottom: round(foot, 1) } }
        : { subject, places: [], radius: 0, area, stands: false, groupSize: 1, rank: 0, rows: 1, solo: false },
    ),
    cameraY: 0,
    groundPercent: frame.groundPercent,
  };
}

/**
 * How a solo and its title share the frame, in per cent of its width: a short title is large and the body rests on
 * the right third, a longer one takes half of the frame. `lines` is how many the title may run to.
 */
const soloSettings = [
  { titleRight: 45, boost: 1.3, lines: 2.2, bodyLeft: 46, bodyRight: 88 },
  { titleRight: 56, boost: 1, lines: 3.6, bodyLeft: 58, bodyRight: 92 },
] as const;

const soloTitleMiddle = 34;
const soloTop = 4;

/**
 * One body that falls or bounces, and its title, in a wide frame: the title stands large on the upper left, and
 * the body has the full height on the right for its fall. Null when it is another kind of scene, or when the
 * title is too long for half of the frame.
 */
export function soloScene(
  scene: FilmScene,
  bodies: readonly Subject[],
  top: readonly FilmText[],
  frame: Frame,
): SceneLayout | null {
  const [body] = bodies;
  const [title] = top;
  if (!body || bodies.length > 1 || countOf(body) > 1 || !['bounce', 'jump', 'drop'].includes(body.motion.type)) return null;
  if (!['ball', 'cube', 'shape', 'figure'].includes(body.kind) || title?.role !== 'title') return null;
  const longestWord = Math.max(...title.text.split(/\s+/u).map(estimateEm));
  const setting = soloSettings.find(({ titleRight, boost, lines }) => {
    const size = frame.sizes.title * title.scale * boost;
    const perLine = ((titleRight - frame.text.left) * (frame.width / frame.height)) / size;
    return longestWord <= perLine * 0.95 && estimateEm(title.text) <= perLine * lines;
  });
  if (!setting) return null;
  const { places, height } = stack(top, frame.text.left, setting.titleRight, setting.boost, 'left', frame, 60);
  const area: Area = { left: setting.bodyLeft, right: setting.bodyRight, top: soloTop, bottom: frame.groundPercent };
  return {
    texts: moveDown(places, Math.max(frame.text.top, soloTitleMiddle - height / 2)),
    subjects: placeSubjects(scene.subjects, area, frame, 0).map((place) => ({ ...place, solo: place.places.length > 0 })),
    cameraY: 0,
    groundPercent: frame.groundPercent,
  };
}
