import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectEvent } from '#contract/events.ts';
import type { Phase } from '#contract/project.ts';
import { routes } from '#contract/routes.ts';
import { allowedTransitions } from '../../server/projects/phases.ts';
import { type LeadingModelOptions, leadingModel, planOf, sceneSeconds } from '../fixtures/leading-model.ts';
import { type ModelServer, startModelServer, type WireRequest } from '../fixtures/model-server.ts';
import { whileProgress } from '../fixtures/progress.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const run = promisify(execFile);
const keyCanary = 'sk-canary-4711';
const broken = {
  files: [{ path: 'src/scenes/scene-1.tsx', content: 'export const x: number = "text";\n' }],
  summary: 'A scene.',
};
const stack = new AsyncDisposableStack();
let studio: Studio;
let server: ModelServer;
let projects: ReturnType<typeof projectsOf>;
let behaviour: LeadingModelOptions;
const moves = new Set<string>();

beforeAll(async () => {
  server = stack.use(await startModelServer((request: WireRequest) => leadingModel(behaviour)(request)));
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: keyCanary, KODA_MODEL: 'claude-sonnet-5-5' };
  studio = stack.use(await startStudio({ sandbox: 'docker', env }));
  projects = projectsOf(studio);
});
afterAll(async () => {
  await stack.disposeAsync();
});

async function eventsOf(id: string): Promise<ProjectEvent[]> {
  const { seq } = await projects.snapshot(id);
  const events: ProjectEvent[] = [];
  return await whileProgress(`the events of ${id}`, async (signal) => {
    for await (const event of studio.client.events(id, { afterSeq: 0, signal })) {
      events.push(event);
      if (event.seq >= seq) break;
    }
    return events;
  });
}

function collectMoves(events: readonly ProjectEvent[]): void {
  for (const event of events) if (event.type === 'project.phase') moves.add(`${event.previous}→${event.phase}`);
}

/** Removes the cache markers, because they move from request to request. */
function bare(value: unknown): string {
  return JSON.stringify(value).replaceAll(',"cache_control":{"type":"ephemeral"}', '');
}

async function lumaOf(video: string, seconds: number): Promise<{ mean: number; spread: number }> {
  const { stdout } = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-ss',
      String(seconds),
      '-i',
      video,
      '-frames:v',
      '1',
      '-vf',
      'scale=64:36,format=gray',
      '-f',
      'rawvideo',
      '-',
    ],
    { encoding: 'buffer' },
  );
  const values = [...stdout];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, spread: Math.max(...values) - Math.min(...values) };
}

