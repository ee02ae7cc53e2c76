import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { routes } from '#contract/routes.ts';
import { connectMcp } from '../fixtures/mcp-client.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { startTlsFront, type TlsFront } from '../fixtures/tls-front.ts';
import { lightFilmCode, lightFilmZip, lightScript } from './light-film.ts';
import { button, expectFilmTitle, film, startMs } from './live-preview.ts';
import config from './playwright.config.ts';

const token = 'the-token-of-the-operator';
const { launchOptions } = config.use ?? {};

test.use({
  ignoreHTTPSErrors: true,
  permissions: ['clipboard-read', 'clipboard-write'],
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), '--host-resolver-rules=MAP koda.test 127.0.0.1, MAP *.koda.test 127.0.0.1'],
  },
});

/** Starts a studio behind TLS at koda.test, with a project whose preview has started once. */
async function studioBehindTls(front: TlsFront, env: Readonly<Record<string, string>>) {
  const sandbox = process.env['KODA_SANDBOX'] === 'process' ? 'process' : 'docker';
  const studio = await startStudio({ sandbox, env: { KODA_ACCESS_TOKEN: token, ...env } });
  front.passOnTo(studio.url);
  const content = new Blob([lightFilmZip()]);
  const { id } = await studio.client.import({ name: 'light.zip', content }, { signal: AbortSignal.timeout(startMs) });
  await studio.client.call(routes.controlPreview, { id, body: { action: 'restart' } });
  await expect
    .poll(async () => (await studio.client.call(routes.project, { id })).project.previewUrl, { timeout: startMs })
    .not.toBeNull();
  return { studio, projectId: id };
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Access token' }).fill(token);
  await button(page, 'Sign in').click();
}

const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

async function rewrite({ url, client }: Studio, projectId: string, code: string): Promise<void> {
  const answer = await fetch(`${url}/api/projects/${projectId}/files/${lightScript}`, {
    method: 'PUT',
    headers: client.authorization(),
    body: code,
  });
  expect(answer.ok).toBe(true);
}

test.describe('with KODA_PUBLIC_URL', () => {
  let front: TlsFront;
  let studio: Studio;
  let projectId: string;
  let address: string;
  test.beforeAll(async () => {
    front = await startTlsFront();
    address = `https://koda.test:${front.port}/koda`;
    ({ studio, projectId } = await studioBehindTls(front, { KODA_PUBLIC_URL: address }));
  });
  test.afterAll(async () => {
    await studio[Symbol.asyncDispose]();
    await front[Symbol.asyncDispose]();
  });

  test('F2: the studio works behind TLS and below a path, and the live preview shows changes at once', async ({ page }) => {
    const outside: string[] = [];
    const failed: string[] = [];
    const sockets: string[] = [];
    page.on('request', (request) => {
      const { hostname, pathname } = new URL(request.url());
      if (hostname === 'koda.test' && !pathname.startsWith('/koda/')) outside.push(request.url());
      if (!request.url().startsWith('https:') && !/^(?:data|blob):/.test(request.url())) outside.push(request.url());
    });
    page.on('response', (response) => {
      if (response.status() === 404 || response.status() >= 500) failed.push(`${response.status()} ${response.url()}`);
    });
    page.on('console', (message) => {
      if (/Content Security Policy|Mixed Content|MIME type/.test(message.text())) failed.push(message.text());
    });
    page.on('websocket', (socket) => sockets.push(socket.url()));

    await page.goto(`${address}/`);
    await signIn(page);
    await expect(page.getByRole('heading', { name: 'What should move?' })).toBeVisible();
    const [cookie] = await page.context().cookies(`${address}/`);
    expect(cookie).toMatchObject({ name: 'koda_session', path: '/koda', secure: true, httpOnly: true });

    await page.locator(`a[href="/koda/p/${projectId}"]`).first().click();
    await expect(page).toHaveURL(`${address}/p/${projectId}`);
    await page.goto(`${address}/p/${projectId}?tab=preview`);
    await expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });
    const preview = new URL(film(page).url());
    expect(preview.origin).toMatch(new RegExp(`^https://[a-z0-9]+\\.koda\\.test:${front.port}$`));

    // The page applies its own changes, as React pages do, without a reload.
    const code = `import.meta.hot?.accept();\n${lightFilmCode}`;
    await rewrite(studio, projectId, `${code}\ndocument.title = 'Old'; window.kept ??= Date.now();`);
    await expectFilmTitle(page, 'Old');
    const loaded = await film(page).evaluate('window.kept');
    const startedMs = Date.now();
    await rewrite(studio, projectId, `${code}\ndocument.title = 'New'; window.kept ??= Date.now();`);
    await expectFilmTitle(page, 'New', { intervals: [20] });
    test.info().annotations.push({ type: 'hot reload', description: `${Date.now() - startedMs} ms` });
    expect(await film(page).evaluate('window.kept')).toBe(loaded);
    expect(sockets.map((url) => new URL(url).origin)).toContain(`wss://${preview.host}`);

    const popup = page.waitForEvent('popup');
    await button(page, 'Open preview in its own tab').click();
    const tab = await popup;
    await expect(tab).toHaveTitle('New');
    expect(new URL(tab.url()).origin).toBe(preview.origin);
    await tab.close();

    await page.getByRole('link', { name: 'Settings' }).first().click();
    await expect(page).toHaveURL(`${address}/settings`);
    await page.getByRole('link', { name: 'Other programs' }).click();
    await expect(page).toHaveURL(`${address}/settings#programs`);
    await page.reload();
    await page.getByRole('button', { name: 'Copy configuration' }).first().click();
    await expect.poll(() => clipboard(page)).toContain(`KODA_URL=${address} `);
    await page.goto(`${address}/p/${projectId}?tab=history`);
    await button(page, 'Copy git clone address').click();
    await expect.poll(() => clipboard(page)).toBe(`${address}/git/${projectId}.git`);
    expect({ outside, failed }).toEqual({ outside: [], failed: [] });
  });

  test('F2: MCP results have addresses that work behind TLS', async ({ page }) => {
    await using mcp = await connectMcp(studio.url, { headers: studio.client.authorization() });
    const { projects } = z.object({ projects: z.array(z.object({ url: z.string() })) }).parse(await mcp.call('list_projects'));
    expect(projects).toEqual([{ url: `${address}/p/${projectId}` }]);
    await page.goto(projects[0]?.url ?? '');
    await signIn(page);
    await expect(page.getByRole('heading', { name: 'light' })).toBeVisible();
  });
});

test('F2: without KODA_PUBLIC_URL, a page behind TLS says what to set instead of starting the preview for ever', async ({
  page,
}) => {
  await using front = await startTlsFront();
  const { studio, projectId } = await studioBehindTls(front, { KODA_ALLOWED_HOSTS: `koda.test:${front.port}` });
  await using _ = studio;
  await page.goto(`https://koda.test:${front.port}/p/${projectId}?tab=preview`);
  await signIn(page);
  await expect(page.getByText('The live preview cannot be shown at this address')).toBeVisible();
  await expect(page.getByText(`Set KODA_PUBLIC_URL=https://koda.test:${front.port} in Koda’s .env`)).toBeVisible();
});
