import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectRequestSchema } from '#contract/api.ts';
import type { Phase } from '#contract/project.ts';
import { readSurface } from '#contract/surface/messages.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { chatKind } from '../../test/fixtures/chat-kind.ts';
import { kindProjects } from '../../test/fixtures/kind-projects.ts';
import { scriptedAuthor } from '../../test/fixtures/scripted-model.ts';
import { rethrow, tempStores } from '../../test/fixtures/storage.ts';
import { localPerson } from '../access/access.ts';
import type { Author } from './author.ts';
import type { ProjectService } from './commands.ts';

let stores: ReturnType<typeof tempStores>;
let projects: ProjectService;
const phases: Phase[] = [];

const start = (author?: Author) => {
  ({ projects } = kindProjects(chatKind, stores, author && { author }));
};
beforeEach(() => {
  stores = tempStores();
  phases.length = 0;
  stores.bus.observe((event) => {
    if (event.type === 'project.phase') phases.push(event.phase);
  }, rethrow);
  start();
});
afterEach(async () => {
  await projects.shutdown();
  stores[Symbol.dispose]();
});

const people = () => projects.as(localPerson);
const create = async (prompt: string, { isStarted = true } = {}) =>
  (await people().create(createProjectRequestSchema.parse({ prompt, kind: 'chat', start: isStarted }))).id;
const stateOf = (id: string) => stores.projects.state(id);

/** Waits until the conversation waits for the next message. Returns what the author has said. */
async function replies(id: string, count: number): Promise<string[]> {
  await vi.waitFor(async () => {
    const { project, messages } = await stateOf(id);
    const said = messages.filter(({ role }) => role === 'assistant').length;
    expect([project.error, project.phase, project.running, said]).toEqual([null, 'conversation', false, count]);
  });
  return (await stateOf(id)).messages.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
}

