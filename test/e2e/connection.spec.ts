import { expect, type Page, test } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { studioProcess } from '../fixtures/studio-process.ts';
import { studioUrl } from './studio.ts';

async function createProject(url: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/api/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'A red ball', name, start: false }),
  });
  return projectSchema.parse(await answer.json()).id;
}

async function rename(url: string, projectId: string, name: string): Promise<void> {
  const answer = await fetch(`${url}/api/projects/${projectId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  expect(answer.ok).toBe(true);
}

const nameIn = (page: Page) => page.getByRole('heading', { level: 1 });

test('A20: reports a lost server, reconnects, and has lost nothing', async ({ page }) => {
  // Uses its own studio, because other specs need theirs to stay alive.
  await using studio = await studioProcess();
  await studio.start();
  const projectId = await createProject(studio.url, 'Before');
  await page.goto(`${studio.url}/p/${projectId}`);
  await expect(nameIn(page)).toHaveText('Before');
  await rename(studio.url, projectId, 'While it was connected');
  await expect(nameIn(page)).toHaveText('While it was connected');

  await studio.end('SIGKILL');
  await expect(page.getByText(/Connection lost/)).toBeVisible();
  await studio.start();
  await rename(studio.url, projectId, 'After the restart');
  await expect(nameIn(page)).toHaveText('After the restart');
  await expect(page.getByText(/Connection lost/)).toBeHidden();
  // The page sends requests to the new server.
  await nameIn(page).getByRole('button').click();
  await page.getByRole('textbox', { name: 'Rename project' }).fill('By hand');
  await page.keyboard.press('Enter');
  await expect(nameIn(page)).toHaveText('By hand');
});

test('A20: follows its project even if the worker cannot be loaded', async ({ page }) => {
  const url = studioUrl('/').replace(/\/$/, '');
  const projectId = await createProject(url, 'Before');
  // Simulates a page that was open while its server was updated.
  await page.addInitScript(`{
    const Shared = window.SharedWorker;
    window.SharedWorker = function (_address, options) { return new Shared('/assets/worker-of-an-older-version.js', options); };
  }`);
  await page.goto(studioUrl(`/p/${projectId}`));
  await expect(nameIn(page)).toHaveText('Before');
  await rename(url, projectId, 'Told without the worker');
  await expect(nameIn(page)).toHaveText('Told without the worker');
  await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
});

test('A20: eight tabs on eight projects share one stream and receive their own events', async ({ browser }) => {
  const context = await browser.newContext();
  const url = studioUrl('/').replace(/\/$/, '');
  const projects = await Promise.all(Array.from({ length: 8 }, (_, index) => createProject(url, `Tab ${index}`)));
  const pages: Page[] = [];
  // Browsers allow six connections per origin, so the seventh tab would hang if each tab used one.
  for (const [index, projectId] of projects.entries()) {
    const page = await context.newPage();
    await page.goto(studioUrl(`/p/${projectId}`));
    await expect(nameIn(page)).toHaveText(`Tab ${index}`);
    pages.push(page);
  }
  for (const [index, projectId] of projects.entries()) await rename(url, projectId, `Renamed ${index}`);
  for (const [index, page] of pages.entries()) await expect(nameIn(page)).toHaveText(`Renamed ${index}`);
  await context.close();
  for (const projectId of projects) await fetch(`${url}/api/projects/${projectId}`, { method: 'DELETE' });
});
