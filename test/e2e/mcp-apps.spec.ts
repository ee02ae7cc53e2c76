import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type FrameLocator, type Locator, type Page, test } from '@playwright/test';
import jpeg from 'jpeg-js';
import { newId } from '#contract/ids.ts';
import { type State, stateSchema } from '#contract/mcp-results.ts';
import { type HostServer, serveMcpHost } from '../fixtures/mcp-host/serve.ts';
import { outlineIn } from '../fixtures/plans.ts';
import { readSnapshot, studioUrl, untilStill } from './studio.ts';

const pictures = join(import.meta.dirname, '../../test-results/mcp-apps');
const makingMs = 600_000;

let server: HostServer;
test.beforeAll(async () => {
  server = await serveMcpHost(studioUrl());
});
test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Opens the chat client. Fails the test if a view violates the client's policy. */
async function openChat(page: Page, query = ''): Promise<void> {
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) throw new Error(message.text());
  });
  await page.goto(`${server.url}${query}`);
  await page.waitForFunction('window.host !== undefined');
}

const callTool = (page: Page, name: string, input: Record<string, unknown>) =>
  page.evaluate(([tool, given]) => Reflect.get(globalThis, 'host').call(tool, given), [name, input] as const);
/** Returns what views have sent to the client. */
const received = (page: Page, name: 'links' | 'downloads' | 'contexts'): Promise<unknown[]> =>
  page.evaluate((key) => Reflect.get(globalThis, 'host')[key], name);
const lastView = (page: Page): FrameLocator => page.frameLocator('iframe >> nth=-1');

const show = (page: Page, name: string, result: Record<string, unknown>) =>
  page.evaluate(([tool, given]) => Reflect.get(globalThis, 'host').show(tool, given), [name, result] as const);

/** Returns the mean brightness of a still, 0 to 255. */
async function brightness(image: Locator): Promise<number> {
  const [, base64 = ''] = ((await image.getAttribute('src')) ?? '').split('base64,');
  const { data } = jpeg.decode(Buffer.from(base64, 'base64'), { useTArray: true });
  const pixels = data.length / 4;
  return data.reduce((sum, value, index) => (index % 4 === 3 ? sum : sum + value), 0) / (pixels * 3);
}

