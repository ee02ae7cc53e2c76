import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { newId } from '#contract/ids.ts';
import { projectSchema } from '#contract/project.ts';
import { historyFixture } from '../fixtures/history.ts';
import { testPerson } from '../fixtures/storage.ts';
import { studioProcess } from '../fixtures/studio-process.ts';
import { craftZip } from '../fixtures/zip.ts';
import { tone } from './files.ts';
import { button, film, openLive } from './live-preview.ts';
import { finishedFilm, post, readSnapshot, studioUrl } from './studio.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const fileCount = 5000;
const checkpointCount = 500;
const lineCount = 2000;
/** Less than the studio reads per second on any machine. */
const linesAtOnce = 125;
const promptCharacters = 30_000;
const uploadBytes = 90_000_000;
/** Upload speed in bytes per second, slow enough to stop the upload by hand. */
const uploadThroughput = 4_000_000;

/** Maximum time for which the page may be blocked. Browsers offer to close a page that is unresponsive for longer. */
const deafMs = 5000;

/**
 * Records the longest time for which the page was blocked. The code is a string, because the page has other types than the
 * test.
 */
const noteLongTasks = `(() => {
  window.longestTaskMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestTaskMs = Math.max(window.longestTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });
})()`;

/** Expects that the page has handled the input without rendering every row. */
async function expectResponsive(page: Page): Promise<void> {
  const look = z.object({ longestTaskMs: z.number(), elements: z.number() });
  const now = look.parse(
    await page.evaluate('({ longestTaskMs: window.longestTaskMs, elements: document.querySelectorAll("*").length })'),
  );
  expect(now.longestTaskMs).toBeLessThan(deafMs);
  expect(now.elements).toBeLessThan(2500);
}

/** Creates a project from files. The content of its film does not matter. */
async function importFiles(name: string, files: readonly { name: string; content: string }[]): Promise<string> {
  const zip = craftZip([{ name: 'package.json', content: '{}' }, { name: 'index.html', content: '<!doctype html>' }, ...files]);
  const answer = await fetch(studioUrl('/api/projects/import'), {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-filename': `${name}.zip` },
    body: new Uint8Array(zip),
  });
  expect(answer.status).toBe(201);
  return projectSchema.parse(await answer.json()).id;
}

const made: string[] = [];
test.beforeEach(({ context }) => context.addInitScript(noteLongTasks));
test.afterAll(async () => {
  for (const id of made) await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
});

test('a tree of 5,000 files can be searched and browsed with few rendered rows', async ({ page }) => {
  const names = Array.from({ length: fileCount }, (_, index) => `src/many/file-${String(index).padStart(4, '0')}.ts`);
  const id = await importFiles(
    'Many files',
    names.map((name, index) => ({ name, content: `export const value = ${index};\n` })),
  );
  made.push(id);
  await page.goto(studioUrl(`/p/${id}?tab=code`));
  const tree = page.getByRole('tree', { name: 'Files' });
  await expect(tree).toBeVisible();
  await expect(page.getByRole('treeitem', { name: 'many' })).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('treeitem', { name: 'many' }).click();
  await expect(page.getByRole('treeitem', { name: 'file-0000.ts' })).toHaveAttribute('aria-setsize', String(fileCount));
  expect(await page.getByRole('treeitem').count()).toBeLessThan(80);
  await tree.press('End');
  await expect(page.getByRole('treeitem', { name: 'file-4999.ts' })).toBeVisible();
  expect(await page.getByRole('treeitem').count()).toBeLessThan(80);

  await page.getByRole('textbox', { name: 'Filter by name' }).pressSequentially('4321');
  await expect(page.getByRole('treeitem', { name: /^file-/ })).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByText('export const value = 4321;')).toBeVisible();
  await expectResponsive(page);
});

/**
 * Creates a data folder with a finished project that has this many checkpoints. Most are only rows, because git would be
 * slow.
 */
async function manyCheckpoints() {
  const history = await historyFixture();
  const { projectId, stores } = history;
  for (const text of ['one', 'two', 'three']) {
    history.write('note.txt', text);
    await history.save();
  }
  const newest = await stores.checkpointLedger.latest(projectId);
  if (newest === null) throw new Error('Nothing was saved.');
  for (let count = 4; count <= checkpointCount; count += 1) {
    const label = { title: `Change ${count}`, name: null, restoredFrom: null };
    await stores.checkpointLedger.add(projectId, { ...newest, ...label, id: newId('chk') }, { by: testPerson });
  }
  return { projectId, dataDir: stores.dataDir, [Symbol.dispose]: () => history[Symbol.dispose]() };
}

test('X4: a history of 500 checkpoints scrolls to its end in two tabs with few rendered rows', async ({ context }) => {
  using seed = await manyCheckpoints();
  await using studio = await studioProcess({ dataDir: seed.dataDir });
  await studio.start();
  const path = `/api/projects/${seed.projectId}/checkpoints`;
  const [one, two] = [await context.newPage(), await context.newPage()];
  const list = (page: Page) => page.getByRole('listbox', { name: 'Checkpoints, newest first' });
  const options = (page: Page) => list(page).getByRole('option');
  for (const page of [one, two]) {
    await page.goto(`${studio.url}/p/${seed.projectId}?tab=history`);
    await expect(options(page).first()).toContainText(`Change ${checkpointCount}`);
  }
  await list(one).focus();
  // The list fetches each page as the user approaches its end.
  await expect(async () => {
    await one.keyboard.press('End');
    await expect(options(one).last()).toHaveAttribute('aria-posinset', String(checkpointCount), { timeout: 200 });
  }).toPass();

  // A change in one tab appears in both, regardless of the scroll position of the lists.
  const { items } = z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .parse(await (await fetch(`${studio.url}${path}?limit=1&cursor=4`)).json());
  const restored = await fetch(`${studio.url}${path}/${items[0]?.id}/restore`, { method: 'POST' });
  expect([restored.status, restored.ok ? '' : await restored.text()]).toEqual([200, '']);
  await expect(options(two).first()).toContainText('Restored');
  await list(one).press('Home');
  await expect(options(one).first()).toContainText('Restored');
  for (const page of [one, two]) {
    expect(await options(page).count()).toBeLessThan(40);
    await expectResponsive(page);
  }
  await two.getByRole('heading', { level: 1 }).getByRole('button').click();
  await two.getByRole('textbox', { name: 'Rename project' }).fill('Seen by both');
  await two.keyboard.press('Enter');
  await expect(one.getByRole('heading', { level: 1 })).toHaveText('Seen by both');
});

