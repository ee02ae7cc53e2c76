import { expect, type Page, test } from '@playwright/test';
import { projectSchema } from '../../server/contract/project.ts';
import { lightFilm } from './light-film.ts';
import { button, startMs } from './live-preview.ts';
import { post, readSnapshot, studioUrl } from './studio.ts';

const made: string[] = [];
test.afterAll(async () => {
  for (const id of made) await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
});

const talkWidth = (page: Page) =>
  page.getByRole('region', { name: 'Conversation' }).evaluate((element) => Math.round(element.getBoundingClientRect().width));

test('A15: a time is typed as people write it, and the film goes there', async ({ page }) => {
  const id = await lightFilm();
  made.push(id);
  // Whoever looks at a preview brings it up.
  await page.goto(studioUrl(`/proxy/${id}/`));
  await expect(page).toHaveTitle('Light', { timeout: startMs });
  await page.goto(studioUrl(`/p/${id}?tab=preview`));
  await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });

  const time = button(page, /: go to another time$/);
  const field = page.getByRole('textbox', { name: 'Go to a time (T)' });
  for (const [typed, shown] of [
    ['45f', '00:01:15'],
    ['2.5s', '00:02:15'],
    ['00:00:10', '00:00:10'],
    // Beyond the end it is the last frame.
    ['9', '00:03:29'],
  ] as const) {
    await time.click();
    await field.fill(typed);
    await field.press('Enter');
    await expect(time).toHaveText(shown);
    // The film stood still while the time was typed, and does so there.
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

test('the width of the conversation is dragged or moved by keys, and remembered', async ({ page }) => {
  const id = made[0] ?? (await lightFilm());
  await page.goto(studioUrl(`/p/${id}?tab=storyboard`));
  const divider = page.getByRole('separator', { name: 'Width of the conversation' });
  await expect(divider).toBeVisible();
  const usual = await talkWidth(page);
  const box = await divider.boundingBox();
  if (!box) throw new Error('The divider is not on the screen.');
  const [x, y] = [box.x + box.width / 2, box.y + 300];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 80, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => talkWidth(page)).toBe(usual + 80);
  await divider.press('ArrowRight');
  await expect.poll(() => talkWidth(page)).toBe(usual + 96);
  await page.reload();
  await expect(divider).toBeVisible();
  expect(await talkWidth(page)).toBe(usual + 96);
  await divider.dblclick();
  await expect.poll(() => talkWidth(page)).toBe(usual);
});

test('A5: the tab says whose turn it is; a scene is renamed by a double click, and its length typed in frames', async ({
  page,
}) => {
  const prompt = 'A red ball bounces, then a blue star spins, playful, 9 seconds';
  const { id } = projectSchema.parse(await post('/api/projects', { prompt, name: 'Handwork' }));
  made.push(id);
  await expect.poll(async () => (await readSnapshot(id)).approval?.type ?? null, { timeout: 60_000 }).toBe('plan');
  await page.goto(studioUrl(`/p/${id}`));
  await expect(page).toHaveTitle('Your turn · Handwork – Koda');
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/favicon-waits.svg');

  const first = page.getByRole('list', { name: 'Scenes on the ruler of time' }).getByRole('button').first();
  await first.dblclick();
  const title = page.getByRole('textbox', { name: 'Title of scene 1' });
  await expect(title).toBeFocused();
  await title.fill('The ball comes');
  await title.press('Enter');
  await expect(first).toContainText('The ball comes');
  await button(page, 'Length of scene 1').click();
  const { fps } = (await readSnapshot(id)).plan ?? { fps: 60 };
  await page.getByRole('textbox', { name: 'Length of scene 1' }).fill(`${3 * fps}f`);
  await page.keyboard.press('Enter');
  await expect(first).toContainText('3 s');

  await page.goto(studioUrl('/'));
  await expect(page).toHaveTitle('Koda');
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/favicon.svg');
});
