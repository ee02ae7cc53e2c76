import type { Style } from '../../../../contract/project.ts';
import type { BackgroundWish, Brief, Clause, SubjectWish } from '../brief/brief.ts';
import { sunColor } from '../brief/lexicon/colors.ts';
import { newClause, newMotion, newSubject, newText, noModifiers, sameKind } from '../brief/wishes.ts';
import { isLight } from '../color.ts';
import type { Film, FilmScene, Palette, Subject } from '../film.ts';
import {
  choosePalette,
  companions,
  festive,
  type Ground,
  groundFrom,
  inkFor,
  onGround,
  readableOn,
  visibleOn,
} from '../palette.ts';
import { defaultTotal, extendClauses, fitClauses, maxScenes } from './arrange-scenes.ts';
import { capitalize, colorName, numberWord, subjectName } from './names.ts';
import { naturalColor, subjectOf } from './subjects.ts';
import { accentSeconds, fitDelays, textsOf } from './texts.ts';
import { clean, fillingSpeed, neededSeconds, onGrid, readingSeconds, shareDuration } from './timing.ts';
import { descriptionOf, notesFor, titleFor } from './words.ts';

export interface Planned {
  readonly film: Film;
  /** Decisions worth telling, each a full sentence. */
  readonly notes: readonly string[];
}

/** The style that a story asks for when nobody named one. */
function guessStyle(clauses: readonly Clause[]): Style {
  const kinds = clauses.flatMap((clause) => clause.subjects.map((subject) => subject.ref));
  if (
    kinds.some(
      (ref) => ref.kind === 'orbit' || (ref.kind === 'particles' && (ref.preset === 'stars' || ref.preset === 'fireworks')),
    )
  )
    return 'cinematic';
  if (kinds.some((ref) => ['bars', 'counter', 'logo', 'loader', 'wave'].includes(ref.kind))) return 'smooth';
  return kinds.length === 0 ? 'smooth' : 'playful';
}

/** A prompt without anything to animate shows its own words, when they are few, and a ball otherwise. */
function standInClauses(brief: Brief): { clauses: Clause[]; note: string } {
  const words = brief.prompt.replace(/\s+/g, ' ').trim();
  const clause = newClause(false);
  if (words !== '' && words.length <= 40 && /[\p{L}\p{N}]/u.test(words)) {
    clause.texts.push({ ...newText(noModifiers()), text: words, role: 'title' });
    clause.subjects.push(newSubject({ kind: 'particles', preset: 'sparkles' }, { mods: noModifiers(), plural: true }));
    return { clauses: [clause], note: 'Nothing in it says what should move, so your words appear as a title over sparkles.' };
  }
  const ball = newSubject({ kind: 'ball' }, { mods: noModifiers(), plural: false });
  ball.motion = newMotion('bounce');
  clause.subjects.push(ball);
  return { clauses: [clause], note: 'Nothing in it says what should move, so a ball bounces.' };
}

/** "Rainbow balls": one thing for each colour, sharing the count. */
function splitColors(wish: SubjectWish, palette: Palette): SubjectWish[] {
  const many = wish.ref.kind === 'ball' && wish.ref.festive === true && wish.plural && wish.color === null;
  const subject = many ? { ...wish, colors: festive(palette, palette.accent) } : wish;
  const several = ['ball', 'cube', 'shape'].includes(subject.ref.kind) && subject.colors.length > 1;
  const total = subject.count ?? (subject.plural ? subject.colors.length : 1);
  if (!several || total < 2) return [subject];
  const colors = subject.colors.slice(0, Math.min(total, 6));
  return colors.map((color, i) => ({
    ...subject,
    color,
    colors: [],
    plural: false,
    count: Math.floor(total / colors.length) + (i < total % colors.length ? 1 : 0),
  }));
}

export function groundOf(wish: BackgroundWish | null): Ground | null {
  const [top, bottom] = wish?.colors ?? [];
  if (top === undefined) return null;
  return bottom === undefined || bottom === top ? groundFrom(top) : { top, bottom };
}

/** Stars and fireworks are seen in the dark, and so is what goes around the sun. */
const nightly = (clauses: readonly Clause[]): boolean =>
  clauses.some(({ subjects }) =>
    subjects.some(
      ({ ref, color }) =>
        (ref.kind === 'particles' && (ref.preset === 'stars' || ref.preset === 'fireworks')) ||
        (ref.kind === 'orbit' && color === sunColor),
    ),
  );

