import type { Film, Style } from '../../../contract/film.ts';
import type { Brief, Clause } from '../brief/brief.ts';
import type { SubjectRef } from '../brief/sense.ts';
import { beatsOf } from '../emit/count-channels.ts';
import { readingSeconds } from '../emit/text-times.ts';
import { defaultTotal, extendClauses, fitClauses, maxScenes } from './arrange-scenes.ts';
import { choose, colorer } from './colors.ts';
import { continued } from './continuity.ts';
import { filmNotes } from './film-notes.ts';
import { capitalize, numberWord } from './names.ts';
import { stay } from './scenery.ts';
import { buildScene, filmTitle, numbering, schedule, unhurried, worded } from './scenes.ts';
import { standInClauses } from './stand-in.ts';
import { neededSeconds, onGrid, shareDuration } from './timing.ts';

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
  const isMark = (ref: SubjectRef): boolean => ref.kind === 'logo' || (ref.kind === 'shape' && ref.mark === true);
  if (kinds.some((ref) => isMark(ref) || ['bars', 'counter', 'loader', 'wave'].includes(ref.kind))) return 'smooth';
  return kinds.length === 0 ? 'smooth' : 'playful';
}

export function plan(brief: Brief, { seed }: { seed: number }): Planned {
  const notes: string[] = [];
  const standing = brief.clauses.length === 0 ? standInClauses(brief) : null;
  if (standing !== null) notes.push(standing.note);
  const clausesTold = stay(standing?.clauses ?? brief.clauses, brief);
  const style = brief.style.value ?? guessStyle(clausesTold);
  if (brief.style.source === null && brief.answered) notes.push(`The style was left open, so it is ${style}.`);
  const asked = brief.durationSeconds;
  if (asked === null && brief.answered)
    for (const problem of brief.problems) if (problem.code !== 'nothing_to_animate') notes.push(problem.message);

  const most = asked === null ? 15 : maxScenes(asked);
  const fitted = fitClauses(clausesTold, most);
  if (fitted.length < clausesTold.length)
    notes.push(`${capitalize(numberWord(clausesTold.length))} moments do not fit one by one, so some share a scene.`);
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
  // A countdown takes its seconds, and the other scenes theirs.
  const counts = drafts.some((scene) => scene.subjects.some((one) => one.kind === 'counter' && beatsOf(one) !== null));
  const total = asked ?? onGrid(Math.min(600, Math.max(defaultTotal(needed, drafts.length), reading, counts ? needed : 0)));
  if (asked === null && total > 10) notes.push(`No length was given; to show all of it the film lasts ${total} s.`);
  const durations = shareDuration(total, needs);
  const timed = drafts.map((scene, i) => unhurried(scene, { clause: clauses[i], durationSeconds: durations[i] ?? 0, style }));
  const scheduled = schedule(timed, durations, style);
  const film: Film = {
    version: 2,
    parameters: [],
    title: filmTitle(scheduled),
    prompt: brief.prompt,
    seed,
    style,
    aspect: brief.aspect ?? '16:9',
    fps: brief.fps ?? 60,
    durationSeconds: total,
    palette,
    music: brief.music,
    scenes: scheduled,
  };
  const story = continued(film, ids);
  const told = { ...story, scenes: story.scenes.map((scene) => worded(scene, style)) };
  return { film: told, notes: [...notes, ...filmNotes(told)] };
}

/** The film that a brief asks for. Total and deterministic: the same brief and seed give the same film. */
export function planFilm(brief: Brief, options: { seed: number }): Film {
  return plan(brief, options).film;
}
