import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { documentResponseSchema } from '#kinds/film/contract/format-list.ts';
import { readingSchema } from '#kinds/film/contract/reading.ts';
import { projectIdOf, studioUrl, untilStill } from './studio.ts';

const made: string[] = [];
const card = 'Title card “Quarterly All-Hands”, subtitle “Thursday 16 October, 3 pm, Atrium”.\nNavy background, 6 seconds.';
const group = 'Our reading group is back! I was thinking something warm and quiet, you know. Bring a friend and a biscuit.';
const remark = 'I was thinking something warm and quiet, you know.';

const promptOf = (page: Page) => page.getByRole('textbox', { name: 'Describe your film' });
const listOf = (page: Page) => page.getByRole('list', { name: 'How Koda reads it' });
const scenesOf = (page: Page) => page.getByRole('list', { name: 'Scenes' }).getByRole('button', { name: /^Scene \d/ });
const markOf = (page: Page, words: string) => page.locator('.composer-marks .mark', { hasText: words });
const rowOf = (page: Page, words: string) => listOf(page).getByRole('button', { name: new RegExp(words.slice(0, 30)) });

async function graveFaults(page: Page): Promise<string[]> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Returns what the newest reading of the page was. */
async function readingAfter(page: Page, act: () => Promise<unknown>) {
  const [answer] = await Promise.all([page.waitForResponse((one) => one.url().endsWith('/api/readings') && one.ok()), act()]);
  return readingSchema.parse(await answer.json());
}

test.afterAll(async () => {
  for (const id of made) await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
});

test.beforeEach(async ({ page }) => {
  await page.goto(studioUrl());
  await expect(promptOf(page)).toBeFocused();
});

test('before there is a text, examples show how they are read, and the rules are one click away', async ({ page }) => {
  const examples = page.getByRole('region', { name: 'Try one of these' });
  await expect(examples.locator('.mark-shown').first()).toHaveText('Ada turns seven');
  await expect(examples.locator('[data-picture]')).toHaveCount(3);
  await page.getByRole('button', { name: 'All 12 rules' }).click();
  const rules = page.getByRole('dialog', { name: 'How Koda reads' });
  await expect(rules.getByRole('listitem')).toHaveCount(12);
  expect(await graveFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'All 12 rules' })).toBeFocused();
  await examples.getByRole('button', { name: 'Table: use this text' }).click();
  await expect(promptOf(page)).toHaveValue(/^Bar chart, title “How visitors found us”/);
  await expect(scenesOf(page)).toHaveCount(1);
  await expect(examples).toBeHidden();
});

