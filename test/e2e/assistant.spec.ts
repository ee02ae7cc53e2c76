import { expect, type Page, test } from '@playwright/test';
import { expectGood } from './accessibility.ts';
import { finishedFilm, projectIdOf, studioUrl } from './studio.ts';

const made: string[] = [];
test.afterAll(async () => {
  for (const id of made) await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
});

/** Starts a ready job from the start page. */
async function startJob(page: Page, title: string): Promise<void> {
  await page.goto(studioUrl('/assistant'));
  await page.getByRole('region', { name: 'Jobs' }).getByRole('button', { name: title }).click();
  await expect(page).toHaveURL(/\/p\/prj_/);
  made.push(projectIdOf(page));
}

const stateOf = (page: Page) => page.getByRole('list', { name: 'State' }).locator('[aria-current="step"]');
const current = (page: Page) => page.getByRole('list', { name: 'Steps' }).locator('[aria-current="step"]');
const surface = (page: Page, name: string | RegExp) => page.getByRole('main', { name });

test('the home page leads to the start, which offers jobs without a model and lists what was before', async ({ page }) => {
  await page.goto(studioUrl());
  await page.getByRole('radio', { name: 'Ask' }).click();
  await expect(page.getByRole('heading', { name: 'What needs doing?' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Jobs' }).getByRole('button', { name: 'Clean up storage' })).toBeEnabled();
  await expect(page.getByText(/\d GB free/).first()).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expectGood(page);
  await startJob(page, 'Clean up storage');
  await expect(stateOf(page)).toHaveText(/Done|Waiting for you/);
  // The first field of the form that the person has asked for, or the heading of a result.
  await expect(surface(page, /^Koda uses/).locator(':focus')).toBeVisible();
  await page.keyboard.press('n');
  const earlier = page.getByRole('region', { name: 'Earlier' });
  await expect(earlier.getByRole('link', { name: /Clean up storage/ })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('navigation', { name: 'Places' })).toBeVisible();
  await expectGood(page);
});

test('a job asks, says what is missing, and keeps what was entered over a reload', async ({ page }) => {
  const film = await finishedFilm();
  await startJob(page, 'Variants from a table');
  const form = surface(page, 'Variants from a table');
  await expect(stateOf(page)).toHaveText('Waiting for you');
  await expect(current(page)).toContainText('Waiting for you');
  await form.getByRole('combobox', { name: 'Film' }).selectOption(film);
  await expectGood(page);

  // Without a table, the form comes back with what is missing and what was chosen.
  await page.keyboard.press('Control+Enter');
  await expect(form.getByRole('alert')).not.toHaveText('');
  const table = form.getByRole('textbox', { name: /Table/ });
  await table.fill('scene-1-text\nGood day');
  await page.reload();
  await expect(table).toHaveValue('scene-1-text\nGood day');
  await expectGood(page);
});

test('a video in another size is made, its steps stay after a reload, and an answered form opens read-only', async ({ page }) => {
  const film = await finishedFilm();
  await startJob(page, 'Another size');
  const form = surface(page, 'Another size');
  const make = async () => {
    await form.getByRole('combobox', { name: 'Film' }).selectOption(film);
    await form.getByRole('checkbox', { name: 'Square, 1:1' }).check();
    await form.getByRole('button', { name: 'Show what will be made' }).click();
    await page.getByRole('button', { name: 'Make 1 video', exact: true }).click();
  };
  await make();
  await expect(surface(page, 'Making 1 video')).toBeVisible();
  await expect(stateOf(page)).toHaveText('Running');

  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'You stopped this' })).toBeVisible();
  await expect(stateOf(page)).toHaveText('Stopped');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'You stopped this' })).toBeVisible();

  const chip = page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: 'Another size' });
  await chip.click();
  await expect(page.getByText(/^You answered this at/)).toBeVisible();
  await expect(form.getByRole('checkbox', { name: 'Square, 1:1' })).toBeChecked();
  await expect(form.getByRole('checkbox', { name: 'Square, 1:1' })).toBeDisabled();
  await expectGood(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Start again' }).click();
  await make();
  // While the video is made, unless that has ended by then.
  await expectGood(page);
  await expect(page.getByRole('heading', { name: '1 of 1 video is ready' })).toBeVisible({ timeout: 800_000 });
  await expect(stateOf(page)).toHaveText('Done');
  const result = surface(page, '1 of 1 video is ready');
  const saved = page.waitForEvent('download');
  await result.getByRole('link', { name: 'Download “Square, 1:1”' }).click();
  expect((await saved).suggestedFilename()).toBe('Square, 1-1.mp4');
  await expectGood(page);
  await page.screenshot({ path: 'test-results/assistant/videos.png' });
  await result.getByRole('button', { name: 'Play “Square, 1:1”' }).click();
  const player = page.getByRole('dialog', { name: 'Video “Square, 1:1”' });
  const conversation = new URL(page.url()).pathname.split('/').at(-1);
  await expect(player.getByRole('link', { name: 'Open its film' })).toHaveAttribute('href', `/p/${film}?from=${conversation}`);
  await expect(player.locator('video')).toHaveJSProperty('readyState', 4);
  await expectGood(page);
  await page.screenshot({ path: 'test-results/assistant/player.png' });
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /steps done/ }).click();
  await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('list', { name: 'Steps' })).toBeHidden();
  await expectGood(page);
});
