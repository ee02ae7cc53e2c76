import { isDeepStrictEqual } from 'node:util';
import { KodaError } from '#contract/errors.ts';
import { filmEditSchema, lookFields, withFilmEdits } from '#kinds/film/contract/edit.ts';
import { fieldProblem } from '#kinds/film/contract/field-problem.ts';
import { type Film, filmSchema, minSceneSeconds } from '#kinds/film/contract/film.ts';
import { isCode, lengthOf } from '#kinds/film/contract/outline.ts';
import type { Reading } from '#kinds/film/contract/reading.ts';
import { type Fields, isFields, jsonOr } from '../../../llm/one-repair.ts';
import { textsOf } from '../check/expected-texts.ts';
import { coerceFilm, numberIn, type UnknownField } from '../document/coerce.ts';
import { planOf, problemsOf, withoutUnknownIcons } from '../document/document.ts';
import { fieldProblems, requiredIconProblems } from '../document/set-scenes.ts';
import { formatOf, formats } from '../formats/catalogue.ts';
import { type FilmAsset, fitSeconds, naturalSeconds, tenth } from './plan-film.ts';

/** Turns a language model's answer into a film. */

export interface Problem {
  /** Index of the scene. `null` if the problem concerns the whole film. */
  readonly scene: number | null;
  readonly text: string;
}

export interface MadeFilm {
  readonly film: Film;
  /** What the user is told about the film. */
  readonly says: string | null;
}

/** An answer that cannot be used yet. */
export interface Rejected {
  readonly problems: readonly Problem[];
  /** All scenes of the answer, or `null` if it has none. */
  readonly scenes: readonly unknown[] | null;
  readonly look?: Fields;
}

type Settled = MadeFilm | Rejected;

interface Requirements {
  readonly assets: readonly FilmAsset[];
  /** Texts that the film has to show word for word. */
  readonly texts: readonly string[];
}

/**
 * Returns the film of an answer. What the user has chosen, and what the answer lacks, comes from `defaults`. `before`: the answer
 * that this one repairs.
 */
export function plannedFilm(
  answer: unknown,
  {
    defaults,
    chosen,
    before,
    request,
    ...requirements
  }: Requirements & {
    defaults: Film;
    chosen: ReadonlySet<Reading['chosen'][number]>;
    before: Rejected | null;
    request: string;
  },
): Settled {
  const given = withScenes(answer);
  if (given === null) return { problems: [{ scene: null, text: 'It has no scenes.' }], scenes: null };
  const whole = withoutRepeats(corrected(given, before));
  const { value, notes, unknown } = coerceFilm(whole, defaults.language);
  if (!isFields(value) || !Array.isArray(value['scenes']))
    return { problems: [{ scene: null, text: 'It has no scenes.' }], scenes: null };
  const { scenes } = value as { scenes: { format: string; props: Fields; seconds?: unknown }[] };
  const { style, theme, aspect, colors } = defaults;
  const set = {
    ...(chosen.has('style') && { style }),
    ...(chosen.has('theme') && { theme }),
    ...(chosen.has('aspect') && { aspect }),
    ...(chosen.has('colors') && { colors }),
  };
  const look = lookOf({ ...value, ...set }, defaults, requirements.assets);
  const lost = before === null ? lostProblems(unknown, request) : [];
  const problems = [...lost, ...sceneProblems(scenes, requirements.assets)];
  // The model sees its own scenes again, with the texts that no field has taken.
  const own = Array.isArray(whole['scenes']) ? (whole['scenes'] as readonly unknown[]) : scenes;
  if (problems.length > 0) return { problems, scenes: own, look: value };
  const natural = scenes.map(({ format, props, seconds }) =>
    Math.max(minSceneSeconds, typeof seconds === 'number' ? seconds : tenth(naturalSeconds(format, props, look.style))),
  );
  const lengths = fitSeconds(natural, chosen.has('length') ? lengthOf(defaults) : null, false);
  const film = {
    ...look,
    version: 3,
    seed: defaults.seed,
    scenes: scenes.map(({ format, props }, index) => ({ id: `scene-${index + 1}`, seconds: lengths[index], format, props })),
  };
  const caveat = typeof value['caveat'] === 'string' ? value['caveat'] : '';
  return settled(film, { says: [caveat, ...notes], scenes, texts: requirements.texts });
}

