// npm run bench -- page: what the studio's page weighs, and how soon it is there and answers.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import puppeteer, { type Browser } from 'puppeteer-core';
import { build } from 'vite';
import { z } from 'zod';
import { newProject, samplePlan } from '../fixtures/storage.ts';
import { serveStudioPage } from './events/studio-page.ts';
import { median, significant } from './render/statistics.ts';
import { findTools } from './render/tools.ts';

const helpText = `npm run bench -- page [options]

The studio's home page and a project, each opened in a fresh browser profile over the real server: kilobytes of script as
they travel, milliseconds to the first and to the largest paint, how long the page takes to answer a click (the worst of a
walk through all views), and how much of it moved by itself (0 = nothing did).

  --rounds N         how often each is opened; medians count (5)
  --json FILE        write the result there as JSON
  --help             this text
`;

const { values } = parseArgs({ options: { rounds: { type: 'string' }, json: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(helpText);
  process.exit(0);
}
const options = z
  .object({ rounds: z.coerce.number().int().min(1).max(100).default(5), json: z.string().optional() })
  .parse(values);

const figuresSchema = z.object({
  scriptKilobytes: z.number(),
  firstPaintMs: z.number(),
  largestPaintMs: z.number(),
  slowestAnswerMs: z.number(),
  layoutShift: z.number(),
});
type Figures = z.infer<typeof figuresSchema>;

/** Runs in the page before its own code. https://web.dev/articles/vitals says what each entry means. */
const watch = `(() => {
  const seen = (window.figures = { largestPaintMs: 0, slowestAnswerMs: 0, layoutShift: 0 });
  const observe = (type, each, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more });
  observe('largest-contentful-paint', (entry) => { seen.largestPaintMs = entry.startTime; });
  observe('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.layoutShift += entry.value; });
  observe('event', (entry) => { seen.slowestAnswerMs = Math.max(seen.slowestAnswerMs, entry.duration); }, { durationThreshold: 16 });
})()`;
const read = `(() => ({
  ...window.figures,
  firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  scriptKilobytes: performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000,
}))()`;

const root = resolve(import.meta.dirname, '../..');
await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
await using studio = await serveStudioPage(join(root, 'dist/web'));
const { id: projectId } = await studio.store.create(newProject({ name: 'A ball' }));
await studio.store.record(projectId, [{ type: 'plan.proposed', plan: samplePlan() }]);

const rows: Record<string, Figures> = {};
for (const [name, path, walk] of [
  ['home', '/', false],
  ['project', `/p/${projectId}`, true],
] as const) {
  const runs: Figures[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const browser = await puppeteer.launch({
      executablePath: findTools().chromiumPath,
      headless: 'shell',
      args: ['--no-sandbox'],
    });
    try {
      runs.push(await open(browser, `http://localhost:${studio.port}${path}`, walk));
    } finally {
      await browser.close();
    }
  }
  const figure = (key: keyof Figures) => significant(median(runs.map((run) => run[key])));
  const row = figuresSchema.parse(
    Object.fromEntries(Object.keys(figuresSchema.shape).map((key) => [key, figure(key as keyof Figures)])),
  );
  rows[name] = row;
  console.log(
    `${name.padEnd(8)} ${row.scriptKilobytes} kB of script, first paint ${row.firstPaintMs} ms, largest ${row.largestPaintMs} ms, slowest answer ${row.slowestAnswerMs} ms, layout shift ${row.layoutShift}`,
  );
}
if (options.json) {
  const machine = { cpus: availableParallelism(), model: cpus()[0]?.model ?? null, node: process.version };
  await writeFile(options.json, `${JSON.stringify({ area: 'page', machine, rounds: options.rounds, rows }, null, 2)}\n`);
}

async function open(browser: Browser, url: string, walk: boolean): Promise<Figures> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.evaluateOnNewDocument(watch);
  await page.goto(url, { waitUntil: 'networkidle2' });
  const loaded = figuresSchema.parse(await page.evaluate(read));
  if (!walk) return loaded;
  for (const tab of await page.$$('[role="tab"]')) {
    await tab.click();
    await new Promise((wake) => setTimeout(wake, 400));
  }
  const walked = figuresSchema.parse(await page.evaluate(read));
  // What came while one walked is not part of the first load.
  return { ...walked, scriptKilobytes: loaded.scriptKilobytes };
}
