import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { newProject } from '../../test/fixtures/storage.ts';
import { serveStudioPage } from '../bench/events/studio-page.ts';
import { findTools } from '../bench/render/tools.ts';

const rounds = Number(process.argv[2] ?? 30);
const root = join(import.meta.dirname, '../..');
await using studio = await serveStudioPage(join(root, 'dist/web'));
const { id: projectId } = await studio.store.create(newProject({ name: 'A long stream' }));
const late: unknown[] = [];
for (let round = 0; round < rounds; round++) {
  const browser = await puppeteer.launch({ executablePath: findTools().chromiumPath, headless: 'shell', args: ['--no-sandbox'] });
  const page = await browser.newPage();
  const begun = performance.now();
  page.on('console', (m) => console.log('console', m.text()));
  page.on('pageerror', (e) => console.log('pageerror', String(e)));
  page.on('requestfailed', (r) => console.log('failed', r.url(), r.failure()?.errorText));
  await page.goto(`http://localhost:${studio.port}/p/${projectId}?tab=code`);
  await page.waitForSelector('main [role="tablist"]');
  const shown = performance.now();
  await studio.store.record(projectId, [{ type: 'project.updated', name: `Series ${round}` }]);
  const limit = 30_000;
  try {
    await page.waitForFunction(`document.title.startsWith('Series ${round} ')`, { timeout: limit });
    console.log(round, 'shown after', Math.round(shown - begun), 'event after', Math.round(performance.now() - shown));
  } catch (error) {
    console.log(round, 'MISSED', String(error), await page.title(), browser.targets().map((t) => `${t.type()} ${t.url()}`));
    const r = await page.evaluate(`new Promise((resolve) => { const frames = []; const t = performance.now(); requestAnimationFrame((n) => resolve('raf after ' + (performance.now() - t))); setTimeout(() => resolve('NO RAF in 5 s; hidden ' + document.hidden), 5000); })`);
    console.log(r, process.memoryUsage().rss / 1e6);
    late.push(round);
  }
  await browser.close();
}
console.log('missed', late.length, 'of', rounds);
process.exit(0);