function withoutRepeats(given: Fields): Fields {
  const { scenes } = given;
  if (!Array.isArray(scenes)) return given;
  return { ...given, scenes: scenes.filter((scene, index) => index === 0 || !isDeepStrictEqual(scene, scenes[index - 1])) };
}

/** Returns a problem for each unknown field that holds words of the request, which would be lost with it. */
function lostProblems(unknown: readonly UnknownField[], request: string): Problem[] {
  const asked = flat(request).toLowerCase();
  const isAsked = (value: unknown): boolean => {
    if (typeof value === 'string') return /[\p{L}\p{N}]/u.test(value) && asked.includes(flat(value).toLowerCase());
    return typeof value === 'object' && value !== null && Object.values(value).some(isAsked);
  };
  return unknown
    .filter(({ scene, value }) => scene !== null && isAsked(value))
    .map(({ scene, name, known }) => ({ scene, text: `${name}: there is no such field; the fields are ${known.join(', ')}.` }));
}

/** Returns the film after the edits of an answer. Edits without the value that they replace apply to the film as it is. */
export function editedFilm(answer: unknown, film: Film, { assets, texts }: Requirements): Settled {
  const list = editsIn(answer);
  if (list === null) return { problems: [{ scene: null, text: 'It has no edits.' }], scenes: null };
  let edited = film;
  const hasColors = list.some((edit) => isFields(edit) && edit['field'] === 'colors');
  for (const [index, edit] of list.entries()) {
    const next = withEdit(edited, edit, hasColors);
    if ('problem' in next) return { problems: [{ scene: null, text: `Edit ${index + 1}: ${next.problem}` }], scenes: null };
    edited = next.film;
  }
  const { value, notes } = coerceFilm({ ...edited, scenes: edited.scenes.map(withValidHighlight) }, film.language);
  if (!isFields(value) || !Array.isArray(value['scenes']))
    return { problems: [{ scene: null, text: 'No scene is left.' }], scenes: null };
  const known = new Map(film.scenes.map((scene) => [scene.id, scene]));
  const scenes = value['scenes'].map((scene: unknown) => {
    const before = isFields(scene) ? known.get(String(scene['id'])) : undefined;
    return before !== undefined && edited.scenes.includes(before) ? before : scene;
  });
  const kept: readonly unknown[] = film.scenes;
  const codeIds = new Set<unknown>(film.scenes.filter(isCode).map(({ id }) => id));
  const changed = scenes.map((scene: unknown) =>
    kept.includes(scene) || (isFields(scene) && codeIds.has(scene['id'])) ? null : scene,
  );
  const problems = sceneProblems(changed, assets);
  if (problems.length > 0)
    return {
      problems: problems.map(({ text, scene }) => ({ scene: null, text: `Scene ${Number(scene) + 1}, ${text}` })),
      scenes: null,
    };
  const summary = isFields(answer) && typeof answer['summary'] === 'string' ? answer['summary'] : '';
  if (list.length === 0 && summary === '') return { problems: [{ scene: null, text: 'It has no edits.' }], scenes: null };
  const look = lookOf(value, film, assets);
  if (list.length > 0 && isDeepStrictEqual({ ...film, ...look, scenes }, film))
    return { problems: [{ scene: null, text: ['The edits change nothing.', ...notes].join(' ') }], scenes: null };
  return settled({ ...film, ...look, scenes }, { says: [summary, ...notes], scenes: null, texts });
}

/** Returns the part of an answer that has the scenes: the answer itself, or an object that it is wrapped in. */
function withScenes(answer: unknown): Fields | null {
  if (Array.isArray(answer)) return { scenes: answer };
  if (!isFields(answer)) return null;
  if (answer['scenes'] !== undefined) return answer;
  if (answer['format'] !== undefined) return { scenes: [answer] };
  return (
    Object.values(answer)
      .filter(isFields)
      .find((inner) => inner['scenes'] !== undefined) ?? null
  );
}

