import { expect, it } from 'vitest';
import type { Message } from '#contract/project.ts';
import type { EndedRun } from '../../../projects/author.ts';
import { surfaceOf, table, words } from '../surfaces.ts';
import { requestMessage } from './account.ts';
import { earlierEntries, earlierTurns } from './earlier.ts';

const at = (minute: number) => `2026-11-30T19:${String(minute).padStart(2, '0')}:00.000Z`;
const message = (minute: number, role: Message['role'], content: string, surface?: Message['surface']): Message => ({
  ...{ id: `msg_${minute}`, role, content, queued: false, at: at(minute) },
  ...(surface && { surface }),
});
const value = (key: string, stored: unknown) => ({ type: 'value', key, value: stored });
const run = (minute: number, outcome: EndedRun['outcome'], ...entries: object[]): EndedRun => ({
  ...{ startedAt: at(minute), finishedAt: at(minute + 5), outcome },
  transcript: [{ type: 'turn', id: `call_${minute}` }, value('request', `msg_${minute}`), ...entries],
});
const step = (next: object) => ({ intent: 'x', missing: [], confidence: 1, says: 'Looking.', next });
const call = step({ type: 'call', tool: 'show_project', input: { project: 'prj_1' } });
const texts = (messages: Message[], request: Message, runs: EndedRun[] = []) =>
  earlierEntries({ messages }, { request, turns: earlierTurns(runs, new Map()) }).map(({ text }) => text);

const videos = (surfaceId: string) =>
  surfaceOf(surfaceId, {
    title: 'Two videos',
    parts: [words('about', 'Both are ready.'), table('videos', 'Videos', [['Video', 'name']])],
    data: { videos: [{ name: 'One' }, { name: 'Two' }] },
  });

it('V7: tells turns without a transcript by their messages, in words and without progress', () => {
  const messages = [
    message(1, 'user', 'Make two'),
    message(2, 'assistant', 'Making 2 videos', videos('making-rnd_1')),
    message(3, 'assistant', 'Done.', videos('result')),
    message(4, 'user', 'Thanks'),
  ];
  expect(texts(messages, messages[3] as Message)).toEqual([
    'Person: Make two',
    'You: Done. Two videos Both are ready. [["Video"],["One"],["Two"]]',
  ]);
});

it('V7: tells what a stopped turn was doing, and what was said in it only once', () => {
  const messages = [message(1, 'user', 'How is it?'), message(2, 'user', 'Be quick'), message(10, 'user', 'And now?')];
  const stopped = run(
    1,
    'stopped',
    value('step-1', call),
    ...[value('said-2', ['Be quick']), value('step-2', call), { type: 'started', key: 'call-2-1', callId: 'call_x' }],
  );
  expect(texts(messages, messages[2] as Message, [stopped])).toEqual([
    'Person: How is it?',
    'You called show_project with {"project":"prj_1"}. It failed for good: CANCELLED: "It was stopped."',
    'The person says meanwhile: Be quick',
    'You called show_project with {"project":"prj_1"}. It failed for good: CANCELLED: "It was stopped."',
    'The person stopped you.',
  ]);
});

it('V7: keeps the words of the person when results take the room, and of equal calls the last', () => {
  const result = (text: string) => value('call-1-1', { output: { text }, failure: null });
  const started = { type: 'started', key: 'call-1-1', callId: 'call_x' };
  const other = (project: string) => step({ type: 'call', tool: 'show_project', input: { project } });
  const minutes = [1, 10, 20, 30, 40, 50];
  const runs = minutes.map((minute) =>
    run(
      minute,
      'completed',
      value('step-1', minute === 1 ? call : other(`prj_${minute % 20}`)),
      started,
      result('a'.repeat(3_000)),
    ),
  );
  const messages = minutes.map((minute) => message(minute, 'user', `Look at https://sky.example/${'b'.repeat(200)}/${minute}`));
  const request = message(59, 'user', 'And now?');
  const told = requestMessage(
    { messages: [...messages, request], prompt: '' },
    { request, turns: earlierTurns(runs, new Map()), done: [], projects: null, started: [], timeZone: null },
  );
  for (const { content } of messages) expect(told).toContain(`- Person: ${content}\n`);
  expect(told.match(/You called show_project/gu)).toHaveLength(3);
  expect(told.length).toBeLessThan(6_000);
});
