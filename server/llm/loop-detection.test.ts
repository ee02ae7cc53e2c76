import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consecutiveRepeats, detectLoop, type ExecutedCall, executedCalls } from './loop-detection.ts';
import type { ModelMessage } from './models/model.ts';

const call = (name: string, input: unknown = {}, content = '{"ok":true}', isError = false): ExecutedCall => ({
  name,
  input,
  isError,
  content,
});
const failed = (name: string, input: unknown, message = 'no') =>
  call(name, input, JSON.stringify({ error: { code: 'NO_MATCH', message } }), true);
const times = <T>(count: number, ...items: T[]): T[] => Array.from({ length: count }, () => items).flat();
const rounds = (calls: ExecutedCall[], next: ExecutedCall) => detectLoop(calls, next)?.repetitions ?? 0;

describe('loops', () => {
  const [a, b, c] = [call('read', { path: 'a' }), call('read', { path: 'b' }), call('check')];

  it('T17: counts the same call with the same result', () => {
    expect(rounds([], a)).toBe(0);
    expect(rounds(times(4, a), a)).toBe(4);
    expect(rounds([...times(4, a), b], a)).toBe(1);
    expect(rounds(times(4, a), b)).toBe(0);
  });

  it('T17: detects loops of two or three calls', () => {
    expect(detectLoop(times(3, a, b), a)).toEqual({ names: ['read', 'read'], repetitions: 3 });
    expect(rounds([c, ...times(3, a, b), a], b)).toBe(3);
    expect(detectLoop(times(4, a, b, c), a)).toEqual({ names: ['read', 'read', 'check'], repetitions: 4 });
    expect(rounds(times(3, a, b), c)).toBe(0);
  });

  it('T17: treats a different result as progress', () => {
    const log = Array.from({ length: 9 }, (_, index) => call('shell_view', {}, `{"output":"${index} %"}`));
    expect(rounds(log, call('shell_view'))).toBe(1);
    expect(consecutiveRepeats(log, call('shell_view'))).toBe(9);
  });

  it('T17: ignores the duration of calls', () => {
    const runs = [1, 2, 3].map((ms) => call('run', {}, JSON.stringify({ stdout: '', duration_ms: ms, render_time_ms: ms })));
    expect(rounds(runs, call('run'))).toBe(3);
  });

  it('T17: treats a failing call with trivial changes as the same call', () => {
    const tries = [
      failed('file_edit', { path: 'a.ts', find: 'const x = 1' }, 'line 12'),
      failed('file_edit', { find: 'const  x = 1 ', path: 'a.ts' }, 'line 13'),
      failed('file_edit', { path: 'a.ts', find: 'Const x =\n1' }, 'line 14'),
    ];
    expect(rounds(tries, call('file_edit', { path: 'a.ts', find: '"const x = 1"' }))).toBe(3);
    expect(rounds(tries, call('file_edit', { path: 'a.ts', find: 'const y = 1' }))).toBe(0);
  });

  it('T17: treats a successful call with a small difference as another call', () => {
    expect(rounds([call('run', { command: 'ls' }), call('run', { command: 'ls ' })], call('run', { command: 'LS' }))).toBe(0);
  });

  it('T17: ignores messages inside a loop and detects loops of messages', () => {
    const talk = (index: number) => call('set_thinking', { message: `try ${index}` });
    const calls = [0, 1, 2, 3].flatMap((index) => [talk(index), a]);
    expect(rounds([...calls, talk(9)], a)).toBe(4);
    expect(rounds(times(4, talk(1)), talk(1))).toBe(4);
  });

  it('T17: reads calls and results from a transcript; interrupted ones do not count', () => {
    const use = (id: string) => ({ type: 'tool_use', id, name: 'x', input: { id } }) as const;
    const result = (toolUseId: string, content: string, isError = false) =>
      ({ type: 'tool_result', toolUseId, content, isError }) as const;
    const transcript: ModelMessage[] = [
      { role: 'assistant', content: [{ type: 'text', text: 'x' }, use('1'), use('2')] },
      { role: 'user', content: [result('2', '{}'), result('1', 'no JSON', true)] },
      { role: 'assistant', content: [use('3'), use('4')] },
      { role: 'user', content: [result('3', '{"error":{"code":"INTERRUPTED"}}', true)] },
    ];
    expect(executedCalls(transcript)).toEqual([
      { name: 'x', input: { id: '1' }, isError: true, content: 'no JSON' },
      { name: 'x', input: { id: '2' }, isError: false, content: '{}' },
    ]);
  });

  const anyCall = fc.record({
    name: fc.constantFrom('read', 'write', 'set_thinking'),
    input: fc.oneof(fc.jsonValue(), fc.anything({ maxDepth: 2, withBigInt: false })),
    isError: fc.boolean(),
    content: fc.oneof(fc.json(), fc.string()),
  });

  it('T17: finds every loop, whatever precedes it', () => {
    const block = fc.uniqueArray(
      anyCall.filter(({ name }) => name !== 'set_thinking'),
      {
        minLength: 1,
        maxLength: 3,
        selector: ({ name, input }) => `${name} ${JSON.stringify(input)}`.toLowerCase().replace(/\W/g, ''),
      },
    );
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 10 }), block, fc.integer({ min: 2, max: 9 }), (before, loop, count) => {
        const next = loop[0];
        if (next === undefined) return;
        expect(rounds([...before, ...times(count, ...loop)], next)).toBeGreaterThanOrEqual(count);
      }),
    );
  });

  it('T17: finds no loop in different calls', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 60 }), (calls) => {
        const all = calls.map((one, index) => ({ ...one, name: 'x', input: { index, input: one.input } }));
        expect(rounds(all, { ...call('x'), input: { index: -1 } })).toBe(0);
      }),
    );
  });
});