/** Puts corrected scenes into the film that they are part of. An answer with another number of scenes is a whole film. */
function corrected(given: Fields, before: Rejected | null): Fields {
  if (before === null) return given;
  const wrong = wrongScenes(before);
  const { scenes } = given;
  if (before.scenes === null || wrong === null || !Array.isArray(scenes) || wrong.length !== scenes.length)
    return { ...before.look, ...given };
  const all = before.scenes.map((scene, index): unknown => (wrong.includes(index) ? scenes[wrong.indexOf(index)] : scene));
  return { ...before.look, ...given, scenes: all };
}

/** Returns the indexes of the scenes with problems, or `null` if a problem concerns the whole film. */
export function wrongScenes({ problems }: Rejected): number[] | null {
  const indexes = problems.map(({ scene }) => scene);
  return indexes.includes(null) ? null : [...new Set(indexes.filter((index) => index !== null))];
}

/** Returns the look of an answer. A value that is missing or cannot be used comes from `defaults`. */
function lookOf(given: Fields, defaults: Film, assets: readonly FilmAsset[]): Pick<Film, (typeof lookFields)[number]> {
  const valid = lookFields.flatMap((field) => {
    const value = given[field] ?? undefined;
    const parsed = filmSchema.shape[field].safeParse(value);
    const isUpload = field !== 'music' || assets.some(({ path, kind }) => kind === 'audio' && path === value);
    return value !== undefined && parsed.success && isUpload ? [[field, parsed.data]] : [];
  });
  const { title, style, theme, aspect, fps, language, colors, music } = { ...defaults, ...Object.fromEntries(valid) } as Film;
  return { title, style, theme, aspect, fps, language, colors, music };
}

/** Returns what is wrong with the scenes. `null` stands for one that need not be checked. */
function sceneProblems(scenes: readonly unknown[], assets: readonly FilmAsset[]): Problem[] {
  return scenes.flatMap((scene, index): Problem[] => {
    if (scene === null) return [];
    if (!isFields(scene) || typeof scene['format'] !== 'string' || !isFields(scene['props']))
      return [{ scene: index, text: 'A scene has a format and its props.' }];
    const { format, props } = scene;
    if (formatOf(format) === null)
      return [
        { scene: index, text: `There is no format "${format}". The formats are ${formats.map(({ id }) => id).join(', ')}.` },
      ];
    return fieldProblems({ format, props }, assets).map((text) => ({ scene: index, text }));
  });
}

/** Returns the film if it is valid and shows the texts. */
function settled(
  given: unknown,
  { says, scenes, texts }: { says: readonly string[]; scenes: readonly unknown[] | null; texts: readonly string[] },
): Settled {
  const parsed = filmSchema.safeParse(given);
  if (!parsed.success)
    return {
      problems: parsed.error.issues.map((issue) => ({ scene: null, text: `${issue.path.join('.')}: ${fieldProblem(issue)}.` })),
      scenes,
    };
  const film = withoutUnknownIcons(parsed.data);
  const shown = flat(
    textsOf(film)
      .map(({ text }) => text)
      .join(' '),
  );
  const numbers = new Set(JSON.stringify(film.scenes).match(/-?\d+(?:\.\d+)?/gu));
  const isShown = (text: string) => shown.includes(flat(text)) || numbers.has(String(numberIn(text, film.language)));
  const problems = [
    ...problemsOf(planOf(film)),
    ...requiredIconProblems(film),
    ...texts.flatMap((text) => (isShown(text) ? [] : [`The film must show “${text}” word for word.`])),
  ];
  if (problems.length > 0) return { problems: problems.map((text) => ({ scene: null, text })), scenes };
  return {
    film,
    says:
      says
        .filter((sentence) => sentence.trim() !== '')
        .join(' ')
        .trim()
        .slice(0, 500) || null,
  };
}

const flat = (text: string) => text.replace(/\s+/gu, ' ').trim();

