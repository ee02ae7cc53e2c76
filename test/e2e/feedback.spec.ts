import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { filmOf } from '#kinds/film/contract/outline.ts';
import { post, readSnapshot, studioUrl, untilStill } from './studio.ts';

const prompt = 'playful, 9 seconds, paper theme\n\nTitle: Hello\n\nPacking list:\n- Torch\n- Bear';

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const changes = (page: Page) => page.getByRole('list', { name: 'What this message changes' }).getByRole('listitem');
const words = (page: Page, isFollowed: boolean) => page.locator(`[data-followed="${isFollowed}"]`);

async function faults(page: Page): Promise<string[]> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

async function storedFilm(id: string) {
  const { plan } = await readSnapshot(id);
  return plan === null ? null : filmOf(plan);
}

test.describe
  .serial('feedback is read while it is typed', () => {
    let id: string;
    test.beforeAll(async () => {
      ({ id } = projectSchema.parse(await post('/api/projects', { prompt })));
      await expect.poll(async () => (await readSnapshot(id)).approval?.type ?? null).toBe('plan');
    });
    test.afterAll(() => fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' }));

    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 390])
        test(`A9: marks words and says what changes: ${colorScheme}, ${width} px`, async ({ browser }) => {
          const page = await (await browser.newContext({ colorScheme, viewport: { width, height: 844 } })).newPage();
          await page.goto(studioUrl(`/p/${id}`));
          await box(page).pressSequentially('make it 12 seconds, dark, wobble the frobnitz');
          await expect(changes(page)).toHaveText([
            'Theme becomes midnight',
            'Length becomes 12 s',
            'Not understood: “wobble the frobnitz”',
          ]);
          await expect(words(page, true)).toHaveText(['make it 12 seconds', 'dark']);
          await expect(words(page, false)).toHaveText(['wobble the frobnitz']);
          await expect(page.getByRole('status').filter({ hasText: 'Length becomes 12 s' })).toHaveCount(1);
          const marks = words(page, true).first().locator('..');
          await expect(async () =>
            expect((await box(page).boundingBox())?.height).toBe((await marks.boundingBox())?.height),
          ).toPass();
          expect(await faults(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
          await page.context().close();
        });

    test('A9: a message that changes nothing says so, and can be sent', async ({ page }) => {
      await page.goto(studioUrl(`/p/${id}`));
      await box(page).fill('What a lovely morning');
      await expect(page.getByText('Nothing in this message changes the film. Try “make it 12 seconds”')).toBeVisible();
      await expect(words(page, false)).toHaveText(['What a lovely morning']);
      await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
      await box(page).fill('');
      await expect(words(page, false)).toHaveCount(0);
      await expect(page.getByText('Nothing in this message')).toHaveCount(0);
    });

    test('A9: a message about a scene is read with it, and its own words are marked', async ({ page }) => {
      await page.goto(studioUrl(`/p/${id}`));
      await page.getByRole('list', { name: 'Scenes on the timeline' }).getByRole('button').nth(1).click();
      await expect(page.getByRole('button', { name: 'Write about the whole film instead of scene 2' })).toBeVisible();
      await box(page).fill('longer, hmm');
      await expect(changes(page).filter({ hasText: /^Scene 2 lasts [\d.]+ s$/ })).toHaveCount(1);
      await expect(words(page, true)).toHaveText(['longer']);
      await expect(words(page, false)).toHaveText(['hmm']);
      await box(page).fill('');
    });

    test('A9: the marks of a long message are behind its letters, and the caret stays in view', async ({ page }) => {
      await page.goto(studioUrl(`/p/${id}`));
      const lines = Array.from({ length: 11 }, (_, at) => `replace Torch with a lamp that has number ${at} on it`);
      await box(page).fill(`${lines.join('\n')}\n`);
      await box(page).pressSequentially('dark');
      await expect(words(page, true).last()).toHaveText('dark');
      const letters = words(page, true).first().locator('..');
      await expect(async () => expect(await box(page).boundingBox()).toEqual(await letters.boundingBox())).toPass();
      const scroller = letters.locator('..');
      const fromEnd = () =>
        scroller.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
      await expect.poll(fromEnd).toBeLessThan(20);
      await expect.poll(() => scroller.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(100);
      await box(page).fill('');
    });

    test('A9: what was said is what the plan becomes', async ({ page }) => {
      await page.goto(studioUrl(`/p/${id}`));
      await box(page).fill('make it 12 seconds, dark');
      await expect(changes(page)).toHaveText(['Theme becomes midnight', 'Length becomes 12 s']);
      await box(page).press('Enter');
      await expect(box(page)).toHaveValue('');
      await expect.poll(async () => (await storedFilm(id))?.theme).toBe('midnight');
      const film = await storedFilm(id);
      expect(film?.scenes.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(12);
      // The plan is another, so the same words change less.
      await box(page).fill('make it 9 seconds, dark');
      await expect(changes(page)).toHaveText(['Length becomes 9 s', 'The film is already dark.']);
    });

    test('A9: nothing is read while Koda works, and feedback on the preview and the finished film is', async ({ page }) => {
      await page.goto(studioUrl(`/p/${id}`));
      await box(page).fill('mach es quadratisch');
      await expect(changes(page)).toHaveText(['Frame becomes 1:1']);
      await post(`/api/projects/${id}/plan`, { action: 'accept' });
      await expect(changes(page)).toHaveCount(0);
      await expect(words(page, true)).toHaveCount(0);
      await expect.poll(async () => (await readSnapshot(id)).approval?.type, { timeout: 600_000 }).toBe('preview');
      await expect(changes(page)).toHaveText(['Frame becomes 1:1']);
      await post(`/api/projects/${id}/preview`, { action: 'accept' });
      await expect.poll(async () => (await readSnapshot(id)).project.phase).toBe('complete');
      await box(page).fill('Hello should be Goodbye');
      await expect(changes(page)).toHaveText(['Scene 1: “Hello” becomes “Goodbye”']);
    });
  });
