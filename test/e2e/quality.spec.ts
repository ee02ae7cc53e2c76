import { gzipSync } from 'node:zlib';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { filmTabs } from '../../web/src/kinds/film/tabs.ts';
import { finishedFilm, studioUrl, untilStill } from './studio.ts';

/** The home page with the starts of all kinds. */
const maxFirstLoadBytes = 325_000;

/** Records layout shifts that no user input caused. */
const noteShifts = `(() => {
  window.layoutShifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const nodes = entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? '');
      window.layoutShifts.push({ value: entry.value, nodes });
    }
  }).observe({ type: 'layout-shift', buffered: true });
})()`;
const shiftsSchema = z.array(z.object({ value: z.number(), nodes: z.array(z.string()) }));

/** Returns serious accessibility issues, except those in the film's own page. */
async function seriousFaults(page: Page, rules: 'all' | 'colours'): Promise<string[]> {
  await untilStill(page);
  const axe = new AxeBuilder({ page }).exclude('iframe');
  if (rules === 'colours') axe.withRules(['color-contrast']);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`));
}

async function openPage(browser: Browser, look: { colorScheme: 'light' | 'dark'; width: number; height: number }): Promise<Page> {
  const { colorScheme, width, height } = look;
  const context = await browser.newContext({ colorScheme, viewport: { width, height }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(noteShifts);
  return page;
}

/** Waits until nothing is loading. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expect(page.locator('h1').first()).toBeVisible();
}

/** The editor draws line numbers at estimated positions and corrects them afterwards. */
const isMeasured = (node: string) => node.includes('cm-gutterElement');
const isJump = ({ value, nodes }: { value: number; nodes: readonly string[] }) => value > 0.001 && !nodes.every(isMeasured);

const looks = [
  { name: 'light, at a desk', colorScheme: 'light', width: 1280, height: 800, rules: 'all' },
  { name: 'dark, at a desk', colorScheme: 'dark', width: 1440, height: 900, rules: 'colours' },
  { name: 'light, on a phone', colorScheme: 'light', width: 390, height: 844, rules: 'all' },
] as const;

for (const look of looks) {
  test(`no serious accessibility issue, sideways scroll or layout shift: ${look.name}`, async ({ browser }) => {
    const film = await finishedFilm();
    // Its entry in the settings is loaded separately.
    const server = studioUrl('/api/settings/mcp-servers/unreachable');
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/mcp' });
    await fetch(server, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
    const page = await openPage(browser, look);
    const faults: string[] = [];
    const addresses = ['/', '/settings', ...filmTabs.map((tab) => `/p/${film}?tab=${tab}`)];
    for (const address of addresses) {
      await page.goto(studioUrl(address));
      await settled(page);
      faults.push(...(await seriousFaults(page, look.rules)).map((fault) => `${address}: ${fault}`));
      const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      if (overflow !== 0) faults.push(`${address}: ${String(overflow)} px wider than the page`);
      const shifts = shiftsSchema.parse(await page.evaluate('window.layoutShifts'));
      faults.push(...shifts.filter(isJump).map(({ value, nodes }) => `${address}: moved ${value}: ${nodes.join(' ')}`));
    }
    await page.context().close();
    await fetch(server, { method: 'DELETE' });
    expect(faults).toEqual([]);
  });
}

async function gzippedBytes(url: string): Promise<number> {
  const answer = await fetch(url);
  expect(answer.status, url).toBe(200);
  return gzipSync(await answer.bytes()).length;
}

test('the first load is small; editor, terminal and the rest load on demand', async ({ browser }) => {
  const page = await openPage(browser, { colorScheme: 'light', width: 1280, height: 800 });
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  });
  await page.goto(studioUrl('/'));
  await settled(page);
  // The pictures of the examples are drawn with what loads last.
  const drawn = page.locator('[data-picture]', { has: page.locator('.frame') });
  await expect(drawn).toHaveCount(3);
  await page.context().close();
  const loaded = await Promise.all([...scripts].map(gzippedBytes));
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(maxFirstLoadBytes);
});
