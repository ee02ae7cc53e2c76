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
  /** What the draft was made from; null: there was no file. */
  readonly base: Version | null;
  /** The draft holds what somebody typed and nobody saved. */
  readonly dirty: boolean;
  /** The draft is not typed: it follows what the agent writes. */
  readonly streamed: boolean;
  /** What the server holds instead of `base` while the draft is dirty: somebody has to decide. */
  readonly theirs: Unseen | null;
  readonly saving: 'no' | 'writing' | 'asleep';
  /** How often it was saved: an answer from before the last time is old. */
  readonly saves: number;
  /** Why the last attempt to save failed. */
  readonly error: ApiError | null;
}

export interface Unseen {
  /** Null: the file was deleted. */
  readonly version: Version | null;
  /** It was found by saving: whoever keeps the draft wants it saved. */
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

/** The server holds this now (null = no file): the draft goes along, unless somebody typed. */
export function received(state: DocumentState, draft: string, version: Version | null): Step {
  const text = version?.text ?? '';
  const agreed = { ...state, opened: true, base: version, dirty: false, streamed: false, theirs: null };
  if (!state.opened || state.streamed || !state.dirty) return { state: agreed, adopt: text === draft ? null : text };
  if (version !== null && text === draft) return { state: agreed, adopt: null };
  // Nothing new, or what was new is gone again.
  if (sameVersion(state.base, version)) return { state: { ...state, theirs: null }, adopt: null };
  if (state.theirs && sameVersion(state.theirs.version, version)) return { state, adopt: null };
  return { state: { ...state, theirs: { version, bySaving: false } }, adopt: null };
}

/** The draft was changed by its writer. */
export function typed(state: DocumentState, draft: string): DocumentState {
  const dirty = draft !== (state.base?.text ?? '');
  // Typed back to what it was made from: there is nothing to decide, and the next answer is taken.
  return dirty ? { ...state, dirty, streamed: false } : { ...state, dirty, streamed: false, theirs: null, error: null };
}

/** The agent writes this into the file, from its beginning. */
export function streamed(state: DocumentState, draft: string, text: string): Step {
  if (state.dirty) return { state, adopt: null };
  return { state: { ...state, streamed: true }, adopt: text === draft ? null : text };
}

/** `saved` is on the server as `tag`; the draft may be further by now. */
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

/** Saving was refused since the server holds something else (null = no file). */
export function refused(state: DocumentState, draft: string, version: Version | null): Step {
  const idle: DocumentState = { ...state, saving: 'no', saves: state.saves + 1, error: null };
  const step = received(idle, draft, version);
  const { theirs } = step.state;
  return theirs ? { ...step, state: { ...step.state, theirs: { ...theirs, bySaving: true } } } : step;
}

/** The draft goes on from what the server holds, and will be written over it. */
export function keptMine(state: DocumentState): DocumentState {
  return state.theirs ? { ...state, base: state.theirs.version, theirs: null } : state;
}

/** The draft becomes what the server holds. */
export function tookTheirs(state: DocumentState): Step {
  const version = state.theirs?.version ?? null;
  return { state: { ...state, base: version, dirty: false, theirs: null, error: null }, adopt: version?.text ?? '' };
}
