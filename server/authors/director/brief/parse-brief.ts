import { type Aspect, maxDurationSeconds, minSceneSeconds, type Style } from '../../../contract/film.ts';
import { maxPromptCharacters } from '../../../contract/project.ts';
import { arrange } from './arrange.ts';
import type { BackgroundWish, Brief, Clause, Problem, SubjectWish } from './brief.ts';
import { withQuotes } from './headlines.ts';
import { lex } from './lex.ts';
import { answerWords } from './question.ts';
import { readClauses } from './read-clauses.ts';
import type { StyleSource } from './sense.ts';
import type { State } from './state.ts';
import { soundFromWords } from './unsupported.ts';
import type { BriefAsset } from './uploads.ts';
import { logoAmong } from './uploads.ts';
import { newClause, newMotion, newSubject, noModifiers } from './wishes.ts';

export interface BriefHints {
  readonly style: Style | null;
  readonly aspect: Aspect | null;
  readonly durationSeconds: number | null;
  /** Answers to earlier questions: ids of options or free text, oldest first. */
  readonly answers: readonly string[];
  readonly assets: readonly BriefAsset[];
}

export const noHints: BriefHints = { style: null, aspect: null, durationSeconds: null, answers: [], assets: [] };

const aspects: readonly { readonly aspect: Aspect; readonly ratio: number }[] = [
  { aspect: '16:9', ratio: 16 / 9 },
  { aspect: '9:16', ratio: 9 / 16 },
  { aspect: '1:1', ratio: 1 },
  { aspect: '4:5', ratio: 4 / 5 },
];

/** The format that is next to a width over a height. */
export const nearestAspect = (ratio: number): (typeof aspects)[number] =>
  aspects.reduce((best, next) => (Math.abs(Math.log(next.ratio / ratio)) < Math.abs(Math.log(best.ratio / ratio)) ? next : best));

function readAspect(state: State): Aspect | null {
  const wish = state.aspects.at(-1);
  if (wish === undefined || wish.width <= 0 || wish.height <= 0) return null;
  const ratio = wish.width / wish.height;
  const nearest = nearestAspect(ratio);
  if (Math.abs(nearest.ratio / ratio - 1) > 0.03)
    state.notes.push(`${wish.width}:${wish.height} is not among the formats, ${nearest.aspect} comes closest.`);
  return nearest.aspect;
}

const seconds = (value: number): string => `${Math.round(value * 100) / 100} s`;

function durationProblem(value: number): Problem | null {
  if (value < minSceneSeconds) {
    return {
      code: 'duration_too_short',
      message: `A film of ${seconds(value)} is too short: a scene needs ${minSceneSeconds} s to come in, hold and leave.`,
    };
  }
  if (value > maxDurationSeconds) {
    return {
      code: 'duration_too_long',
      message: `${value >= 3600 ? `${Math.round((value / 3600) * 10) / 10} hours` : seconds(value)} is too long: a film may last ${maxDurationSeconds / 60} minutes at most.`,
    };
  }
  return null;
}

/** Durations of scenes and of the film: "for 3 seconds" in several clauses are theirs, a lone one is the film's. */
function readDuration(state: State, scenes: readonly Clause[]): number | null {
  const open = state.durations.filter((one) => one.scope === 'open');
  const owners = new Set(open.map((one) => one.clause));
  const perScene =
    scenes.length > 1 ? state.durations.filter((one) => one.scope === 'clause' || (one.scope === 'open' && owners.size > 1)) : [];
  for (const { clause, seconds: value } of perScene)
    if (scenes.includes(clause) && value >= minSceneSeconds && value <= maxDurationSeconds) clause.durationSeconds = value;
  const film = state.durations.filter((one) => !perScene.includes(one)).at(-1);
  if (film !== undefined) return film.seconds;
  const told = scenes.map((scene) => scene.durationSeconds);
  return told.length > 1 && told.every((value) => value !== null)
    ? told.reduce((sum: number, value) => sum + (value ?? 0), 0)
    : null;
}

const firstOf = <Value>(values: readonly Value[]): Value | null => values[0] ?? null;

/** Enough numbers, colours and timings leave nothing to ask. */
const specificDetails = 9;

function readStyle(state: State, hint: Style | null): { value: Style | null; source: StyleSource | null } {
  if (hint !== null) return { value: hint, source: 'stated' };
  for (const source of ['stated', 'implied'] as const) {
    const found = firstOf(state.styles.filter((one) => one.source === source));
    if (found === null) continue;
    const others = [...new Set(state.styles.filter((one) => one.source === source).map((one) => one.style))];
    if (others.length > 1) state.notes.push(`“${others.join('” and “')}” pull apart, so the film is ${found.style}.`);
    return { value: found.style, source };
  }
  if (state.techniques.length > 0)
    return { value: firstOf(state.techniques.filter((style) => style !== null)), source: 'specific' };
  return state.details >= specificDetails ? { value: null, source: 'specific' } : { value: null, source: null };
}

