// npm run bench -- page: measures the size of the studio's page and how soon it appears and responds.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import puppeteer, { type Browser } from 'puppeteer-core';
import { build } from 'vite';
import { z } from 'zod';
import { kodaCatalog, type SurfaceMessages } from '#contract/surface/surface.ts';
import { newMessage } from '../../server/projects/phases.ts';
import { newProject, samplePlan, testPerson } from '../fixtures/storage.ts';
import { serveStudioPage } from './events/studio-page.ts';
import { median, significant } from './render/statistics.ts';
import { findTools } from './render/tools.ts';

const helpText = `npm run bench -- page [options]

The studio's home page and a project, each opened in a fresh browser profile over the real server: kilobytes of script as
they travel, milliseconds to the first and to the largest paint, how long the page takes to answer a click (the worst of a
walk through all views), and how much of it moved by itself (0 = nothing did). Then a surface of 500 components: its slowest
answer is the time from the click that shows it to its first paint, at most 100 ms.

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

/** Runs in the page before its own code. See https://web.dev/articles/vitals for the entries. */
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
await studio.store.record(projectId, [{ type: 'plan.proposed', plan: samplePlan() }], { by: testPerson });

const { id: surfaceId } = await studio.store.create(newProject({ name: 'A surface' }));
await studio.store.record(
  surfaceId,
  [{ type: 'message.added', message: newMessage('assistant', 'Five hundred components', { surface: surfaceOf(100) }) }],
  { by: testPerson },
);

const goalMs = 100;
const rows: Record<string, Figures> = {};
for (const [name, path, walk] of [
  ['home', '/', null],
  ['project', `/p/${projectId}`, '[role="tab"]'],
  ['surface', `/p/${surfaceId}`, '[role="log"] [role="tab"]'],
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
const painted = rows['surface']?.slowestAnswerMs ?? Number.POSITIVE_INFINITY;
console.log(`first paint of 500 components: ${painted} ms, ${painted < goalMs ? 'within' : 'NOT within'} ${goalMs} ms`);
if (options.json) {
  const machine = { cpus: availableParallelism(), model: cpus()[0]?.model ?? null, node: process.version };
  await writeFile(options.json, `${JSON.stringify({ area: 'page', machine, rounds: options.rounds, rows }, null, 2)}\n`);
}

async function open(browser: Browser, url: string, walk: string | null): Promise<Figures> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.evaluateOnNewDocument(watch);
  await page.goto(url, { waitUntil: 'networkidle2' });
  const loaded = figuresSchema.parse(await page.evaluate(read));
  if (walk === null) return loaded;
  for (const tab of await page.$$(walk)) {
    await tab.click();
    await new Promise((wake) => setTimeout(wake, 400));
  }
  const walked = figuresSchema.parse(await page.evaluate(read));
  return { ...walked, scriptKilobytes: loaded.scriptKilobytes };
}

/** Creates a surface with a list on a hidden tab, which is rendered when the tab is clicked. A row has five components. */
function surfaceOf(count: number): SurfaceMessages {
  const rows = Array.from({ length: count }, (_, index) => ({ number: index, label: `Value ${index}` }));
  const number = { path: 'number' };
  const label = { path: 'label' };
  const parts = [
    { id: 'slider', component: 'Slider', label, min: 0, max: 1000, value: number },
    { id: 'field', component: 'TextField', label, value: label },
    { id: 'box', component: 'CheckBox', label, value: true },
    { id: 'text', component: 'Text', text: number },
  ];
  const tabs = [
    { title: 'First', child: 'first' },
    { title: 'All', child: 'all' },
  ];
  return [
    { version: 'v0.9', createSurface: { surfaceId: 'many', catalogId: kodaCatalog } },
    { version: 'v0.9', updateDataModel: { surfaceId: 'many', value: { rows } } },
    {
      version: 'v0.9',
      updateComponents: {
        surfaceId: 'many',
        components: [
          { id: 'root', component: 'Tabs', tabs },
          { id: 'first', component: 'Text', text: 'The others are behind the next tab.' },
          { id: 'all', component: 'List', children: { componentId: 'row', path: '/rows' } },
          { id: 'row', component: 'Column', children: parts.map(({ id }) => id) },
          ...parts,
        ],
      },
    },
  ];
}
