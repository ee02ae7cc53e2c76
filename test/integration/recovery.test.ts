import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectEvent } from '#contract/events.ts';
import { routes } from '#contract/routes.ts';
import { filmSources } from '../fixtures/film-sources.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const run = promisify(execFile);
const prompt = 'Title: Hello\nsmooth, 2 seconds';
let studio: Studio;
let projects: ReturnType<typeof projectsOf>;

beforeAll(async () => {
  studio = await startStudio({ sandbox: 'docker' });
  projects = projectsOf(studio);
});
afterAll(async () => {
  await studio[Symbol.asyncDispose]();
});

/** Kills the project's containers. Returns their number. */
async function killSandbox(id: string): Promise<number> {
  const container = await projects.container(id);
  if (container === '') return 0;
  await run('docker', ['kill', container]);
  return 1;
}

/** Checks that no file of a complete film is missing, and that there is no other. Returns the files. */
async function expectWhole(id: string): Promise<Map<string, string>> {
  const files = await projects.files(id);
  const { plan } = await projects.snapshot(id);
  expect([...files.keys()].toSorted()).toEqual(await filmSources(plan));
  return files;
}

describe('the project continues after any crash', () => {
  it('A22: a sandbox that is killed in any phase loses nothing of the film', async () => {
    const { id } = await projects.create(prompt);
    await projects.waitForApproval(id, 'plan', 0);
    // Before the plan is accepted there is nothing to lose, but a viewer may have started a sandbox.
    await projects.post(id, 'sandbox', {});
    let kills = await killSandbox(id);
    await projects.post(id, 'plan', { action: 'accept' });
    await projects.until(id, 0, (event) => event.type === 'file.written');
    kills += await killSandbox(id);
    const { seq } = await projects.waitForApproval(id, 'preview', 0);
    const made = await expectWhole(id);

    kills += await killSandbox(id);
    await projects.post(id, 'preview', { action: 'accept' });
    await projects.until(id, seq, (event) => event.type === 'project.phase' && event.phase === 'complete');
    kills += await killSandbox(id);
    const request = { kind: 'final', resolution: '720p', fps: 24 } as const;
    const render = await studio.client.call(routes.startRender, { id, body: request });
    const ended = (event: ProjectEvent) =>
      (event.type === 'render.complete' || event.type === 'render.failed') && event.render.id === render.id;
    expect((await projects.until(id, seq, ended)).type).toBe('render.complete');
    expect(await projects.files(id)).toEqual(made);
    expect(kills).toBeGreaterThanOrEqual(3);
  });

  it('A22: killing server and sandbox together during the work loses nothing of the film', async () => {
    const { id } = await projects.create(prompt);
    await projects.waitForApproval(id, 'plan', 0);
    await projects.post(id, 'plan', { action: 'accept' });
    await projects.until(id, 0, (event) => event.type === 'todo.updated' && event.todos.some(({ status }) => status === 'done'));
    await Promise.all([studio.kill(), killSandbox(id)]);
    await studio.restart();
    await projects.waitForApproval(id, 'preview', 0);
    await expectWhole(id);
  });
});
