import type { FilmScene, Meeting, Palette, Style, Subject } from '../../../contract/film.ts';
import type { Clause, MeetingWish, SubjectWish } from '../brief/brief.ts';
import { idName, sameKind } from '../brief/wishes.ts';
import { type Nature, natureOf, proportions } from '../natures.ts';
import { inkFor, onGround, readableOn } from '../palette.ts';
import { programOf } from '../programs.ts';
import { groundOf, splitColors } from './colors.ts';
import { descriptionOf } from './description.ts';
import { capitalize, subjectName } from './names.ts';
import { notesFor } from './notes.ts';
import { placeGround } from './place-ground.ts';
import { titleFor } from './scene-titles.ts';
import { placeOf, placeTitle } from './scenery.ts';
import { subjectOf } from './subjects.ts';
import { accentSeconds, fitDelays, textsOf } from './texts.ts';
import { clean, fillingSpeed } from './timing.ts';

/** Camera by style: playful stands still so that the motion speaks; smooth leans in; cinematic always moves. */
export function cameraFor(style: Style, index: number, subjects: readonly Subject[]): FilmScene['camera'] {
  const lead = subjects.find((subject) => subject.kind !== 'particles');
  if (style === 'playful') return 'static';
  const travels =
    lead !== undefined &&
    (lead.motion.type === 'roll' || lead.motion.type === 'fly') &&
    ['ball', 'cube', 'shape', 'figure'].includes(lead.kind);
  if (style === 'smooth') return index === 0 && lead !== undefined && !travels ? 'push-in' : 'static';
  if (travels) return 'follow';
  if (lead?.kind === 'orbit') return 'orbit';
  return (['push-in', 'dolly', 'orbit'] as const)[index % 3] ?? 'push-in';
}

export interface Numbering {
  readonly subject: (kind: string) => string;
  readonly text: () => string;
}

export function numbering(): Numbering {
  const counts = new Map<string, number>();
  const next = (name: string): string => {
    const value = (counts.get(name) ?? 0) + 1;
    counts.set(name, value);
    return `${name}-${value}`;
  };
  return { subject: next, text: () => next('text') };
}

/** Who meets others needs space to move. */
const meetingSize = 0.78;

/** "A dog in a red car drives past": who goes somewhere on another, or in it, rides it. */
function rideOf(wish: SubjectWish, met: ReadonlySet<SubjectWish | null>): MeetingWish | null {
  const { placed, motion } = wish;
  const whom = placed?.relation === 'inside' || placed?.relation === 'on' ? placed.to : null;
  if (whom === null || whom.motion !== null || motion === null || met.has(wish) || met.has(whom)) return null;
  const program = motion.act === null ? null : programOf(motion.act.program);
  const goes =
    program === null ? ['roll', 'slide', 'fly'].includes(motion.type) : program.way === 'cross' || program.way === 'leave';
  if (!goes) return null;
  const effect =
    program?.air === true ? { effect: motion.act?.program ?? 'fly' } : motion.type === 'fly' ? { effect: 'fly' } : {};
  return { verb: 'ride', who: [wish], whom, to: null, isPassive: false, text: motion.act?.verb ?? motion.type, ...effect };
}

/** The cast of a clause, with where they stand and what they do to each other: who stands by somebody of another scene stands anywhere. */
function castOf(
  { subjects: wishes, meetings, texts, still }: Clause,
  make: (wish: SubjectWish, arranged: boolean) => readonly Subject[],
): { subjects: Subject[]; meetings: Meeting[]; idOf: (wanted: SubjectWish) => string | undefined } {
  const anchors = new Set(wishes.flatMap(({ placed }) => [placed?.to, placed?.also]));
  const met = new Set([
    ...meetings.flatMap(({ who, whom, to }) => [...who, whom, to]),
    ...texts.map((text) => text.met?.thing ?? null),
  ]);
  const made = wishes.map((wish) => ({
    wish,
    subjects: make(
      met.has(wish) ? { ...wish, size: (wish.size ?? 1) * meetingSize } : wish,
      still === 'everything' || wish.formation !== null || met.has(wish) || wish.placed !== null || anchors.has(wish),
    ),
  }));
  // In a later scene the same things are there as wishes of their own.
  const idOf = (wanted: SubjectWish | null): string | undefined =>
    (made.find(({ wish }) => wish === wanted) ?? made.find(({ wish }) => wanted !== null && sameKind(wish.ref, wanted.ref)))
      ?.subjects[0]?.id;
  const subjects = made.flatMap(({ wish: { placed }, subjects }) => {
    const of = placed === null ? undefined : placed.to === null ? null : idOf(placed.to);
    if (placed === null || of === undefined) return subjects;
    const also = idOf(placed.also);
    return subjects.map((subject) => ({
      ...subject,
      arranged: { relation: placed.relation, of, ...(also === undefined ? {} : { also }) },
    }));
  });
  const aboard = wishes.flatMap((wish) => rideOf(wish, met) ?? []);
  const meets = [...meetings, ...aboard].flatMap(({ verb, who, whom, to, said, effect }) =>
    who.flatMap((one): Meeting[] => {
      const [id, other, end] = [idOf(one), idOf(whom), to === null ? undefined : idOf(to)];
      if (id === undefined || other === undefined || id === other) return [];
      const more = { ...(said === undefined ? {} : { said }), ...(effect === undefined ? {} : { effect }) };
      return [{ verb, who: id, whom: other, ...more, ...(end === undefined || end === id || end === other ? {} : { to: end }) }];
    }),
  );
  return { subjects: inProportion(subjects), meetings: meets, idOf };
}

