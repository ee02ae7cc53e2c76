import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { PNG } from 'pngjs';
import { z } from 'zod';
import type { ProjectSnapshot } from '#contract/api.ts';
import { renderSchema } from '#contract/render.ts';
import { outlineIn } from '../fixtures/plans.ts';
import { cubeProject } from './cube-project.ts';
import { button, film, openLive, startMs } from './live-preview.ts';
import { finishedFilm, readSnapshot, studioUrl } from './studio.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const deskSize = { width: 1024, height: 640 };

const slider = (page: Page) => page.getByRole('slider', { name: 'Time' });

/** Returns the playhead's time in seconds. */
async function seconds(page: Page): Promise<number> {
  return Number(await slider(page).getAttribute('aria-valuenow'));
}

/**
 * Pauses the film at its start or end. Uses keys, because a click waits for the page's next frames, which take long while a film
 * plays without a graphics card.
 */
async function stillAt(page: Page, key: 'Home' | 'End'): Promise<void> {
  if (await button(page, 'Pause').isVisible()) await slider(page).press('Space');
  await expect(button(page, 'Play')).toBeVisible();
  await slider(page).press(key);
}

/** Opens a small page that keeps the film paused until a test plays it, and records the film's errors in `filmErrors`. */
async function calmPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce', viewport: deskSize })).newPage();
  await page.addInitScript(`if (window.parent === window) {
    window.filmErrors = [];
    addEventListener('message', ({ data }) => {
      if (data.type === 'koda:error') window.filmErrors.push(data.message);
      if (data.type === 'koda:console' && data.level === 'error') window.filmErrors.push(data.text);
    });
  }`);
  return page;
}

