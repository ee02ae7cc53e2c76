import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { untilStill } from './studio.ts';

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** Checks a view in both sizes and colour schemes, and stores its pictures with the results. */
async function expectGood(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await untilStill(page);
      await page.screenshot({ path: test.info().outputPath(`${name}-${size}-${colorScheme}.png`) });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
  }
  await page.setViewportSize(sizes.desktop);
  await page.emulateMedia({ colorScheme: 'light' });
}

let studio: Studio;
const faults: string[] = [];

test.beforeAll(async () => {
  studio = await startStudio({ sandbox: 'docker', testKinds: true });
});
test.afterAll(async () => {
  await studio?.[Symbol.asyncDispose]();
});
test.beforeEach(({ page }) => {
  faults.length = 0;
  page.on('pageerror', (error) => faults.push(error.message));
});
test.afterEach(() => expect(faults).toEqual([]));

async function open(page: Page, kind: string, prompt: string): Promise<void> {
  const answer = await fetch(`${studio.url}/api/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, prompt }),
  });
  const { id } = z.object({ id: z.string() }).parse(await answer.json());
  await page.goto(`${studio.url}/p/${id}`);
}

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const say = async (page: Page, text: string) => {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
};

test('A26: a kind that the page does not know goes from question over plan, work and result to its end', async ({ page }) => {
  await open(page, 'note', 'milk, bread');
  const question = page.getByRole('region', { name: 'A question before I plan' });
  await expect(question).toContainText('For whom is it?');
  await question.getByRole('button', { name: 'For me' }).click();
  const plan = page.getByRole('region', { name: 'The plan is ready' });
  await expect(plan.getByRole('listitem')).toHaveText(['milk', 'bread']);
  await plan.getByRole('button', { name: 'Ask for changes' }).click();
  await say(page, 'tea');
  await expect(plan.getByRole('listitem')).toHaveText(['milk', 'bread', 'tea']);
  await plan.getByRole('button', { name: 'Accept plan' }).click();
  const result = page.getByRole('region', { name: 'Is the result right?' });
  await expect(result).toBeVisible();
  await expect(page.getByRole('list', { name: 'Project progress' }).locator('[aria-current]')).toHaveText('Preview');
  await expect(page.getByRole('treeitem', { name: 'note.txt' })).toBeVisible();
  await expectGood(page, 'result');
  await result.getByRole('button', { name: 'Accept result' }).click();
  await expect(page.getByRole('region', { name: 'Finished' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Project progress' }).locator('[aria-current]')).toHaveText('Done');
});

test('A26 V1: a conversation is messages, questions and forms, without plan, panes or phases, and survives a restart', async ({
  page,
}) => {
  await open(page, 'chat', 'The menu, please');
  await expect(log(page)).toContainText('What would you like to eat?');
  await page.getByRole('textbox', { name: 'Dish' }).fill('soup');
  await expectGood(page, 'form');
  await page.getByRole('button', { name: 'Order it' }).press('Enter');
  await expect(log(page)).toContainText('One soup, coming up.');

  await say(page, 'And a drink');
  await expect(page.getByRole('region', { name: 'A question', exact: true })).toContainText('Which drink?');
  await expectGood(page, 'question');
  await page.getByRole('textbox', { name: 'Message' }).blur();
  await page.keyboard.press('1');
  await expect(log(page)).toContainText('Your choice: tea.');
  await expect(page.getByPlaceholder('Write a message…')).toBeVisible();
  await expect(page.getByRole('tablist', { name: 'Panes' })).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Project progress' })).toHaveCount(0);
  await expect(page.locator('#root')).not.toHaveText(/\b(plan|preview|build(ing)?|steps?|sandbox|cannot show)\b/i);
  await expectGood(page, 'answered');

  await say(page, 'Patience');
  const working = page.getByText('Looking for the cook');
  await expect(working).toBeVisible();
  await studio.kill();
  await studio.restart();
  await expect(working).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('region', { name: 'You stopped this' })).toBeVisible();
  await expectGood(page, 'stopped');
  await say(page, 'Never mind');
  await expect(log(page)).toContainText('You said: Never mind');
  await expect(page.getByRole('region', { name: 'You stopped this' })).toHaveCount(0);
});
