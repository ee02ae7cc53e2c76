import { expect, type Locator, type Page, type Route, test } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { outlineIn } from '../fixtures/plans.ts';
import { finishedFilm, post, readSnapshot, studioUrl } from './studio.ts';

const prompt = 'playful, 9 seconds\n\nTitle: Hello\n\nPacking list:\n- Torch\n- Bear\n\nShopping list:\n- Apples\n- Bread';

/** Creates a project whose plan is pending approval. Returns its id. */
async function plannedProject(): Promise<string> {
  const { id } = projectSchema.parse(await post('/api/projects', { prompt }));
  await expect.poll(async () => (await readSnapshot(id)).approval?.type ?? null).toBe('plan');
  return id;
}

const stage = (page: Page) => page.getByRole('region', { name: 'Panes' });
const accept = (page: Page) => page.getByRole('button', { name: 'Accept plan' });
const panel = (page: Page) => page.getByRole('region', { name: /^The plan is ready/ });
const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
const strip = (page: Page) => page.getByRole('region', { name: 'Scenes', exact: true });
const block = (page: Page, at: number) => strip(page).locator('[data-scene]').nth(at);

/** Returns each scene's title and length in the strip, as announced by screen readers. */
async function shownScenes(page: Page): Promise<{ title: string; seconds: number }[]> {
  const names = await strip(page)
    .locator('[data-scene] > .sr-only')
    .evaluateAll((all) => all.map((one) => one.textContent ?? ''));
  return names.map((name) => {
    const parts = /^Scene \d+, (?<title>.*), (?<seconds>[\d.]+) s$/s.exec(name)?.groups;
    return { title: parts?.['title'] ?? '', seconds: Number(parts?.['seconds']) };
  });
}
const titles = async (page: Page) => (await shownScenes(page)).map(({ title }) => title);
const secondsOf = async (page: Page, at: number) => (await shownScenes(page))[at]?.seconds ?? 0;
const stored = async (id: string) => outlineIn((await readSnapshot(id)).plan);

