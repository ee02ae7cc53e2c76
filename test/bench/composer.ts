// npm run bench -- composer: measures how soon the home page shows how a text is read, and whether typing is ever held up.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import puppeteer, { type Page } from 'puppeteer-core';
import { build } from 'vite';
import { z } from 'zod';
import { pageCall } from '../fixtures/page-code.ts';
import { startStudio } from '../fixtures/studio.ts';
import { median, significant } from './render/statistics.ts';
import { findTools } from './render/tools.ts';

const helpText = `npm run bench -- composer [options]

Types into the home page, in a text of 2,000 characters and eight scenes. Measures the milliseconds from the last key before a
pause until the words are read, until the film below has its new thumbnail, and the longest that the page's thread was busy in
one go while somebody typed, from a trace of the browser.

  --rounds N         pauses that are measured; medians count (20)
  --json FILE        write the result there as JSON
  --help             this text
`;

const { values } = parseArgs({ options: { rounds: { type: 'string' }, json: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(helpText);
  process.exit(0);
}
const options = z
  .object({ rounds: z.coerce.number().int().min(1).max(200).default(20), json: z.string().optional() })
  .parse(values);
const goals = { readMs: 100, pictureMs: 300, busyMs: 16 };
/** Time between two keys, in milliseconds. */
const keyMs = 90;

const things = [
  'tent with room for all four of us',
  'rope, sixty metres, and two hooks',
  'lamp that shines for nine hours',
  'stove, and gas for seven mornings',
];
const list = (day: string) => `# ${day} day\n${things.map((thing) => `- For the ${day} day, the old ${thing}`).join('\n')}`;
const days = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'last'];
const text = `Title: A week outside\n\n${days.map(list).join('\n\n')}`;
const start = text.indexOf('A week outside') + 'A week outside'.length;

const seenSchema = z.object({ typedAt: z.number(), readAt: z.number(), pictureAt: z.number() });

const root = resolve(import.meta.dirname, '../..');
await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
await using studio = await startStudio({ sandbox: 'process' });
const browser = await puppeteer.launch({
  executablePath: findTools().chromiumPath,
  headless: 'shell',
  args: ['--no-sandbox', '--enable-gpu-rasterization'],
});
const load = loadavg()[0] ?? 0;
const [reads, pictures]: [number[], number[]] = [[], []];
let busy: number[] = [];
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(studio.url, { waitUntil: 'networkidle2' });
  await page.focus('textarea');
  await page.evaluate(`document.execCommand('insertText', false, ${JSON.stringify(text)})`);
  await page.waitForSelector('[data-picture]');
  await page.evaluate(`document.querySelector('textarea').setSelectionRange(${start}, ${start})`);
  await page.tracing.start({ categories: ['toplevel', '__metadata'] });
  for (let round = 0; round < options.rounds; round++) {
    const token = `x${String(round).padStart(2, '0')}`;
    await page.evaluate(pageCall('watch-token.js', token));
    await page.keyboard.type(token, { delay: keyMs });
    await page.waitForFunction('window.seen.readAt && window.seen.pictureAt');
    const { typedAt, readAt, pictureAt } = seenSchema.parse(await page.evaluate('window.seen'));
    reads.push(readAt - typedAt);
    pictures.push(pictureAt - typedAt);
    for (const _ of token) await page.keyboard.press('Backspace');
    await rest(page, token);
  }
  busy = busyTimes(await page.tracing.stop());
} finally {
  await browser.close();
}

const result = {
  readMs: significant(median(reads)),
  pictureMs: significant(median(pictures)),
  busyMs: significant(Math.max(...busy)),
  longerThanGoal: busy.filter((ms) => ms > goals.busyMs).length,
  tasks: busy.length,
};
const against = (name: keyof typeof goals) =>
  `${result[name]} ms, ${result[name] <= goals[name] ? 'within' : 'NOT within'} ${goals[name]} ms`;
console.log(`${text.length} characters, load ${load.toFixed(1)} at the start`);
console.log(`pause to reading, median:    ${against('readMs')} (80 ms of them the page waits for the pause)`);
console.log(`pause to thumbnail, median:  ${against('pictureMs')}`);
console.log(`longest task while typing:   ${against('busyMs')}; ${result.longerThanGoal} of ${result.tasks} tasks are longer`);
if (options.json) {
  const machine = { cpus: availableParallelism(), model: cpus()[0]?.model ?? null, node: process.version, load };
  await writeFile(options.json, `${JSON.stringify({ area: 'composer', machine, goals, result, reads, pictures }, null, 2)}\n`);
}

/** Waits until the text without the token is read. */
async function rest(page: Page, token: string): Promise<void> {
  await new Promise((wake) => setTimeout(wake, 400));
  await page.waitForFunction(
    `![...document.querySelectorAll('[data-picture] > *')].some((one) => one.shadowRoot?.textContent.toLowerCase().includes('${token}'))`,
  );
}

/** Returns the durations, in milliseconds, of the tasks of the page's main thread in a trace. */
function busyTimes(trace: Uint8Array | undefined): number[] {
  const eventSchema = z.object({
    name: z.string(),
    pid: z.number(),
    tid: z.number(),
    dur: z.number().optional(),
    args: z.record(z.string(), z.unknown()).optional(),
  });
  const { traceEvents } = z
    .object({ traceEvents: z.array(eventSchema) })
    .parse(JSON.parse(Buffer.from(trace ?? []).toString('utf8')));
  const key = ({ pid, tid }: { pid: number; tid: number }) => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.['name'] === 'CrRendererMain').map(key),
  );
  return traceEvents
    .filter((event) => event.name.endsWith('RunTask') && mains.has(key(event)))
    .flatMap(({ dur }) => (dur === undefined ? [] : [dur / 1000]));
}