describe('a conversation', () => {
  it('A26: goes on with an answer that comes before the turn has noticed that it waits', async () => {
    await projects.shutdown();
    start({
      ...{ kind: 'quick', name: 'Quick', canResume: () => true },
      async converse({ settled }, run) {
        if (settled.length > 0) return { content: 'Thank you.' };
        await run.responseTo('early', { type: 'question', content: 'Ready?', options: [], plan: null });
        await people().answer((await run.context()).projectId, { text: 'Yes' });
        return null;
      },
    });
    expect(await replies(await create('Hello'), 1)).toEqual(['Thank you.']);
  });

  it('A26: answers each message in a turn, and waits for the next one in the same phase, without plan or todos', async () => {
    const id = await create('Hello');
    expect(await replies(id, 1)).toEqual(['You said: Hello']);
    await people().message(id, 'And again');
    expect(await replies(id, 2)).toEqual(['You said: Hello', 'You said: And again']);
    expect(phases).toEqual(['conversation', 'executing', 'conversation']);
    expect(await stateOf(id)).toMatchObject({ plan: null, todos: [], approval: null });
    expect(await stores.projects.listDue()).toEqual([]);
  });

  it('A26: waits for the first message if it is created without one', async () => {
    const id = await create('A waiter', { isStarted: false });
    expect((await stateOf(id)).project.phase).toBe('conversation');
    await people().message(id, 'Hello');
    expect(await replies(id, 1)).toEqual(['You said: Hello']);
  });

  it('A26 V1: answers with a surface, and answers what the user does on it', async () => {
    const id = await create('The menu, please');
    await replies(id, 1);
    const shown = (await stateOf(id)).messages.at(-1)?.surface ?? [];
    const read = readSurface(shown);
    const surfaceId = read.ok ? read.value.surfaceId : '';
    const action = { name: 'submit', surfaceId, sourceComponentId: 'send', context: { dish: 'soup' } };
    await people().act(id, { ...action, timestamp: new Date().toISOString() });
    expect(await replies(id, 2)).toEqual(['What would you like to eat?', 'One soup, coming up.']);
  });

  it('A26: asks within a turn, which goes on with the answer', async () => {
    const id = await create('A drink');
    await vi.waitFor(async () =>
      expect((await stateOf(id)).approval).toMatchObject({ type: 'question', content: 'Which drink?' }),
    );
    await vi.waitFor(async () => expect((await stateOf(id)).project).toMatchObject({ phase: 'executing', running: false }));
    await expect(people().decidePlan(id, { action: 'accept' })).rejects.toMatchObject({ recovery: 'answer_question' });
    await people().answer(id, { optionId: 'tea' });
    expect(await replies(id, 1)).toEqual(['Your choice: tea.']);
    await expect(people().answer(id, { text: 'Coffee' })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    await people().message(id, 'Another drink');
    await vi.waitFor(async () => expect((await stateOf(id)).approval).not.toBeNull());
    await people().message(id, 'Water');
    expect(await replies(id, 2)).toContain('Your choice: something else.');
  });

  it('A26: delivers a message that arrives during a turn as the next turn', async () => {
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    await projects.shutdown();
    const seen: string[] = [];
    start({
      ...{ kind: 'slow', name: 'Slow', canResume: () => true },
      async converse({ messages }) {
        seen.push(messages.filter(({ role, queued }) => role === 'user' && !queued).at(-1)?.content ?? '');
        if (seen.length === 1) await gate;
        return { content: `Answer ${seen.length}` };
      },
    });
    const id = await create('First');
    await vi.waitFor(() => expect(seen).toEqual(['First']));
    expect(await people().message(id, 'Second')).toMatchObject({ queued: true });
    goOn();
    expect(await replies(id, 2)).toEqual(['Answer 1', 'Answer 2']);
    expect(seen).toEqual(['First', 'Second']);
  });

  it('A26: stops a turn, and goes on with the next message', async () => {
    const id = await create('Patience');
    await vi.waitFor(async () => expect((await stateOf(id)).project.thinking).toBe('Looking for the cook'));
    await people().stop(id);
    expect((await stateOf(id)).project).toMatchObject({ phase: 'error', running: false, error: { code: 'CANCELLED' } });
    await people().message(id, 'Never mind');
    expect(await replies(id, 1)).toEqual(['You said: Never mind']);
  });

  it('A26: makes an interrupted turn again after a restart, and no turn that has ended', async () => {
    const id = await create('Patience');
    await vi.waitFor(async () => expect((await stateOf(id)).project.thinking).toBe('Looking for the cook'));
    const ended = await create('Hello');
    await replies(ended, 1);
    await projects.shutdown();
    expect(await stores.projects.listDue()).toEqual([id]);
    start({ ...{ kind: 'quick', name: 'Quick', canResume: () => true }, converse: () => ({ content: 'Here is the cook.' }) });
    await projects.recover();
    expect(await replies(id, 1)).toEqual(['Here is the cook.']);
    expect(await replies(ended, 1)).toEqual(['You said: Hello']);
  });

  it('A26: repeats a turn that failed, on request', async () => {
    await projects.shutdown();
    let isBroken = true;
    start({
      ...{ kind: 'frail', name: 'Frail', canResume: () => true },
      converse() {
        if (isBroken) throw new Error('The kitchen burns.');
        return { content: 'All is well.' };
      },
    });
    const id = await create('Hello');
    await vi.waitFor(async () => expect((await stateOf(id)).project.error?.message).toContain('The kitchen burns.'));
    isBroken = false;
    await people().retry(id);
    expect(await replies(id, 1)).toEqual(['All is well.']);
  });

  it('A26: is held by a language model, which shows a form, waits for it, calls tools and ends its turn with text', async () => {
    await projects.shutdown();
    const form: SurfaceMessages = [
      { version: 'v0.9', createSurface: { surfaceId: 'form', catalogId: 'koda:catalog/v1' } },
      { version: 'v0.9', updateDataModel: { surfaceId: 'form', value: { dish: '' } } },
      {
        version: 'v0.9',
        updateComponents: {
          surfaceId: 'form',
          components: [
            {
              ...{ id: 'root', component: 'Button', child: 'label' },
              action: { event: { name: 'submit', context: { dish: { path: '/dish' } } } },
            },
            { id: 'label', component: 'Text', text: 'Order' },
          ],
        },
      },
    ];
    let turn = 0;
    const requests: string[] = [];
    start(
      scriptedAuthor(({ messages, system }) => {
        requests.push(`${system}\n${JSON.stringify(messages)}`);
        turn += 1;
        if (turn === 1) return [{ name: 'show_surface', input: { content: 'Your order', surface: form, wait: true } }];
        if (turn === 2) return [{ name: 'add_message', input: { content: 'One moment.' } }];
        return turn === 3 ? 'It is on its way.' : 'You are welcome.';
      }),
    );
    const id = await create('I am hungry');
    await vi.waitFor(async () => expect((await stateOf(id)).approval).toMatchObject({ type: 'question', content: 'Your order' }));
    const action = { name: 'submit', surfaceId: 'form', sourceComponentId: 'root', context: { dish: 'soup' } };
    await people().act(id, { ...action, timestamp: new Date().toISOString() });
    expect(await replies(id, 2)).toEqual(['One moment.', 'It is on its way.']);
    expect(requests[0]).toContain('Be a waiter');
    expect(requests[1]).toContain('soup');
    await people().message(id, 'Thank you');
    expect(await replies(id, 3)).toContain('You are welcome.');
    // A turn is a run, which begins with what was said before.
    expect(requests[3]).toContain('assistant: It is on its way.');
  });

  it('A26: has no plan that could be proposed or edited', async () => {
    const id = await create('Hello');
    await replies(id, 1);
    const refused = { code: 'INVALID_TRANSITION', recovery: 'send_message' };
    await expect(people().decidePlan(id, { action: 'accept' })).rejects.toMatchObject(refused);
    await expect(people().decidePreview(id, { action: 'accept' })).rejects.toMatchObject(refused);
    await expect(people().retry(id)).rejects.toMatchObject(refused);
  });
});
