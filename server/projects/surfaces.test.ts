import { expect, it } from 'vitest';
import type { EventBody } from '#contract/events.ts';
import type { Approval, Message } from '#contract/project.ts';
import { withPieces } from '#contract/surface/messages.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import type { ProjectState } from '../storage/projects.ts';
import { ActionRegistry } from '../tools/action-registry.ts';
import { pressedSurface, shownSurface } from './surfaces.ts';

const button = (action: string) => [
  { id: 'root', component: 'Button', child: 'words', action: { event: { name: action } } },
  { id: 'words', component: 'Text', text: 'Use these' },
];
const table = (rows: readonly unknown[]): SurfaceMessages => [
  { version: 'v0.9', createSurface: { surfaceId: 'table', catalogId: 'koda:catalog/v1' } },
  { version: 'v0.9', updateDataModel: { surfaceId: 'table', path: '/rows', value: rows } },
  { version: 'v0.9', updateComponents: { surfaceId: 'table', components: button('submit') } },
];
const question: Approval = {
  id: 'apr_1',
  type: 'question',
  content: 'Which style?',
  options: [{ id: 'smooth', label: 'Smooth', description: 'Slow' }],
  planId: null,
  at: '2026-01-01T00:00:00Z',
};
const stateWith = (messages: readonly Message[], approval: Approval | null = null) =>
  ({ messages, approval, settled: [], project: { kind: 'any' } }) as unknown as ProjectState;
const core = { actions: new Map([['any', new ActionRegistry([])]]) };
const shown = (messages: readonly Message[], content: string, surface: SurfaceMessages) =>
  shownSurface(core, stateWith(messages), { content, surface });
const pressed = { name: 'submit', surfaceId: 'table', sourceComponentId: 'root' };
const added = ([event]: readonly EventBody[]): Message => {
  if (event?.type !== 'message.added') throw new Error(`unexpected ${event?.type}`);
  return event.message;
};

it('V1: shows a surface below a message and adds later messages to it', () => {
  const first = shown([], 'The numbers', table([1]));
  const message = added(first.events);
  expect(message).toMatchObject({ content: 'The numbers', surface: expect.any(Array) });
  const pieces = [{ version: 'v0.9', updateDataModel: { surfaceId: 'table', path: '/rows/-', value: 2 } }];
  const more = shown([message], 'More', pieces);
  expect(more).toEqual({
    value: { ok: true, value: message.id },
    events: [{ type: 'surface.updated', messageId: message.id, messages: pieces }],
  });
  const whole = withPieces(message.surface ?? [], pieces);
  expect(whole.ok && JSON.stringify(whole.value)).toContain('"rows":[1,2]');
  // Messages for a surface that was never shown.
  expect(shown([], 'More', pieces)).toMatchObject({
    value: { issue: { code: 'INVALID_REFERENCE' } },
    events: [],
  });
});

it('V3: rejects a surface with an unknown action', () => {
  const surface = table([]).map((message) => JSON.parse(JSON.stringify(message).replace('submit', 'drop_tables')));
  expect(shown([], 'x', surface)).toMatchObject({
    value: { issue: { message: expect.stringContaining('"drop_tables"'), allowed: ['choose_option', 'submit'] } },
    events: [],
  });
});

it('V3: takes only a button that the shown surface has, with the action that it names', () => {
  const state = stateWith([added(shown([], 'x', table([])).events)], question);
  expect(pressedSurface(state, pressed)).toMatchObject({ question: false });
  expect(pressedSurface(state, { name: 'choose_option', surfaceId: 'apr_1', sourceComponentId: 'card-0' })).toMatchObject({
    question: true,
  });
  for (const other of [{ name: 'choose_option' }, { sourceComponentId: 'words' }, { sourceComponentId: 'other' }])
    expect(() => pressedSurface(state, { ...pressed, ...other })).toThrow(/is not a button of this surface with this action/);
  expect(() => pressedSurface(state, { ...pressed, surfaceId: 'other' })).toThrow(/no longer open/);
});

it('V3: says when a form was answered that is answered again', () => {
  const before = new Date('2026-01-01T14:02:30Z');
  const said: Message = { id: 'msg_1', role: 'user', content: 'Use these', queued: false, at: before.toISOString() };
  const settled = [{ approval: { ...question, surface: table([]) }, callId: 'c', response: { outcome: 'accepted' } }];
  const state = { ...stateWith([said]), settled } as unknown as ProjectState;
  const time = before.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  expect(() => pressedSurface(state, pressed)).toThrow(
    expect.objectContaining({
      message: `This form was answered at ${time}.`,
      details: { answeredAt: before.toISOString() },
    }),
  );
});
