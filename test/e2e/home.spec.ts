import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { page as pageOf, projectListItemSchema } from '#contract/api.ts';
import { projectSchema } from '#contract/project.ts';
import { dropOn } from './files.ts';
import { finishedFilm, post, projectIdOf, readSnapshot, snapshotOf, studioUrl } from './studio.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const logo = readFileSync(join(import.meta.dirname, '../fixtures/logo.png'));
/** Distinguishes these projects from other specs' projects. */
const mark = `Home ${Date.now().toString(36)}`;
const made: string[] = [];

async function create(name: string): Promise<string> {
  const { id } = projectSchema.parse(await post('/api/projects', { prompt: 'A quiet blue circle', name, start: false }));
  made.push(id);
  return id;
}
async function listed(query: string) {
  const answer = await fetch(studioUrl(`/api/projects?${new URLSearchParams(query)}`));
  return pageOf(projectListItemSchema).parse(await answer.json()).items;
}
const promptOf = (page: Page) => page.getByRole('textbox', { name: 'Describe your film' });
const cardOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
async function search(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search projects' }).fill(words);
}
async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
const overPage = (page: Page) => () => expect(page.getByText('Drop images, audio or fonts anywhere')).toBeVisible();

test.afterAll(async () => {
  for (const id of made) await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
});

test.describe('prompt box', () => {
  test('keeps its text and options over a reload', async ({ page }) => {
    await page.goto(studioUrl());
    await page.getByRole('button', { name: 'Agenda' }).click();
    await expect(promptOf(page)).toBeFocused();
    await expect(promptOf(page)).toHaveValue(/^Team day on Thursday/);
    await page.getByRole('button', { name: /^Frame:/ }).click();
    await page.getByRole('menuitemradio', { name: '9:16' }).click();
    await page.reload();
    await expect(promptOf(page)).toHaveValue(/^Team day on Thursday/);
    await expect(page.getByRole('button', { name: 'Frame: 9:16', exact: true })).toBeVisible();
  });

  test('A25: uploads an image dropped anywhere on the page with the prompt', async ({ page }) => {
    await page.goto(studioUrl());
    const target = page.getByRole('heading', { name: 'What should move?' });
    await dropOn(target, { name: 'acme.png', mimeType: 'image/png', buffer: logo }, overPage(page));
    const files = page.getByRole('list', { name: 'Attached files' });
    await expect(files.getByRole('listitem')).toHaveCount(1);
    await expect(files.locator('img')).toHaveJSProperty('naturalWidth', 320);
    await dropOn(target, { name: 'film.mov', mimeType: 'video/quicktime', buffer: logo }, overPage(page));
    await expect(page.getByRole('alert')).toContainText('film.mov: This is not an image');
    await expect(files.getByRole('listitem')).toHaveCount(1);

    await promptOf(page).fill('my logo appears with the title "Acme", smooth, 4 seconds');
    await promptOf(page).press('ControlOrMeta+Enter');
    await expect(page).toHaveURL(/\/p\/prj_/);
    made.push(projectIdOf(page));
    const { assets, messages } = await snapshotOf(page);
    expect(assets.map(({ name, kind }) => [name, kind])).toEqual([['acme.png', 'image']]);
    expect(messages[0]?.content).toContain('my logo appears');
    await page.goto(studioUrl());
    await expect(promptOf(page)).toHaveValue('');
  });

  test('keeps and counts a prompt of 25,000 characters and can shorten it', async ({ page }) => {
    await page.goto(studioUrl());
    await promptOf(page).fill('A red ball. '.repeat(2084).slice(0, 25_000));
    await expect(page.getByText('25,000 of 20,000 characters')).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('Too long by 5,000 characters.');
    const start = page.getByRole('button', { name: 'Create' });
    await expect(start).toBeDisabled();
    await promptOf(page).press('ControlOrMeta+Enter');
    await page.reload();
    const length = async () => (await promptOf(page).inputValue()).length;
    await expect.poll(length).toBe(25_000);
    await page.getByRole('button', { name: 'Remove the end' }).click();
    await expect(start).toBeEnabled();
    await expect.poll(length).toBe(20_000);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(length).toBe(25_000);
    await promptOf(page).fill('');
  });

  test('accepts a custom length within the limits only', async ({ page }) => {
    await page.goto(studioUrl());
    await promptOf(page).fill('A ball');
    await page.getByRole('button', { name: /^Length:/ }).click();
    await page.getByRole('menuitemradio', { name: 'Other…' }).click();
    const length = page.getByRole('textbox', { name: 'Length in seconds' });
    await expect(length).toBeFocused();
    await length.fill('0.5');
    await expect(page.getByRole('button', { name: 'Create' })).toBeDisabled();
    await length.fill('0:07,5');
    await expect(page.getByRole('button', { name: 'Create' })).toBeEnabled();
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith('/api/projects') && sent.method() === 'POST'),
      page.getByRole('button', { name: 'Create' }).click(),
    ]);
    expect(z.object({ durationSeconds: z.number() }).parse(request.postDataJSON()).durationSeconds).toBe(7.5);
    await expect(page).toHaveURL(/\/p\/prj_/);
    made.push(projectIdOf(page));
  });
});

