import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { finishedFilm, studioUrl, untilStill } from './studio.ts';

async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

/** Chooses a table whose headings are not the names of the film's parameters, and says which column goes where. */
async function chooseTable(dialog: Locator): Promise<void> {
  await dialog.getByRole('radio', { name: 'A table', exact: true }).click();
  const buffer = Buffer.from('Überschrift;Preis\nHallo;4,90\nMoin;3,50');
  await dialog.getByLabel('Table', { exact: true }).setInputFiles({ name: 'offers.csv', mimeType: 'text/csv', buffer });
  const check = dialog.getByRole('button', { name: 'Check the table' });
  await check.click();
  const places = dialog.getByRole('group', { name: 'Which column goes where?' });
  await places.getByRole('combobox').first().selectOption('Überschrift');
  await check.click();
  await expect(dialog.getByRole('status')).toHaveText('2 videos each time');
}

test('T10: a schedule is created, run, paused and deleted on its page', async ({ page }) => {
  await finishedFilm();
  await page.goto(studioUrl('/'));
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  // A busy page may handle the second key too late.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await expect(page.getByRole('heading', { name: 'Schedules' })).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(page.getByText('No schedules yet.')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'New schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'New schedule' });
  await expect(dialog.getByRole('combobox', { name: 'Film' })).toHaveValue(/^prj_/);
  await dialog.getByRole('radio', { name: 'Other' }).click();
  await dialog.getByRole('textbox', { name: 'Cron fields' }).fill('0 6 30 2 *');
  await expect(dialog.getByRole('alert')).toHaveText('February has no 30th.');
  await dialog.getByRole('textbox', { name: 'Cron fields' }).fill('0 6 * * *');
  await expect(dialog.getByText('The next five runs')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create schedule' }).click();
  await expect(dialog).toBeHidden();

  const list = page.getByRole('list', { name: 'All schedules' });
  await expect(list).toContainText('Every day at 06:00');
  await expect(page.getByRole('list', { name: 'The next seven days' }).getByRole('button').first()).toContainText('06:00');
  const menu = async (item: string) => {
    await page.getByRole('button', { name: /^More for/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await menu('Edit');
  const editing = page.getByRole('dialog', { name: /^Edit/ });
  await expect(editing.getByRole('radio', { name: 'Every day' })).toBeChecked();
  await expect(editing.getByRole('textbox', { name: 'Keep newest' })).toHaveValue('10');
  await editing.getByLabel('Time', { exact: true }).fill('07:30');
  await editing.getByRole('textbox', { name: 'Keep newest' }).fill('3');
  await editing.getByRole('combobox', { name: 'Size' }).selectOption('720p');
  await editing.getByRole('combobox', { name: 'Format' }).selectOption('jpeg');
  await chooseTable(editing);
  await expectAccessible(page);
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(editing).toBeHidden();
  await expect(list).toContainText('Every day at 07:30');
  await expect(page.getByText('Keeps the videos of the newest 3 runs')).toBeVisible();
  await menu('Run now');
  await expect(list).toContainText('Made', { timeout: 600_000 });
  await page.getByRole('switch', { name: 'Active' }).click();
  await expect(list).toContainText('Paused');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);

  await menu('Delete…');
  await page.getByRole('button', { name: 'Delete schedule' }).click();
  await expect(page.getByText('No schedules yet.')).toBeVisible();
});