async function picture(page: Page, name: string): Promise<void> {
  await untilStill(page);
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

test('X13: a chat client shows the storyboard, the live preview and the video', async ({ page }) => {
  await openChat(page);
  const prompt = 'playful, paper theme, 4 seconds\n\nTitle: Hello\n\nShopping\n- Milk\n- Bread\n- Apples';
  const planned = stateSchema.parse(await callTool(page, 'make_film', { prompt }));
  expect(planned).toMatchObject({ waiting_for: 'plan' });
  const view = lastView(page);

  await expect(view.getByText('Plan to review')).toBeVisible();
  const stills = view.getByRole('region', { name: 'Storyboard' }).getByRole('img');
  await expect(stills).toHaveCount(planned.plan?.sections.length ?? 0, { timeout: makingMs });
  expect(await brightness(stills.first())).toBeGreaterThan(180);
  await expectAccessible(page);
  await picture(page, 'storyboard');

  await view.getByRole('button', { name: 'Change' }).click();
  await view.getByRole('textbox', { name: 'What should be different?' }).fill('Use the midnight theme');
  await picture(page, 'change');
  await page.keyboard.press('Control+Enter');
  await expect(view.getByRole('textbox')).toBeHidden();
  await expect.poll(async () => (await readSnapshot(planned.project_id)).plan?.revision).toBeGreaterThan(1);
  await expect(stills).toHaveCount(planned.plan?.sections.length ?? 0, { timeout: makingMs });
  // The stills of the plan before remain until the new ones are there.
  await expect.poll(() => brightness(stills.first()), { timeout: makingMs }).toBeLessThan(90);

  await view.getByText('not shown as text').click();
  await view.getByRole('button', { name: /^Show “playful/ }).click();
  await expect(stills).toHaveCount((planned.plan?.sections.length ?? 0) + 1, { timeout: makingMs });

  await view.getByRole('button', { name: 'Accept plan' }).click();
  await expect(view.getByRole('progressbar', { name: 'Making the film' })).toBeVisible();
  await picture(page, 'making');
  const preview = view.getByRole('region', { name: 'Live preview' });
  await expect(preview.getByRole('img')).toBeVisible({ timeout: makingMs });
  await expectAccessible(page);
  await picture(page, 'preview');
  const slider = preview.getByRole('slider', { name: 'Time in the film' });
  const before = await preview.getByRole('img').getAttribute('src');
  await slider.focus();
  await page.keyboard.press('End');
  await expect(preview.getByRole('img')).not.toHaveAttribute('src', before ?? '');

  await preview.getByRole('button', { name: 'Render video' }).click();
  await expect(view.getByRole('progressbar', { name: 'Rendering the video' })).toBeVisible();
  await picture(page, 'rendering');
  const video = view.locator('video');
  await expect(video).toBeVisible({ timeout: makingMs });
  const { durationSeconds } = outlineIn((await readSnapshot(planned.project_id)).plan);
  await expect.poll(() => video.evaluate((element) => Reflect.get(element, 'duration'))).toBeCloseTo(durationSeconds, 0);
  await video.evaluate(async (element) => {
    const player = element as unknown as { currentTime: number };
    player.currentTime = 2;
  });
  await expect.poll(() => video.evaluate((element) => Reflect.get(element, 'seeking'))).toBe(false);
  await expectAccessible(page);
  await picture(page, 'video');

  await view.getByRole('button', { name: 'Download' }).click();
  const final = (await readSnapshot(planned.project_id)).renders.find(({ settings }) => settings.kind === 'final');
  await expect.poll(() => received(page, 'downloads')).toEqual([{ mimeType: 'video/mp4', bytes: final?.probe?.sizeBytes }]);
  await view.getByRole('button', { name: 'Open in the studio' }).click();
  await expect.poll(() => received(page, 'links')).toEqual([studioUrl(`/p/${planned.project_id}`)]);
  expect((await received(page, 'contexts')).join(' ')).toMatch(/asked for a change.*accepted the plan.*started a render/s);

  await view.getByRole('tab', { name: 'Preview' }).click();
  await view.getByRole('button', { name: 'Accept film' }).click();
  await expect(view.getByText('Finished')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}?theme=dark`);
  await page.waitForFunction('window.host !== undefined');
  await callTool(page, 'show_project', { project_id: planned.project_id });
  const narrow = lastView(page);
  await expect(narrow.locator('video')).toBeVisible();
  await picture(page, 'video-dark-narrow');
  for (const name of ['Preview', 'Storyboard']) {
    await narrow.getByRole('tab', { name }).click();
    await expect(narrow.getByRole('tabpanel').getByRole('img').first()).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await picture(page, `${name.toLowerCase()}-dark-narrow`);
  }
});

test('X13: a view shows questions, failures and hostile texts as text', async ({ page }) => {
  await openChat(page, '?colours=none');
  const hostile = '<img src=x onerror="document.title=1"><script>document.title = 1</script>';
  const state: State = {
    ...{ project_id: newId('prj'), name: hostile, phase: 'question', running: false, waiting_for: 'question' },
    question: { approval_id: newId('apr'), content: hostile, options: [{ id: 'a', label: 'Playful', description: hostile }] },
    ...{ permission: null, plan: null, todos: [], renders: [], error: null, url: 'javascript:alert(1)', sandbox_id: null },
  };
  await show(page, 'show_project', { structuredContent: state });
  const view = lastView(page);
  await expect(view.getByRole('heading', { level: 2, name: hostile })).toBeVisible();
  await expect(view.locator('img, script[src]')).toHaveCount(0);
  await view.getByRole('button', { name: 'Playful' }).click();
  await expect(view.getByRole('alert')).toContainText('There is no project');
  await expectAccessible(page);
  await picture(page, 'question');
  await view.getByRole('button', { name: 'Open in the studio' }).click();
  await expect(view.getByRole('alert')).toContainText('opens no links');
  expect(await received(page, 'links')).toEqual([]);

  const error = { error: { code: 'NOT_FOUND', message: `There is no film. ${hostile}` } };
  await show(page, 'make_film', { isError: true, content: [{ type: 'text', text: JSON.stringify(error) }] });
  await expect(lastView(page).getByText('There is no film.')).toContainText(hostile);
  await expectAccessible(page);
  await page.evaluate("globalThis.host.setTheme('dark')");
  await picture(page, 'failure-dark');
});