test('typing shows how the words are read, and the film that is made', async ({ page }) => {
  await promptOf(page).fill(card);
  await expect(markOf(page, 'Quarterly All-Hands')).toHaveClass(/mark-shown/);
  await expect(markOf(page, 'Title card')).toHaveClass(/mark-instruction/);
  await expect(markOf(page, '6 seconds')).toContainText('6 s');
  await expect(listOf(page).getByRole('listitem').filter({ hasText: 'Subtitle' })).toContainText('Thursday 16 October');
  await expect(scenesOf(page)).toHaveCount(1);
  const picture = page.getByRole('list', { name: 'Scenes' }).locator('[data-picture="title"]');
  await expect(picture.getByText('Quarterly').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Length: 6 s' })).toBeVisible();
  // The letters of the field and those behind them are at the same places.
  const [field, marks] = [promptOf(page), page.locator('.composer-marks')];
  await expect(async () => expect((await field.boundingBox())?.height).toBe((await marks.boundingBox())?.height)).toPass();
  await expect.poll(() => field.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(0);
});

test('one click leaves words out, Undo shows them, and corrections survive typing and a reload', async ({ page }) => {
  await promptOf(page).fill(group);
  await expect(scenesOf(page)).toHaveCount(3);
  const row = listOf(page).getByRole('listitem').filter({ hasText: remark });
  await row.hover();
  await row.getByRole('button', { name: 'Leave out', exact: true }).click();
  await expect(markOf(page, remark)).toHaveClass(/mark-left-out/);
  await expect(markOf(page, remark)).toContainText('left out by you');
  await expect(page.getByText(/^Left out\. The film has/).first()).toBeVisible();
  await expect(scenesOf(page)).not.toHaveCount(3);

  await promptOf(page).press('ControlOrMeta+Home');
  await page.keyboard.type('Hooray! ');
  await expect(promptOf(page)).toHaveValue(`Hooray! ${group}`);
  await expect(markOf(page, remark)).toHaveClass(/mark-left-out/);
  await page.reload();
  await expect(markOf(page, remark)).toHaveClass(/mark-left-out/);

  // Undoes a correction only when no typing came after it.
  await row.hover();
  await row.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(markOf(page, remark)).toHaveClass(/mark-shown/);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(markOf(page, remark)).toHaveClass(/mark-left-out/);
  await expect(promptOf(page)).toHaveValue(`Hooray! ${group}`);
});

test('keys alone correct a reading and return to the caret', async ({ page }) => {
  await promptOf(page).fill(group);
  await expect(scenesOf(page)).toHaveCount(3);
  const at = group.indexOf('thinking');
  await promptOf(page).evaluate((box, to) => Reflect.apply(Reflect.get(box, 'setSelectionRange'), box, [to, to]), at);
  await page.keyboard.press('Tab');
  await expect(rowOf(page, remark)).toBeFocused();
  await page.keyboard.press('l');
  await expect(markOf(page, remark)).toHaveClass(/mark-left-out/);
  await expect(rowOf(page, remark)).toBeFocused();
  await page.keyboard.press('s');
  await expect(markOf(page, remark)).toHaveClass(/mark-shown/);
  await page.keyboard.press('Escape');
  await expect(promptOf(page)).toBeFocused();
  await expect.poll(() => promptOf(page).evaluate((box) => Reflect.get(box, 'selectionStart'))).toBe(at);

  await page.keyboard.press('F2');
  await expect(
    page
      .getByRole('dialog', { name: /I was thinking/ })
      .getByRole('button')
      .first(),
  ).toBeFocused();
  await page.keyboard.press('l');
  await expect(markOf(page, remark)).toHaveClass(/mark-left-out/);
  await expect(promptOf(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(markOf(page, remark)).toHaveClass(/mark-shown/);

  const [first] = await scenesOf(page).all();
  await first?.focus();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(markOf(page, 'Our reading group')).toContainText('2');
});

test('Create makes the film that is on the screen', async ({ page }) => {
  await promptOf(page).fill(group);
  await expect(scenesOf(page)).toHaveCount(3);
  const row = listOf(page).getByRole('listitem').filter({ hasText: remark });
  await row.hover();
  const { film } = await readingAfter(page, () => row.getByRole('button', { name: 'Leave out', exact: true }).click());
  await expect(scenesOf(page)).toHaveCount(film?.scenes.length ?? 0);
  await promptOf(page).press('ControlOrMeta+Enter');
  await expect(page).toHaveURL(/\/p\/prj_/);
  const id = projectIdOf(page);
  made.push(id);
  await expect
    .poll(async () => {
      const answer = await fetch(studioUrl(`/api/projects/${id}/document`));
      return answer.ok ? documentResponseSchema.parse(await answer.json()).film : null;
    })
    .toEqual(film);
});

test('a film that changes after Create was pressed is shown before it is made', async ({ page }) => {
  await promptOf(page).fill(card);
  await expect(scenesOf(page)).toHaveCount(1);
  let creations = 0;
  page.on('request', (sent) => {
    if (sent.method() === 'POST' && sent.url().endsWith('/api/projects')) creations += 1;
  });
  const passOn: (() => void)[] = [];
  await page.route('**/readings', async (route) => {
    await new Promise<void>((resolve) => passOn.push(resolve));
    await route.continue();
  });
  await promptOf(page).fill(group);
  await promptOf(page).press('ControlOrMeta+Enter');
  await expect(page.getByRole('button', { name: 'Reading…' })).toBeVisible();
  await expect.poll(() => passOn.length).toBe(1);
  passOn[0]?.();
  await expect(page.getByRole('button', { name: 'Create these 3 scenes' })).toHaveAccessibleDescription(/press again/);
  expect(creations).toBe(0);
  await promptOf(page).press('ControlOrMeta+Enter');
  await expect(page).toHaveURL(/\/p\/prj_/);
  made.push(projectIdOf(page));
});

test('an input method composes a word without being read or disturbed', async ({ page }) => {
  await readingAfter(page, () => promptOf(page).fill('Title: '));
  let readings = 0;
  page.on('request', (sent) => {
    if (sent.url().endsWith('/api/readings')) readings += 1;
  });
  const client = await page.context().newCDPSession(page);
  for (const text of ['に', 'にほ', 'にほん'])
    await client.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await expect(promptOf(page)).toHaveValue('Title: にほん');
  await page.waitForTimeout(400);
  expect(readings).toBe(0);
  await client.send('Input.insertText', { text: '日本' });
  await expect(promptOf(page)).toHaveValue('Title: 日本');
  await expect(markOf(page, '日本')).toHaveClass(/mark-shown/);
});

test('a drawing that no format has is announced before anything is made', async ({ page }) => {
  await promptOf(page).fill('A cat walks from left to right, stops in the middle, sits down.');
  const panel = page.getByRole('region', { name: /drawing that Koda has no format for/ });
  await expect(panel).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create' })).toBeDisabled();
  await expect(panel.getByRole('link', { name: 'Connect a model' })).toHaveAttribute('href', '/settings');
  expect(await graveFaults(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Make a film of the words' }).click();
  await expect(panel).toBeHidden();
  await expect(scenesOf(page)).not.toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Create' })).toBeEnabled();
});

test('a failed reading keeps the text and can be repeated', async ({ page }) => {
  await page.route('**/api/readings', (route) => route.abort());
  await promptOf(page).fill(card);
  await expect(page.getByRole('alert').filter({ hasText: 'Could not read this. Your text is kept.' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create' })).toBeDisabled();
  await page.unroute('**/api/readings');
  // The page also repeats it by itself after a while.
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 });
    await expect(scenesOf(page)).toHaveCount(1, { timeout: 3_000 });
  }).toPass();
});

test('another format and other lengths are one click or key away', async ({ page }) => {
  await promptOf(page).fill(group);
  await expect(scenesOf(page)).toHaveCount(3);
  const [first] = await scenesOf(page).all();
  await first?.focus();
  const before = await readingAfter(page, () => page.keyboard.press('ArrowRight'));
  const longer = before.film?.scenes[0]?.seconds ?? 0;
  await expect(first ?? page.locator('x')).toHaveAccessibleName(new RegExp(`${longer} s$`));
  await page.getByRole('button', { name: /^Format of scene 1/ }).click();
  const other = page.getByRole('menuitemradio').nth(1);
  const title = ((await other.getAttribute('aria-label')) ?? '').split(',')[0] ?? '';
  const after = await readingAfter(page, () => other.click());
  expect(after.film?.scenes[0]).toMatchObject({ seconds: longer });
  await expect(page.getByRole('button', { name: `Format of scene 1: ${title}` })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the box has no fault in ${colorScheme} colours`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    expect(await graveFaults(page)).toEqual([]);
    await promptOf(page).fill(`${group}\n\n${card}`);
    await expect(scenesOf(page).first()).toBeVisible();
    expect(await graveFaults(page)).toEqual([]);
  });

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a tap on words opens their choices, and the list is a sheet', async ({ page }) => {
    await promptOf(page).fill(group);
    await expect(scenesOf(page)).toHaveCount(3);
    expect(await graveFaults(page)).toEqual([]);
    const place = z
      .object({ x: z.number(), y: z.number() })
      .parse(await markOf(page, remark).evaluate((mark) => mark.getClientRects()[0]?.toJSON()));
    await page.touchscreen.tap(place.x + 40, place.y + 12);
    const sheet = page.getByRole('dialog', { name: /^Reading 2 of 3/ });
    await expect(sheet).toBeVisible();
    await sheet.getByRole('button', { name: 'Leave out' }).tap();
    await expect(markOf(page, remark)).toHaveClass(/mark-left-out/);
    await expect(sheet).toBeHidden();
    await page.getByRole('button', { name: 'Reading 3' }).tap();
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(3);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });
});
