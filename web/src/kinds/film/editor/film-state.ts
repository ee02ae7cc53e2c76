import { KodaError } from '#contract/errors.ts';
import {
  applyFilmEdits,
  type FilmDocument,
  type FilmEdit,
  inverseFilmEdits,
  isSame,
  maxFilmEdits,
  valueAt,
} from '#kinds/film/contract/edit.ts';
import type { Film, FilmScene } from '#kinds/film/contract/film.ts';

/**
 * The film as shown to the user: the stored document, then the edits being sent, then those waiting. Every function is pure
 * and returns a new state.
 */

/** Where an edit was made, so that undo can return there. */
export interface Place {
  readonly sceneId: string | null;
  /** A field of the scene's props as a `fieldKey`; `null` for the whole scene. */
  readonly field: string | null;
}

interface Step {
  readonly edits: readonly FilmEdit[];
  readonly inverse: readonly FilmEdit[];
  readonly place: Place;
  /** Edits with the same group, such as the letters typed into one field, are one undo step; `null` for a separate step. */
  readonly group: string | null;
}

/** Conflict about values that someone else has changed since the user started to edit them. */
interface Conflict {
  /** The user's edits. `was` has the stored document's values. */
  readonly mine: readonly FilmEdit[];
}

export interface FilmState {
  readonly stored: FilmDocument;
  /** Whether the plan waits for approval, so that code scenes are only described. */
  readonly isProposed: boolean;
  readonly sending: readonly FilmEdit[];
  readonly waiting: readonly FilmEdit[];
  /** Nothing is sent until the user has chosen. */
  readonly conflict: Conflict | null;
  /** Edits that the last rebase has dropped, because they refer to a scene that was removed or rewritten in code. */
  readonly dropped: readonly FilmEdit[];
  /** The stored film with all edits applied. */
  readonly film: Film;
  readonly undo: readonly Step[];
  readonly redo: readonly Step[];
}

const maxSteps = 200;

export function openFilm(stored: FilmDocument, isProposed = false): FilmState {
  return { stored, isProposed, sending: [], waiting: [], conflict: null, dropped: [], film: stored.film, undo: [], redo: [] };
}

export const isSaved = ({ sending, waiting, conflict }: FilmState) =>
  sending.length === 0 && waiting.length === 0 && conflict === null;

/** Returns a string that identifies a path in a scene's props. */
export const fieldKey = (path: readonly (string | number)[]) => path.join('.');

/**
 * Applies the user's edits as one step, or as part of the last step if it has the same group. Throws KodaError if the result
 * is not a valid film; nothing changes then. Removing a code scene of an accepted film cannot be undone here, because its file is
 * not part of the film.
 */
export function applyLocal(
  state: FilmState,
  edits: readonly FilmEdit[],
  { place, group }: Pick<Step, 'place' | 'group'>,
): FilmState {
  const next = withEdits(state, edits);
  const inverse = inverseFilmEdits(state.film, edits, state);
  if (inverse === null) return { ...next, redo: [] };
  const last = state.undo.at(-1);
  const joins = group !== null && last?.group === group;
  const step: Step = joins
    ? { place: last.place, group, edits: compact([...last.edits, ...edits]), inverse: compact([...inverse, ...last.inverse]) }
    : { place, group, edits, inverse };
  const before = joins ? state.undo.slice(0, -1) : state.undo;
  // Text that was typed and deleted again leaves nothing to undo.
  const undo = step.edits.length === 0 ? before : [...before, step].slice(-maxSteps);
  return { ...next, undo, redo: [] };
}

/** Ends a group, so that the next edit is a separate step, even in the same field. */
export function endGroup(state: FilmState): FilmState {
  const last = state.undo.at(-1);
  return last === undefined || last.group === null ? state : { ...state, undo: state.undo.with(-1, { ...last, group: null }) };
}

interface Stepped {
  readonly state: FilmState;
  /** `null` if there is no step. */
  readonly place: Place | null;
  /** Whether the step was skipped because someone else has changed the same values. */
  readonly refused: boolean;
}

