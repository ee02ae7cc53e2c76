import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import { untilPasses } from '../fixtures/progress.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const maxSandboxes = 2;
let studio: Studio;
let projects: ReturnType<typeof projectsOf>;

beforeAll(async () => {
  studio = await startStudio({ sandbox: 'process', env: { KODA_SANDBOXES: String(maxSandboxes) } });
  projects = projectsOf(studio);
});
afterAll(async () => {
  await studio[Symbol.asyncDispose]();
});

/** Observes projects and the server's health until the work has ended. */
async function observe(ids: readonly string[], work: Promise<unknown>) {
  const seen = { running: 0, waits: new Set<string>(), unhealthy: 0, checks: 0 };
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    // One request, because between two of them a sandbox may end and the next one start.
    const { items } = await studio.client.call(routes.projects, { query: { limit: 100 } });
    const listed = items.filter(({ id }) => ids.includes(id));
    seen.running = Math.max(seen.running, listed.filter(({ sandbox }) => sandbox !== 'stopped').length);
    for (const { thinking } of listed) if (thinking?.startsWith('Waiting for')) seen.waits.add(thinking);
    seen.checks += 1;
    if (!(await fetch(`${studio.url}/api/health`)).ok) seen.unhealthy += 1;
    await delay(200);
  }
  await ended;
  return seen;
}

const restartPreview = (id: string) => studio.client.call(routes.controlPreview, { id, body: { action: 'restart' } });

/** Queues a project behind others for a sandbox, then stops it and expects it to leave the queue. */
async function stopWaiting(id: string, others: readonly Promise<unknown>[]): Promise<void> {
  await Promise.all(others);
  await restartPreview(id);
  const thinking = async () => (await projects.snapshot(id)).project.thinking;
  expect(await thinking()).toContain('Waiting for a free sandbox: ');
  await projects.post(id, 'stop', {});
  await untilPasses('the end of the wait', async () => expect(await thinking()).toBeNull());
  const { project } = await projects.snapshot(id);
  expect(project).toMatchObject({ sandbox: 'stopped', previewError: null, error: null });
}

describe('a studio with two sandboxes', () => {
  it('H7: brings up the previews of five projects one after another, shows positions, stays healthy, and ends the wait of a stopped project', async () => {
    const ids = await Promise.all(
      [1, 2, 3, 4, 5].map(async (number) => {
        const body = { prompt: `Title: Film ${number}`, start: false };
        return (await studio.client.call(routes.createProject, { body })).id;
      }),
    );
    const body = { prompt: 'Title: Never shown', start: false };
    const { id: unwanted } = await studio.client.call(routes.createProject, { body });
    const restarts = ids.map(restartPreview);
    const opened = ids.map(async (id) => await projects.until(id, 0, ({ type }) => type === 'preview.ready'));
    const seen = await observe(ids, Promise.all([...restarts, ...opened, stopWaiting(unwanted, restarts)]));
    expect(seen.waits).toContain('Waiting for a free sandbox: 2 ahead.');
    expect(seen.waits).toContain('Waiting for a free sandbox: next in line.');
    expect(seen.running).toBe(maxSandboxes);
    expect(seen.checks).toBeGreaterThan(10);
    expect(seen.unhealthy).toBe(0);
    await untilPasses('five projects with a preview', async () => {
      for (const id of ids) {
        const { project } = await projects.snapshot(id);
        expect(project).toMatchObject({ previewUrl: expect.stringContaining('http'), previewError: null, thinking: null });
      }
    });
  });

  it('H7: finishes the work of more projects than sandboxes after a crash', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await projects.create('Title: Hello\nsmooth, 2 seconds')).id));
    for (const id of ids) {
      await projects.waitForApproval(id, 'plan', 0);
      await projects.post(id, 'plan', { action: 'accept' });
    }
    await studio.kill();
    await studio.restart();
    const finished = Promise.all(ids.map((id) => projects.waitForApproval(id, 'preview', 0)));
    const seen = await observe(ids, finished);
    expect(seen.running).toBeLessThanOrEqual(maxSandboxes);
    expect(seen.unhealthy).toBe(0);
  });
});
