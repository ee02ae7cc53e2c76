import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserContext, expect, type Frame, type Page, test } from '@playwright/test';
import { pageCall } from '../fixtures/page-code.ts';
import { openBrowser, openExits, startFront } from './exits.ts';
import { lightFilm, lightFilmCode, rewrite } from './light-film.ts';
import { button, expectFilmTitle, film, openLive, startMs } from './live-preview.ts';
import { finishedFilm, studioUrl } from './studio.ts';

/** Starts a server that preview code might contact. It accepts everything and records its visitors. */
async function elsewhere() {
  const hits = new Set<string>();
  const server = createServer((request, response) => {
    hits.add(request.url ?? '');
    const page = request.url === '/' ? '<!doctype html><title>elsewhere</title>' : '';
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end(page);
  });
  server.on('upgrade', (request, socket) => {
    hits.add(request.url ?? '');
    socket.on('error', () => undefined).destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Exits that are open if nothing limits a page's connections and Koda removes no headers. */
const openWithout = 'navigation preconnect preconnect-header refresh refresh-header report-only report-uri stun'.split(' ');

/** Tries every way for code to contact other machines. Each one requests its own path. */
const waysOut = (origin: string) => pageCall('ways-out.js', origin);

/** Lists the studio data that a preview could access. */
const waysIn = (origin: string) => pageCall('ways-in.js', origin);

const projectCount = async () => {
  const answer = await fetch(studioUrl('/api/projects?limit=100'));
  return ((await answer.json()) as { items: unknown[] }).items.length;
};
const run = (where: Page | Frame, script: string): Promise<unknown> => where.evaluate(script);

test('X3: preview code reaches no other machine from the browser; the same code elsewhere does', async ({ page }) => {
  using target = await elsewhere();
  await openLive(page, await finishedFilm());
  await run(film(page), waysOut(target.origin));
  expect([...target.hits]).toEqual([]);
  // Navigation is blocked as well, because the studio's frame shows only previews.
  await run(film(page), `void (location.href = ${JSON.stringify(`${target.origin}/gone`)})`);
  await page.waitForTimeout(500);
  expect([...target.hits]).toEqual([]);

  await page.goto(`${target.origin}/`);
  target.hits.clear();
  await run(page, waysOut(target.origin));
  await expect.poll(() => target.hits.size).toBeGreaterThanOrEqual(12);
});

test('A15: preview code gets no access to the studio', async ({ page }) => {
  await openLive(page, await finishedFilm());
  const before = { count: await projectCount(), url: page.url() };
  for (const origin of [new URL(studioUrl()).origin, new URL(studioUrl()).origin.replace('localhost', '127.0.0.1')]) {
    expect(await run(film(page), waysIn(origin))).toEqual([]);
  }
  expect({ count: await projectCount(), url: page.url() }).toEqual(before);
});

test.describe('a project whose dev server helps its page to send data out', () => {
  let exits: Awaited<ReturnType<typeof openExits>>;
  let projectId = '';
  let complete: BrowserContext;

  test.beforeAll(async () => {
    complete = await openBrowser();
    exits = await openExits();
    const config = `export default { server: { headers: ${JSON.stringify(exits.headers)} } };`;
    projectId = await lightFilm([{ name: 'vite.config.js', content: config }]);
  });
  test.afterAll(async () => {
    await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
    exits[Symbol.dispose]();
    await complete.close();
  });

  const openTab = async (page: Page) => {
    await page.goto(studioUrl(`/proxy/${projectId}/`));
    await expect(page).toHaveTitle('Light', { timeout: startMs });
    return page;
  };
  /**
   * Opens the preview through a front, as a page of its own or in a frame like the studio's. The page is always a new
   * one, because a navigation that an exit has begun in the last one would abort this one.
   */
  const openThrough = async ({ port, framed }: { port: number; framed: boolean }) => {
    const page = await complete.newPage();
    const launch = await fetch(studioUrl(`/proxy/${projectId}/`), { redirect: 'manual' });
    const address = new URL(launch.headers.get('location') ?? '');
    address.port = String(port);
    if (!framed) {
      await page.goto(address.href);
      return page;
    }
    await page.goto(exits.origin);
    const frame = { sandbox: 'allow-scripts allow-same-origin', src: address.origin };
    await page.setContent(`<iframe sandbox="${frame.sandbox}" src="${frame.src}"></iframe>`);
    await expectFilmTitle(page, 'Light');
    return film(page);
  };

  test('H3: has no exit in the studio’s frame, and none in its own tab', async () => {
    const page = await openTab(await complete.newPage());
    expect(await exits.find(() => openTab(page))).toEqual([]);
    const openFrame = async () => {
      await openLive(page, projectId);
      return film(page);
    };
    expect(await exits.find(openFrame)).toEqual([]);
  });

  test('H3: has no exit through headers that Koda removes, because the allowlist limits connections', async () => {
    await openTab(await complete.newPage());
    using front = await startFront({ add: exits.headers, unlimited: false });
    for (const framed of [false, true]) {
      expect(await exits.find(() => openThrough({ port: front.port, framed })), `framed: ${framed}`).toEqual([]);
    }
  });

  test('H3: has exits without the allowlist and with its own headers', async () => {
    await openTab(await complete.newPage());
    using front = await startFront({ add: exits.headers, unlimited: true });
    for (const framed of [false, true]) {
      const found = await exits.find(() => openThrough({ port: front.port, framed }), openWithout);
      expect(found, `framed: ${framed}`).toEqual(expect.arrayContaining(openWithout));
    }
  });

  test('H3: opens in its own tab by the studio’s button only', async ({ page }) => {
    await openTab(page);
    await openLive(page, projectId);
    const opening = page.waitForEvent('popup');
    await button(page, 'Open preview in its own tab').click();
    const tab = await opening;
    await expect(tab).toHaveTitle('Light');
    const address = tab.url();
    expect(new URL(address).pathname).toBe('/');
    await tab.reload();
    await expect(tab).toHaveTitle('Light');
    await tab.evaluate('void location.reload()');
    await expect(tab.locator('body')).toContainText(/\d/);

    // Another browser has not launched it.
    const stranger = await (await page.context().browser()?.newContext())?.newPage();
    if (!stranger) throw new Error('The browser is missing.');
    await stranger.goto(address);
    await expect(stranger.getByRole('heading')).toHaveText('Open this preview from the studio');
    await stranger.getByRole('link', { name: 'Open the project' }).click();
    await expect(stranger).toHaveURL(studioUrl(`/p/${projectId}`));
    await stranger.context().close();
  });

  test('H3: reloads its code in its own tab', async ({ page }) => {
    await openTab(page);
    await rewrite(projectId, `${lightFilmCode}\ndocument.title = 'Edited';`);
    await expect(page).toHaveTitle('Edited');
    await rewrite(projectId, lightFilmCode);
    await expect(page).toHaveTitle('Light');
  });
});
