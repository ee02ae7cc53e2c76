import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { Asset, Plan, PlanDraft, Todo } from '#contract/project.ts';
import { applyFilmEdits, type FilmEdit } from '#kinds/film/contract/edit.ts';
import { limitText } from '#kinds/film/contract/field-limits.ts';
import { typeNames } from '#kinds/film/contract/field-problem.ts';
import type { Film, FilmScene, FormatScene } from '#kinds/film/contract/film.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import type { EditedDocument, EditLabel } from '../../../projects/kind.ts';
import { assetsOf, readScene } from '../author/author.ts';
import { withKnownIcons } from '../author/icons.ts';
import { formatOf } from '../formats/catalogue.ts';
import { outlineOfScene, planOf, problemsOf, storedFilm } from './document.ts';

/**
 * Applies edits to a film and validates the edited values. Throws CONFLICT if a value has changed in the meantime, and
 * VALIDATION_ERROR with scene, field and limit if a value does not fit.
 */
export function editFilm(film: Film, edits: readonly FilmEdit[], assets: readonly Asset[]): Film {
  const edited = applyFilmEdits(film, edits);
  const scenes = edited.scenes.map((scene, index) => {
    const before = film.scenes.find(({ id }) => id === scene.id);
    if (isCode(scene)) return scene;
    const isSame =
      before !== undefined && !isCode(before) && before.format === scene.format && isDeepStrictEqual(before.props, scene.props);
    return isSame ? scene : checkedScene(scene, index);
  });
  const { music } = edited;
  if (music !== film.music && music !== null && !assetsOf(assets).some(({ path, kind }) => kind === 'audio' && path === music))
    throw invalid('The music file has not been uploaded. Upload it first.', { field: 'music' });
  const next = { ...edited, scenes };
  const reasons = problemsOf(planOf(next));
  if (reasons.length > 0) throw invalid(`The film was not saved. ${reasons.join(' ')}`, { reasons });
  return next;
}

/** Returns the plan after the edits, its updated todos, and the edits' label for the history. */
export function editedDocument(
  before: Plan,
  edits: readonly FilmEdit[],
  { assets, todos }: { assets: readonly Asset[]; todos: readonly Todo[] },
): EditedDocument {
  const { film: stored } = storedFilm(before);
  if (before.accepted) assertNotDescribed(edits);
  const film = editFilm(stored, before.accepted ? edits : withReadScenes(stored, edits, assets), assets);
  const draft: PlanDraft = { ...planOf(film, before), change: before.change ?? null, edited: true };
  return { draft, todos: movedTodos(stored, film, todos), label: labelOf(stored, film, edits) };
}

/** Throws VALIDATION_ERROR if an edit describes a scene in words, which Koda builds only once: when the plan is accepted. */
function assertNotDescribed(edits: readonly FilmEdit[]): void {
  for (const edit of edits) {
    const isDescribed = edit.type === 'add' ? isCode(edit.scene) : edit.type === 'words' && edit.field !== 'title';
    if (isDescribed)
      throw invalid(
        'The plan has been accepted, so words in it no longer change the film. Describe the change in a message, or add a scene with a format.',
        { field: edit.type === 'words' ? edit.field : 'scene' },
      );
  }
}

/** Returns the edits with each new scene that can be read from its description as a format scene. */
function withReadScenes(film: Film, edits: readonly FilmEdit[], assets: readonly Asset[]): FilmEdit[] {
  return edits.map((edit) => {
    if (edit.type !== 'add' || !isCode(edit.scene)) return edit;
    const { id, seconds, title, description } = edit.scene;
    const fresh = readScene(description, film, assetsOf(assets));
    if (fresh === null) return edit;
    // A title that was cut from the description says nothing new.
    return { ...edit, scene: { ...fresh, id, seconds, ...(!description.includes(title) && { title }) } };
  });
}

/** Returns a scene with validated fields and without unknown icons. */
function checkedScene(scene: FormatScene, index: number): FormatScene {
  const format = formatOf(scene.format);
  const details = { scene: scene.id };
  const place = `Scene ${index + 1}`;
  if (format === null)
    throw invalid(`${place}: there is no format “${scene.format}”. “koda formats” and GET /api/formats list them.`, {
      ...details,
      field: 'format',
    });
  const props = withKnownIcons(scene.props);
  const parsed = format.props.safeParse(props);
  const name = `${place} (“${outlineOfScene(scene).title}”)`;
  const issue = parsed.error?.issues[0];
  if (issue !== undefined) {
    const limit = 'maximum' in issue ? { limit: Number(issue.maximum) } : {};
    const { path } = issue;
    throw invalid(`${name}, ${fieldName(path) || 'fields'}: ${issueText(issue, valueAt(props, path))}`, {
      ...details,
      field: path.join('.'),
      ...limit,
    });
  }
  const unknown = unknownField(props, parsed.data);
  if (unknown !== null)
    throw invalid(`${name}: the format ${format.title} has no field “${unknown}”.`, { ...details, field: unknown });
  return { ...scene, props: parsed.data as FormatScene['props'] };
}

