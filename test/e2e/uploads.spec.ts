import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type Page, test } from '@playwright/test';
import { renderSchema } from '#contract/render.ts';
import { filmIn, outlineIn } from '../fixtures/plans.ts';
import { type Colour, dropOn, picture, shareOf, tone } from './files.ts';
import { studioInput } from './film.ts';
import { button, openLive } from './live-preview.ts';
import { post, projectIdOf, readSnapshot, snapshotOf, studioUrl } from './studio.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const run = promisify(execFile);

const makingMs = 600_000;

interface Span {
  readonly startSeconds: number;
  readonly durationSeconds: number;
}

/** Colours that are not in Koda's palettes. */
const magenta: Colour = [255, 0, 200];
const lime: Colour = [120, 255, 0];
/** Minimum fraction of the colour in a frame that shows the image, and maximum fraction in one that does not. */
const clearly = 0.01;
const hardly = 0.0005;

/** Returns a video's loudness in dB below full scale, or `null` if it has no audio. */
async function loudness(url: string): Promise<number | null> {
  const { stderr } = await run('ffmpeg', [
    '-hide_banner',
    '-nostats',
    ...studioInput(url),
    '-af',
    'volumedetect',
    '-vn',
    '-f',
    'null',
    '-',
  ]);
  const found = /mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1];
  return found === undefined ? null : Number(found);
}

async function newestPreview(page: Page) {
  const { renders } = await snapshotOf(page);
  return renders
    .filter(({ settings, status }) => settings.kind === 'preview' && status === 'complete')
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
}

const middleOf = ({ startSeconds, durationSeconds }: Span): number => startSeconds + durationSeconds / 2;

/** Renders an image of the film at one timestamp. */
async function still(page: Page, atSeconds: number): Promise<Buffer> {
  const request = { kind: 'final', format: 'png', resolution: '720p', atSeconds };
  const { id } = renderSchema.parse(await post(`/api/projects/${projectIdOf(page)}/renders`, request));
  const made = async () => (await snapshotOf(page)).renders.find((render) => render.id === id);
  await expect.poll(async () => (await made())?.status, { timeout: makingMs }).toBe('complete');
  const answer = await fetch(studioUrl((await made())?.videoUrl ?? ''));
  return Buffer.from(await answer.arrayBuffer());
}

/** Seeks the live preview to the middle of a scene, where its contents are visible. */
async function standIn(page: Page, scene: Span): Promise<void> {
  const pause = button(page, 'Pause');
  if (await pause.isVisible()) await pause.click();
  const time = page.getByRole('slider', { name: 'Time' });
  await time.press('Home');
  const middle = middleOf(scene);
  const at = async () => Number(await time.getAttribute('aria-valuenow'));
  for (let steps = 0; steps < 300 && (await at()) < middle - 0.1; steps += 1) await time.press('Shift+ArrowRight');
  expect(Math.abs((await at()) - middle)).toBeLessThan(scene.durationSeconds / 4);
}

const stage = (page: Page) => page.locator('iframe[title="Live preview of the film"]');

