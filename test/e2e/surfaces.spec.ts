import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { finishedFilm, studioUrl, untilStill } from './studio.ts';

async function faults(page: Page): Promise<string[]> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, help }) => `${id}: ${help}`);
}

test('V1 T11: shows the film’s parameters as a surface that changes the running film', async ({ page }) => {
  await page.goto(studioUrl(`/p/${await finishedFilm()}?tab=preview`));
  const film = page.frameLocator('iframe[title="Live preview of the film"]');
  const open = page.getByRole('button', { name: 'Film parameters' });
  await expect(open).toBeVisible();
  await page.keyboard.press('p');
  await expect(open).toHaveAttribute('aria-pressed', 'true');
  const panel = page.getByRole('group', { name: 'Film parameters' });
  const title = panel.getByRole('textbox', { name: 'text of scene-1' });
  await expect(title).toHaveValue('Hello');
  // A page that is restarting misses messages.
  const frame = await (await film.locator('html').elementHandle())?.ownerFrame();
  const restarting = frame?.goto(frame.url()).catch((error: unknown) => {
    // The page may already have received the new values, and restarts with them instead.
    if (!/ERR_ABORTED|interrupted by another navigation/.test(String(error))) throw error;
  });
  await Promise.all([restarting, title.fill('Good day')]);
  // The page restarts when it receives new values, even during a query.
  const has = (check: (values: string | null) => void) =>
    expect(async () => check(await film.locator('html').evaluate(() => sessionStorage.getItem('koda:parameters')))).toPass();
  await has((values) => expect(values).toContain('Good day'));
  expect(await faults(page)).toEqual([]);

  // After a reload, the page and the film keep the entered values.
  await page.reload();
  await expect(open).toBeVisible();
  await open.click();
  await expect(title).toHaveValue('Good day');
  await panel.getByRole('button', { name: 'As in the film: text of scene-1' }).click();
  await expect(title).toHaveValue('Hello');
  await has((values) => expect(values).toBeNull());
});
