import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { filmIn } from '../fixtures/plans.ts';
import { button, film, openLive } from './live-preview.ts';
import { finishedFilm, post, readSnapshot, untilStill } from './studio.ts';

const scene = (page: Page, name: RegExp) => page.getByRole('region', { name: 'Scenes' }).getByRole('button', { name });
const field = (page: Page, name: string) =>
  page.getByRole('complementary', { name: 'Inspector' }).getByLabel(name, { exact: true });
const inFilm = (page: Page, text: string): Locator => film(page).getByText(text).filter({ visible: true }).first();

async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

const saved = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Saved/ })).toBeVisible();

async function storedProps(projectId: string, at: number): Promise<Record<string, unknown>> {
  const { plan } = await readSnapshot(projectId);
  const found = filmIn(plan).scenes[at];
  if (found === undefined || 'code' in found) throw new Error('The scene has no format.');
  return found.props;
}

const checklist = {
  title: 'Before we start',
  items: ['Tea', 'Milk', 'Bread'].map((text) => ({ text, icon: null, done: false })),
};

/** Adds a checklist after the first scene in a copy of the shared film, and returns the copy's id. */
async function copyWithList(): Promise<string> {
  const copy = (await post(`/api/projects/${await finishedFilm()}/branch`, { name: 'To edit' })) as { id: string };
  const { plan } = await readSnapshot(copy.id);
  const after = filmIn(plan).scenes[0]?.id;
  const added = { id: 'scene-9', seconds: 5, format: 'checklist', props: checklist };
  await post(`/api/projects/${copy.id}/document/edits`, { edits: [{ type: 'add', after, scene: added }] });
  return copy.id;
}