const invalid = (message: string, details: Record<string, unknown>) =>
  new KodaError('VALIDATION_ERROR', message, { details, recovery: 'correct_request' });

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : null), value);

/** Formats `['items', 2, 'text']` as “items 3 text”. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key) =>
      typeof key === 'number' ? String(key + 1) : String(key).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    )
    .join(' ');
}

/** Describes why a value is invalid: “At most 60 characters. 4 too many.” */
function issueText(issue: z.core.$ZodIssue, value: unknown): string {
  const { unit, amount } = measure(value);
  const wrong = 'It has the wrong format.';
  switch (issue.code) {
    case 'too_big':
      return limitText({ unit, min: Number.NEGATIVE_INFINITY, max: Number(issue.maximum) }, amount) ?? wrong;
    case 'too_small':
      return limitText({ unit, min: Number(issue.minimum), max: Number.POSITIVE_INFINITY }, amount) ?? wrong;
    case 'invalid_type':
      return `It must be ${typeNames[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `One of ${issue.values.map(String).join(', ')}.`;
    case 'custom':
    case 'invalid_format':
      if (issue.message.startsWith('must')) return `It ${issue.message}.`;
      return issue.code === 'custom' ? `${issue.message[0]?.toUpperCase()}${issue.message.slice(1)}.` : wrong;
    default:
      return wrong;
  }
}

function measure(value: unknown): { unit: 'characters' | 'entries' | null; amount: number } {
  if (typeof value === 'string') return { unit: 'characters', amount: value.length };
  return Array.isArray(value) ? { unit: 'entries', amount: value.length } : { unit: null, amount: Number(value) };
}

/** Returns the first field that the schema has dropped, or `null`. */
function unknownField(given: unknown, known: unknown): string | null {
  if (typeof given !== 'object' || given === null || typeof known !== 'object' || known === null) return null;
  for (const [key, inner] of Object.entries(given)) {
    if (!Object.hasOwn(known, key)) return key;
    const unknown = unknownField(inner, Reflect.get(known, key));
    if (unknown !== null) return unknown;
  }
  return null;
}

/** Renumbers the scene todos so that they follow their scenes. A new scene gets a todo if the film is unfinished. */
function movedTodos(before: Film, after: Film, todos: readonly Todo[]): EditedDocument['todos'] {
  const unfinished = todos.some(({ key, status }) => status !== 'done' && key.startsWith('scene:'));
  if (!unfinished) return null;
  const isOfScene = ({ key }: Pick<Todo, 'key'>) => key.startsWith('scene:');
  const first = todos.findIndex(isOfScene);
  const ofScenes = after.scenes.map((scene, index) => {
    const key = `scene:${index + 1}`;
    const title = `Animate “${outlineOfScene(scene).title}”`;
    const old = todos.find((todo) => todo.key === `scene:${before.scenes.findIndex(({ id }) => id === scene.id) + 1}`);
    return { ...old, key, title };
  });
  const others = todos.filter((todo) => !isOfScene(todo));
  return [...others.slice(0, first), ...ofScenes, ...others.slice(first)];
}

function labelOf(before: Film, after: Film, edits: readonly FilmEdit[]): EditLabel {
  const places = new Map<string, string>();
  const words = new Set<string>();
  for (const edit of edits) {
    if (edit.type === 'look') {
      places.set('film', 'Film');
      words.add(edit.field);
      continue;
    }
    const id = edit.type === 'add' ? edit.scene.id : edit.scene;
    places.set(id, `Scene ${numberIn(after, id) ?? numberIn(before, id) ?? ''}`.trim());
    words.add(
      wordsOf(
        edit,
        before.scenes.find((scene) => scene.id === id),
      ),
    );
  }
  return { place: [...places.keys()].sort().join(' '), name: [...new Set(places.values())].join(', '), words: [...words] };
}

function numberIn({ scenes }: Film, id: string): number | null {
  const index = scenes.findIndex((scene) => scene.id === id);
  return index < 0 ? null : index + 1;
}

function wordsOf(edit: Exclude<FilmEdit, { type: 'look' }>, scene: FilmScene | undefined): string {
  switch (edit.type) {
    case 'field': {
      const name = fieldName(edit.path.slice(0, 1));
      return isReordered(edit.was, edit.value) ? `order of ${name}` : name;
    }
    case 'format':
      return `as ${formatOf(edit.format)?.title ?? edit.format}`;
    case 'words':
      return edit.field === 'notes' ? 'motion' : edit.field;
    case 'seconds':
      return 'length';
    case 'add':
      return 'added';
    case 'remove':
      return scene === undefined ? 'removed' : `“${outlineOfScene(scene).title}” removed`;
    case 'move':
      return 'moved';
  }
}

function isReordered(was: unknown, value: unknown): boolean {
  if (!Array.isArray(was) || !Array.isArray(value)) return false;
  const sorted = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();
  return isDeepStrictEqual(sorted(was), sorted(value));
}
