import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

let studio: Studio;
let projects: ReturnType<typeof projectsOf>;

beforeAll(async () => {
  studio = await startStudio({ sandbox: 'docker', env: { KODA_AUTO_FINAL: 'on' } });
  projects = projectsOf(studio);
});
afterAll(async () => {
  await studio[Symbol.asyncDispose]();
});

const finalsOf = async (id: string) => {
  const { items } = await studio.client.call(routes.renders, { id });
  return items.filter(({ settings }) => settings.kind === 'final');
};

describe('the final after the acceptance', () => {
  it('A29: survives a server that is killed right after the acceptance, is rendered once, and again in another size on request', async () => {
    const { id } = await projects.create('Title: Hello\nsmooth, 1 second');
    await projects.waitForApproval(id, 'plan', 0);
    await projects.post(id, 'plan', { action: 'accept' });
    const { seq } = await projects.waitForApproval(id, 'preview', 0);
    await projects.post(id, 'preview', { action: 'accept' });
    await studio.kill();
    await studio.restart();
    await projects.until(id, seq, (event) => event.type === 'render.complete');
    expect(await finalsOf(id)).toMatchObject([
      { status: 'complete', probe: { width: 1920, height: 1080, fps: 60, codec: 'h264' } },
    ]);

    // A message then renders the same film in another size without changing it.
    const before = await projects.files(id);
    const complete = await studio.client.call(routes.project, { id });
    await projects.post(id, 'messages', { content: 'render it in 720p as webm' });
    await projects.until(id, complete.seq, (event) => event.type === 'project.phase' && event.phase === 'complete');
    await projects.until(id, complete.seq, (event) => event.type === 'render.complete');
    expect(await finalsOf(id)).toMatchObject([{ status: 'complete', settings: { height: 720, format: 'webm' } }, {}]);
    expect(await projects.files(id)).toEqual(before);
  });
});
