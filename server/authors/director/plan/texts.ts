import type { FilmText, Style, Subject } from '../../../contract/film.ts';
import type { SubjectWish, TextWish } from '../brief/brief.ts';
import { mannered } from '../brief/manners.ts';
import { readingSeconds, wordCount } from '../emit/text-times.ts';
import { actionSeconds, clean, impacts, onGrid, paceOf, type TimedScene } from './timing.ts';

const roles: readonly FilmText['role'][] = ['title', 'subtitle', 'caption'];

/** Words that are a screenful are no title. */
const longTitleWords = 12;

/** First comes the title, then the subtitle, then captions; a role that was named is kept unless it is taken. */
function rolesOf(wishes: readonly TextWish[]): FilmText['role'][] {
  const taken = new Set<FilmText['role']>();
  return wishes.map((wish, index) => {
    // What is struck out makes way for what comes after it.
    const struck = wish.manner.emphasis === 'strike' && index < wishes.length - 1;
    const asked = wish.role ?? (struck || wordCount(wish.text ?? '') > longTitleWords ? 'subtitle' : 'title');
    const role =
      asked !== 'caption' && taken.has(asked)
        ? (roles.find((candidate) => !taken.has(candidate) && candidate !== 'title') ?? 'caption')
        : asked;
    taken.add(role);
    return role;
  });
}

/** A text by style and role; long ones never pop in as a block. */
export function entranceOf(style: Style, role: FilmText['role'], words: number): FilmText['entrance'] {
  if (role === 'caption') return 'fade';
  if (role === 'subtitle') return style === 'cinematic' ? 'fade' : 'rise';
  if (style === 'playful') return words <= 3 ? 'pop' : 'letters';
  return style === 'smooth' ? 'rise' : 'letters';
}

/** Things that fill the middle of the frame and leave texts the edges. */
export const hasBody = (subjects: readonly Subject[]): boolean =>
  subjects.some((subject) => subject.kind !== 'particles' && subject.kind !== 'wave');

export function positionOf(role: FilmText['role'], subjects: readonly Subject[]): FilmText['position'] {
  if (role === 'caption') return 'bottom';
  return hasBody(subjects) ? (role === 'title' ? 'top' : 'bottom') : 'center';
}

const latestAccentSeconds = 2.2;

/** The accent that the first text comes in on: the second landing, or when the move has shown what it is. */
export function accentSeconds(scene: Pick<TimedScene, 'subjects' | 'speed'>, style: Style): number {
  const pace = paceOf(style);
  if (!hasBody(scene.subjects)) return scene.subjects.length > 0 ? 0.5 : 0.2;
  const bouncing = scene.subjects.map((subject) => subject.motion).find((motion) => motion.type === 'bounce');
  if (bouncing !== undefined) {
    const landings = impacts(bouncing.times, { height: bouncing.height, pace });
    const [first = 1, second = first] = landings.map((moment) => moment / scene.speed);
    // A title does not keep people waiting when the ball takes its time.
    return onGrid((second > latestAccentSeconds ? first : second) + 0.1);
  }
  return onGrid(Math.min(1.6, Math.max(pace.entry, actionSeconds({ ...scene, texts: [] }, pace) * 0.35)));
}

export interface TextContext {
  readonly style: Style;
  readonly subjects: readonly Subject[];
  readonly speed: number;
  /** Numbers the texts of the film. */
  readonly nextId: () => string;
  /** Of a thing of the scene. */
  readonly idOf: (thing: SubjectWish) => string | undefined;
}

/** Words that are written or wiped away stand in the middle, within the reach of who does it. */
const actorSize = 1.5;
const beside = { written: true, wiped: true, made: true, stamped: true };

function metOf({ met }: TextWish, idOf: TextContext['idOf']): FilmText['met'] {
  const id = met === null ? undefined : idOf(met.thing);
  return met === null || id === undefined
    ? undefined
    : { id, how: met.how, ...(met.effect === undefined ? {} : { effect: met.effect }) };
}

export function textsOf(wishes: readonly TextWish[], { style, subjects, speed, nextId, idOf }: TextContext): FilmText[] {
  const accent = accentSeconds({ subjects, speed }, style);
  const assigned = rolesOf(wishes);
  let later = 0;
  return wishes.map((wish, i) => {
    const role = assigned[i] ?? 'caption';
    const delaySeconds = clean(wish.delaySeconds ?? accent + later);
    // What is said of a text happens before the next one comes.
    later += wish.manner.emphasis === undefined ? 0.4 : 1.8;
    const text = wish.text ?? '';
    const met = metOf(wish, idOf);
    return {
      id: nextId(),
      text,
      role,
      position: wish.position ?? (met !== undefined && met.how in beside ? 'center' : positionOf(role, subjects)),
      entrance: entranceOf(style, role, wordCount(text)),
      ...mannered(wish.manner),
      ...(met === undefined ? {} : { met }),
      color: wish.color,
      scale: Math.min(
        2,
        Math.max(
          0.4,
          wish.size ??
            (met !== undefined && wordCount(text) <= 3
              ? actorSize
              : wish.manner.emphasis === 'strike' && role === 'subtitle'
                ? 1.6
                : 1),
        ),
      ),
      delaySeconds,
    };
  });
}

/** Texts that would be read too late for the scene come in earlier. */
export function fitDelays(
  texts: readonly FilmText[],
  { durationSeconds, style }: { durationSeconds: number; style: Style },
): FilmText[] {
  const pace = paceOf(style);
  return texts.map((text) => {
    const latest = durationSeconds - pace.exit - readingSeconds(text.text) - pace.entry * 0.7;
    const delaySeconds = clean(Math.max(0, Math.min(text.delaySeconds, onGrid(latest))));
    return delaySeconds === text.delaySeconds ? text : { ...text, delaySeconds };
  });
}
