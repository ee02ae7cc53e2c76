// npm run screenshots -- --url URL [--out FOLDER]: pictures of every view of a running studio, to be looked at.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { projectSchema } from '../server/contract/project.ts';
import { stageTabs } from '../web/src/project/workbench.ts';

const helpText = `npm run screenshots -- [options]

Pictures of every view of a studio that runs, in light and dark, at a desk and on a phone.

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
] as const;

await mkdir(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['KODA_TEST_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  for (const look of looks) await photograph(browser, look);
} finally {
  await browser.close();
}

/** Addresses by the name of their picture: home, settings, each project, and each view of the first that is finished. */
async function addresses(): Promise<[name: string, path: string][]> {
  const answer = await fetch(`${url}/api/projects?limit=20`);
  const { items } = z.object({ items: z.array(projectSchema) }).parse(await answer.json());
  const finished = items.find(({ phase }) => phase === 'complete');
  return [
    ['home', '/'],
    ['settings', '/settings'],
    ...items.filter(({ phase }) => phase !== 'complete').map(({ id, phase }): [string, string] => [`phase-${phase}`, `/p/${id}`]),
    ...(finished ? stageTabs.map((tab): [string, string] => [`tab-${tab}`, `/p/${finished.id}?tab=${tab}`]) : []),
  ];
}

async function photograph(on: Browser, { name: lookName, ...look }: (typeof looks)[number]): Promise<void> {
  const context = await on.newContext(look);
  const page = await context.newPage();
  for (const [name, path] of await addresses()) {
    const picture = `${name}-${lookName}.png`;
    if (values.only !== undefined && !picture.includes(values.only)) continue;
    await page.goto(url + path);
    await settle(page);
    await page.screenshot({ path: join(out, picture) });
    console.log(picture);
  }
  await context.close();
}

/** Films, previews and editors come a moment later than the page around them. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForTimeout(2500);
}