describe('a language model leads a project on Docker', () => {
  it('A1 A2 A5 A9 A12 X2: covers question, rejected and changed plans, work, feedback, an edit of the finished film, and its video', async () => {
    behaviour = { asksFirst: true, plan: (changes) => planOf(changes === 0 ? ['Opening'] : ['Opening', 'Turn']) };
    const { id } = await projects.create('a green cube spins, 640x360');
    let { seq } = await projects.waitForApproval(id, 'question', 0);
    await projects.post(id, 'answer', { optionId: 'smooth' });
    ({ seq } = await projects.waitForApproval(id, 'plan', seq));
    await projects.post(id, 'plan', { action: 'reject' });
    ({ seq } = await projects.waitForApproval(id, 'question', seq));
    await projects.post(id, 'answer', { text: 'calm please' });
    ({ seq } = await projects.waitForApproval(id, 'plan', seq));
    const edited = { ...planOf(['Opening']), title: 'Edited by hand' };
    await projects.post(id, 'plan', { action: 'changes', feedback: 'two scenes', plan: edited });
    ({ seq } = await projects.waitForApproval(id, 'plan', seq));
    // The model receives the request and its plan.
    expect(JSON.stringify(server.requests.at(-1)?.messages)).toMatch(/text: two scenes.*plan\.title: Edited by hand/);
    await projects.post(id, 'plan', { action: 'accept' });
    ({ seq } = await projects.waitForApproval(id, 'preview', seq));
    const first = await projects.files(id);
    expect([...first.keys()]).toEqual(
      expect.arrayContaining(['src/film.ts', 'src/scenes/scene-1.tsx', 'src/scenes/scene-2.tsx']),
    );

    await projects.post(id, 'preview', { action: 'feedback', feedback: 'make the cube red' });
    ({ seq } = await projects.waitForApproval(id, 'preview', seq));
    expect(await projects.files(id)).not.toEqual(first);
    await projects.post(id, 'preview', { action: 'accept' });
    ({ seq } = await projects.until(id, seq, (event) => event.type === 'project.phase' && event.phase === 'complete'));
    await projects.post(id, 'messages', { content: 'make the cube blue' });
    ({ seq } = await projects.waitForApproval(id, 'preview', seq));
    await projects.post(id, 'preview', { action: 'accept' });
    ({ seq } = await projects.until(id, seq, (event) => event.type === 'project.phase' && event.phase === 'complete'));

    // Includes the end of the first scene and the start of the second.
    const range = { fromSeconds: sceneSeconds - 0.5, toSeconds: sceneSeconds + 0.5 };
    const body = { kind: 'final', resolution: '720p', fps: 30, range } as const;
    const render = await studio.client.call(routes.startRender, { id, body });
    const ended = (event: ProjectEvent) =>
      (event.type === 'render.complete' || event.type === 'render.failed') && event.render.id === render.id;
    expect(await projects.until(id, seq, ended)).toMatchObject({ type: 'render.complete' });
    const folder = await mkdtemp(join(tmpdir(), 'koda-agent-'));
    const video = join(folder, 'film.mp4');
    await writeFile(
      video,
      Buffer.from(await (await fetch(`${studio.url}/storage/renders/${render.id}/video.mp4`)).arrayBuffer()),
    );
    for (const seconds of [0.25, 0.75]) expect((await lumaOf(video, seconds)).spread).toBeGreaterThan(20);
    await rm(folder, { recursive: true });

    const events = await eventsOf(id);
    collectMoves(events);
    const written = events.filter((event) => event.type === 'code.chunk' && event.path === 'src/scenes/scene-1.tsx');
    expect(written.length).toBeGreaterThan(1);
    expect(events.some((event) => event.type === 'usage' && event.outputTokens > 0 && event.costUsd > 0)).toBe(true);
    expect(server.complaints).toEqual([]);
    expect(new Set(server.keys)).toEqual(new Set([server.keys[0]]));
    expect(JSON.stringify([events, await projects.snapshot(id), [...(await projects.files(id))]])).not.toContain(keyCanary);
  });

  it('A8: code that fails to compile three times ends in a readable error, and a retry continues', async () => {
    let isBroken = true;
    behaviour = {
      asksFirst: false,
      plan: () => planOf(['Only']),
      generated: (task) => (isBroken && task.task === 'create_scene' ? broken : undefined),
      // Repeats the check of a step, as a model that believes its code to be correct would.
      instead: ({ phase, calls, todos }) => {
        const active = todos.find(({ status }) => status === 'active');
        if (phase !== 'executing' || !isBroken || active === undefined) return null;
        const last = calls.at(-1);
        if (last === undefined || !/error|exit_code: [12]/.test(last.result)) return null;
        return { calls: [{ name: 'generate_code', input: { task: 'create_scene', scenes: [1] } }] };
      },
    };
    const { id } = await projects.create('a green cube spins, smooth, 640x360');
    const { seq } = await projects.waitForApproval(id, 'plan', 0);
    await projects.post(id, 'plan', { action: 'accept' });
    await projects.until(id, seq, (event) => event.type === 'project.phase' && event.phase === 'error').catch(() => undefined);
    const failed = await projects.snapshot(id);
    expect(failed.project).toMatchObject({ phase: 'error', error: { canRetry: true } });
    expect(failed.project.error?.message.length).toBeGreaterThan(20);

    isBroken = false;
    await projects.post(id, 'retry', {});
    await projects.waitForApproval(id, 'preview', failed.seq);
    expect((await projects.files(id)).get('src/scenes/scene-1.tsx')).not.toContain('"text"');
    collectMoves(await eventsOf(id));
  });

  it('A10 46.2: the model reads a user message next, the generator corrects an error of the page itself, and a stopped project can continue', async () => {
    let asked = 0;
    const throwing = `throw new Error('no such colour: blurple');\nexport {};\n`;
    behaviour = {
      asksFirst: false,
      plan: () => planOf(['Only']),
      generated: (task, files) => {
        if (task.task !== 'create_scene') return undefined;
        asked += 1;
        // The first try also breaks the list of scenes, which the page loads.
        const list = files.find(({ path }) => path === 'src/film.ts')?.content ?? '';
        return asked === 1 ? { files: [{ path: 'src/film.ts', content: list + throwing }], summary: 'A scene.' } : undefined;
      },
    };
    const { id } = await projects.create('a green cube turns, smooth, 640x360');
    let { seq } = await projects.waitForApproval(id, 'plan', 0);
    await projects.post(id, 'plan', { action: 'accept' });
    await projects.until(id, seq, (event) => event.type === 'file.written');
    await projects.post(id, 'messages', { content: 'make the cube red' });
    ({ seq } = await projects.waitForApproval(id, 'preview', seq));
    const heard = server.requests.findIndex(({ messages }) =>
      JSON.stringify(messages).includes('The user says: make the cube red'),
    );
    expect(heard).toBeGreaterThan(0);
    // The request contains the results of the running calls and the new state.
    const kinds = server.requests[heard]?.messages.at(-1)?.content.map(({ type }) => type);
    expect(kinds?.[0]).toBe('tool_result');
    expect(JSON.stringify(server.requests[heard]?.messages.at(-1))).toContain('Change: make the cube red');
    const { todos } = await projects.snapshot(id);
    expect(todos.find(({ title }) => title.includes('make the cube red'))).toMatchObject({ status: 'done' });

    expect(asked).toBe(2);
    const correction = server.requests.find(({ messages }) => /a green cube turns.*"correction_1"/.test(bare(messages)));
    expect(bare(correction?.messages)).toContain('no such colour: blurple');
    // The orchestrator receives frames instead of code.
    const told = server.requests
      .filter(({ tools }) => tools.some(({ name }) => name === 'update_todo'))
      .map(({ messages }) => bare(messages))
      .filter((text) => text.includes('a green cube turns'));
    expect(told.some((text) => text.includes('"type":"image"'))).toBe(true);
    expect(told.filter((text) => text.includes('blurple'))).toEqual([]);
    expect(todos.every(({ attempts }) => attempts <= 1)).toBe(true);

    await projects.post(id, 'preview', { action: 'feedback', feedback: 'make the cube blue' });
    await projects.until(id, seq, (event) => event.type === 'tool.started' && event.name === 'generate_code');
    await projects.post(id, 'stop', {});
    const stopped = await projects.snapshot(id);
    expect(stopped.project).toMatchObject({ running: false, error: { code: 'CANCELLED', canRetry: true } });
    const written = await projects.files(id);
    await run('docker', ['kill', await projects.container(id)]);
    await projects.post(id, 'retry', {});
    await projects.waitForApproval(id, 'preview', stopped.seq);
    expect([...(await projects.files(id)).keys()]).toEqual([...written.keys()]);
    expect(server.complaints).toEqual([]);
  });

  it('X2 A11: a run repeats its earlier context byte by byte in every turn, so that the cache of a service applies', () => {
    const runs = new Map<string, WireRequest[]>();
    for (const request of server.requests) {
      // A run starts with its initial context, which is another prompt in each test. The generator starts fresh each time.
      const begin = bare([request.system, request.tools, request.messages[0]?.content[0]]);
      if (request.tools.length > 1) runs.set(begin, [...(runs.get(begin) ?? []), request]);
    }
    let turns = 0;
    for (const requests of runs.values()) {
      for (const [index, { messages }] of requests.entries()) {
        const before = requests[index - 1]?.messages ?? [];
        expect(changedMessages(before, messages)).toEqual([]);
        turns += before.length > 0 ? 1 : 0;
      }
    }
    expect(turns).toBeGreaterThan(20);
  });

  it('A1: these conversations make every allowed phase transition', () => {
    const byUser = [...allowedTransitions()].filter((move) => !move.endsWith('→error') || move === 'executing→error');
    // A film has no phase of a conversation (`server/projects/conversation.test.ts`).
    const ofBuilds = byUser.filter((move) => !move.includes('conversation'));
    const unseen = ofBuilds.filter((move) => !moves.has(move) && move.split('→')[0] !== (move.split('→')[1] as Phase));
    expect(unseen).toEqual([]);
  });
});

