import { type Browser, expect, type Page, test } from '@playwright/test';
import { lightFilm, lightFilmCode, rewrite } from './light-film.ts';
import { button, expectFilmTitle, film, startMs } from './live-preview.ts';
import { studioUrl } from './studio.ts';

// Disables traces, because they query every frame and these tests have unresponsive ones.
test.use({ trace: 'off' });

const alive = (page: Page) => expect(button(page, /^(Play|Pause)$/)).toBeEnabled({ timeout: startMs });
const frames = (page: Page) => page.locator('iframe');
const says = (page: Page, words: RegExp) => page.getByRole('status').filter({ hasText: words });

/** Opens pages in separate contexts, because one context would give all their frames a single process. */
async function open(browser: Browser, projectId: string, count: number): Promise<Page[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
      await page.goto(studioUrl(`/p/${projectId}?tab=preview`));
      return page;
    }),
  );
}

test.describe
  .serial('a preview that is broken', () => {
    let projectId = '';
    let pages: Page[] = [];
    const faults: string[] = [];

    test.beforeAll(async ({ browser }) => {
      projectId = await lightFilm();
      // The first request starts the preview.
      const first = await browser.newPage();
      await first.goto(studioUrl(`/proxy/${projectId}/`));
      await expect(first).toHaveTitle('Light', { timeout: startMs });
      await first.close();
      pages = await open(browser, projectId, 3);
      for (const one of pages) {
        one.on('pageerror', ({ message }) => faults.push(message));
        await alive(one);
      }
    });
    test.afterAll(async () => {
      await Promise.all(pages.map((page) => page.context().close()));
      await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
    });

    test('A15: that loops or floods leaves the studio responsive and restarts after a code change', async () => {
      const [looping, stopped, flooding] = pages as [Page, Page, Page];
      await film(flooding).evaluate(`setInterval(() => {
        for (let count = 0; count < 1000; count += 1) window.parent.postMessage({ type: 'koda:time', seconds: 1, durationSeconds: 4, playing: true }, '*');
      })`);

      // The browser answers only after the messages that it has queued by now.
      await expect(says(flooding, /its page kept sending messages/)).toBeVisible();
      await expect(frames(flooding)).toHaveCount(0);

      // Afterwards, because two endless loops leave a small machine too little time for a flood.
      for (const page of [looping, stopped]) await film(page).evaluate('setTimeout(() => { for (;;); }, 50)');
      for (const page of [looping, stopped]) {
        await expect(says(page, /The preview has not responded for \d+ s/)).toBeVisible();
        // The studio itself is still responsive.
        await page.getByRole('tab', { name: 'Code' }).click();
        await expect(page.getByRole('tab', { name: 'Code' })).toHaveAttribute('aria-selected', 'true');
        await page.getByRole('tab', { name: 'Live' }).click();
      }
      await button(stopped, 'Stop preview').click();
      await expect(stopped.getByText('The live preview has stopped.')).toBeVisible();
      await expect(frames(stopped)).toHaveCount(0);

      await rewrite(projectId, `${lightFilmCode}\ndocument.title = 'Mended';`);
      for (const page of [looping, flooding]) {
        await alive(page);
        await expect(frames(page)).toHaveCount(1);
        await expectFilmTitle(page, 'Mended');
      }
      // A page that the user stopped can be started again.
      await expect(frames(stopped)).toHaveCount(0);
      await button(stopped, 'Show preview').click();
      await alive(stopped);
    });

    test('A8 A15: that fails while loading reports the error and recovers with its next code', async () => {
      const [page] = pages as [Page];
      await rewrite(projectId, 'throw new Error("There is no ball.");');
      await button(page, 'Reload preview').click();
      await expect(says(page, /The preview reported an error and did not start/)).toBeVisible();
      await expect(page.getByText('Error: There is no ball.')).toBeVisible();
      await rewrite(projectId, lightFilmCode);
      await alive(page);
      // The film throws this error on purpose.
      expect(faults.filter((fault) => fault !== 'There is no ball.')).toEqual([]);
    });

    test('A15: whose process crashes recovers, or is reported as unresponsive', async () => {
      const [page] = pages as [Page];
      // Playwright considers the whole page crashed if one of its frames has crashed, so this asks the page itself.
      const studio = await page.context().newCDPSession(page);
      const said = async () => {
        const { result } = await studio.send('Runtime.evaluate', { expression: 'document.body.innerText' });
        return String(result.value);
      };
      const session = await page.context().newCDPSession(film(page));
      // A crashed page sends no response.
      session.send('Page.crash').catch(() => undefined);
      await expect.poll(said).toMatch(/The preview has not responded for \d+ s/);
      await expect.poll(said, { timeout: startMs }).not.toMatch(/The preview has not responded|Starting the live/);
    });
  });
