import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { projectSchema } from '#contract/project.ts';
import { dropOn } from './files.ts';
import { finishedFilm, post, readSnapshot, studioUrl, untilStill } from './studio.ts';

const logo = join(import.meta.dirname, '../fixtures/logo.png');
const note = 'public/note.txt';

const fileUrl = (projectId: string) => studioUrl(`/api/projects/${projectId}/files/${note}`);

/** Writes a file, as a program would. The first attempt starts a suspended sandbox. */
async function write(projectId: string, content: string): Promise<void> {
  await expect.poll(async () => (await fetch(fileUrl(projectId), { method: 'PUT', body: content })).status).toBe(200);
}

async function read(projectId: string): Promise<string> {
  const answer = await fetch(fileUrl(projectId));
  return answer.ok ? await answer.text() : `status ${answer.status}`;
}

async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

test.describe
  .serial('history and uploads', () => {
    let page: Page;
    let projectId: string;
    const faults: string[] = [];

    test.beforeAll(async ({ browser }) => {
      const film = await finishedFilm();
      const branch = await post(`/api/projects/${film}/branch`, { name: 'A branch for its history' });
      projectId = projectSchema.parse(branch).id;
      page = await (await browser.newContext()).newPage();
      page.on('pageerror', (error) => faults.push(error.message));
    });
    test.afterAll(async () => {
      await page.context().close();
      await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
    });

    const list = () => page.getByRole('listbox', { name: 'Checkpoints, newest first' });
    const detail = () => page.getByRole('region', { name: 'Selected checkpoint' });
    const changes = () => page.getByRole('region', { name: 'Changes' });

    test('X4: shows a new checkpoint with its changed lines while the history is open', async () => {
      await page.goto(studioUrl(`/p/${projectId}?tab=history`));
      await expect(list().getByRole('option').first()).toBeVisible();
      await write(projectId, 'one\n');
      await write(projectId, 'two\n');
      await expect(list().getByRole('option').first()).toContainText(`You wrote ${note}`);
      await expect(list().getByRole('option').first()).toContainText('1 file');
      await expect(detail().getByRole('heading', { name: `You wrote ${note}` })).toBeVisible();
      await expect(changes()).toContainText('−one');
      await expect(changes()).toContainText('+two');
      await expect(changes().getByRole('button', { name: /note\.txt.*1 line added, 1 line removed/ })).toHaveAttribute(
        'aria-expanded',
        'true',
      );
      await expectAccessible(page);
    });

    test('X4: browses checkpoints by keyboard and compares any two', async () => {
      await list().focus();
      await page.keyboard.press('ArrowDown');
      await expect(list().getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
      await expect(changes()).toContainText('+one');
      await detail().getByRole('combobox', { name: 'Compare with' }).selectOption('now');
      await expect(changes()).toContainText('−one');
      await expect(changes()).toContainText('+two');
      const oldest = await detail()
        .getByRole('combobox', { name: 'Compare with' })
        .locator('option')
        .last()
        .getAttribute('value');
      await detail()
        .getByRole('combobox', { name: 'Compare with' })
        .selectOption(oldest ?? '');
      await expect(detail().getByText(/^From “/)).toBeVisible();
    });

    test('X4: saves a named checkpoint', async () => {
      await page.getByRole('button', { name: 'Save a checkpoint' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save a checkpoint' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Two words');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(list().getByRole('option', { name: /Two words/ })).toBeVisible();
    });

    test('X4 A22: a restore shows what it will change, and can be undone', async () => {
      await list()
        .getByRole('option', { name: `You wrote ${note}` })
        .last()
        .click();
      await detail().getByRole('button', { name: 'Restore' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Restore this checkpoint?' });
      await expect(dialog).toContainText('1 file will change:');
      await expect(dialog.getByRole('listitem')).toContainText(note);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await expect(dialog).toBeHidden();
      await expect(list().getByRole('option').first()).toContainText('Restored');
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => read(projectId)).toBe('two\n');
    });

    test('X4: downloads the files of a checkpoint and starts a new project from them', async () => {
      const link = detail().getByRole('link', { name: 'Download zip' });
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(
        readFileSync(await download.path())
          .subarray(0, 2)
          .toString(),
      ).toBe('PK');
      await detail().getByRole('button', { name: 'New project from here' }).click();
      await expect(page).not.toHaveURL(new RegExp(projectId));
      const branchId = new URL(page.url()).pathname.replace('/p/', '');
      expect((await readSnapshot(branchId)).project.name).toContain('(branch)');
      await fetch(studioUrl(`/api/projects/${branchId}`), { method: 'DELETE' });
    });

    test('A25: a dropped image is shown, added to a message, deleted and restored', async () => {
      await page.goto(studioUrl(`/p/${projectId}?tab=assets`));
      const assets = page.getByRole('region', { name: 'Assets' });
      await expect(assets.getByText('No files yet')).toBeVisible();
      await dropOn(assets, { name: 'logo.png', mimeType: 'image/png', buffer: readFileSync(logo) });
      const card = assets.getByRole('listitem').filter({ hasText: 'logo.png' });
      await expect(card).toContainText('320×200');
      await expect
        .poll(() => card.locator('img').evaluate((picture) => (picture as unknown as { naturalWidth: number }).naturalWidth))
        .toBe(320);

      await card.getByRole('button', { name: 'Insert logo.png into the message' }).click();
      await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('logo.png ');
      await expectAccessible(page);

      await card.getByRole('button', { name: 'Delete logo.png' }).click();
      await expect(card).toBeHidden();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(card).toBeVisible();
      expect((await readSnapshot(projectId)).assets.map(({ name }) => name)).toEqual(['logo.png']);

      await card.getByRole('button', { name: 'Delete logo.png' }).click();
      await page.getByRole('button', { name: 'Dismiss' }).last().click();
      await expect.poll(async () => (await readSnapshot(projectId)).assets).toEqual([]);
    });

    test('A25 G9: explains per file why it is rejected, before sending if it is too large', async () => {
      const assets = page.getByRole('region', { name: 'Assets' });
      const requests: string[] = [];
      page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await dropOn(assets, { name: 'huge.svg', mimeType: 'image/svg+xml', buffer: Buffer.alloc(5 * 1024 * 1024 + 1, 32) });
      await expect(assets.getByRole('alert')).toContainText('the limit for its type is 5 MB');
      expect(requests).not.toContain(`POST /api/projects/${projectId}/assets`);
      await assets.getByRole('button', { name: 'Dismiss huge.svg' }).click();
      await dropOn(assets, { name: 'setup.png', mimeType: 'image/png', buffer: Buffer.from('MZ no picture') });
      await expect(assets.getByRole('alert')).toContainText('The file cannot be used');
      await assets.getByRole('button', { name: 'Dismiss setup.png' }).click();
      await expect(assets.getByRole('alert')).toBeHidden();
    });

    test('A25: a file dropped on the conversation uploads, can be stopped, and is named in the message', async () => {
      const talk = page.getByRole('log', { name: 'Conversation' });
      const box = page.getByRole('textbox', { name: 'Message' });
      await box.fill('Use');
      let held = true;
      await page.route('**/assets', async (route) => {
        while (held && route.request().method() === 'POST') await new Promise((wake) => setTimeout(wake, 50));
        await route.continue().catch(() => undefined);
      });
      const file = { name: 'logo.png', mimeType: 'image/png', buffer: readFileSync(logo) };
      await dropOn(talk, file);
      const uploads = page.getByRole('list', { name: 'Uploads' }).last();
      await expect(uploads.getByRole('progressbar', { name: 'Uploading logo.png' })).toBeVisible();
      await uploads.getByRole('button', { name: 'Cancel the upload of logo.png' }).click();
      await expect(page.getByRole('list', { name: 'Uploads' })).toHaveCount(0);
      await expect(box).toHaveValue('Use');
      held = false;
      await page.unroute('**/assets');
      await dropOn(talk, file);
      await expect(box).toHaveValue('Use logo.png ');
      const snapshot = await readSnapshot(projectId);
      expect(z.array(z.object({ name: z.string() })).parse(snapshot.assets)).toMatchObject([{ name: 'logo.png' }]);
    });

    test('X4: on a phone, list and details replace each other without sideways scrolling', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(studioUrl(`/p/${projectId}?tab=history`));
      await expect(detail()).toBeHidden();
      await list().getByRole('option').first().click();
      await expect(detail()).toBeVisible();
      await expect(list()).toBeHidden();
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
      await detail().getByRole('button', { name: 'Back to list' }).click();
      await expect(list()).toBeVisible();
      expect(faults).toEqual([]);
    });
  });
