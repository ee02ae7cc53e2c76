import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { newId } from '#contract/ids.ts';
import { projectSchema } from '#contract/project.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { outlineIn } from '../fixtures/plans.ts';
import { blueShare, probe } from './film.ts';
import { post, projectIdOf, snapshotOf, studioUrl } from './studio.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Time limit for building a short film on a small machine. */
const makingMs = 600_000;
const deskSize = { width: 1440, height: 900 };

/** Returns the types of a project's events so far. */
async function eventTypes(page: Page): Promise<string[]> {
  const { seq } = await snapshotOf(page);
  const answer = await fetch(studioUrl(`/api/projects/${projectIdOf(page)}/events?after=0`), {
    signal: AbortSignal.timeout(120_000),
  });
  const types: string[] = [];
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    types.push(...blocks.map((block) => /^event: (.+)$/m.exec(block)?.[1] ?? '').filter(Boolean));
    if (types.length >= seq) break;
  }
  return types;
}

const livePlayerSchema = z.object({
  renderId: z.string(),
  /** The latest time shown while the video was still rendering, in seconds. */
  seconds: z.number(),
  box: z.string(),
  /** The finished video that replaced it, and its time; `null` until there is one. */
  heir: z.object({ box: z.string(), seconds: z.number(), durationSeconds: z.number() }).nullable(),
});

/**
 * Records what the players of running previews do, because previews may be short. The code is a string, because the page has
 * other types than the test.
 */
const noteLivePlayers = pageCode('note-live-players.js');

async function livePlayers(page: Page) {
  return z.array(livePlayerSchema).parse(await page.evaluate('window.livePlayers'));
}