function editsIn(answer: unknown): readonly unknown[] | null {
  if (Array.isArray(answer)) return answer;
  if (!isFields(answer)) return null;
  const { edits: given } = answer;
  const edits = jsonOr(given);
  if (Array.isArray(edits)) return edits;
  if (isFields(edits)) return [edits];
  return 'type' in answer ? [answer] : null;
}

/** Edits of a scene, other than of the length of all. */
const sceneEdits = new Set<unknown>(['field', 'format', 'remove', 'move']);

/** Applies an edit as a model writes it: without `was`, and with scenes by number and paths as text as well. */
function withEdit(film: Film, answer: unknown, hasColors: boolean): { film: Film } | { problem: string } {
  if (!isFields(answer)) return { problem: 'It is no object.' };
  const given: Fields = { ...answer, type: answer['type'] ?? answer['op'] ?? answer['action'] };
  const scene = film.scenes.find(({ id }) => id === sceneIdIn(film, given['scene']));
  if (scene === undefined && sceneEdits.has(given['type']))
    return {
      problem: `There is no scene “${String(given['scene'])}”. The scenes are ${film.scenes.map(({ id }) => id).join(', ')}.`,
    };
  // Somebody's code is not replaced by a format.
  if (given['type'] === 'format' && scene !== undefined && isCode(scene))
    return { problem: `The scene “${scene.id}” is written in code. It can be moved, removed or given another length.` };
  let edited = film;
  for (const completed of completedEdits(film, given, { scene, hasColors })) {
    const parsed = filmEditSchema.safeParse(completed);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return { problem: issue === undefined ? 'It is no edit.' : `${issue.path.join('.')}: ${fieldProblem(issue)}.` };
    }
    try {
      edited = withFilmEdits(edited, [parsed.data]);
    } catch (error) {
      if (!(error instanceof KodaError)) throw error;
      return { problem: error.message };
    }
  }
  return { film: edited };
}

/** Returns the edits that one edit of a model stands for. */
function completedEdits(
  film: Film,
  given: Fields,
  { scene, hasColors }: { scene: Film['scenes'][number] | undefined; hasColors: boolean },
): Fields[] {
  const id = scene?.id ?? given['scene'];
  const after = given['after'] === null ? null : (sceneIdIn(film, given['after']) ?? film.scenes.at(-1)?.id ?? null);
  const props: Fields = scene === undefined || isCode(scene) ? {} : scene.props;
  switch (given['type']) {
    case 'remove':
    case 'field':
      return fieldEdits(given, { id, props });
    case 'format':
      return [{ ...given, scene: id, was: scene === undefined || isCode(scene) ? null : scene.format }];
    case 'seconds':
      return secondsEdits(film, given, scene);
    case 'look':
      return lookEdits(film, given, hasColors);
    case 'add':
      return [{ ...given, after, scene: newScene(film, given['scene']) }];
    case 'move':
      return [{ ...given, scene: id, after }];
    default:
      return [{ ...given, scene: id }];
  }
}

/** Removes a scene or an entry of a list, or sets a field. */
function fieldEdits(given: Fields, { id, props }: { id: unknown; props: Fields }): Fields[] {
  const { path: way, type, ...rest } = given;
  const path = pathIn(way);
  if (type === 'remove' && path.length === 0) return [{ ...rest, type, scene: id }];
  const value = rest['value'] ?? null;
  const dropped = value === null ? withoutEntry({ id, props, path }) : null;
  return dropped ?? [{ ...rest, type: 'field', scene: id, path, was: valueAt(props, path) ?? null, value }];
}

/** Sets the length of a scene, or of the film if no scene is named. */
function secondsEdits(film: Film, given: Fields, scene: Film['scenes'][number] | undefined): Fields[] {
  const seconds = Number.parseFloat(String(given['value']));
  if (scene !== undefined) return [{ ...given, scene: scene.id, was: scene.seconds, value: Math.max(minSceneSeconds, seconds) }];
  const before = film.scenes.map((one) => one.seconds);
  const lengths = Number.isFinite(seconds) ? fitSeconds(before, seconds, false) : before;
  return film.scenes.map(({ id }, index) => ({ type: 'seconds', scene: id, was: before[index], value: lengths[index] }));
}