test.describe
  .serial('uploads in a film', () => {
    let page: Page;
    const faults: string[] = [];

    test.beforeAll(async ({ browser }) => {
      // The film is paused, because a film that has just started to play would leave the requested time.
      page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
      page.on('pageerror', (error) => faults.push(error.message));
    });
    test.afterAll(async () => {
      const id = projectIdOf(page);
      await page.context().close();
      await fetch(studioUrl(`/api/projects/${id}?now=true`), { method: 'DELETE' });
    });

    test('A25: sends a dropped logo and a selected audio file with the request, and the plan uses them', async () => {
      await page.goto(studioUrl());
      await dropOn(page.getByRole('heading', { name: 'What should move?' }), picture('acme.png', magenta), () =>
        expect(page.getByText('Drop images, audio or fonts anywhere')).toBeVisible(),
      );
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        button(page, 'Attach images, audio or fonts').click(),
      ]);
      await chooser.setFiles([tone('tone.wav', { seconds: 4 })]);
      await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(2);
      await page
        .getByRole('textbox', { name: 'Describe your film' })
        .fill('smooth, 4 seconds\n\nLogo: Acme\n\nPacking list:\n- Torch\n- Bear');
      await button(page, 'Create').click();
      await expect(page).toHaveURL(/\/p\/prj_/);
      await expect(button(page, 'Accept plan')).toBeVisible();
      const { plan, assets } = await snapshotOf(page);
      expect(assets.map(({ name }) => name).toSorted()).toEqual(['acme.png', 'tone.wav']);
      expect(plan?.sections).toHaveLength(2);
      expect(filmIn(plan).music).toMatch(/tone\.wav$/);
      expect(JSON.stringify(filmIn(plan).scenes[0])).toContain('acme.png');
    });

    test('A25 A15: the live preview shows the image, a still has its colour, and the video has audio', async () => {
      await button(page, 'Accept plan').click();
      await expect(button(page, 'Accept preview')).toBeVisible({ timeout: makingMs });
      const { plan } = await snapshotOf(page);
      const [first, last] = outlineIn(plan).scenes;
      if (!first || !last) throw new Error('The plan has not two scenes.');

      await openLive(page, projectIdOf(page));
      await standIn(page, first);
      await expect.poll(async () => shareOf(await stage(page).screenshot(), magenta)).toBeGreaterThan(clearly);
      expect(shareOf(await still(page, middleOf(first)), magenta)).toBeGreaterThan(clearly);
      await standIn(page, last);
      await expect.poll(async () => shareOf(await stage(page).screenshot(), magenta)).toBeLessThan(hardly);

      const preview = await newestPreview(page);
      expect(preview?.probe?.audio).not.toBeNull();
      // The tone has full volume for the length of the film, with a fade at the end.
      expect(await loudness(studioUrl(preview?.videoUrl ?? ''))).toBeGreaterThan(-30);
    });

    test('A25 A9: uses an image that is added later where the conversation requests it', async () => {
      await page.getByRole('tab', { name: 'Assets' }).click();
      const assets = page.getByRole('region', { name: 'Assets' });
      await dropOn(assets, picture('badge.png', lime));
      await button(page, 'Insert badge.png into the message').click();
      const message = page.getByRole('textbox', { name: 'Message' });
      await expect(message).toHaveValue('badge.png ');
      await message.fill('use badge.png in the first scene');
      await message.press('Enter');
      await expect(button(page, 'Accept preview')).toBeHidden();
      await expect(page.getByText('Scene 1 now shows badge.png.')).toBeVisible({ timeout: makingMs });
      await expect(button(page, 'Accept preview')).toBeVisible({ timeout: makingMs });

      const changed = outlineIn((await readSnapshot(projectIdOf(page))).plan).scenes.at(0);
      if (!changed) throw new Error('The plan has no scenes.');
      await openLive(page, projectIdOf(page));
      await standIn(page, changed);
      await expect.poll(async () => shareOf(await stage(page).screenshot(), lime)).toBeGreaterThan(clearly);
      const frame = await still(page, middleOf(changed));
      expect([shareOf(frame, lime) > clearly, shareOf(frame, magenta) < hardly]).toEqual([true, true]);
    });

    test('A25: plays audio from any position and requests only that part', async () => {
      await page.getByRole('tab', { name: 'Assets' }).click();
      const card = page.getByRole('region', { name: 'Assets' }).getByRole('listitem').filter({ hasText: 'tone.wav' });
      const parts: string[] = [];
      page.on('response', (response) => {
        if (/\/assets\/ast_/.test(response.url())) parts.push(`${response.status()} ${response.headers()['content-range']}`);
      });
      await card.getByRole('button', { name: 'Play tone.wav' }).click();
      const position = card.getByRole('slider', { name: 'Position in tone.wav' });
      await expect(position).toBeEnabled();
      await expect.poll(() => parts).toContain('206 bytes 0-64043/64044');
      const seekable = 'document.querySelector("audio[src]").seekable.end(0)';
      await expect.poll(() => page.evaluate<number>(seekable)).toBeCloseTo(4, 1);
      await card.getByRole('button', { name: 'Pause tone.wav' }).click();
      // Rewinds, then seeks forward. The report about the last pause may arrive after the first key.
      await expect(async () => {
        await position.press('Home');
        await expect(position).toHaveValue('0', { timeout: 1000 });
      }).toPass();
      await position.press('PageUp');
      await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(0.3);
      expect(faults).toEqual([]);
    });
  });