/** The one background of the film, unless several scenes have their own or it comes with a later scene. */
function readBackground(state: State, scenes: readonly Clause[]): BackgroundWish | null {
  const all = state.backgrounds.filter(({ wish }) => wish.colors.length > 0 || wish.shade !== null);
  const first = all[0];
  if (first === undefined) return null;
  const at = scenes.findIndex((scene) => scene.background === first.wish);
  // "then the background turns blue" is a scene's own; anywhere else a lone background is the film's.
  const belongsToScene = at > 0 && scenes[at]?.sequenced === true;
  if (all.length === 1 && !belongsToScene) {
    for (const scene of scenes) if (scene.background === first.wish) scene.background = null;
    return first.wish;
  }
  const lead = scenes[0]?.background ?? null;
  if (lead !== null && scenes[0] !== undefined) scenes[0].background = null;
  return lead;
}

const usesOf = (scenes: readonly Clause[]): SubjectWish[] => scenes.flatMap((scene) => scene.subjects);

/** Every logo gets its picture: the one that is named with it, or in another place, else the one that was uploaded. */
function givePictures(scenes: readonly Clause[], { assets }: BriefHints, notes: string[]): void {
  const logos = usesOf(scenes).flatMap((subject) => (subject.ref.kind === 'logo' ? [{ subject, ref: subject.ref }] : []));
  const named = logos.find(({ ref }) => ref.picture !== undefined)?.ref.picture;
  const usual = named ?? logoAmong(assets);
  // Without a picture the name itself is the logo.
  if (usual === null)
    for (const scene of scenes)
      if (scene.texts.length > 0)
        scene.subjects = scene.subjects.filter(
          ({ ref, motion }) => ref.kind !== 'logo' || (motion !== null && motion.type !== 'appear'),
        );
  for (const { subject, ref } of logos) {
    const picture = ref.picture ?? usual;
    subject.ref = picture === null ? { kind: 'shape', shape: 'hexagon', mark: true } : { kind: 'logo', picture };
  }
  if (logos.length > 0 && usual === null)
    notes.push(
      usesOf(scenes).some(({ ref }) => ref.kind === 'shape' && ref.mark === true)
        ? 'No image was uploaded yet, so a hexagon holds the place of the logo.'
        : 'No image was uploaded yet, so the name itself is the logo.',
    );
}

/** The sound that is named, else the first that was uploaded, unless the film is to be silent. */
function readMusic(state: State, { assets }: BriefHints, notes: string[]): string | null {
  const sound = state.sound ?? assets.find((asset) => asset.kind === 'audio');
  if (sound === undefined || state.excluded.things.includes('sound')) return null;
  notes.push(`“${sound.name}” plays from the beginning and fades out at the end.`);
  return sound.path;
}

function unknownNouns(scenes: readonly Clause[]): string[] {
  return usesOf(scenes).flatMap((subject) => (subject.standsFor === null ? [] : [subject.standsFor]));
}

/**
 * Reads a prompt. Never throws: whatever was not understood is in `unknownWords`, whatever cannot be done in
 * `problems` and `notes`.
 */
export function parseBrief(prompt: string, hints: BriefHints): Brief {
  const words = [
    prompt.slice(0, maxPromptCharacters),
    ...hints.answers.map((answer) => answerWords(answer).slice(0, 2000)),
  ].filter((part) => part.trim() !== '');
  const { lexemes, language } = lex(withQuotes(words.join('\n')), hints.assets);
  const state = readClauses(lexemes, language);
  const notes = state.notes;
  const scenes = arrange(state);
  if (scenes.length === 0 && state.orphanMotion) {
    const ball = newSubject({ kind: 'ball' }, { mods: noModifiers(), plural: false });
    ball.motion = state.mods.motion ?? newMotion('bounce');
    scenes.push({ ...newClause(false), subjects: [ball] });
    notes.push('Nothing was named to do it, so a ball does.');
  }
  for (const { motion } of usesOf(scenes)) {
    if (motion?.direction !== 'left' && motion?.direction !== 'right') continue;
    if (['jump', 'spin', 'pulse', 'swing'].includes(motion.type))
      notes.push(`A ${motion.type} stays in its place here and does not travel ${motion.direction}.`);
  }
  givePictures(scenes, hints, notes);
  const asked = hints.durationSeconds ?? readDuration(state, scenes);
  const lasting = asked === null ? null : durationProblem(asked);
  const animatable = scenes.length > 0;
  const problems: Problem[] = [
    ...(animatable ? [] : [{ code: 'nothing_to_animate' as const, message: 'Nothing in the prompt says what should move.' }]),
    ...(lasting === null ? [] : [lasting]),
  ];
  const standing = unknownNouns(scenes);
  for (const noun of new Set(standing)) notes.push(`“${noun}” is nothing that can be drawn here, so a ball stands in for it.`);
  for (const { ref } of usesOf(scenes))
    if (ref.kind === 'figure' && ref.relative !== null) notes.push(`A ${ref.noun} is drawn as a ${ref.relative}.`);
  const music = readMusic(state, hints, notes);
  const style = readStyle(state, hints.style);
  const background = readBackground(state, scenes);
  return {
    prompt,
    language,
    clauses: scenes,
    style,
    aspect: hints.aspect ?? readAspect(state),
    durationSeconds: lasting === null ? asked : null,
    fps: state.fps === null ? null : state.fps <= 30 ? 30 : 60,
    background,
    excluded: state.excluded,
    unknownWords: [...new Set(state.unknown.filter((word) => !standing.includes(word)))],
    notes: [...new Set(notes)].filter((note) => music === null || note !== soundFromWords),
    problems,
    animatable,
    answered: hints.answers.length > 0,
    assets: hints.assets,
    music,
  };
}
