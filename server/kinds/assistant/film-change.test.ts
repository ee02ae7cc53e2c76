import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { type Approval, changeKey, type Message, type Phase } from '#contract/project.ts';
import { newProject, samplePlan, tempStores, testPerson } from '../../../test/fixtures/storage.ts';
import { afterChange, type Hold } from './film-change.ts';

let stores: ReturnType<typeof tempStores>;
let film: string;
let reasons: (string | null)[];
let stop: AbortController;
beforeEach(() => {
  stores = tempStores();
  reasons = [];
  stop = new AbortController();
});
afterEach(() => stores[Symbol.dispose]());

const record = (...events: EventBody[]) => stores.projects.record(film, events, { by: testPerson });
const phase = (next: Phase, previous: Phase): EventBody => ({ type: 'project.phase', phase: next, previous, error: null });
const changeTodo: EventBody = {
  type: 'todo.updated',
  todos: [{ id: newId('todo'), key: changeKey(newId('msg')), title: 'Redder', status: 'active', attempts: 0 }],
};

async function create(...events: EventBody[]): Promise<void> {
  ({ id: film } = await stores.projects.create(newProject({ name: 'Autumn sale' })));
  await record({ type: 'plan.proposed', plan: samplePlan({ accepted: true }) }, ...events);
}

const wait = (act: () => Promise<string>, { maxWaitMs, hold }: { maxWaitMs?: number; hold?: Hold } = {}) =>
  afterChange(
    { store: stores.projects, bus: stores.bus, ...(maxWaitMs !== undefined && { maxWaitMs }) },
    film,
    { signal: stop.signal, onWait: async (reason) => void reasons.push(reason), ...(hold && { hold }) },
    act,
  );

describe('what is done with a film', () => {
  it('V7: is done at once if nothing changes it', async () => {
    await create(phase('complete', 'idle'));
    expect(await wait(async () => 'rendered')).toBe('rendered');
    expect(reasons).toEqual([]);
  });

  it('V7: waits for the end of a change, and says why, also while the change waits for the person', async () => {
    await create(phase('executing', 'complete'), changeTodo);
    let isDone = false;
    const done = wait(async () => 'rendered').finally(() => {
      isDone = true;
    });
    await vi.waitFor(() => expect(reasons).toEqual(['Waits for the change of “Autumn sale” to finish']));
    const approval = {
      id: newId('apr'),
      type: 'question' as const,
      content: 'Which red?',
      options: [],
      planId: null,
      at: new Date().toISOString(),
    } satisfies Approval;
    await stores.projects.record(film, [{ type: 'approval.requested', approval }], { by: testPerson, callId: newId('call') });
    await vi.waitFor(() =>
      expect(reasons[1]).toBe('Waits for the change of “Autumn sale” to finish, which waits for your answer there'),
    );
    expect(isDone).toBe(false);
    await record({ type: 'approval.settled', approvalId: approval.id, response: { outcome: 'free_text', text: 'Dark' } });
    await record(phase('preview', 'executing'));
    expect(await done).toBe('rendered');
    expect(reasons.at(-1)).toBeNull();
  });

  it('V7: waits for a change whose message was accepted but has not been delivered', async () => {
    const message: Message = { id: newId('msg'), role: 'user', content: 'Redder', queued: true, at: new Date().toISOString() };
    await create(phase('complete', 'idle'), { type: 'message.added', message });
    const done = wait(async () => 'rendered');
    await vi.waitFor(() => expect(reasons).toEqual(['Waits for the change of “Autumn sale” to finish']));
    await record({ type: 'message.delivered', messageId: message.id }, phase('executing', 'complete'), changeTodo);
    await record(phase('preview', 'executing'));
    expect(await done).toBe('rendered');
  });

  it('V7: waits again if the next change starts in between', async () => {
    await create(phase('complete', 'idle'));
    let attempts = 0;
    const done = wait(async () => {
      attempts += 1;
      if (attempts > 1) return 'rendered';
      await record(phase('executing', 'complete'), changeTodo);
      throw new KodaError('INVALID_TRANSITION', 'The film is being built.', { recovery: 'wait' });
    });
    await vi.waitFor(() => expect(reasons).toHaveLength(1));
    await record(phase('preview', 'executing'));
    expect([await done, attempts]).toEqual(['rendered', 2]);
  });

  it('V7: ends the wait when it is cancelled, and after its limit', async () => {
    await create(phase('executing', 'plan'));
    const cancelled = wait(async () => 'rendered');
    await vi.waitFor(() => expect(reasons).toEqual(['Waits for “Autumn sale” to finish']));
    stop.abort('user');
    await expect(cancelled).rejects.toBe('user');
    stop = new AbortController();
    const tooLong = { code: 'INVALID_TRANSITION', message: expect.stringContaining('was still being changed') };
    await expect(wait(async () => 'rendered', { maxWaitMs: 20 })).rejects.toMatchObject(tooLong);
    // Others that have waited for the same film do not wait as long again.
    const hold = { sinceMs: performance.now() - 3_600_000 };
    await expect(wait(async () => 'rendered', { hold })).rejects.toMatchObject(tooLong);
  });

  it('V7: fails with the errors of what is done, such as a plan that nobody has accepted', async () => {
    ({ id: film } = await stores.projects.create(newProject()));
    const refused = new KodaError('INVALID_TRANSITION', 'Accept the plan first.', { recovery: 'accept_plan' });
    await expect(wait(() => Promise.reject(refused))).rejects.toBe(refused);
  });
});
