import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { finishedFilm, studioUrl, untilStill } from './studio.ts';

async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

test('T10: a schedule is created, run, paused and deleted on its page', async ({ page }) => {
  await finishedFilm();
  await page.goto(studioUrl('/'));
  await page.getByRole('link', { name: 'Schedules' }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page.getByRole('heading', { name: 'Schedules' })).toBeVisible();
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
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(list).toContainText('Made', { timeout: 600_000 });
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(list).toContainText('Paused');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete schedule' }).click();
  await expect(page.getByText('No schedules yet.')).toBeVisible();
});