test.describe
  .serial('from a sentence to a film', () => {
    let page: Page;
    const faults: string[] = [];

    test.beforeAll(async ({ browser }) => {
      // The context is explicit, so that it can open a second tab.
      page = await (await browser.newContext()).newPage();
      page.on('pageerror', (error) => faults.push(error.message));
    });
    test.afterAll(async () => {
      await page.context().close();
    });

    test('A1 A2: a prompt without a style leads to one question, and its answer to a plan', async () => {
      // Another program than the page, which shows the film that it creates, and asks nothing.
      const { id } = projectSchema.parse(await post('/api/projects', { prompt: 'Hello there', durationSeconds: 8 }));
      await page.goto(studioUrl(`/p/${id}`));

      const question = page.getByRole('region', { name: 'A question before I plan' });
      await expect(question).toBeVisible();
      await question.getByRole('button', { name: /playful/i }).click();

      await expect(page.getByRole('region', { name: /^The plan is ready/ })).toBeVisible();
      expect((await eventTypes(page)).filter((type) => type === 'question.asked')).toHaveLength(1);
    });

    test('A4 A5: shows the plan as a storyboard and builds nothing before it is accepted', async () => {
      const { plan } = await snapshotOf(page);
      const { scenes, durationSeconds } = outlineIn(plan);
      expect(scenes.length).toBeGreaterThan(0);
      const stage = page.getByRole('region', { name: 'Panes' });
      for (const scene of scenes)
        await expect(stage.getByRole('heading', { level: 3, name: scene.title, exact: true })).toBeVisible();

      const blocks = stage.getByRole('list', { name: 'Scenes on the timeline' }).getByRole('listitem');
      await expect(blocks).toHaveCount(scenes.length);
      const ruler = await stage.getByRole('list', { name: 'Scenes on the timeline' }).boundingBox();
      for (const [index, scene] of scenes.entries()) {
        const block = await blocks.nth(index).boundingBox();
        const share = (block?.width ?? 0) / (ruler?.width ?? 1);
        expect(Math.abs(share - scene.durationSeconds / durationSeconds)).toBeLessThan(0.02);
      }
      expect(await eventTypes(page)).not.toContain('code.chunk');
    });

    test('A5 A6 A7: after approval, code streams in and todos are completed', async () => {
      await page.getByRole('button', { name: 'Accept plan' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'Build' })).toHaveAttribute('aria-current', 'step');
      await page.getByRole('tab', { name: 'Code' }).click();
      // The view follows the file being written.
      await expect(page.getByRole('region', { name: 'Code', exact: true })).toContainText(/import|export|const|return/, {
        timeout: makingMs,
      });
      await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible();

      // This preview cannot be played while it renders. Its progress is shown instead of a broken player.
      await page.evaluate(noteLivePlayers);
      await page.route('**/live.mp4', (route) => route.abort());
      await page.getByRole('tab', { name: 'Renders' }).click();
      await expect(page.getByRole('progressbar', { name: 'Rendering the preview…' })).toBeVisible({ timeout: makingMs });

      await expect(page.getByRole('button', { name: 'Accept preview' })).toBeVisible({ timeout: makingMs });
      expect(await livePlayers(page)).toEqual([]);
      await page.unroute('**/live.mp4');
      const types = await eventTypes(page);
      expect(types.filter((type) => type === 'code.chunk').length).toBeGreaterThan(3);
      expect(types).toContain('preview.ready');
      const { todos } = await snapshotOf(page);
      expect(todos.map((todo) => todo.status)).toEqual(todos.map(() => 'done'));
    });

    test('A15: plays the live preview and scrubs it by frames', async () => {
      // The page is small, because rendering a playing film without a graphics card is slow.
      await page.setViewportSize({ width: 1024, height: 640 });
      await page.getByRole('tab', { name: 'Live' }).click();
      const film = page.frameLocator('iframe[title="Live preview of the film"]');
      await expect(film.locator('canvas, svg, #root > *').first()).toBeVisible();
      const time = page.getByRole('slider', { name: 'Time' });
      await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeEnabled();
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();

      await time.press('Home');
      await expect(time).toHaveAttribute('aria-valuetext', /^00:00:00 of 00:08:00$/);
      for (let frame = 0; frame < 3; frame += 1) await page.getByRole('button', { name: 'One frame forward' }).click();
      await expect(time).toHaveAttribute('aria-valuetext', /^00:00:03 of/);
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await expect(time).not.toHaveAttribute('aria-valuetext', /^00:00:0/);
      await page.setViewportSize(deskSize);
    });

    test('A9: feedback changes what was requested, and a new preview follows', async () => {
      const before = (await snapshotOf(page)).renders[0];
      expect(before?.status).toBe('complete');
      const first = await blueShare(studioUrl(before?.videoUrl ?? ''));

      await page.getByRole('button', { name: 'Watch preview' }).click();
      await page.getByRole('button', { name: 'Give feedback' }).click();
      await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
      await page.keyboard.type('Make the text blue');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: 'Accept preview' })).toBeHidden();
      await expect(page.getByRole('button', { name: 'Accept preview' })).toBeVisible({ timeout: makingMs });

      const { renders, messages } = await snapshotOf(page);
      const previews = renders.filter((render) => render.settings.kind === 'preview' && render.status === 'complete');
      expect(previews.length).toBe(2);
      const newest = previews.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)).at(-1);
      const second = await blueShare(studioUrl(newest?.videoUrl ?? ''));
      expect(second).toBeGreaterThan(first + 0.002);
      expect(messages.findLastIndex((message) => message.role === 'assistant')).toBeGreaterThan(
        messages.findLastIndex((message) => message.content === 'Make the text blue'),
      );
    });

    test('A18: the preview played while rendering, and the finished video continued at the same time', async () => {
      const [newest] = (await snapshotOf(page)).renders.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
      await expect.poll(async () => (await livePlayers(page)).at(-1)?.heir ?? null).not.toBeNull();
      const players = await livePlayers(page);
      expect(players.map(({ renderId }) => renderId)).toEqual([newest?.id]);
      const [player] = players;
      expect(player?.seconds).toBeGreaterThan(0);
      expect(player?.heir?.box).toBe(player?.box);
      const { seconds = 0, durationSeconds = 0 } = player?.heir ?? {};
      // The video is playing, so it may be slightly ahead, and at its end it restarts.
      const ahead = (seconds - (player?.seconds ?? 0) + durationSeconds) % durationSeconds;
      expect(Math.min(ahead, durationSeconds - ahead)).toBeLessThan(1);
    });

    test('A17: plays the preview video in the page', async () => {
      await expect(page.getByRole('tab', { name: 'Renders' })).toHaveAttribute('aria-selected', 'true');
      const video = page.getByLabel(/^Video player: Preview 640×360/);
      await expect
        .poll(() => video.evaluate((element) => (element as unknown as { readyState: number }).readyState))
        .toBeGreaterThanOrEqual(2);
    });

    test('A17 A18: accepts the preview, renders with progress, and downloads the file as described', async () => {
      await page.getByRole('button', { name: 'Accept preview' }).click();
      await expect(page.getByRole('region', { name: 'Finished' })).toBeVisible();
      await page.getByRole('button', { name: 'Render final video' }).click();
      const dialog = page.getByRole('dialog', { name: 'Render the final video' });
      await dialog.getByText('720p', { exact: true }).click();
      await dialog.getByText('30', { exact: true }).click();
      await dialog.getByRole('button', { name: 'Start render' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('progressbar', { name: 'Render progress' })).toBeVisible();

      const link = page.getByRole('link', { name: /^Download Final 1280×720, 30 fps, mp4/ });
      await expect(link).toBeVisible({ timeout: makingMs });
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(download.suggestedFilename()).toMatch(/\.mp4$/);
      const film = await probe(await download.path());
      expect(film).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', width: 1280, height: 720, avg_frame_rate: '30/1' });
      const planned = outlineIn((await snapshotOf(page)).plan).durationSeconds;
      expect(Math.abs(film.nb_read_frames - planned * 30)).toBeLessThanOrEqual(1);
      expect(Math.abs(film.durationSeconds - planned)).toBeLessThanOrEqual(1 / 30 + 0.001);
    });

    test('A20: a new tab at the same address shows the same project', async () => {
      const other = await page.context().newPage();
      await other.goto(page.url());
      await expect(other.getByRole('region', { name: 'Finished' })).toBeVisible();
      await expect(other.getByRole('link', { name: /^Download Final 1280×720/ })).toBeVisible();
      await other.setViewportSize({ width: 390, height: 844 });
      await expect
        .poll(() => other.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
        .toBe(0);
      await other.goto(studioUrl());
      await expect(other.getByRole('link', { name: /^Hello there/ })).toBeVisible();
      await other.close();
    });

    test('A15: the page throws no errors', () => {
      expect(faults).toEqual([]);
    });
  });

