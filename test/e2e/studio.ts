import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { type ProjectSnapshot, projectSnapshotSchema } from '#contract/api.ts';
import { projectSchema } from '#contract/project.ts';
import '../fixtures/page-requests.ts';

const sharedName = 'The film that specs share';
/** Shorter than a test's time limit, so that the phase is reported. */
const makingMs = 800_000;

/** Returns the variable with the address of a worker's studio. A restarted worker has the same number. */
export const studioVariable = (worker: number | string): string => `KODA_E2E_URL_${worker}`;

export function studioUrl(path = '/'): string {
  const variable = studioVariable(process.env['TEST_PARALLEL_INDEX'] ?? '');
  const base = process.env['KODA_URL'] || process.env[variable];
  if (!base) throw new Error(`${variable} is not set: the global set-up did not run.`);
  return new URL(path, base).href;
}

export const projectIdOf = (page: Page): string => new URL(page.url()).pathname.replace('/p/', '');

export const snapshotOf = (page: Page): Promise<ProjectSnapshot> => readSnapshot(projectIdOf(page));

export async function readSnapshot(projectId: string): Promise<ProjectSnapshot> {
  const answer = await fetch(studioUrl(`/api/projects/${projectId}`));
  return projectSnapshotSchema.parse(await answer.json());
}

export async function post(path: string, body: unknown = {}): Promise<unknown> {
  const answer = await fetch(studioUrl(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path} was answered with ${answer.status}: ${said}`);
  return said === '' ? null : JSON.parse(said);
}

/**
 * Returns the id of a project with a finished film, a preview, checkpoints and code. It takes a minute, so it is created once
 * per worker. Specs that change it must restore it or use a branch.
 */
export async function finishedFilm(): Promise<string> {
  const listed = await fetch(studioUrl(`/api/projects?search=${encodeURIComponent(sharedName)}`));
  const { items } = z.object({ items: z.array(projectSchema) }).parse(await listed.json());
  const known = items.find(({ name }) => name === sharedName);
  const prompt = 'playful, paper theme, 5 seconds\n\nTitle: Hello';
  const { id } = known ?? projectSchema.parse(await post('/api/projects', { prompt, name: sharedName }));
  const deadlineMs = Date.now() + makingMs;
  for (;;) {
    const { project, approval } = await readSnapshot(id);
    if (project.phase === 'complete') return id;
    if (project.phase === 'error' && !project.running) throw new Error(`The film was not made: ${project.error?.message}`);
    if (Date.now() > deadlineMs) throw new Error(`The film was not made in time; it is in phase ${project.phase}.`);
    if (approval?.type === 'question') await post(`/api/projects/${id}/answer`, { optionId: approval.options[0]?.id ?? '' });
    else if (approval?.type === 'plan') await post(`/api/projects/${id}/plan`, { action: 'accept' });
    else if (approval?.type === 'preview') await post(`/api/projects/${id}/preview`, { action: 'accept' });
    await new Promise((wake) => setTimeout(wake, 500));
  }
}

/** Waits for fades and colour transitions, during which text has less contrast. */
export async function untilStill(page: Page): Promise<void> {
  // The promise of a paused or restarted animation may never settle. The studio's security policy forbids `waitForFunction`.
  // A change, such as of the colour scheme, starts its transitions in the next frame.
  const isStill = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(
    document.getAnimations().every(({ playState, effect }) =>
      playState !== 'running' || !Number.isFinite(effect?.getComputedTiming().endTime))))))`;
  await expect.poll(() => page.evaluate(isStill)).toBe(true);
}