test.describe
  .serial('the live preview', () => {
    let page: Page;
    let projectId: string;
    let snapshot: ProjectSnapshot;

    test.beforeAll(async ({ browser }) => {
      projectId = await finishedFilm();
      snapshot = await readSnapshot(projectId);
      // All tests share one page, because a film takes seconds to start. It is small and paused, because rendering without a
      // graphics card is slow.
      page = await calmPage(browser);
      await openLive(page, projectId);
    });
    test.afterAll(async () => page.context().close());

    test('A15: plays, steps and loops by keys', async () => {
      await page.getByRole('tab', { name: 'Live' }).click();
      await page.keyboard.press('Space');
      await expect(button(page, 'Pause')).toBeVisible();
      await page.keyboard.press('Space');
      await expect(button(page, 'Play')).toBeVisible();
      await button(page, 'Previous scene').focus();
      await page.keyboard.press('Home');
      await expect(slider(page)).toHaveAttribute('aria-valuetext', /^00:00:00 of/);
      await page.keyboard.press('.');
      await page.keyboard.press('ArrowRight');
      await expect(slider(page)).toHaveAttribute('aria-valuetext', /^00:00:02 of/);
      await page.keyboard.press('Shift+ArrowRight');
      await expect(slider(page)).toHaveAttribute('aria-valuetext', /^00:00:12 of/);
      await page.keyboard.press(',');
      await expect(slider(page)).toHaveAttribute('aria-valuetext', /^00:00:11 of/);

      // The film plays once, from a second before its end, and stops on the last frame.
      const { durationSeconds } = outlineIn(snapshot.plan);
      await page.keyboard.press('l');
      await expect(button(page, 'Loop')).toHaveAttribute('aria-pressed', 'false');
      await page.keyboard.press('End');
      for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Shift+ArrowLeft');
      const before = await seconds(page);
      expect(before).toBeLessThan(durationSeconds - 0.3);
      await button(page, 'Play').click();
      await expect.poll(() => seconds(page)).toBeGreaterThan(durationSeconds - 0.1);
      await expect(button(page, 'Play')).toBeVisible();
      // At its end, the film restarts.
      await button(page, 'Play').click();
      await expect.poll(() => seconds(page)).toBeLessThan(durationSeconds - 0.5);
      await stillAt(page, 'Home');
      await page.keyboard.press('l');
      await expect(button(page, 'Loop')).toHaveAttribute('aria-pressed', 'true');
    });

    test('A15: plays one scene at another speed', async () => {
      const scene = outlineIn(snapshot.plan).scenes.at(-1);
      if (!scene) throw new Error('The film has no scenes.');
      await button(page, /^Range to play/).click();
      await page.getByRole('menuitemradio', { name: `${scene.number}. ` }).click();
      await button(page, /^Speed/).click();
      await page.getByRole('menuitemradio', { name: '2×' }).click();
      await expect(button(page, 'Speed: 2×')).toBeVisible();
      await stillAt(page, 'Home');
      await button(page, 'Play').click();
      await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(scene.startSeconds);
      const seen = await playheads(page);
      await stillAt(page, 'Home');
      for (const moment of seen) {
        expect(moment).toBeGreaterThanOrEqual(scene.startSeconds - 0.1);
        expect(moment).toBeLessThanOrEqual(scene.startSeconds + scene.durationSeconds + 0.1);
      }
      await button(page, /^Range to play/).click();
      await page.getByRole('menuitemradio', { name: 'Whole film' }).click();
      await button(page, /^Speed/).click();
      await page.getByRole('menuitemradio', { name: '1×' }).click();
    });

    test('A15: shows guides, frames and backgrounds, and remembers them', async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await stillAt(page, 'Home');
      await button(page, 'View').click();
      await page.getByRole('menuitemcheckbox', { name: 'Safe areas' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Rule of thirds' }).click();
      await page.getByRole('menuitemradio', { name: 'Cropped to 9:16' }).click();
      await button(page, 'View').click();
      await page.getByRole('menuitemradio', { name: 'Checkerboard' }).click();
      await expect(() => expect(film(page).url()).toContain('transparent')).toPass();
      await page.reload();
      // Guides are shown with the film, which takes a while on a busy machine.
      await expect(button(page, 'Play')).toBeEnabled({ timeout: startMs });
      for (const guide of ['safe', 'thirds', 'crop']) await expect(page.locator(`[data-guide="${guide}"]`)).toBeVisible();
      expect(film(page).url()).toContain('transparent');
      await button(page, 'View').click();
      await page.getByRole('menuitemradio', { name: 'On a phone' }).click();
      await expect(page.locator('[data-guide="phone"]')).toBeVisible();
      await expect(page.locator('[data-guide="crop"]')).toBeHidden();
      await button(page, 'View').click();
      await page.getByRole('menuitemradio', { name: 'Plain' }).click();
      await slider(page).focus();
      await page.keyboard.press('s');
      await page.keyboard.press('g');
      await expect(page.locator('[data-guide]')).toHaveCount(0);

      await expect.poll(() => checkerColours(page), { timeout: startMs }).toEqual(['200,200,200', '255,255,255']);
      await slider(page).press('b');
      await expect.poll(() => checkerColours(page), { timeout: startMs }).toEqual(['0,0,0']);
    });

    test('A17: compares the film with a finished video at the same time', async () => {
      await stillAt(page, 'Home');
      await page.keyboard.press('c');
      const bar = page.getByRole('region', { name: 'Compare versions' });
      await expect(bar).toBeVisible();
      const video = page.locator('video[aria-label^="Version 1"]');
      await expect(video).toBeVisible();
      for (let steps = 0; steps < 3; steps += 1) await slider(page).press('Shift+ArrowRight');
      await button(page, 'One frame forward').click();
      const moment = await seconds(page);
      expect(moment).toBeGreaterThan(0);
      await expect.poll(async () => Math.abs((await timeOf(page)) - moment)).toBeLessThan(1 / 15);

      const edge = page.getByRole('slider', { name: 'Divider between the versions' });
      await edge.press('Home');
      await edge.press('Shift+ArrowRight');
      await expect(edge).toHaveAttribute('aria-valuenow', '10');
      const frame = await page.locator('[data-film]').boundingBox();
      const handle = await edge.boundingBox();
      if (!frame || !handle) throw new Error('There is nothing to wipe.');
      await page.mouse.move(handle.x + handle.width / 2, handle.y + 20);
      await page.mouse.down();
      await page.mouse.move(frame.x + frame.width * 0.7, handle.y + 40, { steps: 4 });
      await page.mouse.up();
      await expect(edge).toHaveAttribute('aria-valuenow', '70');

      await bar.getByRole('radio', { name: 'Side by side' }).click();
      await expect(edge).toBeHidden();
      const beside = await video.boundingBox();
      const live = await page.locator('[data-film]').boundingBox();
      const apart =
        (beside?.x ?? 0) + (beside?.width ?? 0) <= (live?.x ?? 0) || (beside?.y ?? 0) + (beside?.height ?? 0) <= (live?.y ?? 0);
      expect(apart).toBe(true);
      // With two videos, the page stays paused while the time advances.
      await button(page, 'After: Live page').click();
      await page
        .getByRole('menuitemradio', { name: /^Version 1/ })
        .first()
        .click();
      await button(page, 'Play').click();
      await expect.poll(async () => Math.abs((await timeOf(page)) - moment)).toBeGreaterThan(0.3);
      await page.keyboard.press('c');
      await expect(bar).toBeHidden();
    });

    test('A15: fills the screen with its controls, and Escape exits', async () => {
      const width = await widthOf(page);
      await slider(page).focus();
      await page.keyboard.press('f');
      await expect(button(page, 'Exit full screen')).toBeVisible();
      await expect.poll(() => widthOf(page)).toBeGreaterThan(width);
      await stillAt(page, 'Home');
      await page.keyboard.press('.');
      await expect(slider(page)).toHaveAttribute('aria-valuetext', /^00:00:01 of/);
      // Menus and toasts also appear above the page.
      await button(page, 'View').click();
      await expectOnTop(page.getByRole('menuitemcheckbox', { name: 'Safe areas' }));
      await button(page, 'View').click();
      await film(page).evaluate(`window.parent.postMessage({ type: 'koda:error', message: 'a fault' }, '*')`);
      await page.keyboard.press('k');
      // Lines are shown a few times a second, so one may arrive after the console was cleared.
      await expect(page.getByRole('log').getByText('a fault')).toBeVisible();
      await button(page, 'Copy messages shown').click();
      await expectOnTop(page.getByText(/^Messages copied|^The browser blocked/).first());
      await button(page, 'Clear console').click();
      await page.keyboard.press('k');
      await page.keyboard.press('Escape');
      await expect(button(page, 'Full screen')).toBeVisible();
      await expect.poll(() => page.evaluate('document.fullscreenElement')).toBeNull();
    });

    test('A16: saves the shown frame, also on a phone, where toasts cover no controls', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('radio', { name: 'Watch' }).click();
      await stillAt(page, 'Home');
      for (let frames = 0; frames < 3; frames += 1) await slider(page).press('ArrowRight');
      const asked = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/renders'));
      await button(page, 'Save this frame').click();
      await page.getByRole('menuitem', { name: 'JPEG' }).click();
      const { id, settings } = renderSchema.parse(await (await asked).json());
      const toast = page.getByText(/^Rendering frame 3/).first();
      await expectOnTop(toast);
      expect(settings).toMatchObject({ format: 'jpeg', range: { fromFrame: (3 / outlineIn(snapshot.plan).fps) * settings.fps } });
      const news = await toast.boundingBox();
      expect((news?.y ?? 0) + (news?.height ?? 0)).toBeLessThan((await slider(page).boundingBox())?.y ?? 0);
      // The render is cancelled and deleted, because other specs count renders.
      await expect.poll(async () => (await fetch(studioUrl(`/api/renders/${id}`), { method: 'DELETE' })).status).toBe(404);
      await page.setViewportSize(deskSize);
    });

    test('A15: shows page messages in the console and renders only visible lines', async () => {
      await film(page).evaluate(`for (let line = 1; line <= 150; line += 1) {
        window.parent.postMessage({ type: 'koda:error', message: 'fault ' + line + ' <b>bold</b>' }, '*');
      }`);
      await page.getByRole('button', { name: /fault 150/ }).click();
      const log = page.getByRole('log', { name: 'Preview messages' });
      await expect(log.getByText('fault 150 <b>bold</b>')).toBeVisible();
      await expect(log.locator('[data-index]').filter({ hasText: 'fault' })).not.toHaveCount(150);
      expect(await log.locator('[data-index]').count()).toBeLessThan(60);
      expect((await filmErrors(page)).filter((text) => !/^(a fault|fault \d+ <b>bold<\/b>)$/.test(text))).toEqual([]);
      await expect(page.getByRole('radio', { name: 'Errors 150' })).toBeVisible();
      await page.getByRole('radio', { name: /^Warnings/ }).click();
      await expect(log.getByText('fault')).toHaveCount(0);
      await button(page, 'Clear console').click();
      await expect(page.getByText('No messages yet.')).toBeVisible();
    });
  });

