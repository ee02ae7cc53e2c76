import { describe, expect, it } from 'vitest';
import { type ShellInput, type ShellResult, terminalNames } from '#contract/sandbox/shells.ts';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { execInShell, sendToShell, viewShell } from './shells.ts';

/** Creates a sandbox that always returns the same response, and records its calls. */
function setUp(answer: Partial<ShellResult> = {}) {
  const calls: unknown[] = [];
  const status = { name: 'main', kind: 'commands', running: false, exitCode: 0, ended: false, output: 'out', truncated: false };
  const reply = async (...args: unknown[]) => {
    calls.push(args.slice(0, 2));
    return { ...status, ...answer };
  };
  const sandbox = { shellExec: reply, shellSend: reply, shellView: reply } as unknown as Sandbox;
  const context = toolContextOver(sandbox, { saveWork: async () => void calls.push('keep') });
  return { calls, context };
}

describe('shell tools', () => {
  it('T2: runs a command in the session "main" within 30 s, and saves its changes', async () => {
    const { calls, context } = setUp({ exitCode: 3 });
    expect(await execInShell.call({ command: 'make' }, context)).toEqual({
      status: 'completed',
      output: { session: 'main', output: 'out', running: false, exit_code: 3, truncated: false, session_ended: false },
      summary: 'make: exit code 3',
      images: undefined,
    });
    expect(calls).toEqual([['main', { command: 'make', timeoutMs: 30_000 }], 'keep']);
  });

  it("T2: leave the user's terminals alone", async () => {
    const { calls, context } = setUp();
    for (const answer of [
      await execInShell.call({ command: 'make', session: 'user-1' }, context),
      await sendToShell.call({ input: 'x', session: 'user-4' }, context),
    ])
      expect(JSON.stringify(answer)).toMatch(/VALIDATION_ERROR.*belongs to a user terminal/);
    expect(calls).toEqual([]);
    expect(await viewShell.call({ session: 'user-5' }, context)).toMatchObject({ status: 'completed' });
  });

  it('T2: the description names the reserved sessions', () => {
    for (const name of terminalNames) expect(execInShell.description).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('T2: returns no exit code while the command runs', async () => {
    const { context } = setUp({ running: true, exitCode: null });
    const answer = await viewShell.call({ session: 'dev' }, context);
    expect(answer).toMatchObject({ output: { running: true }, summary: 'Shell main: still running' });
    expect(answer).not.toHaveProperty('output.exit_code');
  });

  it('T4: refuses a blocked command, executed or typed, before it calls the sandbox', async () => {
    const { calls, context } = setUp();
    expect(await execInShell.call({ command: 'rm -rf /' }, context)).toMatchObject({ code: 'COMMAND_BLOCKED' });
    expect(await execInShell.call({ command: 'x'.repeat(10_001) }, context)).toMatchObject({ code: 'COMMAND_BLOCKED' });
    expect(await sendToShell.call({ input: 'sudo su\n' }, context)).toMatchObject({ code: 'COMMAND_BLOCKED' });
    expect(calls).toEqual([]);
  });

  it('T2: types Enter for a newline, and refuses a line that a terminal would cut', async () => {
    const { calls, context } = setUp();
    await sendToShell.call({ input: 'yes\nno\r\n\u0003', timeout_ms: 500 }, context);
    expect(calls[0]).toEqual(['main', { input: 'yes\rno\r\u0003', timeoutMs: 500 } satisfies ShellInput]);
    expect(await sendToShell.call({ input: 'é'.repeat(2_048) }, context)).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await sendToShell.call({ input: `${'x'.repeat(4_095)}\n${'y'.repeat(4_095)}` }, context)).toMatchObject({
      status: 'completed',
    });
  });

  it.each(['', '../other', 'a b', 'x'.repeat(33)])('T2: refuses the session name "%s"', async (session) => {
    const { calls, context } = setUp();
    expect(await viewShell.call({ session }, context)).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('session'),
    });
    expect(calls).toEqual([]);
  });
});
