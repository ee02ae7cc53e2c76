import { describe, expect, it } from 'vitest';
import { createSandbox, destroySandbox, runCommand } from './commands.ts';
import type { ToolContext } from './context.ts';

/** A project whose sandbox's calls are written down in their order. */
function setUp(options: { canSave: boolean }) {
  const calls: string[] = [];
  const context = {
    signal: new AbortController().signal,
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
    keepWork: async (title: string) => {
      calls.push(title);
    },
  } as unknown as ToolContext;
  return { calls, context };
}

async function* exec() {
  yield { type: 'exit', exitCode: 1, signal: null, durationMs: 1, timedOut: false };
}

describe('sandbox tools', () => {
  it('X4: what a command wrote is kept under the command’s own words', async () => {
    const { calls, context } = setUp({ canSave: true });
    await runCommand.call({ command: 'npm install' }, context);
    await runCommand.call({ command: 'npm run watch', background: true }, context);
    expect(calls).toEqual(['open', 'Ran npm install', 'open', 'Started npm run watch']);
  });

  it('A21: saves the files before a sandbox is replaced by a new one', async () => {
    const { calls, context } = setUp({ canSave: true });
    expect(await createSandbox.call({ reuse_existing: false }, context)).toMatchObject({ output: { status: 'created' } });
    expect(calls).toEqual(['save', 'destroy', 'open']);
  });

  it.each([
    ['replaced', () => createSandbox, { reuse_existing: false }],
    ['destroyed', () => destroySandbox, {}],
  ])('A21: keeps a sandbox that is to be %s when its files cannot be saved', async (_what, tool, input) => {
    const { calls, context } = setUp({ canSave: false });
    expect(await tool().call(input, context)).toMatchObject({
      code: 'SAVE_FAILED',
      message: expect.stringContaining('disk full'),
    });
    expect(calls).toEqual([]);
  });

  it('destroys without saving when it is told so', async () => {
    const { calls, context } = setUp({ canSave: false });
    expect(await destroySandbox.call({ save_state: false }, context)).toMatchObject({ status: 'completed' });
    expect(calls).toEqual(['destroy']);
  });
});