function choose(brief: Brief, clauses: readonly Clause[], style: Style, seed: number): Palette {
  const background = groundOf(brief.background);
  const own = clauses.filter((clause) => clause.background === null);
  return choosePalette(style, seed, {
    background,
    tone: background === null ? (brief.background?.shade ?? (nightly(own) ? 'dark' : null)) : null,
    subjectColors: own.flatMap((clause) => clause.subjects.flatMap((subject) => naturalColor(subject) ?? [])),
    textColors: own.flatMap((clause) => clause.texts.flatMap((text) => text.color ?? [])),
  });
}

/** Camera by style: playful stands still so that the motion speaks; smooth leans in; cinematic always moves. */
export function cameraFor(style: Style, index: number, subjects: readonly Subject[]): FilmScene['camera'] {
  const lead = subjects.find((subject) => subject.kind !== 'particles');
  if (style === 'playful') return 'static';
  const travels =
    lead !== undefined &&
    (lead.motion.type === 'roll' || lead.motion.type === 'fly') &&
    ['ball', 'cube', 'shape'].includes(lead.kind);
  if (style === 'smooth') return index === 0 && lead !== undefined && !travels ? 'push-in' : 'static';
  if (travels) return 'follow';
  if (lead?.kind === 'orbit') return 'orbit';
  return (['push-in', 'dolly', 'orbit'] as const)[index % 3] ?? 'push-in';
}

interface Numbering {
  readonly subject: (kind: string) => string;
  readonly text: () => string;
}

function numbering(): Numbering {
  const counts = new Map<string, number>();
  const next = (name: string): string => {
    const value = (counts.get(name) ?? 0) + 1;
    counts.set(name, value);
    return `${name}-${value}`;
  };
  return { subject: next, text: () => next('text') };
}

/** Colours for things that nobody gave one: the accent leads, the palette's companions follow, and a thing that comes again keeps its own. */
function colorer(palette: Palette): (wish: SubjectWish) => string {
  const pool = companions(palette, palette.accent);
  const known: { wish: SubjectWish; color: string }[] = [];
  let used = 0;
  return (wish) => {
    const before = wish.definite ? known.findLast((one) => sameKind(one.wish.ref, wish.ref)) : undefined;
    const color = wish.color ?? before?.color ?? pool[used % pool.length] ?? palette.accent;
    // What fills the air leaves the accent to the thing that leads.
    if (wish.color === null && before === undefined && wish.ref.kind !== 'particles') used += 1;
    known.push({ wish, color });
    return color;
  };
}

function buildScene(
  clause: Clause,
  index: number,
  context: { style: Style; palette: Palette; ids: Numbering; colorOf: (wish: SubjectWish) => string },
): FilmScene {
  const { style, palette, ids, colorOf } = context;
  const ground = groundOf(clause.background);
  const local = ground === null ? palette : onGround(palette, ground);
  const subjects = clause.subjects
    .flatMap((wish) => splitColors(wish, local))
    .map((wish) =>
      subjectOf(
        wish,
        ids.subject(wish.ref.kind === 'shape' ? wish.ref.shape : wish.ref.kind === 'particles' ? wish.ref.preset : wish.ref.kind),
        { palette: local, fallbackColor: colorOf(wish), style },
      ),
    );
  const texts = textsOf(clause.texts, { style, subjects, speed: clause.speed, nextId: ids.text }).map((text) =>
    ground !== null && text.color === null && !readableOn(palette.ink, ground) ? { ...text, color: inkFor(ground) } : text,
  );
  return {
    id: `scene-${index + 1}`,
    number: index + 1,
    title: 'Scene',
    description: '',
    animationNotes: '',
    startSeconds: 0,
    durationSeconds: 0,
    speed: Math.min(4, Math.max(0.25, clause.speed)),
    background: ground,
    camera: clause.camera ?? cameraFor(style, index, subjects),
    subjects,
    texts,
  };
}