test('A25: an upload of 90 MB shows progress, stops cleanly, and succeeds on retry', async ({ page }) => {
  const { id } = projectSchema.parse(await post('/api/projects', { prompt: 'A ball', name: 'Large upload', start: false }));
  made.push(id);
  const folder = await mkdtemp(join(tmpdir(), 'koda-large-'));
  const file = join(folder, 'long.wav');
  await writeFile(file, tone('long.wav', { seconds: 1, padBytes: uploadBytes }).buffer);
  const network = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await network.send('Network.emulateNetworkConditions', slow);

  await page.goto(studioUrl(`/p/${id}?tab=assets`));
  const assets = page.getByRole('region', { name: 'Assets' });
  const give = async () => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      assets.getByRole('button', { name: 'Add files' }).first().click(),
    ]);
    await chooser.setFiles(file);
  };
  await give();
  const bar = assets.getByRole('progressbar', { name: 'Uploading long.wav' });
  await expect(assets.getByText(/^[1-8]\d(\.\d)? MB of 90\.0 MB$/)).toBeVisible();
  const share = Number(await bar.getAttribute('aria-valuenow'));
  expect([share > 0, share < 100]).toEqual([true, true]);
  await assets.getByRole('button', { name: 'Cancel the upload of long.wav' }).click();
  await expect(bar).toBeHidden();
  await expectResponsive(page);

  await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
  await give();
  await expect(assets.getByRole('button', { name: 'Play long.wav' })).toBeVisible();
  await expect(bar).toBeHidden();
  expect((await readSnapshot(id)).assets.map(({ name, sizeBytes }) => [name, sizeBytes > uploadBytes])).toEqual([
    ['long.wav', true],
  ]);
  await expectResponsive(page);
  await rm(folder, { recursive: true });
});

test('keeps and counts 20,000 pasted characters without blocking the page', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = projectSchema.parse(await post('/api/projects', { prompt: 'A ball', name: 'Long words', start: false }));
  made.push(id);
  const words = 'A red ball bounces. '.repeat(promptCharacters / 20).trimEnd();
  const paste = async (box: ReturnType<Page['getByRole']>) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(words)})`);
    await box.focus();
    await page.keyboard.press('ControlOrMeta+v');
    await expect(box).toHaveValue(words);
  };
  await page.goto(studioUrl());
  const prompt = page.getByRole('textbox', { name: 'Describe your film' });
  await paste(prompt);
  await expect(page.getByRole('alert')).toContainText('Too long');
  await expect(button(page, 'Create')).toBeDisabled();
  await expectResponsive(page);
  await prompt.fill('');

  await page.goto(studioUrl(`/p/${id}`));
  const message = page.getByRole('textbox', { name: 'Message' });
  await paste(message);
  await expect(page.getByRole('status').filter({ hasText: '29,999' })).toBeVisible();
  await expect(button(page, 'Send')).toBeDisabled();
  await message.press('End');
  await page.keyboard.type(' It settles.');
  await expect(message).toHaveValue(`${words} It settles.`);
  await expectResponsive(page);
  await message.fill('');
});

test('A15: a console of 2,000 lines keeps all, renders few, and reports dropped ones', async ({ page }) => {
  await openLive(page, await finishedFilm());
  // The film is paused, because drawing it keeps a small machine busy.
  await button(page, 'Pause').click();
  // Simulates a page that limits nothing itself.
  const say = (what: string, { from, to }: { from: number; to: number }) =>
    film(page).evaluate(`for (let line = ${from}; line <= ${to}; line += 1)
      window.parent.postMessage({ type: 'koda:console', level: 'info', text: '${what} ' + line }, '*')`);
  await button(page, /^Console/).click();
  const lines = page.getByRole('log', { name: 'Preview messages' });
  // In parts, because the studio reads for a limited time per second, in which a slow machine does not read all of them.
  for (let to = linesAtOnce; to <= lineCount; to += linesAtOnce) {
    await say('line', { from: to - linesAtOnce + 1, to });
    await expect(lines.getByText(`line ${to}`, { exact: true })).toBeVisible();
    await page.waitForTimeout(1000);
  }
  expect(await lines.locator('[data-index]').count()).toBeLessThan(80);
  await lines.press('Home');
  await expect(lines.getByText('line 1', { exact: true })).toBeVisible();
  await expectResponsive(page);

  await lines.press('End');
  await say('flood', { from: 1, to: 10_000 });
  // The lines that follow a report push it out of sight.
  await page
    .getByRole('radiogroup', { name: 'Shown messages' })
    .getByRole('radio', { name: /^Warnings/ })
    .click();
  await expect(lines.getByText(/^At least [\d,]+ more lines were left out here/).last()).toBeVisible();
  await expectResponsive(page);
});