test.describe
  .serial('the editor', () => {
    let page: Page;
    let id: string;

    test.beforeAll(async ({ browser }) => {
      id = await copyWithList();
      await post(`/api/projects/${id}/sandbox`);
      const context = await browser.newContext();
      page = await context.newPage();
      await openLive(page, id);
    });
    test.afterAll(() => page.context().close());

    test('X7: the strip shows the scenes themselves, and soon after an edit the new one', async () => {
      const still = scene(page, /^Scene 1,/).locator('img[data-still]');
      await expect(page.locator('[data-scene] img[data-still]')).toHaveCount(await page.locator('[data-scene]').count());
      const before = await still.getAttribute('src');
      await scene(page, /^Scene 1,/).click();
      const first = page.getByRole('complementary', { name: 'Inspector' }).getByRole('textbox').nth(1);
      await first.fill('A new opening');
      await expect(still).not.toHaveAttribute('src', before ?? '');
      await first.press('ControlOrMeta+z');
    });

    test('X7: typed text is in the frame immediately, stored soon, and undone as one step', async () => {
      await scene(page, /^Scene 2, Checklist/).click();
      const title = field(page, 'Title');
      await title.fill('');
      await title.pressSequentially('Ready to go');
      await expect(inFilm(page, 'Ready to go')).toBeVisible();
      await saved(page);
      expect((await storedProps(id, 1))['title']).toBe('Ready to go');
      await title.press('ControlOrMeta+z');
      await expect(title).toHaveValue(checklist.title);
      await title.press('ControlOrMeta+Shift+z');
      await expect(title).toHaveValue('Ready to go');
    });

    test('X7: reports text that is too long, and the film keeps the last text that fits', async () => {
      const title = field(page, 'Title');
      await title.fill('x'.repeat(64));
      await expect(page.getByText('At most 60 characters. 4 too many.')).toBeVisible();
      await expect(inFilm(page, 'Ready to go')).toBeVisible();
      await title.press('Escape');
      await expect(title).toHaveValue('Ready to go');
    });

    test('X7: the ruler of the strip moves the film, and the keys of the editor are listed', async () => {
      const time = page.getByRole('slider', { name: 'Time' });
      await expect(time).toHaveCount(1);
      await time.press('Home');
      await expect(time).toHaveAttribute('aria-valuetext', /^00:00:00 of/);
      await time.press('ArrowRight');
      await expect(time).toHaveAttribute('aria-valuetext', /^00:00:01 of/);
      const box = await time.boundingBox();
      if (box === null) throw new Error('The ruler is not visible.');
      await page.mouse.click(box.x + box.width / 2, box.y + 8);
      await expect.poll(async () => Number(await time.getAttribute('aria-valuenow'))).toBeGreaterThan(2);
      await time.press('?');
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await expect(keys.getByText('Add a scene after the selected one')).toBeVisible();
      await page.keyboard.press('Escape');
      await scene(page, /^Scene 2, Checklist/).click();
    });

    test('X7: rows are dragged, moved by keys, added and pasted', async () => {
      const rows = page.getByRole('group', { name: 'Items' });
      const grip = rows.getByRole('button', { name: 'Move Bread, 3 of 3', exact: true });
      const first = rows.getByRole('button', { name: 'Move Tea, 1 of 3', exact: true });
      const [from, to] = [await grip.boundingBox(), await first.boundingBox()];
      if (from === null || to === null) throw new Error('The rows are not in sight.');
      await page.mouse.move(from.x + 8, from.y + 16);
      await page.mouse.down();
      await page.mouse.move(to.x + 8, to.y + 4, { steps: 6 });
      await page.mouse.up();
      await expect(rows.getByRole('textbox').first()).toHaveValue('Bread');
      await rows.getByRole('textbox').first().press('Alt+ArrowDown');
      await expect(rows.getByRole('textbox').nth(1)).toHaveValue('Bread');
      await rows.getByRole('textbox').nth(2).press('Enter');
      await expect(rows.getByRole('textbox').nth(3)).toBeFocused();
      await page.keyboard.type('Jam');
      await expect(inFilm(page, 'Jam')).toBeVisible();
      await saved(page);
      const texts = ((await storedProps(id, 1))['items'] as { text: string }[]).map(({ text }) => text);
      expect(texts).toEqual(['Tea', 'Bread', 'Milk', 'Jam']);
    });

    test('X7: another format keeps the texts, and undo brings the first one back', async () => {
      await page.getByTitle('Show this scene as another format (Shift+F)').click();
      const search = page.getByRole('combobox', { name: /^Search/ });
      await search.fill('steps');
      await search.press('Enter');
      await expect(scene(page, /^Scene 2, Steps/)).toBeVisible();
      await expect(page.getByRole('group', { name: 'Steps', exact: true }).getByRole('textbox').first()).toHaveValue('Tea');
      await button(page, 'Undo').first().click();
      await expect(scene(page, /^Scene 2, Checklist/)).toBeVisible();
    });

    test('X7: a theme is kept by a click, is one step, and survives a reload', async () => {
      await button(page, /^(Paper|Studio)/)
        .first()
        .click();
      await page.getByRole('radio', { name: /^Forest/ }).click();
      await expect(page.getByRole('radio', { name: /^Forest/ })).toBeChecked();
      await page.keyboard.press('Escape');
      await saved(page);
      await page.reload();
      await expect(button(page, /^Forest/)).toBeVisible();
      expect(filmIn((await readSnapshot(id)).plan).theme).toBe('forest');
    });

    test('X7: a scene is selected, lengthened, moved, edited and removed by the keyboard alone', async () => {
      const first = scene(page, /^Scene 1,/);
      await first.focus();
      await page.keyboard.press('ArrowDown');
      await expect(scene(page, /^Scene 2, Checklist/)).toBeFocused();
      await page.keyboard.press('ArrowRight');
      await expect(scene(page, /^Scene 2, Checklist, 5\.1 s/)).toBeFocused();
      await page.keyboard.press('Alt+ArrowLeft');
      await expect(scene(page, /^Scene 1, Checklist/)).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(field(page, 'Title')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(scene(page, /^Scene 1, Checklist/)).toBeFocused();
      await page.keyboard.press('n');
      const search = page.getByRole('combobox', { name: /^Search/ });
      await expect(search).toBeFocused();
      await search.fill('quote');
      await page.keyboard.press('Enter');
      await expect(scene(page, /^Scene 2, Quote/)).toBeVisible();
      await scene(page, /^Scene 2, Quote/).focus();
      await page.keyboard.press('Delete');
      await expect(scene(page, /Quote/)).toHaveCount(0);
      await saved(page);
      expect(filmIn((await readSnapshot(id)).plan).scenes[0]?.id).toBe('scene-9');
    });

    test('X7: on a phone, the fields are tabs in a sheet that is dragged, pressed and moved by keys', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const sheet = page.getByRole('complementary', { name: 'Inspector' });
      const handle = sheet.getByRole('button', { name: /Make the fields/ });
      const height = async () => (await sheet.boundingBox())?.height ?? 0;
      await scene(page, /Checklist/).click();
      await expect(sheet.getByRole('tab', { name: 'Content' })).toHaveAttribute('aria-selected', 'true');
      await expect(field(page, 'Title')).toBeVisible();
      await sheet.getByRole('tab', { name: 'Options' }).click();
      await expect(sheet.getByRole('textbox', { name: 'Length' })).toBeVisible();
      await sheet.getByRole('tab', { name: 'Theme and style' }).click();
      await expect(button(page, /^Forest/)).toBeVisible();
      await expectAccessible(page);
      await sheet.getByRole('tab', { name: 'Content' }).click();

      const half = await height();
      const box = await handle.boundingBox();
      if (box === null) throw new Error('The handle is not visible.');
      await page.mouse.move(box.x + box.width / 2, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, box.y - 200, { steps: 5 });
      await page.mouse.up();
      await expect.poll(height).toBeGreaterThan(half + 100);
      await handle.press('ArrowDown');
      await expect.poll(height).toBe(half);
      await handle.press('ArrowDown');
      await expect(field(page, 'Title')).toBeHidden();
      await handle.press('Enter');
      await expect(field(page, 'Title')).toBeVisible();
      await field(page, 'Title').focus();
      await expect.poll(height).toBeGreaterThan(half + 100);
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test('X7: the editor is accessible in both colour schemes', async () => {
      await scene(page, /Checklist/).click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
      }
      await page.emulateMedia({ colorScheme: 'light' });
    });

    test('X7: a message is about the selected scene until that is removed, and “Saved” leads to the history', async () => {
      await scene(page, /^Scene 2,/).click();
      const whole = button(page, 'Write about the whole film instead of scene 2');
      await expect(whole).toBeVisible();
      await whole.click();
      await expect(whole).toBeHidden();
      await scene(page, /^Scene 2,/).click();
      const before = await readSnapshot(id);
      await page.getByRole('textbox', { name: 'Message' }).fill('longer');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Scene 2: longer', { exact: true })).toBeVisible();
      const lengths = async () => filmIn((await readSnapshot(id)).plan).scenes.map(({ seconds }) => seconds);
      const [first = 0, second = 0] = filmIn(before.plan).scenes.map(({ seconds }) => seconds);
      await expect.poll(async () => (await lengths())[1]).toBeGreaterThan(second);
      expect((await lengths())[0]).toBe(first);
      await button(page, /^Saved/).click();
      await expect(page.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true');
      await page.getByRole('tab', { name: 'Live' }).click();
    });
  });
