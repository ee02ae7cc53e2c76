import { expect, test } from '@playwright/test';
import { button, film, openLive, startMs } from './live-preview.ts';
import { finishedFilm } from './studio.ts';

// A trace asks every frame what is in it, and the one of this test does not answer.
test.use({ trace: 'off' });

test('A15: a page that loops forever leaves the studio responsive, which says so and starts it anew', async ({ page }) => {
  test.setTimeout(360_000);
  await openLive(page, await finishedFilm());
  await film(page).evaluate('setTimeout(() => { for (;;); }, 50)');
  const status = page.getByRole('status').filter({ hasText: /The preview has not answered for \d+ s/ });
  await expect(status).toBeVisible({ timeout: 30_000 });
  // The studio itself goes on.
  await page.getByRole('tab', { name: 'Code' }).click();
  await expect(page.getByRole('tab', { name: 'Code' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Live' }).click();
  await status.getByRole('button', { name: 'Stop showing it' }).click();
  await expect(page.getByText('The live preview is stopped.')).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(0);
  await button(page, 'Show it again').click();
  await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });
  await expect(page.locator('iframe')).toHaveCount(1);
});