/** A scene with more time than its action needs runs slower, unless the user set its pace; texts keep to their accent. */
function unhurried(
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

/** Titles, descriptions and notes of a scene, from what is in it. */
export function worded(scene: FilmScene, style: Style): FilmScene {
  return { ...scene, title: titleFor(scene), description: descriptionOf(scene, style), animationNotes: notesFor(scene, style) };
}

export const filmTitle = (scenes: readonly FilmScene[]): string => {
  const text = scenes.flatMap((scene) => scene.texts).find((one) => one.role === 'title')?.text;
  const lead =
    scenes.flatMap((scene) => scene.subjects).find((subject) => subject.kind !== 'particles') ?? scenes[0]?.subjects[0];
  return (text ?? (lead === undefined ? 'Untitled' : capitalize(subjectName(lead)))).slice(0, 80);
};

export function plan(brief: Brief, { seed }: { seed: number }): Planned {
  const notes: string[] = [];
  const standing = brief.clauses.length === 0 ? standInClauses(brief) : null;
  if (standing !== null) notes.push(standing.note);
  const told = standing?.clauses ?? brief.clauses;
  const style = brief.style.value ?? guessStyle(told);
  if (brief.style.source === null && brief.answered) notes.push(`The style was left open, so it is ${style}.`);
  const asked = brief.durationSeconds;
  if (asked === null && brief.answered)
    for (const problem of brief.problems) if (problem.code !== 'nothing_to_animate') notes.push(problem.message);

  const most = asked === null ? 15 : maxScenes(asked);
  const fitted = fitClauses(told, most);
  if (fitted.length < told.length)
    notes.push(`${capitalize(numberWord(told.length))} moments do not fit one by one, so some share a scene.`);
  const clauses = asked === null ? fitted : extendClauses(fitted, asked);
  const palette = choose(brief, clauses, style, seed);
  const ids = numbering();
  const colorOf = colorer(palette);
  const drafts = clauses.map((clause, i) => buildScene(clause, i, { style, palette, ids, colorOf }));

  const needs = drafts.map((scene, i) => ({
    needed: neededSeconds(scene, { style, last: i === drafts.length - 1 }),
    fixed: clauses[i]?.durationSeconds ?? null,
  }));
  const needed = needs.reduce((sum, need) => sum + (need.fixed ?? need.needed), 0);
  const reading = drafts.reduce(
    (sum, scene) => sum + Math.max(0, ...scene.texts.map((text) => readingSeconds(text.text) + 1)),
    0,
  );
  const total = asked ?? onGrid(Math.min(600, Math.max(defaultTotal(needed, drafts.length), reading)));
  if (asked === null && total > 10) notes.push(`No length was given; to show all of it the film lasts ${total} s.`);
  const durations = shareDuration(total, needs);
  const timed = drafts.map((scene, i) => unhurried(scene, { clause: clauses[i], durationSeconds: durations[i] ?? 0, style }));
  const scenes = schedule(timed, durations, style).map((scene) => worded(scene, style));
  const film: Film = {
    version: 1,
    title: filmTitle(scenes),
    prompt: brief.prompt,
    seed,
    style,
    aspect: brief.aspect ?? '16:9',
    fps: brief.fps ?? 60,
    durationSeconds: total,
    palette,
    music: brief.music,
    scenes,
  };
  return { film, notes: [...notes, ...filmNotes(film)] };
}

/** What a designer would warn about: texts that are hard to read, things that drown in the ground. */
export function filmNotes(film: Film): string[] {
  const notes = new Set<string>();
  for (const scene of film.scenes) {
    const ground = scene.background ?? { top: film.palette.backgroundTop, bottom: film.palette.backgroundBottom };
    const tone = `${isLight(ground.top) ? 'light' : 'dark'} ground`;
    for (const text of scene.texts) {
      if (text.color !== null && !readableOn(text.color, ground))
        notes.add(
          `${capitalize(colorName(text.color))} letters are hard to read on this ${tone}; the colours are as you named them.`,
        );
      const room = scene.durationSeconds - text.delaySeconds - 0.3;
      if (readingSeconds(text.text) > room + 0.2)
        notes.add(
          `“${text.text.slice(0, 30)}${text.text.length > 30 ? '…' : ''}” needs ${Math.round(readingSeconds(text.text) * 10) / 10} s to be read and has ${Math.max(0, Math.round(room * 10) / 10)} s.`,
        );
    }
    for (const subject of scene.subjects) {
      if (['ball', 'cube', 'shape'].includes(subject.kind) && !visibleOn(subject.color, ground))
        notes.add(`${capitalize(subjectName(subject))} hardly stands out from this ${tone}; the colours are as you named them.`);
    }
  }
  return [...notes];
}

/** The film that a brief asks for. Total and deterministic: the same brief and seed give the same film. */
export function planFilm(brief: Brief, options: { seed: number }): Film {
  return plan(brief, options).film;
}
