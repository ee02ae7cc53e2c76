// npm run bench -- app-table: measures how smoothly an app's table of many rows scrolls, against a plain list in the same browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import puppeteer, { type Page } from 'puppeteer-core';
import { z } from 'zod';
import type { AppDocument } from '../../sandbox-image/templates/app/model/document.ts';
import type { Values } from '../../sandbox-image/templates/app/model/record.ts';
import { printApp } from '../../server/kinds/app/print.ts';
import { freePort } from '../fixtures/free-port.ts';
import { median, significant } from './render/statistics.ts';
import { findTools } from './render/tools.ts';

const helpText = `npm run bench -- app-table [options]

Opens an app's table in Chromium, scrolls it by the same distance in each frame, and counts the frames that took more than 20 ms. A plain
list that draws only the visible rows does the same in the same browser, by turns. The busy time is that of the page's main thread.

  --rows N           rows of the table (10000)
  --frames N         frames of each turn (300)
  --rounds N         turns of each page; medians count (5)
  --json FILE        write the result there as JSON
  --help             this text
`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    frames: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(helpText);
  process.exit(0);
}
const count = (max: number, usual: number) => z.coerce.number().int().min(1).max(max).default(usual);
const options = z
  .object({ rows: count(50_000, 10_000), frames: count(5000, 300), rounds: count(50, 5), json: z.string().optional() })
  .parse(values);

const hues = ['red', 'amber', 'green', 'teal', 'blue'] as const;
const document: AppDocument = {
  version: 1,
  name: 'Many rows',
  theme: 'studio',
  mode: 'light',
  lists: [
    {
      id: 'items',
      name: 'Items',
      one: 'item',
      fields: [
        { id: 'name', name: 'Name', type: 'text' },
        { id: 'kind', name: 'Kind', type: 'choice', choices: hues.map((hue) => ({ id: hue, name: `Kind ${hue}`, hue })) },
        { id: 'place', name: 'Kept in', type: 'text' },
        { id: 'value', name: 'Value', type: 'money', currency: 'GBP' },
        { id: 'amount', name: 'In stock', type: 'number' },
        { id: 'due', name: 'Next check', type: 'date' },
        { id: 'rating', name: 'Rating', type: 'rating' },
        { id: 'done', name: 'Done', type: 'yesno' },
        { id: 'total', name: 'Total', type: 'computed', formula: 'value * amount', result: 'money', currency: 'GBP' },
      ],
    },
  ],
  pages: [{ id: 'items', name: 'Items', views: [{ view: 'table', id: 'all', list: 'items', totals: { value: 'sum' } }] }],
};

const itemOf = (index: number): Values => ({
  name: `Item ${index}`,
  kind: hues[index % hues.length] ?? null,
  place: `Room ${index % 17}`,
  value: (index * 37) % 100_000,
  amount: index % 23,
  due: `2027-${String((index % 12) + 1).padStart(2, '0')}-15`,
  rating: (index % 5) + 1,
  done: index % 3 === 0,
});

/** Rows of plain text in the same number of cells, of which only the visible ones exist. */
const plainPage = new URL(`app-table/plain.html#${options.rows}`, import.meta.url).href;

const turnSchema = z.object({ slowFrames: z.number(), longestMs: z.number(), busyMsPerFrame: z.number() });
type Turn = z.infer<typeof turnSchema>;

const slowMs = 20;
const stepPx = 160;

async function scroll(page: Page): Promise<Turn> {
  const session = await page.createCDPSession();
  // Time of the thread: what others do on the machine does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busySeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const before = await busySeconds();
  const frames = z.array(z.number()).parse(
    await page.evaluate(`new Promise((resolve) => {
      const [scroller, times] = [document.querySelector('.grid-view'), [performance.now()]];
      scroller.scrollTop = 0;
      requestAnimationFrame(function step(now) {
        scroller.scrollTop += ${stepPx};
        if (times.push(now) <= ${options.frames} + 1) requestAnimationFrame(step);
        else resolve(times.slice(2).map((time, index) => time - times[index + 1]));
      });
    })`),
  );
  const busyMs = ((await busySeconds()) - before) * 1000;
  await session.detach();
  return {
    slowFrames: frames.filter((ms) => ms > slowMs).length,
    longestMs: Math.max(...frames),
    busyMsPerFrame: busyMs / options.frames,
  };
}