const leftOut = '[Image left out: newer ones follow.]';

/** Returns a message's content without what later requests leave out: older images, and the thinking after them. */
function withoutImages(content: WireRequest['messages'][number]['content']) {
  return content
    .filter(({ type }) => type !== 'thinking' && type !== 'image')
    .map((block) => {
      const parts = block['content'];
      if (block.type !== 'tool_result' || !Array.isArray(parts)) return block;
      const texts = parts.flatMap((part) => (part.type === 'text' ? [String(part.text).replace(`\n${leftOut}`, '')] : []));
      return { ...block, content: texts };
    });
}

/**
 * Returns the indexes of a request's messages that the next request repeats differently. From the first image that it leaves out,
 * images and thinking do not count, because thinking is bound to the text before it.
 */
function changedMessages(before: WireRequest['messages'], messages: WireRequest['messages']): number[] {
  const changed = messages.findIndex((message) => bare(message).includes(leftOut));
  return [...before.entries()].flatMap(([at, { role, content }]) => {
    const now = messages[at]?.content ?? [];
    const [one, other] = changed === -1 || at < changed ? [content, now] : [withoutImages(content), withoutImages(now)];
    // The next response comes after the last message, which may have more user content before it.
    return bare([role, one]) === bare([messages[at]?.role, other.slice(0, one.length)]) ? [] : [at];
  });
}
