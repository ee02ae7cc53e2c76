import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { PNG } from 'pngjs';
import type { Render } from '#contract/render.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { probe } from './film.ts';
import { finishedFilm, post, readSnapshot, studioUrl, untilStill } from './studio.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const renderingMs = 600_000;

/** Presses Tab until an element inside the locator has the focus. */
async function tabInto(page: Page, place: Locator): Promise<void> {
  const isInside = () => place.evaluate((element) => element.matches(':focus-within'));
  for (let presses = 0; !(await isInside()); presses += 1) {
    expect(presses, 'the keyboard does not get there').toBeLessThan(25);
    await page.keyboard.press('Tab');
  }
}

/** Selects an option in a group using Tab, the arrow keys and Space. */
async function pickByKeyboard(page: Page, group: Locator, name: string): Promise<void> {
  await tabInto(page, group);
  const options = group.getByRole('radio');
  const names = await options.evaluateAll((elements) => elements.map((one) => one.getAttribute('aria-label') ?? one.textContent));
  const focused = () => options.evaluateAll((elements) => elements.findIndex((one) => one.matches(':focus')));
  const [from, to] = [await focused(), names.indexOf(name)];
  for (let at = from; at !== to; at += Math.sign(to - from)) {
    await page.keyboard.press(to > from ? 'ArrowRight' : 'ArrowLeft');
    // The focus follows the key with a delay.
    await expect.poll(focused).toBe(at + Math.sign(to - from));
  }
  await page.keyboard.press('Space');
  await expect(options.nth(to)).toBeChecked();
}

