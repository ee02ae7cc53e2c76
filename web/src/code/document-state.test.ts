import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/client.ts';
import {
  acceptedServer,
  keptLocal,
  newDocument,
  received,
  refused,
  saved,
  streamed,
  typed,
  type Version,
} from './document-state.ts';

const v = (text: string): Version => ({ text, tag: `"${text}"` });
const open = (text: string) => received(newDocument, '', v(text)).state;
const edited = (from: string, to: string) => typed(open(from), to);

describe('an open file', () => {
  it('A9: follows the server while the user has not typed', () => {
    expect(received(newDocument, '', v('one'))).toMatchObject({
      adopt: 'one',
      state: { opened: true, base: v('one'), dirty: false },
    });
    expect(received(open('one'), 'one', v('two'))).toMatchObject({ adopt: 'two', state: { base: v('two'), conflict: null } });
    expect(received(open('one'), 'one', v('one')).adopt).toBeNull();
    expect(received(open('one'), 'one', null)).toMatchObject({ adopt: '', state: { base: null, dirty: false } });
  });

  it('A9: is unsaved while its text differs from its base', () => {
    expect(edited('one', 'one!').dirty).toBe(true);
    expect(typed(edited('one', 'one!'), 'one').dirty).toBe(false);
    const missing = received(newDocument, '', null).state;
    expect([missing.dirty, typed(missing, 'x').dirty]).toEqual([false, true]);
  });

  it("A9: another author's change meanwhile is a conflict, never taken and never lost", () => {
    const step = received(edited('one', 'mine'), 'mine', v('conflict'));
    expect(step).toMatchObject({
      adopt: null,
      state: { dirty: true, base: v('one'), conflict: { version: v('conflict'), foundBySave: false } },
    });
    expect(received(step.state, 'mine', v('conflict')).state).toBe(step.state);
    expect(received(step.state, 'mine', v('newer')).state.conflict?.version).toEqual(v('newer'));
    expect(received(edited('one', 'mine'), 'mine', null).state.conflict).toEqual({ version: null, foundBySave: false });
    // The change was reverted, or both sides have written the same text.
    expect(received(step.state, 'mine', v('one')).state.conflict).toBeNull();
    expect(received(step.state, 'mine', v('mine'))).toMatchObject({
      adopt: null,
      state: { dirty: false, base: v('mine'), conflict: null },
    });
    expect(typed(step.state, 'one').conflict).toBeNull();
  });

  it('A9: keeps the local version or accepts the server version', () => {
    const conflict = received(edited('one', 'mine'), 'mine', v('conflict')).state;
    expect(keptLocal(conflict)).toMatchObject({ base: v('conflict'), dirty: true, conflict: null });
    expect(acceptedServer(conflict)).toMatchObject({
      adopt: 'conflict',
      state: { base: v('conflict'), dirty: false, conflict: null },
    });
    const deleted = received(edited('one', 'mine'), 'mine', null).state;
    expect(keptLocal(deleted).base).toBeNull();
    expect(acceptedServer(deleted)).toMatchObject({ adopt: '', state: { base: null } });
  });

  it('A9: saves the text as it was when the save started', () => {
    const error = new ApiError('NETWORK', 'gone', { status: 0, recovery: null });
    const state = { ...edited('one', 'two'), saving: 'writing' as const, error };
    expect(saved(state, 'two', v('two'))).toMatchObject({ base: v('two'), dirty: false, saving: 'no', saves: 1, error: null });
    expect(saved(state, 'two and more', v('two')).dirty).toBe(true);
  });

  it('A9: a refused save creates a conflict, unless both texts are equal', () => {
    const state = { ...edited('one', 'mine'), saving: 'writing' as const };
    expect(refused(state, 'mine', v('conflict')).state).toMatchObject({
      saving: 'no',
      dirty: true,
      conflict: { version: v('conflict'), foundBySave: true },
    });
    expect(refused(state, 'mine', v('mine')).state).toMatchObject({
      saving: 'no',
      dirty: false,
      conflict: null,
      base: v('mine'),
    });
  });

  it("A7: follows the agent's stream and never overwrites typed text", () => {
    const first = streamed(open('old'), 'old', 'import');
    expect(first).toMatchObject({ adopt: 'import', state: { streamed: true, dirty: false, base: v('old') } });
    expect(streamed(first.state, 'import', 'import x').adopt).toBe('import x');
    // The server's version decides, whether the stream was written or discarded.
    expect(received(first.state, 'import', v('old'))).toMatchObject({ adopt: 'old', state: { streamed: false } });
    expect(received(first.state, 'import x', v('import x'))).toMatchObject({
      adopt: null,
      state: { streamed: false, base: v('import x') },
    });
    expect(streamed(edited('old', 'mine'), 'mine', 'import')).toMatchObject({
      adopt: null,
      state: { dirty: true, streamed: false },
    });
  });
});
