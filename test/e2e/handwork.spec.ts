import { expect, type Page, test } from '@playwright/test';
import { lightFilm } from './light-film.ts';
import { button, startMs } from './live-preview.ts';
import { studioUrl } from './studio.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const made: string[] = [];
test.afterAll(async () => {
  for (const id of made) await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
});

const conversationWidth = (page: Page) =>
  page.getByRole('region', { name: 'Conversation' }).evaluate((element) => Math.round(element.getBoundingClientRect().width));

test('A15: seeks to a typed time', async ({ page }) => {
  const id = await lightFilm();
  made.push(id);
  // The first request starts the preview.
  await page.goto(studioUrl(`/proxy/${id}/`));
  await expect(page).toHaveTitle('Light', { timeout: startMs });
  await page.goto(studioUrl(`/p/${id}?tab=preview`));
  await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });

  const time = button(page, /\. Go to another time$/);
  const field = page.getByRole('textbox', { name: 'Go to a time (T)' });
  for (const [typed, shown] of [
    ['45f', '00:01:15'],
    ['2.5s', '00:02:15'],
    ['00:00:10', '00:00:10'],
    // A time past the end shows the last frame.
    ['9', '00:03:29'],
  ] as const) {
    await time.click();
    await field.fill(typed);
    await field.press('Enter');
    await expect(time).toHaveText(shown);
    // The film was paused for typing and stays paused.
    await expect(button(page, 'Play')).toBeVisible();
  }
  await time.press('t');
  await field.fill('tomorrow');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.press('Escape');
  await expect(time).toHaveText('00:03:29');
  await expect(time).toBeFocused();
});

test('resizes the conversation by pointer or keys, and remembers its width', async ({ page }) => {
  const id = made[0] ?? (await lightFilm());
  await page.goto(studioUrl(`/p/${id}?tab=storyboard`));
  const divider = page.getByRole('separator', { name: 'Conversation width' });
  await expect(divider).toBeVisible();
  const usual = await conversationWidth(page);
  const box = await divider.boundingBox();
  if (!box) throw new Error('The divider is not on the screen.');
  const [x, y] = [box.x + box.width / 2, box.y + 300];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 80, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => conversationWidth(page)).toBe(usual + 80);
  await divider.press('ArrowRight');
  await expect.poll(() => conversationWidth(page)).toBe(usual + 96);
  await page.reload();
  await expect(divider).toBeVisible();
  expect(await conversationWidth(page)).toBe(usual + 96);
  await divider.dblclick();
  await expect.poll(() => conversationWidth(page)).toBe(usual);
});
