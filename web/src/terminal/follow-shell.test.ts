import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ErrorCode, errorTraits } from '#contract/errors.ts';
import type { ShellLine } from '#contract/sandbox/shells.ts';
import { ApiError } from '../api/client.ts';
import { followShell, type OutputPosition, type ShellState } from './follow-shell.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const open = (session: string, offset = 0): ShellLine => ({ type: 'open', session, offset });
const output = (text: string, offset: number): ShellLine => ({ type: 'output', offset, base64: btoa(text) });
const ended = (exitCode: number | null): ShellLine => ({ type: 'ended', exitCode });
const refusal = (code: ErrorCode) => new ApiError(code, code, { status: errorTraits(code).status, recovery: null });
const cut = new ApiError('NETWORK', 'cut', { status: 0, recovery: null });

interface Script {
  /** The lines of each connection. An error ends it early. */
  readonly connections: readonly (readonly (ShellLine | ApiError)[])[];
  /** The response to each opening; `null` for the agent's shells. */
  readonly openings?: readonly (string | ApiError)[] | null;
  readonly position?: Partial<OutputPosition>;
}

/** Follows a scripted server to its end. */
async function follow({ connections, openings = ['s1'], position: begin }: Script) {
  const position: OutputPosition = { session: null, offset: 0, mustOpen: openings !== null, ...begin };
  const asked: string[] = [];
  const states: ShellState[] = [];
  let screen = '';
  const left = [...connections];
  const doors = [...(openings ?? [])];
  const stop = new AbortController();
  const following = followShell({
    position,
    open:
      openings === null
        ? null
        : async () => {
            const answer = doors.shift() ?? refusal('VALIDATION_ERROR');
            asked.push('open');
            if (answer instanceof ApiError) throw answer;
            return { name: 'user-1', owner: 'user', session: answer, ended: false, exitCode: null };
          },
    async *read({ session, offset }) {
      asked.push(`${session}@${offset}`);
      for (const line of left.shift() ?? [refusal('VALIDATION_ERROR')]) {
        if (line instanceof ApiError) throw line;
        yield line;
      }
    },
    output: {
      async write(bytes) {
        screen += new TextDecoder().decode(bytes);
      },
      async note(text) {
        screen += `{${text}}`;
      },
    },
    onState: (state) => states.push(state),
    onSession: () => undefined,
    signal: stop.signal,
  });
  await vi.runAllTimersAsync();
  await following;
  return { position, asked, screen, kinds: states.map(({ kind }) => kind), last: states.at(-1) };
}

describe('following a shell', () => {
  it('opens it, shows its bytes and its end', async () => {
    const { screen, kinds, last, position, asked } = await follow({
      connections: [[open('s1'), output('one ', 0), { type: 'alive' }, output('two', 4), ended(3)]],
    });
    expect({ screen, kinds, last, asked }).toEqual({
      screen: 'one two',
      kinds: ['live', 'ended'],
      last: { kind: 'ended', exitCode: 3 },
      asked: ['open', 's1@0'],
    });
    expect(position).toEqual({ session: 's1', offset: 7, mustOpen: false });
  });

  it('resumes after the last byte if the connection breaks or the sandbox fails', async () => {
    const { screen, asked, kinds } = await follow({
      connections: [
        [open('s1'), output('abc', 0), cut],
        [open('s1', 3), output('def', 3)],
        [{ type: 'error', error: { code: 'SANDBOX_DEAD', message: 'gone' } }],
        [open('s1', 6), output('ghi', 6), ended(0)],
      ],
    });
    expect(screen).toBe('abcdefghi');
    expect(asked).toEqual(['open', 's1@0', 's1@3', 's1@6', 's1@6']);
    expect(kinds).toEqual(['live', 'reconnecting', 'live', 'reconnecting', 'reconnecting', 'live', 'ended']);
  });

  it('reports skipped output and drops the rest of a broken line', async () => {
    const { screen, position } = await follow({
      connections: [[open('s1'), output('a\r\n', 0), output('1mhalf\r\nb', 2003), output('c', 2012), ended(0)]],
    });
    expect(screen).toBe('a\r\n{… 2.0 kB of output skipped …}bc');
    expect(position.offset).toBe(2013);
    const long = await follow({ connections: [[open('s1', 9), output('x'.repeat(5000), 9), ended(0)]] });
    expect(long.screen).toBe(`{… 9 B of output skipped …}${'x'.repeat(5000 - 4096)}`);
  });

  it('reports a flood with many gaps once a second', async () => {
    const flood = Array.from({ length: 50 }, (_, index) => output('\n', 100 * (index + 1)));
    const { screen } = await follow({ connections: [[open('s1'), ...flood, ended(0)]] });
    expect(screen.match(/skipped/g)).toHaveLength(1);
  });

  it('waits for a sandbox that is starting', async () => {
    const starting = refusal('SERVICE_UNAVAILABLE');
    const { kinds, asked } = await follow({
      openings: [starting, starting, 's1'],
      connections: [[open('s1'), ended(0)]],
    });
    expect(kinds).toEqual(['starting', 'starting', 'live', 'ended']);
    expect(asked).toEqual(['open', 'open', 'open', 's1@0']);
  });

  it('reopens a shell that was lost with its sandbox, and shows a note', async () => {
    const { screen, asked, position } = await follow({
      openings: ['s1', 's2'],
      connections: [[open('s1'), output('old', 0), cut], [refusal('NOT_FOUND')], [open('s2'), output('new', 0), ended(0)]],
    });
    expect(screen).toBe('old{— new shell —}new');
    expect(asked).toEqual(['open', 's1@0', 's1@3', 'open', 's2@0']);
    expect(position).toMatchObject({ session: 's2', offset: 3 });
  });

  it('shows a shell that another page restarted from its start', async () => {
    const { screen } = await follow({
      position: { session: 's1', offset: 500, mustOpen: false },
      connections: [[open('s2'), output('fresh', 0), ended(0)]],
    });
    expect(screen).toBe('{— new shell —}fresh');
  });

  it("the agent's shells are watched and never opened", async () => {
    const gone = await follow({ openings: null, connections: [[open('a1'), output('x', 0), cut], [refusal('NOT_FOUND')]] });
    expect(gone.asked).toEqual(['null@0', 'a1@1']);
    expect(gone.last).toEqual({ kind: 'ended', exitCode: null });
  });

  it('reports a permanent failure without a retry', async () => {
    const refused = await follow({ openings: [refusal('NOT_FOUND')], connections: [] });
    expect(refused).toMatchObject({ asked: ['open'], kinds: ['failed'] });
    const broken = await follow({ connections: [[refusal('INTERNAL_ERROR')]] });
    expect(broken).toMatchObject({ asked: ['open', 's1@0'], kinds: ['failed'] });
  });
});
