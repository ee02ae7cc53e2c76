import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { page as pageOf } from '#contract/api.ts';
import { checkpointEntrySchema } from '#contract/history.ts';
import { projectSchema } from '#contract/project.ts';
import { fileListSchema } from '#contract/sandbox/answers.ts';
import { craftZip } from '../fixtures/zip.ts';
import { openLive } from './live-preview.ts';
import { finishedFilm, studioUrl } from './studio.ts';

const fileUrl = (projectId: string, path: string) => studioUrl(`/api/projects/${projectId}/files/${path}`);

/** Returns the path and content of the scene file that contains `text`. The page has already started the sandbox. */
async function fileWith(projectId: string, text: string): Promise<{ path: string; content: string }> {
  const listed = await fetch(studioUrl(`/api/projects/${projectId}/files?path=src/scenes`));
  for (const { path } of fileListSchema.parse(await listed.json()).files) {
    const content = await (await fetch(fileUrl(projectId, path))).text();
    if (content.includes(text)) return { path, content };
  }
  throw new Error(`No scene holds “${text}”.`);
}

async function newestTitles(projectId: string, count: number): Promise<string[]> {
  const answer = await fetch(studioUrl(`/api/projects/${projectId}/checkpoints?limit=${count}`));
  return pageOf(checkpointEntrySchema)
    .parse(await answer.json())
    .items.map(({ title }) => title);
}

async function open(page: Page, path: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Filter by name' }).fill(path.slice(path.lastIndexOf('/') + 1));
  await page.getByRole('treeitem', { name: path.slice(path.lastIndexOf('/') + 1) }).click();
  await expect(page.getByRole('heading', { name: path })).toBeVisible();
}

const editorOf = (page: Page, path: string) => page.getByRole('textbox', { name: `Text of ${path}`, exact: true });

