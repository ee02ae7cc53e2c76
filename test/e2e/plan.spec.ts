import { expect, type Locator, type Page, test } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { outlineIn } from '../fixtures/plans.ts';
import { finishedFilm, post, readSnapshot, studioUrl } from './studio.ts';

const prompt = 'playful, 9 seconds\n\nTitle: Hello\n\nPacking list:\n- Torch\n- Bear\n\nShopping list:\n- Apples\n- Bread';

/** Creates a project whose plan is pending approval. Returns its id. */
async function plannedProject(): Promise<string> {
  const { id } = projectSchema.parse(await post('/api/projects', { prompt }));
  await expect.poll(async () => (await readSnapshot(id)).approval?.type ?? null, { timeout: 60_000 }).toBe('plan');
  return id;
}

const stage = (page: Page) => page.getByRole('region', { name: 'Panes' });
const ruler = (page: Page) => stage(page).getByRole('list', { name: 'Scenes on the timeline' });
const blocks = (page: Page) => ruler(page).getByRole('listitem');
const block = (page: Page, at: number) => blocks(page).nth(at).getByRole('button');
const accept = (page: Page) => page.getByRole('button', { name: 'Accept plan' });

/** Returns each block's title and length, as announced by screen readers. */
async function shownScenes(page: Page): Promise<{ title: string; seconds: number }[]> {
  const names = await blocks(page)
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.textContent ?? ''));
  return names.map((name) => {
    const parts = /^Scene \d+\. (?<title>.*), (?<seconds>[\d.]+) s$/s.exec(name)?.groups;
    return { title: parts?.['title'] ?? '', seconds: Number(parts?.['seconds']) };
  });
}
const titles = async (page: Page) => (await shownScenes(page)).map(({ title }) => title);
const secondsOf = async (page: Page, at: number) => (await shownScenes(page))[at]?.seconds ?? 0;

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('It is not on the screen.');
  return box;
}

/** Drags from a point to the right by this many pixels. */
async function drag(page: Page, from: { x: number; y: number }, pixels: number): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + pixels, from.y, { steps: 12 });
  await page.mouse.up();
}

