// npm run screenshots -- --url URL [--out FOLDER]: pictures of a running studio, every view and state, to be looked at.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { projectSchema } from '#contract/project.ts';
import { paneTabs } from '../web/src/project/workbench.ts';
import { type PageState, type PicturedProjects, pageStates } from './screenshot-states.ts';
import { troubles } from './screenshot-troubles.ts';

const helpText = `npm run screenshots -- [options]

Pictures of a studio that runs: its views, menus, dialogs, faults and empty places, in light and dark, at a desk and on a
phone. Projects are not changed. Those that are at work, wait for an answer or are finished are pictured as they are.

  --url URL       the studio (http://localhost:3000)
  --out FOLDER    where they go (screenshots)
  --only WORD     only pictures whose name has it
  --help          this text
`;

const { values } = parseArgs({
  options: { url: { type: 'string' }, out: { type: 'string' }, only: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(helpText);
  process.exit(0);
}
const url = values.url ?? 'http://localhost:3000';
const out = resolve(values.out ?? 'screenshots');

const looks = [
  { name: 'desk-light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'desk-dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

await mkdir(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['KODA_TEST_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  await Promise.all(looks.map((look) => photograph(browser, look)));
} finally {
  await browser.close();
}

/** The view as its address shows it. */
function still(page: Page): Promise<unknown> {
  return page.locator('h1').first().waitFor({ state: 'attached' });
}

/** Home, settings, the first project of each phase, each view of the first that is finished, and the states of all of them. */
async function views(): Promise<PageState[]> {
  const answer = await fetch(`${url}/api/projects?limit=20`);
  const { items } = z.object({ items: z.array(projectSchema) }).parse(await answer.json());
  const first = (wanted: string): string | null => items.find(({ phase }) => phase === wanted)?.id ?? null;
  const projects: PicturedProjects = { finished: first('complete'), planned: first('plan') };
  return [
    { name: 'home', path: '/', act: still },
    { name: 'settings', path: '/settings', act: still },
    ...items
      .filter(({ id, phase }) => phase !== 'complete' && id === first(phase))
      .map(({ id, phase }) => ({ name: `phase-${phase}`, path: `/p/${id}`, act: still })),
    ...(projects.finished === null
      ? []
      : ['', ...paneTabs].map((tab) => ({
          name: tab === '' ? 'phase-complete' : `tab-${tab}`,
          path: `/p/${projects.finished}${tab === '' ? '' : `?tab=${tab}`}`,
          act: still,
        }))),
    ...pageStates(projects),
    ...(projects.finished === null ? [] : troubles(projects.finished)),
  ];
}

async function photograph(on: Browser, { name: lookName, ...look }: (typeof looks)[number]): Promise<void> {
  for (const { name, path, act } of await views()) {
    const picture = `${name}-${lookName}.png`;
    if (values.only !== undefined && !picture.includes(values.only)) continue;
    // What was typed for one picture is not there in the next.
    const context = await on.newContext({ ...look, baseURL: url });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    try {
      await page.goto(path);
      await settle(page);
      await act(page);
      await page.waitForTimeout(act === still ? 0 : 500);
      await writeFile(join(out, picture), await capture(page));
      console.log(picture);
    } catch (error) {
      // A state that cannot be had in this studio or on this screen does not keep the others from being pictured.
      console.log(`${picture} is missing: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
    await context.close();
  }
}

/** Playwright's own screenshot asks every frame first, and the frame of a preview that hangs never answers. */
async function capture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
  return Buffer.from(data, 'base64');
}

/** Films, previews and editors come a moment later than the page around them. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.waitForTimeout(2500);
  // Four looks draw the same film at once, on a machine that may have no graphics card.
  await page.getByText('Starting the live preview…').waitFor({ state: 'hidden', timeout: 60_000 });
}