function lookEdits(film: Film, given: Fields, hasColors: boolean): Fields[] {
  const field = lookFields.find((name) => name === given['field']);
  const was = field === undefined ? null : film[field];
  const value = isFields(given['value']) && isFields(was) ? { ...was, ...given['value'] } : given['value'];
  const { ground: _, ink: __, ...kept } = film.colors;
  // A theme under a ground of its own would not be seen.
  const clearing = { type: 'look', field: 'colors', was: film.colors, value: kept };
  return [{ ...given, was, value }, ...(field === 'theme' && !hasColors ? [clearing] : [])];
}

const valueAt = (props: Fields, path: readonly (string | number)[]) =>
  path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : null), props);

/** Returns the edits that remove an entry of a list, or `null` if the path leads to none. The highlight stays on its entry. */
function withoutEntry({ id, props, path }: { id: unknown; props: Fields; path: readonly (string | number)[] }): Fields[] | null {
  const [list, index] = [valueAt(props, path.slice(0, -1)), path.at(-1)];
  if (!Array.isArray(list) || typeof index !== 'number' || index >= list.length) return null;
  const { highlight } = props;
  const edit = { type: 'field', scene: id };
  const dropping = { ...edit, path: path.slice(0, -1), was: list, value: list.toSpliced(index, 1) };
  if (typeof highlight !== 'number' || path.length !== 2 || highlight < index) return [dropping];
  const moved = { ...edit, path: ['highlight'], was: highlight, value: highlight === index ? null : highlight - 1 };
  return [dropping, moved];
}

/** Removes a highlight that is behind the end of every list of the scene. */
function withValidHighlight(scene: Film['scenes'][number]): Film['scenes'][number] {
  if (isCode(scene)) return scene;
  const { highlight } = scene.props;
  const longest = Math.max(0, ...Object.values(scene.props).map((value) => (Array.isArray(value) ? value.length : 0)));
  const isBehind = typeof highlight === 'number' && highlight >= longest;
  return isBehind ? { ...scene, props: { ...scene.props, highlight: null } } : scene;
}

/** Returns the id of a scene that a model names by id or number. */
function sceneIdIn({ scenes }: Film, given: unknown): string | null {
  const known = scenes.find(({ id }) => id === given);
  const number = Number(given);
  // Some count scenes from 0, which is certain only if there is one.
  if (number === 0 && scenes.length === 1) return scenes[0]?.id ?? null;
  return known?.id ?? (Number.isInteger(number) ? (scenes[number - 1]?.id ?? null) : null);
}

function pathIn(given: unknown): (string | number)[] {
  const keys: readonly unknown[] = Array.isArray(given) ? given : String(given ?? '').split(/[.[\]]+/u);
  const path = keys.filter((key) => key !== '').map((key) => (/^\d+$/u.test(String(key)) ? Number(key) : String(key)));
  return path[0] === 'props' ? path.slice(1) : path;
}

/** Returns an added scene with an id of its own and the time to read it. */
function newScene(film: Film, given: unknown): unknown {
  const { value } = coerceFilm({ scenes: [given] }, film.language);
  const [scene]: readonly unknown[] = isFields(value) && Array.isArray(value['scenes']) ? value['scenes'] : [];
  if (!isFields(scene)) return given;
  let number = film.scenes.length + 1;
  while (film.scenes.some(({ id }) => id === `scene-${number}`)) number += 1;
  const { format, props, seconds } = scene;
  const known = typeof format === 'string' ? formatOf(format) : null;
  const isReadable = known?.props.safeParse(props).success === true;
  const natural = isReadable ? tenth(naturalSeconds(known.id, props, film.style)) : minSceneSeconds;
  return { ...scene, id: `scene-${number}`, seconds: typeof seconds === 'number' ? Math.max(minSceneSeconds, seconds) : natural };
}