export const undoStep = (state: FilmState): Stepped => step(state, 'undo', 'redo');

export const redoStep = (state: FilmState): Stepped => step(state, 'redo', 'undo');

function step(state: FilmState, from: 'undo' | 'redo', to: 'undo' | 'redo'): Stepped {
  const last = state[from].at(-1);
  if (last === undefined) return { state, place: null, refused: false };
  const rest = { ...state, [from]: state[from].slice(0, -1) };
  try {
    const next = withEdits(rest, from === 'undo' ? last.inverse : last.edits);
    return { state: { ...next, [to]: [...state[to], { ...last, group: null }] }, place: last.place, refused: false };
  } catch (error) {
    if (!(error instanceof KodaError)) throw error;
    return { state: rest, place: last.place, refused: true };
  }
}

function withEdits(state: FilmState, edits: readonly FilmEdit[]): FilmState {
  return { ...state, film: applyFilmEdits(state.film, edits), waiting: compact([...state.waiting, ...edits]) };
}

/**
 * Moves the waiting edits into the next request. Returns `null` if there are none, or a choice or another request is pending.
 */
export function startSending(state: FilmState): FilmState | null {
  if (state.waiting.length === 0 || state.sending.length > 0 || state.conflict !== null) return null;
  return { ...state, sending: state.waiting.slice(0, maxFilmEdits), waiting: state.waiting.slice(maxFilmEdits) };
}

/** Call when the server has rejected the request. Its edits wait to be sent again. */
export function sendingFailed(state: FilmState): FilmState {
  return { ...state, sending: [], waiting: compact([...state.sending, ...state.waiting]) };
}

/** Call when the server has stored the edits of the request. */
export function sendingDone(state: FilmState, stored: FilmDocument): FilmState {
  return rebase({ ...state, sending: [] }, stored);
}

/**
 * Rebases the state on another stored document. Edits to values that have changed there become a conflict. Edits that it
 * already contains are dropped as done, such as those of a request whose response was lost.
 */
export function rebase(state: FilmState, stored: FilmDocument): FilmState {
  const mine: FilmEdit[] = [...(state.conflict?.mine ?? [])];
  const waiting: FilmEdit[] = [];
  const dropped: FilmEdit[] = [];
  let film = stored.film;
  for (const edit of [...state.sending, ...state.waiting]) {
    const next = tryEdits(film, [edit]);
    if (next !== null) {
      waiting.push(edit);
      film = next;
      continue;
    }
    if (isDone(film, edit)) continue;
    const moved = onto(film, edit);
    const shown = moved === null ? null : tryEdits(film, [moved]);
    if (moved === null || shown === null) dropped.push(edit);
    else {
      // Adding a scene cannot overwrite anything, so it never causes a conflict.
      (edit.type === 'add' ? waiting : mine).push(moved);
      film = shown;
    }
  }
  const open = compact(mine).map((edit) => onto(stored.film, edit) ?? edit);
  const conflict = open.length === 0 ? null : { mine: open };
  const shown = shownFilm(stored.film, open, waiting);
  return { ...state, stored, sending: [], waiting: compact(waiting), conflict, dropped, film: shown };
}

/** Keeps the user's values, which replace those in the stored document. */
export function keepLocal(state: FilmState): FilmState {
  const mine = state.conflict?.mine ?? [];
  return { ...state, conflict: null, waiting: compact([...mine, ...state.waiting]) };
}

/** Drops the user's edits to the conflicting values, and the edits that depend on them. */
export function acceptServer(state: FilmState): FilmState {
  let film = state.stored.film;
  const waiting = state.waiting.filter((edit) => {
    const next = tryEdits(film, [edit]);
    if (next !== null) film = next;
    return next !== null;
  });
  return { ...state, conflict: null, waiting, film };
}

/** Returns the film with as many of the edits as can be applied. */
function shownFilm(film: Film, ...lists: readonly (readonly FilmEdit[])[]): Film {
  return lists.flat().reduce((shown, edit) => tryEdits(shown, [edit]) ?? tryMoved(shown, edit), film);
}

