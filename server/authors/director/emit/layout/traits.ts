import type { FilmScene, Subject } from '../../../../contract/film.ts';
import { extentOf, isInSky } from '../../natures.ts';
import { facingOf, programOf } from '../../programs.ts';

/** Subjects that fill the air and take no place of their own. */
export function isAmbient(subject: Subject): boolean {
  return subject.kind === 'particles' || subject.kind === 'wave';
}

/** One body or several of the kit's own, which stand for themselves; charts and counters have a panel. */
export function isBody(subject: Subject): boolean {
  return ['ball', 'cube', 'shape', 'figure'].includes(subject.kind);
}

/** Things in a place, or drawings, rather than solids and signs on a plain ground: they are composed as a picture. */
export function isPictured(scene: FilmScene): boolean {
  return scene.place !== undefined || scene.subjects.some(({ kind }) => kind === 'figure');
}

/** Sun, moon, stars and clouds: behind the land, and never on it. */
export function isHeavenly(subject: Subject): boolean {
  if (['bounce', 'roll', 'drop', 'jump'].includes(subject.motion.type)) return false;
  return (subject.kind === 'ball' && subject.plain === true) || (subject.kind === 'figure' && isInSky(subject.drawing));
}

/** The sun or the moon itself: it shines, and its place has no other. */
export const isLuminary = (subject: Subject): boolean =>
  (subject.kind === 'ball' && subject.plain === true) || (subject.kind === 'figure' && /moon|^sun(?:$|-)/.test(subject.drawing));

/** Signs rather than solids: they show their face to the camera and hover. */
export function isFlat(subject: Subject): boolean {
  if (subject.kind === 'logo' || subject.kind === 'loader' || subject.kind === 'figure') return true;
  return (
    subject.kind === 'shape' &&
    ['circle', 'square', 'triangle', 'star', 'heart', 'hexagon', 'ring', 'cloud'].includes(subject.shape)
  );
}

const solids: readonly string[] = ['cylinder', 'cone', 'pyramid', 'capsule'];

/** Whether a subject stands on the floor while it does this. Signs join what stands beside them. */
export function standsOnGround(subject: Subject, others: readonly Subject[]): boolean {
  if (subject.motion.type === 'act' && programOf(subject.motion.program).air) return false;
  switch (subject.motion.type) {
    case 'bounce':
    case 'roll':
    case 'drop':
    case 'jump':
      return true;
    case 'float':
    case 'fly':
    case 'swing':
      return false;
    default:
      if (isHeavenly(subject)) return false;
      if (subject.kind === 'ball' || subject.kind === 'cube' || subject.kind === 'bars' || subject.kind === 'figure') return true;
      if (subject.kind !== 'shape') return false;
      return (
        solids.includes(subject.shape) ||
        others.some((other) => other !== subject && !isAmbient(other) && standsOnGround(other, []))
      );
  }
}

/** Width that one body of a subject takes, against its radius. */
export function bodyAspect(subject: Subject): number {
  if (subject.kind === 'logo') return Math.max(0.6, subject.aspectRatio);
  if (subject.kind === 'orbit') return 1.85;
  if (subject.kind === 'bars') return Math.max(1.6, subject.bars.length * 0.55);
  if (subject.kind === 'counter') return 2.4;
  return 1;
}

export function countOf(subject: Subject): number {
  return subject.kind === 'ball' || subject.kind === 'cube' || subject.kind === 'shape' || subject.kind === 'figure'
    ? Math.max(1, Math.round(subject.count))
    : 1;
}

/** How much of the height of its part a body fills: what jumps and falls needs air above it. */
export function heightShare(subject: Subject): number {
  return usualShare(subject) * (subject.kind === 'figure' ? 1.12 : 1);
}

function usualShare(subject: Subject): number {
  if (subject.kind === 'bars' || subject.kind === 'counter') return 1;
  if (subject.kind === 'orbit') return 0.95;
  switch (subject.motion.type) {
    case 'bounce':
    case 'jump':
      return 0.38;
    case 'drop':
      return 0.42;
    case 'roll':
      return 0.42;
    case 'float':
    case 'swing':
    case 'fly':
      return 0.46;
    default:
      return 0.56;
  }
}

/** Whether two subjects look and move alike, their colours aside. */
export function areAlike(one: Subject, other: Subject): boolean {
  const traits = (subject: Subject) =>
    JSON.stringify([
      subject.kind,
      subject.kind === 'shape' ? subject.shape : subject.kind === 'figure' ? subject.drawing : null,
      subject.motion,
      subject.size,
      'formation' in subject ? subject.formation : null,
    ]);
  return ['ball', 'cube', 'shape', 'figure'].includes(one.kind) && traits(one) === traits(other);
}

/** Whether a body comes in from the side, past its neighbours. */
export function crosses({ motion }: Subject): boolean {
  return (
    motion.type === 'roll' ||
    motion.type === 'fly' ||
    (motion.type === 'act' && facingOf(motion) !== null) ||
    (motion.type === 'slide' && (motion.direction === 'left' || motion.direction === 'right'))
  );
}

const whole = { wide: 1, high: 1 };

/** How much of its square a body fills. */
export const drawnShare = (subject: Subject): { readonly wide: number; readonly high: number } =>
  subject.kind === 'figure' ? extentOf(subject.drawing) : whole;

/** Height of a body against its radius. */
export function verticalRatio(subject: Subject): number {
  if (subject.kind === 'cube') return 0.82;
  if (subject.kind === 'loader' && subject.variant === 'dots') return 0.4;
  return 1;
}
