import type { ApiError } from '../api/client.ts';

/** A file's text as the server held it. */
export interface Version {
  readonly text: string;
  readonly tag: string;
}

/** What is known of an open file beside the text in its editor, the draft. */
export interface DocumentState {
  /** The server has answered once. */
  readonly opened: boolean;
  /** The version that the draft started from; null: there was no file. */
  readonly base: Version | null;
  /** The draft has unsaved changes. */
  readonly dirty: boolean;
  /** The draft follows what the agent writes. */
  readonly streamed: boolean;
  /** What the server holds instead of `base` while the draft is dirty: a conflict for the user to resolve. */
  readonly theirs: Unseen | null;
  readonly saving: 'no' | 'writing' | 'asleep';
  /** How often it was saved: an answer from before the last save is stale. */
  readonly saves: number;
  /** Why the last attempt to save failed. */
  readonly error: ApiError | null;
}

export interface Unseen {
  /** Null: the file was deleted. */
  readonly version: Version | null;
  /** Saving found it: keeping the draft then saves it. */
  readonly bySaving: boolean;
}

export const newDocument: DocumentState = {
  opened: false,
  base: null,
  dirty: false,
  streamed: false,
  theirs: null,
  saving: 'no',
  saves: 0,
  error: null,
};

/** The state after a step, and the text that the draft must become; null = it stays. */
export interface Step {
  readonly state: DocumentState;
  readonly adopt: string | null;
}

const sameVersion = (one: Version | null, other: Version | null) => one?.tag === other?.tag;

/** The server holds this now (null = no file): the draft follows unless it has unsaved changes. */
export function received(state: DocumentState, draft: string, version: Version | null): Step {
  const text = version?.text ?? '';
  const agreed = { ...state, opened: true, base: version, dirty: false, streamed: false, theirs: null };
  if (!state.opened || state.streamed || !state.dirty) return { state: agreed, adopt: text === draft ? null : text };
  if (version !== null && text === draft) return { state: agreed, adopt: null };
  // Nothing new, or the new version is gone again.
  if (sameVersion(state.base, version)) return { state: { ...state, theirs: null }, adopt: null };
  if (state.theirs && sameVersion(state.theirs.version, version)) return { state, adopt: null };
  return { state: { ...state, theirs: { version, bySaving: false } }, adopt: null };
}

/** The user changed the draft. */
export function typed(state: DocumentState, draft: string): DocumentState {
  const dirty = draft !== (state.base?.text ?? '');
  // Typed back to its base: there is no conflict, and the next answer is taken.
  return dirty ? { ...state, dirty, streamed: false } : { ...state, dirty, streamed: false, theirs: null, error: null };
}

/** The agent writes this into the file, from its beginning. */
export function streamed(state: DocumentState, draft: string, text: string): Step {
  if (state.dirty) return { state, adopt: null };
  return { state: { ...state, streamed: true }, adopt: text === draft ? null : text };
}

/** The server has stored `text` as `tag`; the draft may have changed since. */
export function saved(state: DocumentState, draft: string, { text, tag }: Version): DocumentState {
  return {
    ...state,
    base: { text, tag },
    dirty: draft !== text,
    theirs: null,
    saving: 'no',
    saves: state.saves + 1,
    error: null,
  };
}

/** The server refused to save because it holds another version (null = no file). */
export function refused(state: DocumentState, draft: string, version: Version | null): Step {
  const idle: DocumentState = { ...state, saving: 'no', saves: state.saves + 1, error: null };
  const step = received(idle, draft, version);
  const { theirs } = step.state;
  return theirs ? { ...step, state: { ...step.state, theirs: { ...theirs, bySaving: true } } } : step;
}

/** Rebases the draft on the server's version, which the next save overwrites. */
export function keptMine(state: DocumentState): DocumentState {
  return state.theirs ? { ...state, base: state.theirs.version, theirs: null } : state;
}

/** The draft becomes what the server holds. */
export function tookTheirs(state: DocumentState): Step {
  const version = state.theirs?.version ?? null;
  return { state: { ...state, base: version, dirty: false, theirs: null, error: null }, adopt: version?.text ?? '' };
}
