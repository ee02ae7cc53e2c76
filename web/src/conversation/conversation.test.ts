import { expect, it } from 'vitest';
import type { Message } from '#contract/project.ts';
import type { ToolCall } from '#contract/tool-calls.ts';
import { buildTimeline, lastItems } from './conversation.tsx';

const time = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const message = (id: string, second: number): Message => ({ id, role: 'user', content: id, queued: false, at: time(second) });
const tool = (callId: string, second: number): ToolCall => ({
  callId,
  name: 't',
  label: '',
  summary: '',
  startedAt: time(second),
  durationMs: 1,
  error: null,
});
const shape = (messages: Message[], tools: ToolCall[]) =>
  buildTimeline(messages, tools).map((item) =>
    item.kind === 'message' ? item.message.id : item.calls.map((call) => call.callId),
  );

it('A20: groups the calls between two messages in order of time', () => {
  expect(shape([message('m1', 0), message('m2', 10)], [tool('a', 1), tool('b', 2), tool('c', 11)])).toEqual([
    'm1',
    ['a', 'b'],
    'm2',
    ['c'],
  ]);
});

it('A20: shows conversations of calls only or messages only', () => {
  expect(shape([], [tool('a', 1), tool('b', 2)])).toEqual([['a', 'b']]);
  expect(shape([message('m1', 5)], [])).toEqual(['m1']);
  expect(shape([message('m1', 5)], [tool('a', 1)])).toEqual([['a'], 'm1']);
});

it('A20: renders only the end of a long conversation, with the number of earlier items', () => {
  const items = Array.from({ length: 2000 }, (_, index) => index);
  expect(lastItems(items, 120)).toEqual({ shown: items.slice(1880), earlier: 1880 });
  expect(lastItems(items, 5000)).toEqual({ shown: items, earlier: 0 });
});
