import { expect, it } from 'vitest';
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

it('A20: a call is at work, then has its duration and what it did', () => {
  expect(after([started('a')])).toMatchObject([{ summary: 'Editing', startedAt: at, durationMs: null, error: null }]);
  const calls = after([started('a'), finished('a')]);
  expect(calls).toMatchObject([{ label: 'Editing', summary: '2 edits', durationMs: 12, error: null }]);
  expect(calls.map((call) => toolCallSchema.parse(call))).toEqual(calls);
});

it('A20: a failure keeps what was tried, and its words at a length that can be shown', () => {
  const error = { code: 'NO_MATCH', message: 'x'.repeat(50_000) };
  const [call] = after([started('a'), finished('a', { summary: error.message, error })]);
  expect(call).toMatchObject({ summary: 'Editing', error: { code: 'NO_MATCH' } });
  expect(call?.error?.message.length).toBeLessThan(2100);
});

it('A22: a call that waited for the user and is begun again is one; an id that another run uses again is another', () => {
  expect(after([started('a'), started('a'), finished('a')])).toHaveLength(1);
  const again = after([started('a'), finished('a', { durationMs: 1 }), started('a'), finished('a', { durationMs: 2 })]);
  expect(again.map((call) => call.durationMs)).toEqual([1, 2]);
});

it('A20: the end of a call whose beginning is not known changes nothing, and the last calls are kept', () => {
  expect(after([finished('a')])).toEqual([]);
  expect(
    after(
      ['a', 'b', 'c'].map((id) => started(id)),
      2,
    ).map((call) => call.callId),
  ).toEqual(['b', 'c']);
});
