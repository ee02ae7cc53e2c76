// npm run screenshots -- --url URL [--out FOLDER]: takes screenshots of every view and state of a running studio.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { projectSchema } from '#contract/project.ts';
import { filmTabs } from '../web/src/kinds/film/tabs.ts';
import { type PageState, pageStates, type ShownProjects } from './screenshot-states.ts';
import { troubleStates } from './screenshot-troubles.ts';

const helpText = `npm run screenshots -- [options]

Takes screenshots of a running studio: views, menus, dialogs, errors and empty states, in light and dark mode, for desktop
and phone. Does not change projects; it shows the first project of each phase as it is.

  --url URL       address of the studio (default: http://localhost:3000)
  --out FOLDER    folder for the screenshots (default: screenshots)
  --only TEXT     take only screenshots whose name contains TEXT
  --help          print this text
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

const variants = [
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
  await Promise.all(variants.map((variant) => captureVariant(browser, variant)));
} finally {
  await browser.close();
}

function asOpened(page: Page): Promise<unknown> {
  return page.locator('h1').first().waitFor({ state: 'attached' });
}

/**
 * Returns the home page, the settings page, the first project in each phase, every view of the first finished project, and
 * every state.
 */
async function views(): Promise<PageState[]> {
  const response = await fetch(`${url}/api/projects?limit=20`);
  const { items } = z.object({ items: z.array(projectSchema) }).parse(await response.json());
  const first = (wanted: string): string | null => items.find(({ phase }) => phase === wanted)?.id ?? null;
  const projects: ShownProjects = { finished: first('complete'), planned: first('plan') };
  return [
    { name: 'home', path: '/', act: asOpened },
    { name: 'settings', path: '/settings', act: asOpened },
    ...items
      .filter(({ id, phase }) => phase !== 'complete' && id === first(phase))
      .map(({ id, phase }) => ({ name: `phase-${phase}`, path: `/p/${id}`, act: asOpened })),
    ...(projects.finished === null
      ? []
      : ['', ...filmTabs].map((tab) => ({
          name: tab === '' ? 'phase-complete' : `tab-${tab}`,
          path: `/p/${projects.finished}${tab === '' ? '' : `?tab=${tab}`}`,
          act: asOpened,
        }))),
    ...pageStates(projects),
    ...(projects.finished === null ? [] : troubleStates(projects.finished)),
  ];
}

async function captureVariant(on: Browser, { name: variantName, ...options }: (typeof variants)[number]): Promise<void> {
  for (const { name, path, act } of await views()) {
    const fileName = `${name}-${variantName}.png`;
    if (values.only !== undefined && !fileName.includes(values.only)) continue;
    // A separate context, so that text typed for one screenshot does not appear in the next.
    const context = await on.newContext({ ...options, baseURL: url });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    try {
      await page.goto(path);
      await settle(page);
      await act(page);
      await page.waitForTimeout(act === asOpened ? 0 : 500);
      await writeFile(join(out, fileName), await capture(page));
      console.log(fileName);
    } catch (error) {
      // This studio or screen size may lack a state; the others are captured all the same.
      console.log(`${fileName} is missing: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
    await context.close();
  }
}

/** Captures the page through CDP. Playwright's own screenshot waits for every frame, and a hung preview never responds. */
async function capture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
  return Buffer.from(data, 'base64');
}

/** Waits for films, previews and editors, which appear later than the page around them. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.waitForTimeout(2500);
  // Starting is slow, because four variants draw the same film at once, possibly without a graphics card.
  await page.getByText('Starting the live preview…').waitFor({ state: 'hidden', timeout: 60_000 });
}
