import { expect, it } from 'vitest';
import { newId } from './ids.ts';
import { type ToolCall, toolCallSchema, withToolEvent } from './tool-calls.ts';

const at = '2026-01-02T03:04:05.000Z';
type ToolEvent = Parameters<typeof withToolEvent>[1];
const started = (callId: string, summary = 'Editing'): ToolEvent => ({
  type: 'tool.started',
  at,
  callId,
  name: 'file_edit',
  summary,
});
const finished = (callId: string, change: Partial<Extract<ToolEvent, { type: 'tool.finished' }>> = {}): ToolEvent => ({
  type: 'tool.finished',
  at,
  callId,
  durationMs: 12,
  summary: '2 edits',
  error: null,
  ...change,
});
const after = (events: readonly ToolEvent[], most = 100) =>
  events.reduce<ToolCall[]>((calls, event) => withToolEvent(calls, event, most), []);

it('A20: shows a running call, then its duration and result', () => {
  expect(after([started('a')])).toMatchObject([{ summary: 'Editing', startedAt: at, durationMs: null, error: null }]);
  const calls = after([started('a'), finished('a')]);
  expect(calls).toMatchObject([{ label: 'Editing', summary: '2 edits', durationMs: 12, error: null }]);
  expect(calls.map((call) => toolCallSchema.parse(call))).toEqual(calls);
});

it('V7: says in which other project a call has started work', () => {
  const work = { projectId: newId('prj'), name: 'Autumn sale' };
  const calls = after([started('a'), finished('a', { started: work }), started('b'), finished('b')]);
  expect(calls.map((call) => toolCallSchema.parse(call).started)).toEqual([work, undefined]);
});

it('A20: keeps the intention of a failed call and truncates its message', () => {
  const error = { code: 'NO_MATCH', message: 'x'.repeat(50_000) };
  const [call] = after([started('a'), finished('a', { summary: error.message, error })]);
  expect(call).toMatchObject({ summary: 'Editing', error: { code: 'NO_MATCH' } });
  expect(call?.error?.message.length).toBeLessThan(2100);
});

it('A22: merges a resumed call, and separates calls of different runs with the same id', () => {
  expect(after([started('a'), started('a'), finished('a')])).toHaveLength(1);
  const again = after([started('a'), finished('a', { durationMs: 1 }), started('a'), finished('a', { durationMs: 2 })]);
  expect(again.map((call) => call.durationMs)).toEqual([1, 2]);
});

it('A20: ignores the end of an unknown call and keeps the latest calls', () => {
  expect(after([finished('a')])).toEqual([]);
  expect(
    after(
      ['a', 'b', 'c'].map((id) => started(id)),
      2,
    ).map((call) => call.callId),
  ).toEqual(['b', 'c']);
});