test.describe('errors say what failed and what to do', () => {
  test('G9: for a missing project', async ({ page }) => {
    await page.goto(studioUrl(`/p/${newId('prj')}`));
    await expect(page.getByRole('alert')).toContainText('It may have been deleted, or the address is incomplete.');
    await page.getByRole('button', { name: 'Back to all projects' }).click();
    await expect(page.getByRole('heading', { name: 'What should move?' })).toBeVisible();
  });

  test('A25 G9: for a rejected upload, which keeps the prompt and can be skipped', async ({ page }) => {
    await page.goto(studioUrl());
    const prompt = page.getByRole('textbox', { name: 'Describe your film' });
    await prompt.fill('Slow blue waves, smooth, 5 seconds');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach images, audio or fonts' }).click();
    await (await chooser).setFiles({
      name: 'setup.png',
      mimeType: 'image/png',
      buffer: Buffer.from('MZ this is no picture at all'),
    });
    const [refusal] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/assets') && response.request().method() === 'POST'),
      page.getByRole('button', { name: 'Create' }).click(),
    ]);
    const { error } = (await refusal.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('UNSUPPORTED_TYPE');
    await expect(page.getByRole('alert')).toContainText(error.message);
    await expect(prompt).toHaveValue('Slow blue waves, smooth, 5 seconds');

    await page.getByRole('button', { name: 'Remove setup.png' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('region', { name: /^The plan is ready/ })).toBeVisible();
  });
});
