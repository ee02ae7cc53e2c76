import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { type ShellLine, type ShellStatus, shellLineSchema } from '#contract/sandbox/shells.ts';
import { findShell, shellOutput, shellStream } from './shell-output.ts';

const { signal } = new AbortController();
const shell: ShellStatus = { name: 'user-1', session: 's1', kind: 'terminal', running: true, exitCode: null, ended: false };

/** Returns a sandbox with these streams in order, given as offset and content. The shell exits after the last one. */
function sandboxWith(
  streams: readonly (readonly [offset: number, content: string | Readable])[],
  end: Partial<ShellStatus> | null,
) {
  const requested: number[] = [];
  const left = [...streams];
  return {
    requested,
    async shells() {
      if (left.length > 0) return [shell];
      return end === null ? [] : [{ ...shell, running: false, ended: true, ...end }];
    },
    async shellStream(_name: string, { offset }: { offset: number }) {
      requested.push(offset);
      const [begin, content] = left.shift() ?? [offset, ''];
      return { offset: begin, stream: typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content };
    },
  };
}

async function all(lines: AsyncIterable<ShellLine>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const line of lines)
    seen.push(line.type === 'output' ? [line.offset, Buffer.from(line.base64, 'base64').toString()] : line);
  return seen;
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

describe('shellOutput', () => {
  it('T2: resumes a stream that ends before the shell, from the oldest stored output', async () => {
    const sandbox = sandboxWith(
      [
        [3, 'abc'],
        [900, 'def'],
      ],
      { exitCode: 130 },
    );
    expect(await all(shellOutput(sandbox, shell, { offset: 3, signal }))).toEqual([
      { type: 'open', session: 's1', offset: 3 },
      [3, 'abc'],
      [900, 'def'],
      { type: 'ended', exitCode: 130 },
    ]);
    expect(sandbox.requested).toEqual([3, 6]);
  });

  it('T2: reports the end of a shell that is missing or replaced by another session', async () => {
    expect((await all(shellOutput(sandboxWith([[0, 'a']], null), shell, { offset: 0, signal }))).at(-1)).toEqual({
      type: 'ended',
      exitCode: null,
    });
    const other = sandboxWith([[0, 'a']], { session: 's2', ended: false });
    expect((await all(shellOutput(other, shell, { offset: 0, signal }))).at(-1)).toEqual({ type: 'ended', exitCode: null });
    await expect(findShell(sandboxWith([], null), 'user-1', signal)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('shellStream', () => {
  const stop = { onStalled: vi.fn(), onEnd: vi.fn() };
  const failure = (error: unknown): ShellLine => ({ type: 'error', error: (error as KodaError).toEnvelope().error });
  const options = (content: Readable, closing = signal) => ({
    lines: shellOutput(sandboxWith([[0, content]], {}), shell, { offset: 0, signal }),
    failure,
    heartbeatMs: 1_000,
    closing,
    stalledAfterMs: 60_000,
    ...stop,
  });
  const parse = (bytes: Uint8Array | undefined) => shellLineSchema.parse(JSON.parse(Buffer.from(bytes ?? []).toString()));
  beforeEach(() => void Object.values(stop).map((mock) => mock.mockReset()));

  it('T2: sends lines and heartbeats, and stops without an end line on shutdown', async () => {
    const closing = new AbortController();
    const reader = shellStream(options(new PassThrough(), closing.signal)).getReader();
    expect(parse((await reader.read()).value)).toMatchObject({ type: 'open' });
    const quiet = reader.read();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(parse((await quiet).value)).toEqual({ type: 'alive' });
    closing.abort();
    const types = [];
    for (let turn = await reader.read(); !turn.done; turn = await reader.read()) types.push(parse(turn.value).type);
    expect(types).not.toContain('ended');
    expect(stop.onEnd).toHaveBeenCalledTimes(1);
  });

  it('T2: an error of the sandbox is the last line', async () => {
    const content = new PassThrough();
    const reader = shellStream(options(content)).getReader();
    await reader.read();
    const last = reader.read();
    content.destroy(new KodaError('SANDBOX_DEAD', 'It is gone.'));
    expect(parse((await last).value)).toMatchObject({ type: 'error', error: { code: 'SANDBOX_DEAD', message: 'It is gone.' } });
    expect((await reader.read()).done).toBe(true);
    expect(stop.onEnd).toHaveBeenCalledTimes(1);
  });
});