const toyBall: Nature = { metres: 0.25, home: null, elsewhere: true };

/** A mouse beside a house is the smaller of the two. */
function inProportion(subjects: readonly Subject[]): Subject[] {
  const natures = subjects.map((subject) =>
    subject.kind === 'figure' ? natureOf(subject.drawing) : subject.kind === 'ball' && subject.plain !== true ? toyBall : null,
  );
  const sizes = proportions(natures);
  // Of what nobody knows the size is drawn as large as the smallest: it hides nobody.
  const smallest = Math.min(1, ...sizes.filter((_, index) => natures[index] !== null));
  const sizeOf = (subject: Subject, index: number): number =>
    subject.kind === 'figure' && natures[index] === null ? smallest : (sizes[index] ?? 1);
  return subjects.map((subject, index) => ({ ...subject, size: clean(subject.size * sizeOf(subject, index)) }));
}

export function buildScene(
  clause: Clause,
  index: number,
  context: { style: Style; palette: Palette; ids: Numbering; colorOf: (wish: SubjectWish) => string },
): FilmScene {
  const { style, palette, ids, colorOf } = context;
  const place = placeOf(clause);
  const open = place === undefined ? null : placeGround(place, style);
  const ground = groundOf(clause.background) ?? (open?.top === palette.backgroundTop ? null : open);
  const local = ground === null ? palette : onGround(palette, ground);
  const { subjects, meetings, idOf } = castOf(clause, (wish, arranged) =>
    splitColors(wish, local).map((one) =>
      subjectOf(one, ids.subject(idName(one.ref)), { palette: local, fallbackColor: colorOf(one), style, arranged }),
    ),
  );
  const texts = textsOf(clause.texts, { style, subjects, speed: clause.speed, nextId: ids.text, idOf }).map((text) =>
    ground !== null && text.color === null && !readableOn(palette.ink, ground) ? { ...text, color: inkFor(ground) } : text,
  );
  return {
    id: `scene-${index + 1}`,
    number: index + 1,
    source: 'document',
    title: 'Scene',
    description: '',
    animationNotes: '',
    startSeconds: 0,
    durationSeconds: 0,
    speed: Math.min(4, Math.max(0.25, clause.speed)),
    background: ground,
    ...(place === undefined ? {} : { place }),
    camera: clause.camera ?? (clause.still === null ? cameraFor(style, index, subjects) : 'static'),
    ...(clause.still === null || clause.still === undefined ? {} : { still: clause.still }),
    subjects,
    ...(meetings.length === 0 ? {} : { meetings }),
    texts,
  };
}

/** A scene with more time than its action needs runs slower, unless the user set its pace; texts keep to their accent. */
export function unhurried(
  scene: FilmScene,
  { clause, durationSeconds, style }: { clause: Clause | undefined; durationSeconds: number; style: Style },
): FilmScene {
  const speed = clause?.speed === 1 ? fillingSpeed(scene, durationSeconds, style) : scene.speed;
  if (speed === scene.speed) return scene;
  const later = accentSeconds({ ...scene, speed }, style) - accentSeconds(scene, style);
  const texts = scene.texts.map((text, i) =>
    clause?.texts[i]?.delaySeconds == null ? { ...text, delaySeconds: clean(text.delaySeconds + later) } : text,
  );
  return { ...scene, speed, texts };
}

/** Gives scenes their places in time, one after the other, and lets texts come in early enough to be read. */
export function schedule(scenes: readonly FilmScene[], durations: readonly number[], style: Style): FilmScene[] {
  let start = 0;
  return scenes.map((scene, i) => {
    const durationSeconds = durations[i] ?? scene.durationSeconds;
    const placed = {
      ...scene,
      startSeconds: clean(start),
      durationSeconds,
      texts: fitDelays(scene.texts, { durationSeconds, style }),
    };
    start = clean(start + durationSeconds);
    return placed;
  });
}

/** Those of a scene of whom it tells: the others are only still there. */
function told(scene: FilmScene): FilmScene {
  const met = new Set((scene.meetings ?? []).flatMap(({ who, whom, to }) => [who, whom, to]));
  const subjects = scene.subjects.filter(({ id, was, motion }) => was === undefined || motion.type !== 'appear' || met.has(id));
  return subjects.length === 0 ? scene : { ...scene, subjects };
}

/** Titles, descriptions and notes of a scene, from what is in it. */
export function worded(scene: FilmScene, style: Style): FilmScene {
  const own = told(scene);
  return { ...scene, title: titleFor(own), description: descriptionOf(own, style), animationNotes: notesFor(own, style) };
}

export const filmTitle = (scenes: readonly FilmScene[]): string => {
  const text = scenes.flatMap((scene) => scene.texts).find((one) => one.role === 'title')?.text;
  const lead =
    scenes.flatMap((scene) => scene.subjects).find((subject) => subject.kind !== 'particles') ?? scenes[0]?.subjects[0];
  return (
    text ??
    (lead === undefined
      ? scenes[0]?.place === undefined
        ? 'Untitled'
        : placeTitle(scenes[0].place)
      : capitalize(subjectName(lead)))
  ).slice(0, 80);
};
