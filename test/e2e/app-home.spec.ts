import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { post, projectIdOf, snapshotOf, studioUrl, untilStill } from './studio.ts';

const table = [
  'Name\tE-mail\tJoined\tFee\tBoat\tKeys',
  ...Array.from({ length: 30 }, (_, at) => {
    const boat = ['Eight', 'Single', 'Double'][at % 3] ?? '';
    return `Member ${at + 1}\tm${at + 1}@mail.example\t${(at % 27) + 1}/09/2022\t${at === 4 ? 'free' : '£85.00'}\t${boat}\t${at % 2 === 0 ? 'Yes' : 'No'}`;
  }),
].join('\n');
const made: string[] = [];

const promptOf = (page: Page) => page.getByRole('textbox', { name: 'Describe your app' });
const reviewOf = (page: Page) => page.getByRole('region', { name: 'Pasted table, 30 rows, 6 columns' });

async function openApp(page: Page): Promise<void> {
  await page.goto(studioUrl());
  await page.getByRole('radio', { name: 'App' }).click();
  await expect(promptOf(page)).toBeFocused();
}

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press('ControlOrMeta+v');
}

async function faults(page: Page): Promise<string[]> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

test.beforeEach(async ({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));
test.afterAll(async () => {
  for (const id of made) await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
});

test('what to make is one choice, which is remembered', async ({ page }) => {
  await page.goto(studioUrl());
  const choice = page.getByRole('radiogroup', { name: 'What to make' });
  await expect(choice.getByRole('radio', { name: 'Film' })).toBeChecked();
  await expect(choice.getByRole('radio', { name: 'Ask' })).toBeEnabled();
  await choice.getByRole('radio', { name: 'App' }).click();
  await expect(page.getByRole('heading', { name: 'What should it do?' })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.reload();
  await expect(choice.getByRole('radio', { name: 'App' })).toBeChecked();
});

test('pasted rows can move between a film and an app', async ({ page }) => {
  await openApp(page);
  await paste(page, table);
  await expect(reviewOf(page)).toBeVisible();
  await page.getByRole('button', { name: 'As a film instead' }).click();
  await expect(page.getByRole('heading', { name: 'What should move?' })).toBeVisible();
  await expect(page.getByText('Pasted table, 30 rows, 6 columns')).toBeVisible();
  await page.getByRole('button', { name: 'Remove: Pasted table, 30 rows, 6 columns' }).click();
  await page.getByRole('radio', { name: 'App' }).click();
  await expect(promptOf(page)).toBeVisible();
  await expect(reviewOf(page)).toBeHidden();
});

test('a pasted table becomes an app with its rows', async ({ page }) => {
  await openApp(page);
  await paste(page, table);
  const review = reviewOf(page);
  await expect(review.getByRole('button', { name: 'Type of Fee: Money, GBP' })).toBeVisible();
  await expect(review.getByText('1 cell in Fee does not fit: “free” once.')).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await review.getByRole('button', { name: '“free” becomes 0' }).click();
  await expect(review.getByText('does not fit')).toBeHidden();
  await review.getByRole('button', { name: 'Type of Boat: Choice' }).click();
  await expect(page.getByRole('menuitem', { name: /^Choice 3 values, best fit/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await promptOf(page).fill('Members of our rowing club. Who has keys?');
  await page.keyboard.press('ControlOrMeta+Enter');

  const plan = page.getByRole('dialog', { name: 'Plan of the app' });
  await expect(plan.getByText('from “keys”')).toBeVisible();
  const joined = plan.getByRole('textbox', { name: 'Name of the field Joined' });
  await joined.fill('Member since');
  await joined.press('Enter');
  await expect(plan.getByRole('textbox', { name: 'Name of the field New field' })).toBeFocused();
  await page.keyboard.type('Remarks');
  await page.keyboard.press('Tab');
  await expect(plan.getByRole('button', { name: 'Type of Remarks: Text' })).toBeFocused();
  await plan.getByRole('button', { name: 'Remove Boat' }).click();
  await expect(page.getByText('Boat was removed.', { exact: true })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await plan.getByRole('button', { name: 'Build the app' }).click();
  await expect(page).toHaveURL(/\/p\/prj_/);
  made.push(projectIdOf(page));

  const id = projectIdOf(page);
  await expect.poll(async () => (await snapshotOf(page)).plan?.accepted).toBe(true);
  expect((await snapshotOf(page)).project).toMatchObject({
    kind: 'app',
    name: 'Members',
    prompt: 'Members of our rowing club. Who has keys?',
  });
  const readJournal = async () => await (await fetch(studioUrl(`/api/projects/${id}/files/data/records.ndjson`))).text();
  await expect.poll(readJournal).toContain('"Member 30"');
  const journal = await readJournal();
  expect(journal).toContain('"fee":8500');
  expect(journal).not.toContain('boat');
  await post(`/api/projects/${id}/stop`);
});

test('G7: words lead to a plan, and words that name nothing to three', async ({ page }) => {
  await openApp(page);
  await promptOf(page).fill('something so we know who borrowed our tools');
  await page.getByRole('button', { name: 'Plan the app' }).click();
  const plan = page.getByRole('dialog', { name: 'Plan of the app' });
  await expect(plan.getByText('from “tools”').first()).toBeVisible();
  await plan.getByRole('button', { name: 'Back to the request' }).click();
  await expect(promptOf(page)).toBeFocused();
  await promptOf(page).fill('xyzzy');
  await page.keyboard.press('ControlOrMeta+Enter');
  const three = page.getByRole('dialog', { name: 'Three ways to begin' });
  await expect(three.getByRole('button', { name: /^Take / })).toHaveCount(3);
  expect(await faults(page)).toEqual([]);
  await three.getByRole('button', { name: 'Take Events' }).click();
  await expect(plan.getByRole('button', { name: 'Build the app' })).toBeEnabled();
});

test('a total row is left out, is said, and its column has the total', async ({ page }) => {
  await openApp(page);
  await paste(
    page,
    ['# Stock', 'Bike\tPieces\tPrice', 'City\t2\t£300', 'Road\t3\t£900', 'Cargo\t1\t£2,000', 'TOTAL\t6\t£3,200'].join('\n'),
  );
  await expect(page.getByRole('region', { name: 'Pasted table, 3 rows, 3 columns' })).toBeVisible();
  await expect(page.getByText('1 total row left out: “TOTAL, 6, £3,200”.')).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Keep it as a row' }).click();
  await expect(page.getByRole('region', { name: 'Pasted table, 4 rows, 3 columns' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await expect(page.getByRole('region', { name: 'Pasted table, 3 rows, 3 columns' })).toBeVisible();
  await promptOf(page).focus();
  await page.keyboard.press('ControlOrMeta+Enter');
  const plan = page.getByRole('dialog', { name: 'Plan of the app' });
  await expect(plan.getByRole('textbox', { name: 'Name of the list Stock' })).toHaveValue('Stock');
  await plan.getByRole('button', { name: 'Back to the request' }).click();
  await page.getByRole('button', { name: 'Remove the table' }).click();
});

test('a sentence becomes a list of what it names, and other readings are one click away', async ({ page }) => {
  await openApp(page);
  await promptOf(page).fill('chores of our children with a deadline');
  await expect(page.getByRole('button', { name: /^A list of chores chores guessed/ })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press('ControlOrMeta+Enter');
  const plan = page.getByRole('dialog', { name: 'Plan of the app' });
  await expect(plan.getByRole('textbox', { name: 'Name of the field Child' })).toBeVisible();
  await expect(plan.getByText('from “deadline”')).toBeVisible();
  await expect(
    plan.getByRole('listitem').filter({ has: page.getByRole('textbox', { name: 'Name of the field Done' }) }),
  ).toContainText('guessed');
  await plan.getByRole('button', { name: 'Remove Child' }).click();
  await expect(plan.getByRole('textbox', { name: 'Name of the field Child' })).toBeHidden();
  await plan.getByRole('button', { name: 'Back to the request' }).click();
  await promptOf(page).fill('books lent to pupils');
  await page.keyboard.press('ControlOrMeta+Enter');
  const likely = plan.getByRole('group', { name: 'What is it most like?' });
  await expect(likely.getByRole('button', { name: 'Home library', pressed: true })).toBeVisible();
  await likely.getByRole('button', { name: 'A list of books' }).click();
  await expect(plan.getByRole('textbox', { name: 'Name of the list Books' })).toBeVisible();
  await expect(plan.getByText('from “pupils”')).toBeVisible();
});

test('a starting point goes into the box as a chip', async ({ page }) => {
  await openApp(page);
  await page.getByRole('button', { name: /^Tool library/ }).click();
  await expect(page.getByRole('button', { name: 'Remove Tool library' })).toBeVisible();
  await expect(promptOf(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(
    page.getByRole('dialog', { name: 'Plan of the app' }).getByRole('textbox', { name: 'Name of the app' }),
  ).toHaveValue('Tool library');
});

test.describe('on a phone in the dark', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });

  test('a pasted table can be planned', async ({ page }) => {
    await openApp(page);
    await paste(page, table);
    await expect(reviewOf(page)).toBeVisible();
    const isTooWide = () => page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    await expect.poll(isTooWide).toBe(false);
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Plan the app' }).click();
    await expect(page.getByRole('button', { name: 'Build the app' })).toBeInViewport();
    await expect.poll(isTooWide).toBe(false);
    expect(await faults(page)).toEqual([]);
  });
});