test.describe
  .serial('the plan is edited by hand', () => {
    let page: Page;
    let projectId: string;
    let proposed: string[];

    test.beforeAll(async ({ browser }) => {
      projectId = await plannedProject();
      // Animations are off, so that blocks reach their positions immediately.
      page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
      await page.goto(studioUrl(`/p/${projectId}`));
      await expect(accept(page)).toBeVisible();
      proposed = await titles(page);
    });
    test.afterAll(async () => {
      await page.context().close();
      await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
    });

    test('A4 A5: dragging an edge changes the length and moves later scenes', async () => {
      const { plan } = await readSnapshot(projectId);
      const total = outlineIn(plan).durationSeconds;
      const before = await secondsOf(page, 0);
      const perSecond = (await boxOf(ruler(page))).width / total;
      const first = await boxOf(blocks(page).first());
      await drag(page, { x: first.x + first.width, y: first.y + first.height / 2 }, perSecond * 1.02);
      await expect.poll(() => secondsOf(page, 0)).toBeCloseTo(Math.round((before + 1.02) * 10) / 10, 5);
      await expect(page.getByRole('region', { name: /^The plan is ready/ })).toContainText(
        `${Math.round((total + (await secondsOf(page, 0)) - before) * 10) / 10} s`,
      );
      // The block cannot become shorter than the minimum length of a scene.
      const longer = await boxOf(blocks(page).first());
      await drag(page, { x: longer.x + longer.width, y: longer.y + longer.height / 2 }, -longer.width * 0.95);
      await expect.poll(() => secondsOf(page, 0)).toBe(1.5);
    });

    test('A5: dragging a block moves the scene, and undo reverts it', async () => {
      const [first, second] = proposed;
      const box = await boxOf(block(page, 0));
      const width = (await boxOf(blocks(page).nth(1))).width;
      await drag(page, { x: box.x + box.width / 3, y: box.y + box.height / 2 }, width * 0.9);
      await expect.poll(() => titles(page)).toEqual([second, first, ...proposed.slice(2)]);
      await page.keyboard.press('ControlOrMeta+z');
      await expect.poll(() => titles(page)).toEqual(proposed);
      await page.keyboard.press('ControlOrMeta+Shift+z');
      await expect.poll(() => titles(page)).toEqual([second, first, ...proposed.slice(2)]);
      await page.getByRole('button', { name: 'Discard edits' }).click();
      await expect.poll(() => titles(page)).toEqual(proposed);
    });

    test('A5: keys move and resize scenes as well', async () => {
      const before = await secondsOf(page, 0);
      await block(page, 0).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => secondsOf(page, 0)).toBeGreaterThan(before + 0.1);
      await page.keyboard.press('Alt+ArrowRight');
      const [first, second, ...rest] = proposed;
      await expect.poll(() => titles(page)).toEqual([second, first, ...rest]);
      await expect(block(page, 1)).toBeFocused();
      await page.keyboard.press('Delete');
      await expect.poll(() => titles(page)).toEqual([second, ...rest]);
      await page.keyboard.press('ControlOrMeta+z');
      await expect.poll(() => titles(page)).toEqual([second, first, ...rest]);

      await block(page, 0).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('textbox', { name: 'Title of scene 1' })).toBeFocused();
      await page.keyboard.type('List first');
      await page.keyboard.press('Enter');
      await expect(stage(page).getByRole('heading', { name: 'List first', exact: true })).toBeVisible();
    });

    test('A5: keeps text that is being edited when something is dragged', async () => {
      await stage(page).getByRole('button', { name: 'List first', exact: true }).click();
      await expect(page.getByRole('textbox', { name: 'Title of scene 1' })).toBeFocused();
      await page.keyboard.type('List, then title');
      const before = await secondsOf(page, 0);
      const first = await boxOf(blocks(page).first());
      await drag(page, { x: first.x + first.width, y: first.y + first.height / 2 }, 60);
      await expect.poll(() => secondsOf(page, 0)).toBeGreaterThan(before);
      expect((await titles(page))[0]).toBe('List, then title');
    });

    test('A4 A5: an added scene needs a description before the plan can be accepted', async () => {
      const count = await blocks(page).count();
      await stage(page).getByRole('button', { name: 'Add a scene' }).click();
      await expect(blocks(page)).toHaveCount(count + 1);
      const description = page.getByRole('textbox', { name: `What happens in scene ${count + 1}` });
      await expect(description).toBeFocused();
      await expect(accept(page)).toBeDisabled();
      await expect(page.getByRole('region', { name: /^The plan is ready/ })).toContainText('Say what happens in this scene');
      await description.fill('A green cube');
      await page.keyboard.press('Enter');
      await expect(accept(page)).toBeEnabled();
      await stage(page).getByRole('radio', { name: 'Cinematic' }).click();
      await stage(page).getByRole('radio', { name: '30 fps' }).click();
    });

    test('A4 A5: a part of the request that was read as an instruction can be shown, and hidden again', async () => {
      const count = await blocks(page).count();
      await stage(page).getByText('One part of your request is not shown as text').click();
      await stage(page).getByRole('button', { name: 'Show “playful, 9 seconds”' }).click();
      await expect(blocks(page)).toHaveCount(count + 1);
      await expect(stage(page).getByText('“playful, 9 seconds”', { exact: true })).toBeVisible();
      await expect(stage(page).getByText('is not shown as text')).toBeHidden();
      await expect(accept(page)).toBeEnabled();
      await page.keyboard.press('ControlOrMeta+z');
      await expect(blocks(page)).toHaveCount(count);
      await expect(stage(page).getByText('One part of your request is not shown as text')).toBeVisible();
    });

    test('A5: edits survive a reload, and the server receives them on approval', async () => {
      const edited = await shownScenes(page);
      await page.reload();
      await expect(accept(page)).toBeEnabled();
      await expect.poll(() => shownScenes(page)).toEqual(edited);
      expect((await readSnapshot(projectId)).plan?.sections.map(({ title }) => title)).toEqual(proposed);

      await accept(page).click();
      await expect.poll(async () => (await readSnapshot(projectId)).plan?.accepted).toBe(true);
      const { plan } = await readSnapshot(projectId);
      expect(plan).toMatchObject({ document: { style: 'cinematic', fps: 30 }, revision: 2 });
      expect(plan?.sections.map(({ title }) => title)).toEqual(edited.map(({ title }) => title));
      for (const [index, scene] of outlineIn(plan).scenes.entries())
        expect(scene.durationSeconds).toBeCloseTo(edited[index]?.seconds ?? 0, 1);
      expect(plan?.sections.at(-1)?.description).toMatch(/cube/);
      await expect(stage(page).getByRole('button', { name: 'Add a scene' })).toBeHidden();
    });

    test('A10 A20: Escape twice stops the work, which is still shown as stopped after a reload', async () => {
      const actions = page.getByRole('button', { name: /^\d+ actions?/ });
      await expect(actions.first()).toBeVisible();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      await page.keyboard.press('Escape');
      await expect(page.getByText('Press Escape again to stop.')).toBeVisible();
      await page.keyboard.press('Escape');
      // A stopped project has not failed, and its work can be resumed.
      const stopped = page.getByRole('region', { name: 'You stopped this' });
      await expect(stopped.getByRole('button', { name: 'Continue' })).toBeVisible({ timeout: 30_000 });
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expect(actions.filter({ hasText: 'failed' })).toHaveCount(0);
      await expect.poll(async () => (await readSnapshot(projectId)).project.running).toBe(false);

      const { tools } = await readSnapshot(projectId);
      expect(tools.length).toBeGreaterThan(0);
      await page.reload();
      await actions.first().click();
      const [first] = tools;
      await page
        .getByRole('button', { name: first?.summary ?? '' })
        .first()
        .click();
      await expect(page.getByText(first?.name ?? '', { exact: true }).first()).toBeVisible();
    });
  });

