// npm run bench -- events: measures what a long event stream costs the studio's page.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';
import { build } from 'vite';
import { z } from 'zod';
import { newId } from '#contract/ids.ts';
import { newProject, testPerson } from '../fixtures/storage.ts';
import { heapMegabytes, untilNamed, watchFrames } from './events/page-figures.ts';
import { workOfAnAgent } from './events/stream.ts';
import { serveStudioPage } from './events/studio-page.ts';
import { significant } from './render/statistics.ts';
import { findTools } from './render/tools.ts';

const helpText = `npm run bench -- events [options]

The studio's page in a real browser, over the real server, database and event stream, while an agent's events come:
code that is being written, tool calls, todos, messages. How many frames a second the page draws meanwhile, beside what it
draws in the same run while nothing happens, and what its heap holds after each series.

  --events N         events in a series (10000)
  --rate N           events a second (500)
  --json FILE        write the result there as JSON
  --help             this text
`;

/** Minimum frame rate, as a fraction of an idle page's. */
const goal = 0.95;
const root = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: { events: { type: 'string' }, rate: { type: 'string' }, json: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(helpText);
  process.exit(0);
}
const options = z
  .object({
    events: z.coerce.number().int().min(100).max(1_000_000).default(10_000),
    rate: z.coerce.number().int().min(10).max(10_000).default(500),
    json: z.string().optional(),
  })
  .parse(values);

await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
await using studio = await serveStudioPage(join(root, 'dist/web'));
const { id: projectId } = await studio.store.create(newProject({ name: 'A long stream' }));
const browser = await puppeteer.launch({ executablePath: findTools().chromiumPath, headless: 'shell', args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(`http://localhost:${studio.port}/p/${projectId}?tab=code`);
  await page.waitForSelector('main [role="tablist"]');
  const seconds = Math.ceil(options.events / options.rate);

  const idle = await watchFrames(page, async () => {
    await new Promise((wake) => setTimeout(wake, Math.min(10, seconds) * 1000));
  });
  const rows = [];
  for (const series of [1, 2]) {
    const before = await heapMegabytes(page);
    const busy = await watchFrames(page, () => workOfAnAgent(studio.store, projectId, { ...options, runId: newId('run') }));
    await studio.store.record(projectId, [{ type: 'project.updated', name: `Series ${series}` }], { by: testPerson });
    // The new name is the last event. Once it is shown, all others have been rendered.
    await untilNamed(page, `Series ${series}`);
    const after = await heapMegabytes(page);
    rows.push({ series, framesPerSecond: busy.framesPerSecond, longestMs: busy.longestMs, heapMegabytes: [before, after] });
    console.log(
      `series ${series}: ${options.events} events, ${busy.framesPerSecond.toFixed(1)} frames/s (idle ${idle.framesPerSecond.toFixed(1)}), longest frame ${busy.longestMs.toFixed(0)} ms, heap ${before.toFixed(1)} → ${after.toFixed(1)} MB`,
    );
  }
  const share = significant(Math.min(...rows.map((row) => row.framesPerSecond)) / idle.framesPerSecond);
  const [first, second] = rows;
  const growth = significant((second?.heapMegabytes[1] ?? 0) - (first?.heapMegabytes[1] ?? 0));
  console.log(
    `${(share * 100).toFixed(1)} % of the idle frames (goal ${goal * 100} %); the second series left ${growth} MB more`,
  );
  if (options.json) {
    const machine = { cpus: availableParallelism(), model: cpus()[0]?.model ?? null, node: process.version };
    await writeFile(
      options.json,
      `${JSON.stringify({ area: 'events', machine, options, idle, rows, share, growth }, null, 2)}\n`,
    );
  }
  process.exitCode = share >= goal ? 0 : 1;
} finally {
  await browser.close();
}