async function startApp(root: string): Promise<{ readonly url: string; readonly server: ChildProcess }> {
  const template = resolve(import.meta.dirname, '../../sandbox-image/templates/app');
  for (const part of ['index.html', 'model', 'package.json', 'server', 'src', 'tsconfig.json', 'vite.config.ts'])
    cpSync(join(template, part), join(root, part), { recursive: true });
  rmSync(join(root, 'src/pages'), { recursive: true });
  cpSync(join(template, 'src/pages'), join(root, 'src/pages'), { recursive: true, filter: (file) => !file.endsWith('.tsx') });
  symlinkSync(join(template, 'node_modules'), join(root, 'node_modules'));
  for (const { path, content } of printApp(document)) writeFileSync(join(root, path), content);
  const port = await freePort();
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve: found, reject } = Promise.withResolvers<string>();
  server.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('The app is at')) found(`http://127.0.0.1:${port}`);
  });
  server.once('exit', () => reject(new Error('The app has ended before it could be opened.')));
  return { url: await promise, server };
}

async function fill(url: string): Promise<void> {
  for (let start = 0; start < options.rows; start += 5000) {
    const changes = Array.from({ length: Math.min(5000, options.rows - start) }, (_, index) => ({
      op: 'put',
      list: 'items',
      id: `item${String(start + index).padStart(6, '0')}`,
      values: itemOf(start + index),
    }));
    const response = await fetch(`${url}/api/changes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ batch: `fill-${start}-rows`, changes }),
    });
    if (!response.ok) throw new Error(`The rows were refused: ${await response.text()}`);
  }
}

const root = mkdtempSync(join(tmpdir(), 'koda-app-table-'));
const { url, server } = await startApp(root);
const browser = await puppeteer.launch({ executablePath: findTools().chromiumPath, headless: 'shell', args: ['--no-sandbox'] });
try {
  await fill(url);
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  const open = {
    plain: () => page.goto(plainPage),
    table: async () => {
      await page.goto(`${url}/items`, { waitUntil: 'domcontentloaded' });
      await page.waitForSelector('[data-cell="5:0"]');
    },
  };
  const turns: Record<'table' | 'plain', Turn[]> = { table: [], plain: [] };
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const name of ['plain', 'table'] as const) {
      await open[name]();
      await delay(500);
      const turn = await scroll(page);
      // The first turn compiles the scripts.
      if (round > 0) turns[name].push(turn);
    }
  }
  const middle = (turns: readonly Turn[]): Turn => ({
    slowFrames: median(turns.map(({ slowFrames }) => slowFrames)),
    longestMs: significant(median(turns.map(({ longestMs }) => longestMs))),
    busyMsPerFrame: significant(median(turns.map(({ busyMsPerFrame }) => busyMsPerFrame))),
  });
  const rows = { plain: middle(turns.plain), table: middle(turns.table) };
  for (const [name, turn] of Object.entries(rows))
    console.log(
      `${name.padEnd(6)} ${turn.slowFrames} of ${options.frames} frames over ${slowMs} ms, the longest ${turn.longestMs} ms, busy ${turn.busyMsPerFrame} ms a frame`,
    );
  const ratio = significant(rows.table.busyMsPerFrame / rows.plain.busyMsPerFrame);
  console.log(`the table is busy ${ratio} times as long as the plain list`);
  if (options.json) await writeFile(options.json, `${JSON.stringify({ area: 'app-table', ...options, rows, ratio }, null, 2)}\n`);
} finally {
  await browser.close();
  server.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
}