test.describe
  .serial('the code of a film', () => {
    let page: Page;
    let projectId = '';
    let scene = { path: '', content: '' };
    const faults: string[] = [];

    test.beforeAll(async ({ browser }) => {
      projectId = await finishedFilm();
      page = await browser.newPage();
      page.on('pageerror', (error) => faults.push(error.message));
      await openLive(page, projectId);
      // Seeks to a time with text, because the film shows none at its start.
      await page.getByRole('slider', { name: 'Time' }).press('End');
    });
    test.afterAll(async () => {
      // Other tests share the film, so it is restored even after a failure.
      if (scene.path) await fetch(fileUrl(projectId, scene.path), { method: 'PUT', body: scene.content });
      await page.close();
    });
    const film = () => page.frameLocator('iframe[title="Live preview of the film"]').locator('body');

    test('A15 A21: a manual edit appears in the live preview and in a checkpoint', async () => {
      await expect(film()).toContainText('Hello');
      scene = await fileWith(projectId, 'Hello');
      await page.getByRole('tab', { name: 'Code' }).click();
      await open(page, scene.path);
      const editor = editorOf(page, scene.path);
      await editor.click();
      await page.keyboard.press('ControlOrMeta+f');
      await page.getByRole('textbox', { name: 'Find' }).fill('Hello');
      await page.getByRole('textbox', { name: 'Replace' }).fill('Howdy');
      await page.getByRole('button', { name: 'Replace all' }).click();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('treeitem', { name: 'Not saved' })).toBeVisible();
      // The edit survives switching tabs.
      await page.getByRole('tab', { name: 'Storyboard' }).click();
      await page.getByRole('tab', { name: 'Code' }).click();
      await editor.click();
      await page.keyboard.press('ControlOrMeta+s');
      await expect(page.getByText('Saved, with a checkpoint')).toBeVisible();

      expect(await (await fetch(fileUrl(projectId, scene.path))).text()).toBe(scene.content.replaceAll('Hello', 'Howdy'));
      expect(await newestTitles(projectId, 1)).toEqual([`You wrote ${scene.path}`]);
      await expect(film()).toContainText('Howdy');
      await page.getByRole('tab', { name: 'Live' }).click();
      await expect(page.locator('iframe[title="Live preview of the film"]')).toBeVisible();
    });

    test('X4 A15: a file is compared with the previous checkpoint and restored', async () => {
      await page.getByRole('tab', { name: 'Code' }).click();
      await page.getByRole('radio', { name: 'Changes' }).click();
      const changed = page.getByRole('list', { name: 'Changed files' }).getByRole('listitem');
      await expect(changed).toHaveCount(1);
      await changed.getByRole('button', { name: `${scene.path}: changed` }).click();
      await expect(page.getByRole('button', { name: 'Restore', exact: true }).first()).toBeVisible();

      await page.getByRole('radio', { name: 'Side by side' }).click();
      await expect(page.getByRole('textbox', { name: `Earlier text of ${scene.path}` })).toContainText('Hello');
      await expect(editorOf(page, scene.path)).toContainText('Howdy');
      await page.getByRole('radio', { name: 'Unified' }).click();
      await page.getByRole('button', { name: 'Restore the whole file' }).click();
      await expect(page.getByText('No difference')).toBeVisible();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Saved, with a checkpoint')).toBeVisible();
      expect(await (await fetch(fileUrl(projectId, scene.path))).text()).toBe(scene.content);
      await expect(film()).toContainText('Hello');
      await page.getByRole('radio', { name: 'Files', exact: true }).click();
    });

    test('A9: reports and compares a change by someone else, and never overwrites it', async () => {
      const editor = editorOf(page, scene.path);
      const type = async (text: string) => {
        await editor.click();
        await page.keyboard.press('ControlOrMeta+Home');
        await page.keyboard.type(`${text}\n`);
      };
      const elsewhere = async (text: string) => {
        const answer = await fetch(fileUrl(projectId, scene.path), { method: 'PUT', body: `${text}\n${scene.content}` });
        expect(answer.ok).toBe(true);
      };
      await type('// mine');
      await elsewhere('// theirs');
      const alert = page.getByRole('alert').filter({ hasText: 'changed elsewhere' });
      await expect(alert).toBeVisible();
      await expect(editor).toContainText('// mine');
      await page.getByRole('button', { name: 'Compare' }).click();
      await expect(page.locator('.cm-deletedChunk')).toContainText('// theirs');
      await page.getByRole('button', { name: 'Use server version' }).click();
      await expect(alert).toBeHidden();
      await expect(editor).toContainText('// theirs');
      await expect(editor).not.toContainText('// mine');

      await type('// mine again');
      await elsewhere('// theirs again');
      await page.getByRole('button', { name: 'Keep my version' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Saved, with a checkpoint')).toBeVisible();
      expect(await (await fetch(fileUrl(projectId, scene.path))).text()).toBe(`// mine again\n// theirs\n${scene.content}`);
    });

    test('A9: asks before leaving the page with unsaved changes', async () => {
      await editorOf(page, scene.path).click();
      await page.keyboard.type('x');
      // In the list of files and above the text.
      await expect(page.getByText('Not saved')).toHaveCount(2);
      const asked = page.waitForEvent('dialog');
      void page.evaluate('location.reload()');
      const dialog = await asked;
      expect(dialog.type()).toBe('beforeunload');
      await dialog.dismiss();
      await page.keyboard.press('ControlOrMeta+z');
      await expect(page.getByText('Not saved')).toHaveCount(0);
    });

    test('X4: creates and deletes a file, and undoes the deletion', async () => {
      const path = 'src/scenes/note.md';
      await page.getByRole('button', { name: 'New file' }).click();
      const dialog = page.getByRole('dialog', { name: 'New file' });
      await dialog.getByRole('textbox', { name: 'Path' }).fill('docs/note.md');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect(dialog.getByRole('alert')).toContainText('src/, public/, scripts/');
      await dialog.getByRole('textbox', { name: 'Path' }).fill(path);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect(dialog).toBeHidden();
      await editorOf(page, path).click();
      await page.keyboard.type('Do not forget.');
      await page.keyboard.press('ControlOrMeta+s');
      await expect(page.getByText('Saved, with a checkpoint')).toBeVisible();

      const remove = async () => {
        await page.getByRole('tree').focus();
        await page.keyboard.press('Delete');
        await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
        await expect(page.getByRole('treeitem', { name: 'note.md' })).toBeHidden();
        expect((await fetch(fileUrl(projectId, path))).status).toBe(404);
      };
      await remove();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(editorOf(page, path)).toContainText('Do not forget.');
      expect(await (await fetch(fileUrl(projectId, path))).text()).toBe('Do not forget.');
      await remove();
    });

    test('X4: on a phone, the file list covers the page and offers new files and changes', async () => {
      const desk = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      const show = page.getByRole('button', { name: 'Show files' });
      const list = page.getByRole('region', { name: 'Files', exact: true });
      await expect(list).toBeHidden();
      await show.click();
      await expect(list).toBeVisible();
      await list.getByRole('button', { name: 'Hide files' }).click();
      await expect(list).toBeHidden();

      await show.click();
      await list.getByRole('button', { name: 'New file' }).click();
      const dialog = page.getByRole('dialog', { name: 'New file' });
      await expect(dialog.getByRole('textbox', { name: 'Path' })).toBeInViewport({ ratio: 1 });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await list.getByRole('radio', { name: 'Changes' }).click();
      await expect(list.getByRole('button', { name: /Choose the checkpoint/ })).toBeInViewport();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await list.getByRole('radio', { name: 'Files', exact: true }).click();
      await list.getByRole('button', { name: 'Hide files' }).click();
      if (desk !== null) await page.setViewportSize(desk);
    });

    test('A15: the page throws no errors', () => {
      expect(faults).toEqual([]);
    });
  });

test.describe('files outside the editor', () => {
  test('G2 A13: starts the sandbox, explains a read-only path, and shows or explains binary files', async ({ page }) => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const zip = craftZip([
      { name: 'package.json', content: '{ "name": "x", "type": "module" }' },
      { name: 'index.html', content: '<!doctype html><title>x</title>' },
      { name: 'docs/licence.md', content: '# Read me, do not change me\n' },
      { name: 'public/long.txt', content: 'a line of a long text\n'.repeat(60_000) },
      { name: 'public/data.bin', content: 'a\0b' },
      { name: 'public/dot.svg', content: '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title = \'run\'"></svg>' },
    ]);
    const imported = await fetch(studioUrl('/api/projects/import'), {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'x-filename': 'files.zip' },
      body: zip,
    });
    const { id } = projectSchema.parse(await imported.json());
    // The sandbox may start before the page has loaded completely.
    await page.goto(studioUrl(`/p/${id}?tab=code`), { waitUntil: 'commit' });
    await expect(page.getByText('Starting the sandbox with the files')).toBeVisible();
    await expect(page.getByRole('tree')).toBeVisible();
    const put = await fetch(fileUrl(id, 'public/dot.png'), { method: 'PUT', body: Buffer.from(pixel, 'base64') });
    expect(z.object({ path: z.string() }).parse(await put.json()).path).toBe('public/dot.png');

    await open(page, 'docs/licence.md');
    await expect(page.getByText('Read-only: only src/')).toBeVisible();
    const editor = editorOf(page, 'docs/licence.md');
    await expect(editor).toHaveAttribute('aria-readonly', 'true');
    await editor.click();
    await page.keyboard.type('No.');
    await expect(editor).not.toContainText('No.');
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeHidden();

    await open(page, 'public/long.txt');
    await expect(page.getByText('This file is too large to open here (1.3 MB).')).toBeVisible();
    await open(page, 'public/data.bin');
    await expect(page.getByText('This file is not text')).toBeVisible();
    await open(page, 'public/dot.png');
    await expect(page.getByRole('img', { name: 'Image: public/dot.png' })).toBeVisible();
    await expect(page.getByText('1 × 1 px')).toBeVisible();
    await open(page, 'public/dot.svg');
    await expect(editorOf(page, 'public/dot.svg')).toContainText('onload');
    await expect(page).not.toHaveTitle('run');
    await fetch(studioUrl(`/api/projects/${id}`), { method: 'DELETE' });
  });
});
