import { expect, type Page, test } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { post, studioUrl } from './studio.ts';

const newProject = async () =>
  projectSchema.parse(await post('/api/projects', { prompt: 'A ball with a draft', start: false })).id;
const remove = (projectId: string, query = '') => fetch(studioUrl(`/api/projects/${projectId}${query}`), { method: 'DELETE' });
const keptNames = (page: Page): Promise<string[]> =>
  page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('koda:message:')).sort()");

test('A20: removes a stored draft once its project is permanently deleted', async ({ page }) => {
  const [kept, restorable, gone] = [await newProject(), await newProject(), await newProject()];
  for (const projectId of [kept, restorable, gone]) {
    await page.goto(studioUrl(`/p/${projectId}`));
    await page.getByRole('textbox', { name: 'Message' }).fill('Not sent yet');
  }
  const nameOf = (projectId: string) => `koda:message:${projectId}`;
  await expect.poll(() => keptNames(page)).toEqual([kept, restorable, gone].map(nameOf).sort());
  await remove(restorable);
  await remove(gone, '?now=true');
  await page.goto(studioUrl());
  await expect.poll(() => keptNames(page)).toEqual([kept, restorable].map(nameOf).sort());
  for (const projectId of [kept, restorable]) await remove(projectId, '?now=true');
});