test.describe('projects', () => {
  test('can be searched, renamed inline, deleted and restored', async ({ page }) => {
    const [one, two] = [`${mark} one`, `${mark} two`];
    const [oneId] = [await create(one), await create(two)];
    await page.goto(studioUrl());
    await page.keyboard.press('Tab');
    await page.getByRole('heading', { name: 'Your projects' }).focus();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Search projects' })).toBeFocused();
    await page.keyboard.type(one.toUpperCase());
    await expect(cardOf(page, one)).toBeVisible();
    await expect(cardOf(page, two)).toBeHidden();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect(cardOf(page, two)).toBeVisible();
    await search(page, `${mark} nowhere`);
    await expect(page.getByText(`No project is called “${mark} nowhere”`)).toBeVisible();
    await search(page, mark);

    await cardOf(page, two).focus();
    await page.keyboard.press('ArrowRight');
    await expect(cardOf(page, one)).toBeFocused();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: `New name for ${one}` }).fill(`${mark} uno`);
    await page.keyboard.press('Enter');
    await expect(cardOf(page, `${mark} uno`)).toBeFocused();
    await expect.poll(async () => (await readSnapshot(oneId)).project.name).toBe(`${mark} uno`);
    await choose(page, `${mark} uno`, 'Rename');
    await expect(page.getByRole('textbox', { name: `New name for ${mark} uno` })).toBeFocused();
    await page.keyboard.type('never mind');
    await page.keyboard.press('Escape');
    await expect(cardOf(page, `${mark} uno`)).toBeVisible();

    await choose(page, `${mark} uno`, 'Delete');
    await expect(cardOf(page, `${mark} uno`)).toBeHidden();
    await expect(cardOf(page, two)).toBeFocused();
    await expect.poll(async () => (await fetch(studioUrl(`/api/projects/${oneId}`))).status).toBe(404);
    await page.reload();
    await search(page, mark);
    await expect(cardOf(page, two)).toBeVisible();
    await expect(cardOf(page, `${mark} uno`)).toBeHidden();

    await cardOf(page, two).focus();
    await page.keyboard.press('Delete');
    await expect(cardOf(page, two)).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).click();
    // The toast is read first, because it goes away.
    await expect(page.getByText(`“${two}” was restored.`).first()).toBeVisible();
    await expect(cardOf(page, two)).toBeVisible();

    // After a reload without the undo, the project is still restorable.
    await page.getByRole('button', { name: /^Show: All projects/ }).click();
    await page.getByRole('menuitemradio', { name: 'Recently deleted' }).click();
    await page.getByRole('button', { name: `Restore: ${mark} uno` }).click();
    await page.getByRole('button', { name: /^Show: Recently deleted/ }).click();
    await page.getByRole('menuitemradio', { name: 'All projects' }).click();
    await expect(cardOf(page, `${mark} uno`)).toBeVisible();
    expect((await readSnapshot(oneId)).project.name).toBe(`${mark} uno`);
  });

  test('X4: play when hovered, and are duplicated with plan and conversation', async ({ page }) => {
    const filmId = await finishedFilm();
    const { project, plan } = await readSnapshot(filmId);
    await page.goto(studioUrl());
    await search(page, project.name);
    // The other projects are deleted, so this card stays beneath the pointer.
    await expect(page.locator('[data-card]')).toHaveCount(1);
    const card = page.locator(`[data-card="${filmId}"]`);
    await expect(card.locator('img').last()).toHaveJSProperty('complete', true);
    await expect(card.locator('video')).toHaveCount(0);
    await card.hover();
    await expect(card.locator('video')).toHaveJSProperty('paused', false);
    await page.mouse.move(0, 0);
    await expect(card.locator('video')).toHaveCount(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await card.hover();
    await page.waitForTimeout(400);
    await expect(card.locator('video')).toHaveCount(0);

    await page
      .locator('li', { has: card })
      .getByRole('button', { name: /^More for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    const copy = cardOf(page, `${project.name} copy`);
    await expect(copy).toBeVisible();
    await copy.click();
    await expect(page).toHaveURL(/\/p\/prj_/);
    made.push(projectIdOf(page));
    const copied = await snapshotOf(page);
    expect(copied.plan?.sections).toEqual(plan?.sections);
    expect(copied.messages.map(({ content }) => content)).toContain(project.prompt);
  });

  test('A18: a list contains what its cards show', async ({ page }) => {
    const filmId = await finishedFilm();
    const { project } = await readSnapshot(filmId);
    const item = (await listed(`search=${project.name}`)).find(({ id }) => id === filmId);
    expect(item?.videoUrl).toMatch(/^\/storage\/renders\/rnd_/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(studioUrl());
    await expect(page.locator('[data-card]').first()).toBeVisible();
    expect(asked.filter((path) => /\/renders$/.test(path))).toEqual([]);
  });
});

test('the studio status opens with details and links to the settings', async ({ page }) => {
  await page.goto(studioUrl());
  await page.getByRole('button', { name: /^Ready .*Studio status/ }).click();
  const panel = page.getByRole('dialog', { name: 'This studio' });
  for (const part of ['Model', 'Sandboxes', 'Disk']) await expect(panel.getByText(part, { exact: true })).toBeVisible();
  await expect(panel.getByText(/ free$/)).toBeVisible();
  await panel.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL(/\/settings$/);
});