async function seriousFindings(page: Page, selector: string): Promise<string[]> {
  await untilStill(page);
  const { violations } = await new AxeBuilder({ page }).include(selector).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/**
 * Records notifications in `window.told`, because a headless browser shows none. `window.asked` records for each permission
 * request whether the user had clicked. The page considers itself hidden while `window.away` is true.
 */
const keepNotifications = pageCode('keep-notifications.js');

test.describe
  .serial('renders', () => {
    let page: Page;
    let projectId: string;
    let before: readonly Render[];
    const faults: string[] = [];
    const rendersNow = async () => (await readSnapshot(projectId)).renders;
    const dialog = () => page.getByRole('dialog', { name: 'Render the final video' });
    /** Long enough to ask for a notification before it is finished. */
    const name = 'Final 1280×720, 24 fps, mp4, frames 0–95';
    const list = () => page.getByRole('region', { name: 'Renders' });
    const row = (label: RegExp) => list().getByRole('listitem').filter({ hasText: label });

    const part = () => row(new RegExp(name));

    test.beforeAll(async ({ browser }) => {
      projectId = await finishedFilm();
      before = await rendersNow();
      page = await (await browser.newContext()).newPage();
      page.on('pageerror', (error) => faults.push(error.message));
      await page.addInitScript(keepNotifications);
      await page.goto(studioUrl(`/p/${projectId}?tab=video`));
    });
    test.afterAll(async () => {
      await page.context().close();
      const known = new Set(before.map(({ id }) => id));
      for (const { id } of await rendersNow())
        if (!known.has(id)) await fetch(studioUrl(`/api/renders/${id}`), { method: 'DELETE' });
    });

    test('A17: the dialog works by keyboard and shows an estimate', async () => {
      await page.getByRole('button', { name: 'New render' }).focus();
      await page.keyboard.press('Enter');
      await expect(dialog()).toBeVisible();
      await pickByKeyboard(page, dialog().getByRole('radiogroup', { name: 'Made for' }), 'Reels');
      // The chosen platform determines these settings.
      await expect(dialog().getByRole('radiogroup', { name: 'Resolution' })).toBeHidden();
      await pickByKeyboard(page, dialog().getByRole('radiogroup', { name: 'Made for' }), 'Anywhere');
      await pickByKeyboard(page, dialog().getByRole('radiogroup', { name: 'Resolution' }), '720p');
      await pickByKeyboard(page, dialog().getByRole('radiogroup', { name: 'Frames per second' }), '24');
      const cost = dialog().getByRole('region', { name: 'Render estimate' });
      await expect(cost).toContainText(/ on this machine .* 120 frames/);
      await pickByKeyboard(page, dialog().getByRole('radiogroup', { name: 'Range' }), 'From – to');
      const to = dialog().getByRole('textbox', { name: 'to second' });
      await tabInto(page, to);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('9');
      // The server reports the problem before anything is started.
      await expect(dialog().getByRole('alert')).toContainText('is not valid');
      await expect(dialog().getByRole('button', { name: 'Start render' })).toBeDisabled();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('4');
      await expect(cost).toContainText('96 frames');
      expect(await seriousFindings(page, '[role="dialog"]')).toEqual([]);
      await tabInto(page, dialog().getByRole('button', { name: 'Start render' }));
      await page.keyboard.press('Enter');
      await expect(dialog()).toBeHidden();
    });

    test('A17 A18: renders a range with progress, reports its end, and saves the file as described', async () => {
      await expect(part().getByRole('progressbar', { name: 'Render progress' })).toBeVisible();
      // A hidden page also shows a system notification. The permission for it requires a click.
      expect(await page.evaluate('asked')).toEqual([]);
      await page.getByRole('button', { name: 'Notify me when it’s done' }).click();
      await expect.poll(() => page.evaluate('asked')).toEqual([true]);
      await page.evaluate('void (away = true)');
      const link = part().getByRole('link', { name: 'Download' });
      await expect(link).toBeVisible({ timeout: renderingMs });
      await expect(page.getByText(`${name} is finished.`).first()).toBeVisible();
      const { id: tag } = (await rendersNow()).find(({ id }) => !before.some((known) => known.id === id)) ?? {};
      const title = (await readSnapshot(projectId)).project.name;
      await expect.poll(() => page.evaluate('told')).toEqual([{ title, body: `${name} is finished.`, tag }]);
      await page.evaluate('void (away = false)');
      await page.evaluate('told[0].click()');
      await expect(page.getByLabel(/^Video player: Final 1280×720/)).toBeVisible();

      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(download.suggestedFilename()).toContain('frames 0-95 1280x720 24fps.mp4');
      const film = await probe(await download.path());
      expect(film).toMatchObject({ codec_name: 'h264', width: 1280, height: 720, avg_frame_rate: '24/1' });
      expect(film.nb_read_frames).toBe(96);

      await part()
        .getByRole('button', { name: /^Settings for/ })
        .click();
      await expect(part()).toContainText('h264, yuv420p');
      expect(await seriousFindings(page, 'section[aria-label="Renders"]')).toEqual([]);
    });

    test('A17: the player steps by frames and saves the shown frame as an image', async () => {
      await part().getByRole('button', { name: /^Play/ }).click();
      const video = page.getByLabel(/^Video player: Final 1280×720/);
      const moment = () => video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime);
      await expect(page.getByRole('button', { name: 'One frame forward' })).toBeVisible();
      await page.getByRole('button', { name: 'One frame forward' }).click();
      await expect(video).toHaveJSProperty('paused', true);
      const from = Math.floor((await moment()) * 24);
      await page.keyboard.press('ArrowLeft');
      if (from === 0) await page.keyboard.press('ArrowRight');
      const step = from === 0 ? 1 : from - 1;
      await expect.poll(async () => Math.floor((await moment()) * 24)).toBe(step);

      await page.keyboard.press('f');
      await expect.poll(() => page.evaluate('document.fullscreenElement?.localName')).toBe('media-controller');
      await page.getByRole('button', { name: 'One frame forward' }).click();
      await expect.poll(async () => Math.floor((await moment()) * 24)).toBe(step + 1);
      await page.keyboard.press('ArrowLeft');
      await expect.poll(async () => Math.floor((await moment()) * 24)).toBe(step);
      await page.keyboard.press('f');
      await expect.poll(() => page.evaluate('document.fullscreenElement')).toBeNull();

      await page.getByRole('button', { name: 'Save this frame' }).click();
      const saved = page.waitForEvent('download', { timeout: renderingMs });
      await page.getByRole('menuitem', { name: 'PNG', exact: true }).click();
      const path = await (await saved).path();
      const { width, height } = PNG.sync.read(await readFile(path));
      expect([width, height]).toEqual([1920, 1080]);
      const still = (await rendersNow()).find(({ settings }) => settings.format === 'png');
      expect(still?.settings.range).toMatchObject({
        fromFrame: Math.round((step / 24) * (still?.settings.fps ?? 0)),
      });
    });

    test('A24: restores a deleted render by undo, and deletes it when the page is left', async () => {
      const label = /^Frame \d+, 1920×1080, png/;
      const remove = page.getByRole('button', { name: /^Delete Frame/ });
      const count = (await rendersNow()).length;
      await remove.click();
      await expect(row(/Frame \d+, 1920×1080, png/)).toBeHidden();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByText(label).first()).toBeVisible();
      expect((await rendersNow()).length).toBe(count);
      await remove.click();
      await expect(row(/Frame \d+, 1920×1080, png/)).toBeHidden();
      await page.reload();
      await expect.poll(async () => (await rendersNow()).length).toBe(count - 1);
      await expect(part()).toBeVisible();
      await expect(row(/Frame \d+, 1920×1080, png/)).toBeHidden();
    });

    test('A18: cancels a running render and requests it again', async () => {
      // The video is large, so that it can be cancelled before it is finished.
      await post(`/api/projects/${projectId}/renders`, { resolution: '4k', fps: 30 });
      await page.getByRole('button', { name: 'Cancel Final 3840×2160, 30 fps, mp4' }).click();
      await expect(row(/3840×2160.*Cancelled/)).toBeVisible();
      await row(/3840×2160.*Cancelled/)
        .getByRole('button', { name: /^Render again/ })
        .click();
      await page.getByRole('button', { name: 'Cancel Final 3840×2160, 30 fps, mp4' }).click();
      await expect(row(/3840×2160.*Cancelled/)).toHaveCount(2);
      const large = (await rendersNow()).filter(({ settings, status }) => settings.width === 3840 && status !== 'failed');
      expect(large.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
      expect(faults).toEqual([]);
    });
  });
