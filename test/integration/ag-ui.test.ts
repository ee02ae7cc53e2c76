import { existsSync } from 'node:fs';
import { type BaseEvent, HttpAgent, type ResumeEntry } from '@ag-ui/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Render } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import { assistantKindId, assistantRoutes } from '#kinds/assistant/contract/assistant.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { dataPaths } from '../../server/storage/data-paths.ts';
import { addFilmWithVideos } from '../fixtures/film-with-videos.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';

let studio: Studio;
let film: string;
let videos: Record<'newest' | 'older' | 'preview', Render>;

beforeAll(async () => {
  studio = await startStudio({ sandbox: 'process' });
  await studio.kill();
  ({ film, videos } = await addFilmWithVideos(studio.dataDir));
  await studio.restart();
});
afterAll(() => studio[Symbol.asyncDispose]());

/** Restarts change the key. */
const keyHeader = () => ({ authorization: `Bearer ${readLocalKey(studio.dataDir)}` });

/** The protocol's own client, which verifies the order of all events. It knows nothing yet of the thread. */
function client(threadId: string, prompt?: string): HttpAgent {
  return new HttpAgent({
    url: `${studio.url}/api/agent`,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...keyHeader() } }),
    threadId,
    ...(prompt !== undefined && { initialMessages: [{ id: `${threadId}-1`, role: 'user', content: prompt }] }),
  });
}

type Parameters = NonNullable<globalThis.Parameters<HttpAgent['runAgent']>[0]>;

/** Runs the agent to the end of a run. Returns the run's events. */
async function run(agent: HttpAgent, parameters: Parameters = {}): Promise<BaseEvent[]> {
  const events: BaseEvent[] = [];
  await agent.runAgent(parameters, { onEvent: ({ event }) => void events.push(event) });
  return events;
}

/** Answers the question with which the agent's last run ended. */
const answer = (agent: HttpAgent, payload: unknown): Promise<BaseEvent[]> =>
  run(agent, { resume: [{ interruptId: pending(agent).id, status: 'resolved', payload }] });

function pending({ pendingInterrupts: [interrupt] }: HttpAgent) {
  if (interrupt === undefined) throw new Error('The run was not interrupted.');
  return interrupt;
}

const projectOf = ({ state }: HttpAgent): string => (state as { projectId: string }).projectId;
const typesOf = (events: readonly BaseEvent[]): string[] => events.map(({ type }) => type);
const wordsOf = ({ messages }: HttpAgent): unknown[] =>
  messages.filter(({ role }) => role === 'user' || role === 'assistant').map(({ content }) => content);
const surfacesOf = ({ messages }: HttpAgent): string => JSON.stringify(messages.filter(({ role }) => role === 'activity'));

