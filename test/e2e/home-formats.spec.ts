import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { projectIdOf, snapshotOf, studioUrl, untilStill } from './studio.ts';

const table = 'Channel\tVisitors\nSearch\t1240\nNewsletter\t860\nSocial\t540';
const made: string[] = [];

const promptOf = (page: Page) => page.getByRole('textbox', { name: 'Describe your film' });
const formatOf = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^${title} `) });
/** How the newest text is read. If the film changes after Create was pressed, it is not made before the user has seen it. */
const readingOf = (page: Page) => page.getByRole('list', { name: 'How Koda reads it' });
const chipOf = (page: Page, title: string) => page.getByRole('button', { name: `Remove the format ${title}` });

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press('ControlOrMeta+v');
}

async function seriousFaults(page: Page): Promise<string[]> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

test.beforeEach(async ({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));
test.afterAll(async () => {
  for (const id of made) await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
});

test('a pasted table becomes a card, and its text is sent below the prompt', async ({ page }) => {
  await page.goto(studioUrl());
  await expect(promptOf(page)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Create' })).toBeDisabled();
  await paste(page, 'Two plain lines,\nwhich stay text');
  await expect(promptOf(page)).toHaveValue('Two plain lines,\nwhich stay text');

  await page.keyboard.press('ControlOrMeta+a');
  await paste(page, table);
  const cards = page.getByRole('list', { name: 'Pasted content' });
  await expect(cards.getByText('Pasted table, 3 rows, 2 columns')).toBeVisible();
  await expect(promptOf(page)).toHaveValue('');
  expect(await seriousFaults(page)).toEqual([]);
  await page.reload();
  await cards.getByRole('button', { name: 'Show as text' }).click();
  await expect(promptOf(page)).toHaveValue(table);
  await expect(cards).toBeHidden();

  await page.keyboard.press('ControlOrMeta+a');
  await paste(page, '- Milk\n- Bread');
  await cards.getByRole('button', { name: 'Remove: Pasted list, 2 items' }).click();
  await expect(promptOf(page)).toBeFocused();
  await paste(page, table);
  await page.keyboard.type('Visitors in May');
  await expect(readingOf(page).getByText('Visitors in May')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page).toHaveURL(/\/p\/prj_/);
  made.push(projectIdOf(page));
  expect((await snapshotOf(page)).project.prompt).toBe(`Visitors in May\n\n${table}`);
  await page.goto(studioUrl());
  await expect(cards).toBeHidden();
});

test('a format fills the box with its example, and the request names it', async ({ page }) => {
  await page.goto(studioUrl());
  await page.getByRole('button', { name: 'Agenda' }).click();
  await expect(promptOf(page)).toHaveValue(/^Team day on Thursday/);
  await formatOf(page, 'Bar chart').click();
  await expect(promptOf(page)).toBeFocused();
  await expect(promptOf(page)).toHaveValue(/^Bar chart of kWh a year/);
  await expect(chipOf(page, 'Bar chart')).toBeVisible();
  await page.keyboard.type('Visitors: search 1240, newsletter 860');
  await expect(promptOf(page)).toHaveValue('Visitors: search 1240, newsletter 860');

  await formatOf(page, 'Checklist').click();
  await expect(promptOf(page)).toHaveValue(/^Checklist before the kiln/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(chipOf(page, 'Bar chart')).toBeVisible();
  await expect(readingOf(page).getByText('newsletter')).toBeVisible();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/p\/prj_/);
  made.push(projectIdOf(page));
  expect((await snapshotOf(page)).project.prompt).toBe('Visitors: search 1240, newsletter 860\n\nUse a bar chart scene.');

  await page.goto(studioUrl());
  await formatOf(page, 'Quote').click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL(/\/p\/prj_/);
  made.push(projectIdOf(page));
  expect((await snapshotOf(page)).project.prompt).toContain('A map is only an argument');
});

test('every format of the gallery has a picture, which plays while it is looked at', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(studioUrl('/'));
  const cards = page.getByRole('region', { name: 'Start from a format' }).getByRole('listitem').getByRole('button');
  await expect(cards.first()).toBeVisible();
  await page.getByRole('button', { name: /^All \d+ formats/ }).click();
  const pictures = page.getByRole('dialog').locator('img');
  await expect.poll(() => pictures.count()).toBeGreaterThan(30);
  const broken = () =>
    pictures.evaluateAll(
      (all) => all.filter((one) => Reflect.get(one, 'complete') === true && Reflect.get(one, 'naturalWidth') === 0).length,
    );
  await expect.poll(broken).toBe(0);
  await page.keyboard.press('Escape');
  await cards.first().hover();
  const video = cards.first().locator('video');
  await expect.poll(() => video.evaluate((one) => Number(Reflect.get(one, 'currentTime')))).toBeGreaterThan(0.1);
  await page.mouse.move(0, 0);
  await expect(video).toHaveCount(0);
});

test('the gallery and the picker work with the keyboard alone', async ({ page }) => {
  await page.goto(studioUrl());
  const purposes = page.getByRole('radiogroup', { name: 'Purpose' });
  await purposes.getByRole('radio', { name: 'All', exact: true }).focus();
  for (let step = 1; step <= 4; step += 1) {
    await page.keyboard.press('ArrowRight');
    // The focus follows the key with a delay.
    await expect(purposes.getByRole('radio').nth(step)).toBeFocused();
  }
  await expect(purposes.getByRole('radio', { name: 'Show numbers' })).toBeChecked();
  await expect(formatOf(page, 'Checklist')).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: /^All \d+ formats/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(formatOf(page, 'Bar chart')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(promptOf(page)).toBeFocused();
  await expect(promptOf(page)).toHaveValue(/^Bar chart/);

  await page.getByRole('button', { name: /^All \d+ formats/ }).focus();
  await page.keyboard.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Start from a format' });
  await expect(picker.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(picker).toBeHidden();
  await expect(page.getByRole('button', { name: /^All \d+ formats/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(picker.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('countdown');
  await expect(picker.getByRole('gridcell')).toHaveCount(1);
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(promptOf(page)).toBeFocused();
  await expect(promptOf(page)).toHaveValue(/^Countdown from 5/);
  await expect(chipOf(page, 'Countdown')).toBeVisible();
});

test('a phone shows two formats per row and no sideways scroll', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(studioUrl());
  const [first, second, third] = [formatOf(page, 'Event'), formatOf(page, 'Bar chart'), formatOf(page, 'Checklist')];
  await expect(async () => {
    const [one, two, three] = [await first.boundingBox(), await second.boundingBox(), await third.boundingBox()];
    expect(two?.y).toBe(one?.y);
    expect(three?.y).toBeGreaterThan(one?.y ?? 0);
  }).toPass();
  await promptOf(page).focus();
  await paste(page, table);
  await expect(page.getByRole('list', { name: 'Pasted content' })).toContainText('Pasted table, 3 rows, 2 columns');
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: /^All \d+ formats/ }).click();
  const picker = page.getByRole('dialog', { name: 'Start from a format' });
  await picker.getByRole('gridcell', { name: /^Steps/ }).click();
  await picker.getByRole('button', { name: 'Use this format' }).click();
  await expect(chipOf(page, 'Steps')).toBeVisible();
});

test('without a server, Create is disabled and says why', async ({ page }) => {
  let isDown = false;
  await page.route('**/api/**', (route) => (isDown ? route.abort() : route.continue()));
  await page.goto(studioUrl());
  await expect(page.getByRole('button', { name: /^All \d+ formats/ })).toBeVisible();
  isDown = true;
  await page.reload();
  await promptOf(page).fill('A ball');
  await expect(page.getByRole('alert').filter({ hasText: 'Start it with npm start' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Create' })).toHaveAccessibleDescription('Server not responding');
  await expect(page.getByRole('status', { name: 'Loading the formats…' })).toBeVisible();
  isDown = false;
  await expect(page.getByRole('button', { name: 'Create' })).toBeEnabled();
});
