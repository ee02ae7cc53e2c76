import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { classifyCode } from '#contract/failure.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import type { ToolContext } from './context.ts';
import { completed, defineTool, errorContent, failed, type ToolResult } from './tool.ts';

/** Matches the sources of a failure's code: tool results and sandboxd errors. */
const answering = /\b(?:failed|ProtocolError)\(\s*'([A-Z_]+)'/g;
const options = { category: 'communication', risk: 'low', phases: ['executing'], label: () => 'x' } as const;
const input = { message: 'x' };
const files = '10485760\t.\n9437184\t./public\n9437184\t./public/big.bin\n4096\t./src\n';

/** Creates a project whose sandbox responds to a command with this text or error. */
function contextOf(projectId: string, output: string | Error = files): ToolContext {
  const sandbox = {
    async *exec() {
      if (output instanceof Error) throw output;
      yield { type: 'stdout', text: output };
      yield { type: 'exit', exitCode: 0, signal: null, durationMs: 1, timedOut: false };
    },
  } as unknown as Sandbox;
  return {
    projectId,
    signal: new AbortController().signal,
    sandbox: async () => ({ sandbox, created: false }),
    waitsForSandbox: () => false,
  } as unknown as ToolContext;
}

const throwing = (error: unknown) => defineTool('set_thinking', { ...options, timeoutMs: 0, run: () => Promise.reject(error) });

function contentOf(answer: ToolResult): Record<string, unknown> {
  if (answer.status !== 'error') throw new Error(`expected an error, got ${answer.status}`);
  return errorContent(answer);
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('tool errors', () => {
  it('T12: gives the model the category and the advice of a failure', async () => {
    const missing = new SandboxdError('FILE_NOT_FOUND', 'There is no App.tsx.', { similar: ['src/App.tsx'] });
    expect(contentOf(await throwing(missing).call(input, contextOf('p')))).toEqual({
      code: 'FILE_NOT_FOUND',
      message: 'There is no App.tsx.',
      category: 'validation',
      recoverable: true,
      retryable: false,
      action: expect.stringContaining('similar paths'),
      details: { similar: ['src/App.tsx'] },
    });
    const gone = new KodaError('SANDBOX_DEAD', 'Gone.');
    expect(contentOf(await throwing(gone).call(input, contextOf('p')))).toMatchObject({ retryable: true, retry_after_ms: 1_000 });
    expect(errorContent(failed('NO_MATCH', 'x'))).toMatchObject({ category: 'validation' });
  });

  it('T12: classifies an exception without a Koda code by its content', async () => {
    const reset = Object.assign(new Error('read'), { code: 'ECONNRESET' });
    expect(contentOf(await throwing(reset).call(input, contextOf('p')))).toMatchObject({
      code: 'EXECUTION_FAILED',
      category: 'network',
    });
    const bug = new TypeError('x is not a function');
    expect(contentOf(await throwing(bug).call(input, contextOf('p')))).toMatchObject({ category: 'internal', retryable: false });
  });

  it.each([
    ['sandboxd refuses', new SandboxdError('STORAGE_FULL', 'full', {})],
    ['the system refuses', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  ])('T13: reports the largest files on a full disk if %s', async (_what, error) => {
    const answer = await throwing(error).call(input, contextOf('p'));
    expect(contentOf(answer)).toMatchObject({
      code: 'STORAGE_FULL',
      category: 'resource',
      details: {
        largest: [
          { path: 'public', size_bytes: 9437184 },
          { path: 'public/big.bin', size_bytes: 9437184 },
          { path: 'src', size_bytes: 4096 },
        ],
      },
    });
  });

  it('T12: every error code of tools and sandboxd has a category', () => {
    const codes = ['server/tools', 'sandbox-image/sandboxd'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
        .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(answering)].map(([, code = '']) => code)),
    );
    expect(codes).toEqual(expect.arrayContaining(['NO_MATCH', 'FILE_NOT_FOUND']));
    const unknown = codes.filter((code) => code !== 'INTERNAL_ERROR' && classifyCode(code).category === 'internal');
    expect(unknown, 'not in server/contract/failure.ts').toEqual([]);
  });

  it('T13: reports a full disk even if listing files fails', async () => {
    const full = new SandboxdError('STORAGE_FULL', 'full', {});
    const answer = await throwing(full).call(input, contextOf('p', new KodaError('SANDBOX_DEAD', 'gone')));
    expect(answer).toMatchObject({ code: 'STORAGE_FULL', message: 'full', details: {} });
  });

  it('T13: doubles the time limit of a project after each timeout until a call ends in time, and not of other projects', async () => {
    let isStuck = true;
    const tool = defineTool('set_thinking', {
      ...options,
      timeoutMs: 20,
      run: (_input, { signal }) =>
        isStuck
          ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
          : Promise.resolve(completed({}, '')),
    });
    const words = async (projectId: string) => String(contentOf(await tool.call(input, contextOf(projectId)))['message']);
    expect(await words('a')).toBe('set_thinking did not finish within 0.02 s and was stopped. The next call may take 0.04 s.');
    expect(await words('a')).toContain('within 0.04 s');
    expect(await words('b')).toContain('within 0.02 s');
    isStuck = false;
    await tool.call(input, contextOf('a'));
    isStuck = true;
    expect(await words('a')).toContain('within 0.02 s');
  });

  it('H7: the time limit does not count while the project waits for other sandboxes', async () => {
    vi.useFakeTimers();
    let waits = true;
    const context: ToolContext = { ...contextOf('p'), waitsForSandbox: () => waits };
    const run = (_input: unknown, { signal }: ToolContext) =>
      once(signal, 'abort').then(() => Promise.reject(new Error('stopped')));
    const tool = defineTool('set_thinking', { ...options, timeoutMs: 5_000, run });
    let isOver = false;
    const called = tool.call(input, context).finally(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(600_000);
    waits = false;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(contentOf(await called)).toMatchObject({ code: 'TOOL_TIMEOUT' });
  });

  it.each([
    [200_000, ' The next call may take 300 s.', 'Work in smaller steps, or call again with more time.'],
    [300_000, '', 'Do the work in smaller steps.'],
    [4_800_000, '', 'Do the work in smaller steps.'],
  ])(
    'T13: a call that was too slow within %i ms is promised more time only where there is more',
    async (timeoutMs, outlook, action) => {
      vi.useFakeTimers();
      const run = (_input: unknown, { signal }: ToolContext) =>
        once(signal, 'abort').then(() => Promise.reject(new Error('stopped')));
      const tool = defineTool('set_thinking', { ...options, timeoutMs, run });
      const called = tool.call(input, contextOf('p'));
      await vi.advanceTimersByTimeAsync(timeoutMs + 1);
      expect(contentOf(await called)).toMatchObject({
        code: 'TOOL_TIMEOUT',
        category: 'timeout',
        message: `set_thinking did not finish within ${timeoutMs / 1000} s and was stopped.${outlook}`,
        action,
      });
    },
  );
});

describe('agent permissions', () => {
  it.each([
    ['is refused, with what to do instead', false],
    ['is done when it is permitted', true],
  ])('a final render %s', async (_name, isDone) => {
    let runs = 0;
    const tool = defineTool('render_final', {
      ...options,
      timeoutMs: 0,
      permissionFor: () => 'final_render',
      run: async () => {
        runs += 1;
        return completed({}, 'ok');
      },
    });
    const context = { isPermitted: async () => isDone, signal: new AbortController().signal } as unknown as ToolContext;
    const answer = await tool.call({}, context);
    expect(runs).toBe(isDone ? 1 : 0);
    if (!isDone) expect(answer).toMatchObject({ code: 'NOT_PERMITTED', message: expect.stringContaining('ready') });
  });
});