test('A15: redraws a static 3D film after the browser lost its WebGL context', async ({ browser }) => {
  const projectId = await cubeProject();
  const page = await calmPage(browser);
  await openLive(page, projectId);
  await stillAt(page, 'Home');
  await slider(page).press('Shift+ArrowRight');
  const moment = await seconds(page);
  const edge = () => checkerColours(page);
  const empty = ['23,24,27'];
  await expect.poll(edge, { timeout: startMs }).not.toEqual(empty);
  const drawn = await edge();
  await film(
    page,
  ).evaluate(`window.graphics = document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.graphics.loseContext();`);
  await expect.poll(edge).toEqual(empty);
  await film(page).evaluate('window.graphics.restoreContext()');
  await expect.poll(edge, { timeout: startMs }).toEqual(drawn);
  expect(await seconds(page)).toBe(moment);
  expect(await filmErrors(page)).toEqual([]);
  await page.context().close();
  await fetch(studioUrl(`/api/projects/${projectId}?now=true`), { method: 'DELETE' });
});

/** Returns the playhead's positions until playback has restarted and several have been seen. */
async function playheads(page: Page): Promise<number[]> {
  const seen = await page.evaluate(`new Promise((resolve) => {
    const seen = [];
    const timer = setInterval(() => {
      const moment = Number(document.querySelector('[role="slider"][aria-label="Time"]').getAttribute('aria-valuenow'));
      const again = moment < seen.at(-1);
      seen.push(moment);
      if (again && new Set(seen).size > 3) resolve((clearInterval(timer), seen));
    }, 50);
  })`);
  return z.array(z.number()).parse(seen);
}

async function filmErrors(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate('window.filmErrors'));
}

async function widthOf(page: Page): Promise<number> {
  return (await page.locator('[data-film]').boundingBox())?.width ?? 0;
}

/** Expects that nothing covers the element, even in full screen. */
async function expectOnTop(element: Locator): Promise<void> {
  await expect(element).toBeVisible();
  const isOnTop = () =>
    element.evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return one.contains(one.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
    });
  await expect.poll(isOnTop).toBe(true);
}

/** Returns the time of the earlier version's video, in seconds. */
async function timeOf(page: Page): Promise<number> {
  return Number(await page.evaluate(`document.querySelector('video[aria-label^="Version 1"]').currentTime`));
}

/** Returns the distinct colours at the film's upper edge, which the film leaves empty, in order. */
async function checkerColours(page: Page): Promise<string[]> {
  const png = PNG.sync.read(await page.locator('[data-film]').screenshot());
  const colours = new Set<string>();
  for (let x = 6; x < 200; x += 12) {
    const at = 4 * (6 * png.width + x);
    colours.add([...png.data.subarray(at, at + 3)].join(','));
  }
  return [...colours].sort();
}