/** The title is edited in the storyboard. */
const filmTitle = (page: Page) => stage(page).getByRole('heading', { level: 2 });
async function retitle(page: Page, words: string): Promise<void> {
  await filmTitle(page).getByRole('button').click();
  await page.getByRole('textbox', { name: 'Film title' }).fill(words);
  await page.keyboard.press('Enter');
}

test('A5: sends valid edits with a request for changes, and the next plan starts from them', async ({ page }) => {
  const projectId = await plannedProject();
  await page.goto(studioUrl(`/p/${projectId}`));
  await retitle(page, '');
  const wish = page.getByRole('textbox', { name: 'Message' });
  await wish.fill('Make it 12 seconds long');
  await expect(page.getByText('Fix them first, or discard them')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await retitle(page, 'My own title');
  await wish.press('Enter');
  await expect.poll(async () => outlineIn((await readSnapshot(projectId)).plan).durationSeconds, { timeout: 60_000 }).toBe(12);
  expect((await readSnapshot(projectId)).plan).toMatchObject({ title: 'My own title', revision: 3, accepted: false });
  await expect(page.getByRole('region', { name: /^The plan is ready/ })).toContainText('12 s');
  await expect(filmTitle(page)).toHaveText('My own title');
  await expect(stage(page).getByText('Your edits are saved separately.')).toBeHidden();
  await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
});

test('A5: stashes edits when a plan is requested elsewhere, and can apply them', async ({ page }) => {
  const projectId = await plannedProject();
  await page.goto(studioUrl(`/p/${projectId}`));
  const title = filmTitle(page);
  await retitle(page, 'My own title');
  await expect(title).toHaveText('My own title');
  await post(`/api/projects/${projectId}/plan`, { action: 'changes', feedback: 'Make it 12 seconds long' });
  await expect(stage(page).getByText('The plan was changed. Your edits are saved separately.')).toBeVisible({ timeout: 60_000 });
  await expect(title).not.toHaveText('My own title');
  await stage(page).getByRole('button', { name: 'See my edits' }).click();
  await expect(title).toHaveText('My own title');
  await stage(page).getByRole('button', { name: 'Back to the plan' }).click();
  await expect(title).not.toHaveText('My own title');
  await stage(page).getByRole('button', { name: 'Use my edits' }).click();
  await expect(title).toHaveText('My own title');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(title).not.toHaveText('My own title');
  await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
});

test('A6 A15: an accepted plan shows the progress of scenes and opens them in the live preview', async ({ page }) => {
  test.setTimeout(300_000);
  const projectId = await finishedFilm();
  await page.goto(studioUrl(`/p/${projectId}?tab=storyboard`));
  const scene = blocks(page).first();
  await expect(scene).toContainText('Built');
  await scene.getByRole('button').click({ timeout: 60_000 });
  await expect(page.getByRole('tab', { name: 'Live' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('slider', { name: 'Time' })).toHaveAttribute('aria-valuetext', /^00:00:00 of/, { timeout: 60_000 });
});

test('A15: a chosen tab stays, and a dot marks tabs with new content', async ({ page }) => {
  const projectId = await plannedProject();
  await page.goto(studioUrl(`/p/${projectId}`));
  const [assets, storyboard] = ['Assets', 'Storyboard'].map((name) => page.getByRole('tab', { name }));
  if (!assets || !storyboard) throw new Error('These tabs are always there.');
  await assets.click();
  await page.getByRole('button', { name: 'Reject' }).click();
  const question = page.getByRole('region', { name: 'A question before I plan' });
  await question.getByRole('button', { name: /calmer/i }).click({ timeout: 60_000 });
  await expect(accept(page)).toBeVisible({ timeout: 60_000 });
  await expect(assets).toHaveAttribute('aria-selected', 'true');
  await expect(storyboard).toHaveAccessibleName('Storyboard – something new');
  await storyboard.click();
  await expect(storyboard).toHaveAccessibleName('Storyboard');
  // The approval's button makes the view follow the work again.
  await assets.click();
  await page.getByRole('button', { name: 'View storyboard' }).click();
  await expect(storyboard).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(studioUrl(`/p/${projectId}`));
  await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
});

test('A10: a draft survives a reload, and an overlong message is not sent', async ({ page }) => {
  const projectId = projectSchema.parse(await post('/api/projects', { prompt, start: false })).id;
  await page.goto(studioUrl(`/p/${projectId}`));
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('Not sent yet');
  await page.reload();
  await expect(box).toHaveValue('Not sent yet');
  await box.fill('x'.repeat(20_000));
  await expect(page.getByText('The message has 20,000 of 10,000 characters. Shorten it to send it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await box.press('Enter');
  expect((await readSnapshot(projectId)).messages).toEqual([]);
  await box.fill('');
  await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
});
