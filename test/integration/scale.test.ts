import { join } from 'node:path';
import { expect, it } from 'vitest';
import { healthResponseSchema } from '#contract/api.ts';
import { startTestStudio } from '../fixtures/app.ts';
import { buildScaleData } from '../fixtures/scale-data.ts';
import { measureRequests, type RequestCost, readRequests } from '../fixtures/scale-requests.ts';
import { tempDir } from '../fixtures/storage.ts';

/** Even the smaller history must fill a connection's buffers, because the server writes ahead of the client. */
const few = { projects: 40, events: 20_000 };
const many = { projects: 400, events: 200_000 };
/** A request that reads every row of ten times the data costs ten times as much. */
const maxRatio = 4;
/** What other programs on the core may add to the least of several measurements. */
const slackMs = 40;

async function costsWith(size: typeof few): Promise<RequestCost[]> {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  const data = await buildScaleData(dataDir, size);
  await using studio = await startTestStudio({ dataDir });
  const health = healthResponseSchema.parse(await studio.send('GET', '/api/health'));
  expect(health.sandbox.available).toBe(true);
  return await measureRequests(studio.url, readRequests(data));
}

/** `npm run bench -- scale` measures with 1000 projects and a million events. */
it('M10: a request that reads takes hardly more of the server’s thread with ten times the projects and events', async () => {
  const before = new Map((await costsWith(few)).map((cost) => [cost.name, cost]));
  const costs = await costsWith(many);
  expect(costs.filter(({ status }) => status !== 200)).toEqual([]);
  expect(costs.length).toBeGreaterThanOrEqual(25);
  const slower = costs.filter(({ name, cpuMs }) => cpuMs > maxRatio * (before.get(name)?.cpuMs ?? 0) + slackMs);
  expect(slower.map(({ name, cpuMs }) => ({ name, cpuMs, before: before.get(name)?.cpuMs }))).toEqual([]);
});