/** Returns the refusal of a whole request. */
async function refusal(
  body: object,
  headers: Record<string, string> = keyHeader(),
): Promise<{ status: number; code: string; message: string }> {
  const response = await fetch(`${studio.url}/api/agent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { status: response.status, ...error };
}

async function conversations(): Promise<number> {
  const { items } = await studio.client.call(routes.projects, { query: { limit: 100 } });
  return items.filter(({ kind }) => kind === assistantKindId).length;
}

describe('the assistant for clients of AG-UI', () => {
  it('V9: runs a ready job with interrupts, over a restart, to its result', async () => {
    const agent = client('storage', 'Clean up storage');
    const before = await conversations();
    const events = await run(agent);
    expect(typesOf(events).slice(0, 3)).toEqual(['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT']);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', threadId: 'storage', outcome: { type: 'interrupt' } });
    expect(pending(agent)).toMatchObject({
      ...{ reason: 'input_required', message: expect.stringMatching(/What may go\?$/) },
      metadata: { buttons: ['delete', 'cancel'] },
    });
    expect(agent.state).toMatchObject({ state: 'waiting', steps: [{ verb: 'Measured storage', state: 'done' }] });
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'activity']);
    expect(agent.messages[0]?.id).toBe('storage-1');
    expect(surfacesOf(agent)).toContain('createSurface');

    await answer(agent, { button: 'delete', values: { videos: [newId('rnd')] } });
    expect(surfacesOf(agent)).toContain('This is not one of the videos.');
    const deleting = await answer(agent, { button: 'delete', values: { videos: [videos.older.id, videos.preview.id] } });
    expect(typesOf(deleting)).toContain('TOOL_CALL_START');
    expect(typesOf(deleting)).not.toContain('TOOL_CALL_RESULT');
    expect(pending(agent).message).toBe('Delete 2 videos, 42 MB?');

    await studio.kill();
    await studio.restart();
    const other = client('storage');
    await run(other);
    expect(wordsOf(other)).toEqual(wordsOf(agent));
    expect(pending(other)).toEqual(pending(agent));
    expect(existsSync(dataPaths(studio.dataDir).render(videos.older.id))).toBe(true);
    const { id: interruptId } = pending(other);
    const deleted = await answer(other, { button: 'delete' });
    expect(typesOf(deleted)).toContain('TOOL_CALL_RESULT');
    expect(typesOf(deleted)).not.toContain('TOOL_CALL_START');
    expect(deleted.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(wordsOf(other).at(-1)).toBe('42 MB freed: 2 videos deleted.');
    expect(other.state).toMatchObject({ state: 'done', steps: [{}, { verb: 'Deleted videos', state: 'done' }] });
    expect([videos.older, videos.newest].map(({ id }) => existsSync(dataPaths(studio.dataDir).render(id)))).toEqual([
      false,
      true,
    ]);

    const entry: ResumeEntry = { interruptId, status: 'resolved', payload: { button: 'delete' } };
    expect((await run(agent, { resume: [entry] })).at(-1)).toMatchObject({ outcome: { type: 'success' } });
    const otherAnswer = await run(agent, { resume: [{ ...entry, payload: { text: 'No' } }] });
    expect(otherAnswer.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'INVALID_TRANSITION' });
    expect(await conversations()).toBe(before + 1);
  });

  it('V9: takes answers in words, presses of a surface, and cancelling', async () => {
    const agent = client('words', 'Another size');
    await run(agent);
    const question = pending(agent);
    await answer(agent, { text: 'the newest one' });
    expect(surfacesOf(agent)).toContain('Words need a language model.');
    expect(pending(agent).id).not.toBe(question.id);

    // A client that knows no interrupts.
    const plain = client(projectOf(agent));
    plain.addMessage({ id: 'w2', role: 'user', content: [{ type: 'text', text: 'all of them' }] });
    await run(plain);
    expect(wordsOf(plain)).toEqual(expect.arrayContaining(['Another size', 'the newest one', 'all of them']));
    const { surfaceId } = pending(plain).metadata as { surfaceId: string };
    plain.pendingInterrupts = [];
    const userAction = { name: 'submit', surfaceId, sourceComponentId: 'next', context: { film: [film], sizes: ['1:1'] } };
    await run(plain, { forwardedProps: { a2uiAction: { userAction } } });
    expect(pending(plain).message).toMatch(/^Make 1 video/);
    const repeated = client('words');
    const refused = await run(repeated, { forwardedProps: { a2uiAction: { userAction } } });
    expect(refused.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: expect.stringContaining('This form was answered at') });

    const cancelled = await run(plain, { resume: [{ interruptId: pending(plain).id, status: 'cancelled' }] });
    expect(cancelled.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
  });

  it('V9: goes on without its client and over a restart, and tells a returning one everything', async () => {
    const agent = client('sizes', 'Another size');
    await run(agent);
    await answer(agent, { button: 'next', values: { film: [film], sizes: ['1:1', '9:16'] } });
    const id = projectOf(agent);
    const making = answer(agent, { button: 'make' });
    await vi.waitFor(() => expect(agent.state).toMatchObject({ state: 'running' }), { timeout: 100_000 });
    agent.abortRun();
    await making;
    expect((await studio.client.call(assistantRoutes.assistant, { id })).state).toBe('running');

    await studio.kill();
    await studio.restart();
    const returned = client('sizes', 'Another size');
    const following = run(returned);
    await vi.waitFor(() => expect(returned.state).toMatchObject({ state: 'running' }), { timeout: 100_000 });
    expect(wordsOf(returned).filter((words) => words === 'Another size')).toHaveLength(1);
    await studio.client.call(routes.stop, { id });
    expect((await following).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'CANCELLED' });
    expect(returned.state).toMatchObject({ state: 'stopped' });
  });

  it('V9: starts a thread once, however often its request comes', async () => {
    const before = await conversations();
    const agent = client('repeated', 'Clean up storage');
    const agents = [agent, client('repeated', 'Clean up storage'), client('repeated', 'Clean up storage')];
    await Promise.all(agents.map((one) => run(one)));
    expect(await conversations()).toBe(before + 1);
    for (const one of agents) {
      one.pendingInterrupts = [];
      await run(one);
      expect(wordsOf(one).filter((words) => words === 'Clean up storage')).toHaveLength(1);
    }
    await studio.client.call(routes.deleteProject, { id: projectOf(agent) });
    await expect(run(client('repeated', 'Clean up storage'))).rejects.toMatchObject({ status: 409 });
    await run(client('repeated anew', 'Clean up storage'));
    expect(await conversations()).toBe(before + 1);
  });

  it('V9: refuses what it cannot read or may not do', async () => {
    const input = { threadId: 'refused', runId: 'r', messages: [] as object[] };
    const said = (content: unknown) => ({ ...input, messages: [{ id: 'm', role: 'user', content }] });
    expect(await refusal({ ...input, runId: '' })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(await refusal(input)).toMatchObject({ status: 400, message: 'A new thread begins with a message of the user.' });
    expect(await refusal(said(' '))).toMatchObject({ status: 400, message: expect.stringContaining('The message is empty.') });
    expect(await refusal(said([{ type: 'image', source: {} }]))).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('“image”') },
    });
    expect(await refusal(said('x'.repeat(20_001)))).toMatchObject({ code: 'TOO_LARGE' });
    expect(await refusal({ ...said('x'), forwardedProps: { reset: true } })).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('send a new threadId') },
    });
    expect(await refusal({ ...said('x'), threadId: newId('prj') })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await refusal({ ...said('x'), threadId: film })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await refusal(said('x'), { authorization: 'Bearer wrong' })).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(await refusal(said('x'), { ...keyHeader(), origin: 'https://example.com' })).toMatchObject({ status: 403 });
    await run(client('known', 'Clean up storage'));
    const unknown = await run(client('known'), {
      resume: [{ interruptId: newId('apr'), status: 'resolved', payload: { text: 'x' } }],
    });
    expect(unknown.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'INVALID_TRANSITION' });
  });
});
