import { expect, it } from 'vitest';
import type { EventBody } from '#contract/events.ts';
import type { Approval, Message } from '#contract/project.ts';
import { withPieces } from '#contract/surface/messages.ts';
import type { SurfaceAction, SurfaceMessages } from '#contract/surface/surface.ts';
import type { ProjectState } from '../storage/projects.ts';
import { runAction, shownSurface, type UserCommands } from './surfaces.ts';

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
  ({ messages, approval }) as unknown as ProjectState;
const commands: UserCommands<string> = {
  choose: (optionId) => `chose ${optionId}`,
  answer: (response, words) => `answered ${JSON.stringify(response)} in words: ${words}`,
  say: (words) => `said ${words}`,
};
const action = (changes: Partial<SurfaceAction>): SurfaceAction => ({
  name: 'submit',
  surfaceId: 'table',
  sourceComponentId: 'root',
  timestamp: '2026-01-01T00:00:00Z',
  context: {},
  ...changes,
});
const added = ([event]: readonly EventBody[]): Message => {
  if (event?.type !== 'message.added') throw new Error(`unexpected ${event?.type}`);
  return event.message;
};

it('V1: shows a surface below a message and adds later messages to it', () => {
  const first = shownSurface(stateWith([]), 'The numbers', table([1]));
  const message = added(first.events);
  expect(message).toMatchObject({ content: 'The numbers', surface: expect.any(Array) });
  const pieces = [{ version: 'v0.9', updateDataModel: { surfaceId: 'table', path: '/rows/-', value: 2 } }];
  const more = shownSurface(stateWith([message]), 'More', pieces);
  expect(more).toEqual({
    value: { ok: true, value: message.id },
    events: [{ type: 'surface.updated', messageId: message.id, messages: pieces }],
  });
  const whole = withPieces(message.surface ?? [], pieces);
  expect(whole.ok && JSON.stringify(whole.value)).toContain('"rows":[1,2]');
  // Messages for a surface that was never shown.
  expect(shownSurface(stateWith([]), 'More', pieces)).toMatchObject({
    value: { issue: { code: 'INVALID_REFERENCE' } },
    events: [],
  });
});

it('V3: rejects a surface with an unknown action', () => {
  const surface = table([]).map((message) => JSON.parse(JSON.stringify(message).replace('submit', 'drop_tables')));
  expect(shownSurface(stateWith([]), 'x', surface)).toMatchObject({
    value: { issue: { message: expect.stringContaining('"drop_tables"'), allowed: ['choose_option', 'submit'] } },
    events: [],
  });
});

it('V3: routes an action to its tool by name', () => {
  const state = stateWith([added(shownSurface(stateWith([]), 'x', table([])).events)], question);
  expect(runAction(state, action({ context: { row: 2, note: 'blue' } }), commands)).toBe('said Use these\nrow: 2\nnote: blue');
  const choice = action({
    name: 'choose_option',
    surfaceId: 'apr_1',
    sourceComponentId: 'card-0',
    context: { optionId: 'smooth' },
  });
  expect(runAction(state, choice, commands)).toBe('chose smooth');
  expect(() => runAction(state, { ...choice, context: { optionId: 7 } }, commands)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', details: expect.objectContaining({ executionMs: expect.any(Number) }) }),
  );
  expect(() => runAction(state, { ...choice, context: { optionId: 'smooth', more: 1 } }, commands)).toThrow(/not valid/);
});

it('V3: wraps an error of an action’s tool as EXECUTION_ERROR with its cause', () => {
  const state = stateWith([added(shownSurface(stateWith([]), 'x', table([])).events)]);
  const failing = {
    ...commands,
    say: () => {
      throw new Error('the disk is full');
    },
  };
  expect(() => runAction(state, action({}), failing)).toThrow(
    expect.objectContaining({ code: 'EXECUTION_ERROR', message: 'the disk is full' }),
  );
  expect(() => runAction(state, action({ name: 'run_command' }), commands)).toThrow(
    expect.objectContaining({ code: 'TOOL_NOT_FOUND', message: expect.stringContaining('Use one of: choose_option, submit') }),
  );
});
