import type { ApiError } from '../api/client.ts';

export interface Version {
  readonly text: string;
  readonly tag: string;
}

/** State of an open file, except its draft (the text in its editor). */
export interface DocumentState {
  readonly opened: boolean;
  /** The version on which the draft is based; `null` if there was no file. */
  readonly base: Version | null;
  readonly dirty: boolean;
  /** Whether the draft mirrors the agent's stream. */
  readonly streamed: boolean;
  /**
   * The server's version if it differs from `base` while the draft has unsaved changes: a conflict for the user to resolve.
   */
  readonly conflict: Conflict | null;
  readonly saving: 'no' | 'writing' | 'starting';
  /** Number of saves. A response to a request from before the last save is stale. */
  readonly saves: number;
  readonly error: ApiError | null;
}

export interface Conflict {
  /** `null` if the file was deleted. */
  readonly version: Version | null;
  /** Whether a save detected the conflict. If so, keeping the draft saves it. */
  readonly foundBySave: boolean;
}

export const newDocument: DocumentState = {
  opened: false,
  base: null,
  dirty: false,
  streamed: false,
  conflict: null,
  saving: 'no',
  saves: 0,
  error: null,
};

export interface Step {
  readonly state: DocumentState;
  readonly adopt: string | null;
}

const sameVersion = (one: Version | null, other: Version | null) => one?.tag === other?.tag;

/** Applies the server's version (`null` if there is no file). The draft is updated unless it has unsaved changes. */
export function received(state: DocumentState, draft: string, version: Version | null): Step {
  const text = version?.text ?? '';
  const agreed = { ...state, opened: true, base: version, dirty: false, streamed: false, conflict: null };
  if (!state.opened || state.streamed || !state.dirty) return { state: agreed, adopt: text === draft ? null : text };
  if (version !== null && text === draft) return { state: agreed, adopt: null };
  // The version is unchanged, or was reverted.
  if (sameVersion(state.base, version)) return { state: { ...state, conflict: null }, adopt: null };
  if (state.conflict && sameVersion(state.conflict.version, version)) return { state, adopt: null };
  return { state: { ...state, conflict: { version, foundBySave: false } }, adopt: null };
}

export function typed(state: DocumentState, draft: string): DocumentState {
  const dirty = draft !== (state.base?.text ?? '');
  // The draft matches its base again, so the conflict is resolved and the next server version is accepted.
  return dirty ? { ...state, dirty, streamed: false } : { ...state, dirty, streamed: false, conflict: null, error: null };
}

/** Applies the text that the agent has streamed so far, from the start of the file. */
export function streamed(state: DocumentState, draft: string, text: string): Step {
  if (state.dirty) return { state, adopt: null };
  return { state: { ...state, streamed: true }, adopt: text === draft ? null : text };
}

/** Applies a successful save of `text`. The draft may have changed since. */
export function saved(state: DocumentState, draft: string, { text, tag }: Version): DocumentState {
  return {
    ...state,
    base: { text, tag },
    dirty: draft !== text,
    conflict: null,
    saving: 'no',
    saves: state.saves + 1,
    error: null,
  };
}

/** Applies a rejected save: the server has another version (`null` if there is no file). */
export function refused(state: DocumentState, draft: string, version: Version | null): Step {
  const idle: DocumentState = { ...state, saving: 'no', saves: state.saves + 1, error: null };
  const step = received(idle, draft, version);
  const { conflict } = step.state;
  return conflict ? { ...step, state: { ...step.state, conflict: { ...conflict, foundBySave: true } } } : step;
}

/** Rebases the draft on the server's version, which the next save overwrites. */
export function keptLocal(state: DocumentState): DocumentState {
  return state.conflict ? { ...state, base: state.conflict.version, conflict: null } : state;
}

/** Replaces the draft with the server's version. */
export function acceptedServer(state: DocumentState): Step {
  const version = state.conflict?.version ?? null;
  return { state: { ...state, base: version, dirty: false, conflict: null, error: null }, adopt: version?.text ?? '' };
}