const tryMoved = (film: Film, edit: FilmEdit) => {
  const moved = onto(film, edit);
  return (moved === null ? null : tryEdits(film, [moved])) ?? film;
};

function tryEdits(film: Film, edits: readonly FilmEdit[]): Film | null {
  try {
    return applyFilmEdits(film, edits);
  } catch (error) {
    if (error instanceof KodaError) return null;
    throw error;
  }
}

/** Returns whether the film already contains the result of the edit. */
function isDone(film: Film, edit: FilmEdit): boolean {
  if (edit.type === 'look') return isSame(jsonOf(film[edit.field]), edit.value);
  const scene = film.scenes.find(({ id }) => id === (edit.type === 'add' ? edit.scene.id : edit.scene));
  switch (edit.type) {
    case 'add':
      return scene !== undefined;
    case 'remove':
      return scene === undefined;
    case 'seconds':
      return scene?.seconds === edit.value;
    case 'words':
      return isSame(valueAt(scene, [edit.field]), edit.value);
    case 'move':
      return false;
    case 'format':
    case 'field':
      if (scene === undefined || 'code' in scene) return false;
      return edit.type === 'field'
        ? isSame(jsonOf(valueAt(scene.props, edit.path)), edit.value)
        : scene.format === edit.format && isSame(scene.props, edit.props);
  }
}

/**
 * Returns the edit with this film's current value as `was`, or `null` if its scene no longer exists or already has the new
 * value.
 */
function onto(film: Film, edit: FilmEdit): FilmEdit | null {
  if (edit.type === 'look') return changed({ ...edit, was: jsonOf(film[edit.field]) });
  if (edit.type === 'add') {
    const known = edit.after === null || film.scenes.some(({ id }) => id === edit.after);
    return known ? null : { ...edit, after: film.scenes.at(-1)?.id ?? null };
  }
  const scene = film.scenes.find(({ id }) => id === edit.scene);
  if (scene === undefined) return null;
  switch (edit.type) {
    case 'seconds':
      return changed({ ...edit, was: scene.seconds });
    case 'words':
      return changed({ ...edit, was: wordsOf(scene, edit.field) });
    case 'format':
      return { ...edit, was: 'code' in scene ? null : scene.format };
    case 'field':
      return 'code' in scene ? null : changed({ ...edit, was: jsonOf(valueAt(scene.props, edit.path)) });
    case 'remove':
    case 'move':
      return null;
  }
}

/** Returns a scene's own title or description, `null` if it has none. */
export function wordsOf(scene: FilmScene, field: 'title' | 'description' | 'notes'): string | null {
  const words = valueAt(scene, [field]);
  return typeof words === 'string' ? words : null;
}

type ValueEdit = Extract<FilmEdit, { was: unknown; value: unknown }>;

const changed = <Edit extends ValueEdit>(edit: Edit): Edit | null => (isSame(edit.was, edit.value) ? null : edit);

type Json = Extract<FilmEdit, { type: 'field' }>['value'];

export function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}

/** Merges consecutive edits to the same value, so that typing a word is one edit. */
function compact(edits: readonly FilmEdit[]): FilmEdit[] {
  const joined: FilmEdit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    if (last === undefined || !isOfSameValue(last, edit)) {
      joined.push(edit);
      continue;
    }
    joined.pop();
    const both = { ...edit, was: last.was } as ValueEdit;
    if (!isSame(both.was, both.value)) joined.push(both);
  }
  return joined;
}

function isOfSameValue(one: FilmEdit, other: FilmEdit): one is ValueEdit {
  if (one.type === 'field' && other.type === 'field') return one.scene === other.scene && isSame(one.path, other.path);
  if (one.type === 'words' && other.type === 'words') return one.scene === other.scene && one.field === other.field;
  if (one.type === 'seconds' && other.type === 'seconds') return one.scene === other.scene;
  return one.type === 'look' && other.type === 'look' && one.field === other.field;
}