/** Drags the middle of an element by this many pixels to the right. */
async function drag(page: Page, element: Locator, pixels: number): Promise<void> {
  const box = await element.boundingBox();
  if (!box) throw new Error('It is not on the screen.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + pixels, y, { steps: 12 });
  await page.mouse.up();
}

test.describe
  .serial('the plan is edited by hand', () => {
    let page: Page;
    let projectId: string;
    let proposed: string[];

    test.beforeAll(async ({ browser }) => {
      projectId = await plannedProject();
      page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
      await page.goto(studioUrl(`/p/${projectId}`));
      await expect(accept(page)).toBeVisible();
    });
    test.afterAll(async () => {
      await page.context().close();
      await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
    });

    test('A4 A5: the storyboard only shows the plan, and a scene in it opens the editor there', async () => {
      const cards = stage(page).getByRole('heading', { level: 3 });
      await expect(cards).toHaveCount((await stored(projectId)).scenes.length);
      await expect(stage(page).getByText('Proposed')).toBeVisible();
      await expect(stage(page).getByRole('textbox')).toHaveCount(0);
      await stage(page).getByRole('list', { name: 'Scenes on the timeline' }).getByRole('button').nth(1).click();
      await expect(page.getByRole('tab', { name: 'Live' })).toHaveAttribute('aria-selected', 'true');
      await expect(block(page, 1)).toHaveAttribute('aria-current', 'true');
      await expect(inspector(page)).toContainText('Scene 2 of');
      proposed = await titles(page);
    });

    test('A4 A5: dragging an edge changes the length, and the plan follows', async () => {
      const before = await secondsOf(page, 1);
      const edge = strip(page).locator('.cursor-ew-resize').last();
      await drag(page, edge, 60);
      await expect.poll(() => secondsOf(page, 1)).toBeGreaterThan(before + 0.1);
      await drag(page, edge, -900);
      await expect.poll(() => secondsOf(page, 1)).toBe(1.5);
      await expect.poll(async () => (await stored(projectId)).scenes[1]?.durationSeconds).toBe(1.5);
      await expect(panel(page)).toContainText(`${(await stored(projectId)).durationSeconds} s`);
      await expect(accept(page)).toBeEnabled();
    });

    test('A5: keys move, lengthen and remove scenes, and undo brings them back', async () => {
      const [first, second, ...rest] = proposed;
      await block(page, 0).click();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Alt+ArrowRight');
      await expect.poll(() => titles(page)).toEqual([second, first, ...rest]);
      await expect(block(page, 1)).toBeFocused();
      await page.keyboard.press('Delete');
      await expect.poll(() => titles(page)).toEqual([second, ...rest]);
      await page.keyboard.press('ControlOrMeta+z');
      await expect.poll(() => titles(page)).toEqual([second, first, ...rest]);
      await page.keyboard.press('ControlOrMeta+z');
      await expect.poll(() => titles(page)).toEqual(proposed);
      await page.keyboard.press('ControlOrMeta+Shift+z');
      await expect.poll(() => titles(page)).toEqual([second, first, ...rest]);
    });

    test('A5: words, format, theme and film settings are edited before anything is built', async () => {
      await block(page, 0).click();
      await inspector(page).getByLabel('Scene title', { exact: true }).fill('To pack');
      await expect.poll(async () => (await titles(page))[0]).toBe('To pack');
      await inspector(page).getByTitle('Show this scene as another format (Shift+F)').click();
      const search = page.getByRole('combobox', { name: /^Search/ });
      await search.fill('steps');
      await search.press('Enter');
      await expect(inspector(page).getByRole('group', { name: 'Steps fields' })).toBeVisible();
      await inspector(page).getByRole('radio', { name: 'Cinematic' }).click();
      await page.getByText('Title, length and frame rate').click();
      await inspector(page).getByRole('radio', { name: '30 fps' }).click();
      await inspector(page).getByLabel('Film title').fill('Weekend');
      await inspector(page).getByLabel('Film length').fill('14');
      await inspector(page).getByLabel('Film length').press('Enter');
      await page.getByTitle('Themes and brand (Shift+T)').click();
      await page.getByRole('radio', { name: /^Forest/ }).click();
      await page.getByRole('radio', { name: '9:16' }).click();
      await page.keyboard.press('Escape');
      await expect
        .poll(async () => (await readSnapshot(projectId)).plan)
        .toMatchObject({
          title: 'Weekend',
          accepted: false,
          document: { style: 'cinematic', theme: 'forest', aspect: '9:16', fps: 30, scenes: [{ format: 'steps' }, {}, {}] },
        });
      expect((await stored(projectId)).durationSeconds).toBe(14);
    });

    test('A5: text that does not fit keeps the plan from being accepted', async () => {
      await block(page, 1).click();
      const text = inspector(page).getByLabel('Scene title', { exact: true });
      await text.fill('x'.repeat(90));
      await expect(panel(page)).toContainText('Correct the marked field of scene 2 first.');
      await expect(accept(page)).toBeDisabled();
      await expect(page.getByText('At most 80 characters. 10 too many.')).toBeVisible();
      await text.press('Escape');
      await expect(accept(page)).toBeEnabled();
    });

    test('A4 A5: a scene is added as a format or in words', async () => {
      const count = proposed.length;
      await page.getByRole('button', { name: `Add a scene after scene ${count}` }).click();
      await page.getByRole('textbox', { name: 'What happens in the scene' }).fill('“See you there”');
      await page.keyboard.press('Enter');
      await expect(block(page, count)).toHaveAttribute('aria-current', 'true');
      await expect.poll(async () => (await stored(projectId)).scenes.at(-1)?.description).toContain('See you there');
      await page.getByRole('button', { name: `Add a scene after scene ${count + 1}` }).click();
      const search = page.getByRole('combobox', { name: /^Search/ });
      await search.fill('end card');
      await search.press('Enter');
      await expect(strip(page).locator('[data-scene]')).toHaveCount(count + 2);
      await page.keyboard.press('ControlOrMeta+z');
      await expect(strip(page).locator('[data-scene]')).toHaveCount(count + 1);
    });

    test('A4 A5: a part of the request that was read as an instruction can be shown', async () => {
      await page.getByRole('button', { name: 'View storyboard' }).click();
      const count = proposed.length + 1;
      await expect(stage(page).getByRole('heading', { level: 3 })).toHaveCount(count);
      await stage(page).getByText('One part of your request is not shown as text').click();
      await stage(page).getByRole('button', { name: 'Show “playful, 9 seconds”' }).click();
      await expect(stage(page).getByRole('heading', { level: 3 })).toHaveCount(count + 1);
      await expect(stage(page).getByText('is not shown as text')).toBeHidden();
      await expect(stage(page).getByText('Edited by you')).toBeVisible();
    });

    test('A5: edits of two pages meet, and those to the same value are the user’s to decide', async () => {
      const other = await page.context().newPage();
      await other.goto(studioUrl(`/p/${projectId}?tab=preview`));
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      for (const each of [page, other]) await block(each, 0).click();
      await inspector(page).getByLabel('Scene title', { exact: true }).fill('From one page');
      await expect.poll(async () => (await titles(other))[0]).toBe('From one page');
      const changeFirst = async (route: Route) => {
        await inspector(page).getByLabel('Scene title', { exact: true }).fill('From one page, later');
        await expect.poll(async () => (await stored(projectId)).scenes[0]?.title).toBe('From one page, later');
        await route.continue();
      };
      await other.route('**/document/edits', changeFirst, { times: 1 });
      await inspector(other).getByLabel('Scene title', { exact: true }).fill('From the other');
      const conflict = other.getByRole('alert').filter({ hasText: 'in the meantime' });
      await expect(conflict).toBeVisible();
      await expect(accept(other)).toBeDisabled();
      await conflict.getByRole('button', { name: 'Use mine' }).click();
      await expect.poll(async () => (await stored(projectId)).scenes[0]?.title).toBe('From the other');
      await expect.poll(async () => (await titles(page))[0]).toBe('From the other');
      await other.close();
    });

    test('A5: edits survive a reload, and the plan is accepted with the last one', async () => {
      await page.reload();
      await expect.poll(async () => (await titles(page))[0]).toBe('From the other');
      const edited = await shownScenes(page);
      expect(edited.length).toBeGreaterThan(proposed.length);
      await block(page, 1).click();
      await page.keyboard.press('Shift+ArrowRight');
      await accept(page).click();
      await expect.poll(async () => (await readSnapshot(projectId)).plan?.accepted).toBe(true);
      const { plan } = await readSnapshot(projectId);
      expect(plan?.edited).toBeUndefined();
      expect(outlineIn(plan).scenes.map(({ title }) => title)[0]).toBe('From the other');
      expect(outlineIn(plan).scenes[1]?.durationSeconds).toBeCloseTo((edited[1]?.seconds ?? 0) + 1 / 30, 2);
    });

    test('A10 A20: Escape twice stops the work, which is still shown as stopped after a reload', async () => {
      const actions = page.getByRole('button', { name: /^\d+ actions?/ });
      await expect(actions.first()).toBeVisible();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      await page.keyboard.press('Escape');
      await expect(page.getByText('Press Escape again to stop.')).toBeVisible();
      // A busy page may have forgotten the first press by now, so that these two count.
      for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Escape');
      // A stopped project has not failed, and its work can be resumed.
      const stopped = page.getByRole('region', { name: 'You stopped this' });
      await expect(stopped.getByRole('button', { name: 'Continue' })).toBeVisible();
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

test('A5: a request for changes starts from the edited plan', async ({ page }) => {
  const projectId = await plannedProject();
  await page.goto(studioUrl(`/p/${projectId}?tab=preview`));
  await page.getByText('Title, length and frame rate').click();
  const title = inspector(page).getByLabel('Film title');
  await title.fill('');
  const wish = page.getByRole('textbox', { name: 'Message' });
  await wish.fill('Make it 12 seconds long');
  await expect(page.getByText('Give the film a title first.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await title.fill('My own title');
  await wish.press('Enter');
  await expect.poll(async () => (await stored(projectId)).durationSeconds).toBe(12);
  expect((await readSnapshot(projectId)).plan).toMatchObject({ title: 'My own title', accepted: false });
  await expect(panel(page)).toContainText('12 s');
  await expect(title).toHaveValue('My own title');
  await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
});

test('A5: scenes that are only described are edited in words', async ({ page }) => {
  const projectId = await plannedProject();
  await page.route(studioUrl(`/api/projects/${projectId}`), async (route) => {
    const snapshot = await readSnapshot(projectId);
    const { plan } = snapshot;
    if (plan === null) throw new Error('It was proposed.');
    const scenes = plan.sections.map(({ id, title, durationSeconds }) => ({
      ...{ id, title, seconds: durationSeconds, code: true, description: `About ${title}.`, notes: 'Falls in.' },
    }));
    await route.fulfill({ json: { ...snapshot, plan: { ...plan, document: { ...plan.document, scenes } } } });
  });
  await page.goto(studioUrl(`/p/${projectId}`));
  await expect(stage(page).getByText('Falls in.').first()).toBeVisible();
  await stage(page).getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(inspector(page).getByLabel('Motion')).toHaveValue('Falls in.');
  const sent = page.waitForRequest('**/document/edits');
  await inspector(page).getByLabel('What happens').fill('A drop falls.');
  expect((await sent).postDataJSON()).toMatchObject({
    edits: [{ type: 'words', field: 'description', value: 'A drop falls.' }],
  });
  await page.close();
  await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  test('A5 A20: the plan is edited in the sheet, and accepted from the storyboard', async ({ page }) => {
    const projectId = await plannedProject();
    await page.goto(studioUrl(`/p/${projectId}?tab=storyboard`));
    await stage(page).getByRole('button', { name: 'Edit', exact: true }).tap();
    await inspector(page).getByRole('tab', { name: 'Theme and style' }).tap();
    await inspector(page).getByLabel('Film title').fill('On the way');
    await expect.poll(async () => (await stored(projectId)).title).toBe('On the way');
    await page.getByRole('tab', { name: 'Storyboard' }).tap();
    await expect(stage(page).getByRole('heading', { level: 2, name: 'On the way' })).toBeVisible();
    await accept(page).tap();
    await expect.poll(async () => (await readSnapshot(projectId)).plan?.accepted).toBe(true);
    await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
  });
});

test('A6 A15: an accepted plan shows the progress of scenes and opens them in the live preview', async ({ page }) => {
  const projectId = await finishedFilm();
  await page.goto(studioUrl(`/p/${projectId}?tab=storyboard`));
  const scene = stage(page).getByRole('list', { name: 'Scenes on the timeline' }).getByRole('listitem').first();
  await expect(scene).toContainText('Built');
  await scene.getByRole('button').click();
  await expect(page.getByRole('tab', { name: 'Live' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('slider', { name: 'Time' })).toHaveAttribute('aria-valuetext', /^00:00:00 of/, {
    timeout: 240_000,
  });
});

test('A15: a chosen tab stays, and a dot marks tabs with new content', async ({ page }) => {
  const projectId = await plannedProject();
  await page.goto(studioUrl(`/p/${projectId}`));
  const [assets, storyboard] = ['Assets', 'Storyboard'].map((name) => page.getByRole('tab', { name }));
  if (!assets || !storyboard) throw new Error('These tabs are always there.');
  await assets.click();
  await page.getByRole('button', { name: 'Reject' }).click();
  const question = page.getByRole('region', { name: 'A question before I plan' });
  await question.getByRole('button', { name: /calmer/i }).click();
  await expect(accept(page)).toBeVisible();
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
  await box.fill('x'.repeat(30_000));
  await expect(page.getByText('The message has 30,000 of 20,000 characters. Shorten it to send it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await box.press('Enter');
  expect((await readSnapshot(projectId)).messages).toEqual([]);
  await box.fill('');
  await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
});
