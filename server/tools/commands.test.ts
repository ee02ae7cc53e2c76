import { describe, expect, it } from 'vitest';
import type { ExecEvent, ExecRequest } from '#contract/sandbox/answers.ts';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import { SandboxdError } from '../sandbox/sandbox.ts';
import { backgroundProcess, createSandbox, destroySandbox, runCommand } from './commands.ts';
import type { ToolContext } from './context.ts';

/** Creates a project whose sandbox calls are recorded in order. */
function setUp(options: { canSave: boolean; mayDiscard?: boolean }) {
  const calls: string[] = [];
  const context = {
    signal: new AbortController().signal,
    isPermitted: async (permission: string) => permission === 'discard' && options.mayDiscard,
    checkpoint: async () => {
      if (!options.canSave) throw new Error('disk full');
      calls.push('save');
    },
    destroySandbox: async () => {
      calls.push('destroy');
    },
    sandbox: async () => {
      calls.push('open');
      return { sandbox: { id: 'sbx_1', exec, startProcess: async () => ({ pid: 7 }) }, created: true };
    },
    saveWork: async (title: string) => {
      calls.push(title);
    },
  } as unknown as ToolContext;
  return { calls, context };
}

async function* exec() {
  yield { type: 'exit', exitCode: 1, signal: null, durationMs: 1, timedOut: false };
}

describe('sandbox tools', () => {
  it('X4: saves the changes of a command under its text', async () => {
    const { calls, context } = setUp({ canSave: true });
    await runCommand.call({ command: 'npm install' }, context);
    await runCommand.call({ command: 'npm run watch', background: true }, context);
    expect(calls).toEqual(['open', 'Ran npm install', 'open', 'Started npm run watch']);
  });

  describe('a process in the background', () => {
    const log = `${'x'.repeat(60 * 1024)}end`;
    const status = { pid: 7, running: true, exitCode: null, signal: null, logBytes: log.length };
    const sandbox = {
      processStatus: async (pid: number) => {
        if (pid !== 7) throw new SandboxdError('PROCESS_NOT_FOUND', `No background process has the id ${pid}.`, {});
        return status;
      },
      killProcess: async () => ({ ...status, running: false, signal: 'SIGTERM' }),
      processLog: async (_pid: number, { offset }: { offset: number }) => Buffer.from(log).subarray(offset),
    };
    const call = (input: object) => backgroundProcess.call(input, toolContextOver(sandbox));

    it('T4: reports whether it is running', async () => {
      expect(await call({ pid: 7, action: 'status' })).toMatchObject({ output: { running: true, log_bytes: log.length } });
    });

    it('T4: reads the end of its log, and continues where the last call stopped', async () => {
      const last = await call({ pid: 7, action: 'log' });
      expect(last).toMatchObject({ output: { log: log.slice(-50 * 1024), next_offset: log.length } });
      expect(await call({ pid: 7, action: 'log', offset: 0 })).toMatchObject({ output: { next_offset: 50 * 1024 } });
      expect(await call({ pid: 7, action: 'log', offset: log.length })).toMatchObject({ output: { log: '' } });
    });

    it('T4: ends it', async () => {
      expect(await call({ pid: 7, action: 'stop' })).toMatchObject({
        output: { running: false, signal: 'SIGTERM' },
        summary: 'Process 7 has ended: signal SIGTERM',
      });
    });

    it('T4: reports an unknown process by its code', async () => {
      expect(await call({ pid: 8, action: 'status' })).toMatchObject({ status: 'error', code: 'PROCESS_NOT_FOUND' });
    });
  });

  it('A21: saves the files before it replaces a sandbox', async () => {
    const { calls, context } = setUp({ canSave: true });
    expect(await createSandbox.call({ reuse_existing: false }, context)).toMatchObject({ output: { status: 'created' } });
    expect(calls).toEqual(['save', 'destroy', 'open']);
  });

  it.each([
    ['replaced', () => createSandbox, { reuse_existing: false }],
    ['destroyed', () => destroySandbox, {}],
  ])('A21: keeps a sandbox that is to be %s if saving its files fails', async (_what, tool, input) => {
    const { calls, context } = setUp({ canSave: false });
    expect(await tool().call(input, context)).toMatchObject({
      code: 'SAVE_FAILED',
      message: expect.stringContaining('disk full'),
    });
    expect(calls).toEqual([]);
  });

  it('destroys without saving only if the user allows it', async () => {
    const refused = setUp({ canSave: false });
    expect(await destroySandbox.call({ save_state: false }, refused.context)).toMatchObject({ code: 'NOT_PERMITTED' });
    expect(refused.calls).toEqual([]);
    const { calls, context } = setUp({ canSave: false, mayDiscard: true });
    expect(await destroySandbox.call({ save_state: false }, context)).toMatchObject({ status: 'completed' });
    expect(calls).toEqual(['destroy']);
  });
});

describe('commands', () => {
  type Exit = Extract<ExecEvent, { type: 'exit' }>;
  const exit: Exit = { type: 'exit', exitCode: 0, signal: null, durationMs: 1, timedOut: false };

  /** Creates a sandbox whose commands respond with the events from `answer`. */
  function running(answer: (request: ExecRequest) => ExecEvent[]): ToolContext {
    const sandbox = {
      async *exec(request: ExecRequest) {
        yield* answer(request);
      },
    };
    return {
      projectId: 'p',
      signal: new AbortController().signal,
      sandbox: async () => ({ sandbox, created: false }),
      saveWork: async () => undefined,
    } as unknown as ToolContext;
  }

  it.each([
    [30_000, 60_000],
    [200_000, 300_000],
  ])('T13: suggests a larger limit after a command timed out at %i ms: %i ms', async (timeout_ms, next) => {
    const context = running(() => [{ ...exit, exitCode: null, timedOut: true }]);
    expect(await runCommand.call({ command: 'sleep 1h', timeout_ms }, context)).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining(`timeout_ms ${next}`),
      details: { timed_out: true, next_timeout_ms: next },
    });
  });

  it('T13: suggests a background process instead of a limit above five minutes', async () => {
    const context = running(() => [{ ...exit, exitCode: null, timedOut: true }]);
    const answer = await runCommand.call({ command: 'sleep 1h', timeout_ms: 300_000 }, context);
    expect(answer).toMatchObject({ message: expect.stringContaining('in the background') });
    expect(answer).not.toHaveProperty('details.next_timeout_ms');
  });

  it('T13: reports the largest files after a command fails on a full disk', async () => {
    const context = running(({ command }) =>
      command.startsWith('du ')
        ? [{ type: 'stdout', text: '9\t.\n8\t./public/big.bin\n' }, exit]
        : [
            { type: 'stderr', text: 'cp: error writing: No space left on device\n' },
            { ...exit, exitCode: 1 },
          ],
    );
    expect(await runCommand.call({ command: 'cp a b' }, context)).toMatchObject({
      status: 'completed',
      output: { exit_code: 1, disk_full: { largest: [{ path: 'public/big.bin', size_bytes: 8 }] } },
    });
  });
});
