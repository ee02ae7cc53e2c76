import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Batch, BatchDetail, BatchRow } from '#contract/batch.ts';
import { type ParameterValues, parameterInfoSchema } from '#contract/render.ts';
import { type Route, routes, routeUrl } from '#contract/routes.ts';
import { sampleFilm } from '../../test/fixtures/renders.ts';
import { type BatchOptions, renderBatch } from './batch.ts';
import type { CommandContext, StudioClient } from './client.ts';
import type { Terminal } from './terminal.ts';

const film = sampleFilm({
  parameters: [
    parameterInfoSchema.parse({ name: 'title', type: 'string', default: 'Koda', maxLength: 10 }),
    parameterInfoSchema.parse({ name: 'count', type: 'integer', default: 3 }),
  ],
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'koda-batch-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Creates a studio whose film accepts titles of up to ten characters and fails to render the title "bad". */
function setUp() {
  const requests: ParameterValues[] = [];
  const cancelled: string[] = [];
  const interrupt = new AbortController();
  const lines: string[] = [];
  const results: string[] = [];
  let rows: BatchRow[] = [];
  let reason: Batch['reason'] = null;
  let onRow = (_row: number) => undefined as unknown;
  const batch = (): BatchDetail => {
    const counted = (state: BatchRow['state']) => rows.filter((row) => row.state === state).length;
    const counts = { total: rows.length, waiting: counted('waiting'), rendering: 0, complete: 0, failed: 0, cancelled: 0 };
    const running = counts.waiting === 0 ? 'complete' : 'running';
    const state = reason === null ? running : 'paused';
    return { id: 'bat_x', projectId: 'prj_x', state, reason, counts, createdAt: '', finishedAt: null, rows };
  };
  const client = {
    call: async (route: Route, input: { body: { sets?: ParameterValues[]; rows: ParameterValues[] } }) => {
      const { body } = input;
      switch (route) {
        case routes.film:
          return film;
        case routes.project:
          return { seq: 0 };
        case routes.checkParameters:
          return {
            problems: body.sets?.map(({ title = '' }) => (String(title).length > 10 ? `"${title}" is too long.` : null)),
          };
        case routes.startBatch:
          rows = body.rows.map(({ title = '' }, index) => {
            const failed = title === 'bad' ? { code: 'RENDER_FAILED', message: 'It broke.' } : null;
            return {
              number: index + 1,
              label: String(title),
              state: 'waiting',
              renderId: 'rnd_x',
              videoUrl: null,
              error: failed,
            };
          });
          requests.push(...body.rows);
          return batch();
        case routes.batch:
          return batch();
        default:
          return cancelled.push(routeUrl(route, input));
      }
    },
    download: async () => new Blob([`video ${requests.length}`]).stream(),
    events: async function* () {
      for (const [index, row] of rows.entries()) {
        await onRow(index);
        interrupt.signal.throwIfAborted();
        const state = row.error === null ? 'complete' : 'failed';
        if (reason === null) rows = rows.with(index, { ...row, state, videoUrl: row.error === null ? '/video' : null });
        yield { type: 'render.progress', renderId: 'rnd_x', percent: 50 };
        yield { type: 'batch.updated', batch: batch() };
      }
    },
  } as unknown as StudioClient;
  const terminal = {
    note: (line: string) => lines.push(line),
    progress: () => undefined,
    result: (line: string) => results.push(line),
  } as unknown as Terminal;
  const context: CommandContext = { client, terminal, signal: interrupt.signal };
  const run = async (table: unknown, options: Partial<BatchOptions> = {}) => {
    const data = join(folder, 'rows.json');
    await writeFile(data, JSON.stringify(table));
    const defaults = { request: { kind: 'final' }, nameTemplate: '{title}', force: false, given: [] } as const;
    return renderBatch('prj_x', { ...defaults, data, outFolder: join(folder, 'out'), ...options }, context);
  };
  const videos = async () => (await readdir(join(folder, 'out')).catch(() => [])).sort();
  return {
    ...{ run, videos, requests, cancelled, lines, results, interrupt },
    onRow: (action: (row: number) => unknown) => {
      onRow = action;
    },
    pause: (why: NonNullable<Batch['reason']>) => {
      reason = why;
    },
  };
}

describe('koda render --data', () => {
  it('T11: renders one video per row, with its own and the common parameters', async () => {
    const { run, videos, requests, results } = setUp();
    await run([{ title: 'A' }, { count: 7 }], { given: [['count', '5']] });
    expect(requests).toEqual([{ title: 'A', count: 5 }, { count: 7 }]);
    expect(await videos()).toEqual(['A.mp4', 'Koda.mp4']);
    expect(results).toEqual(['A.mp4', 'Koda.mp4'].map((name) => join(folder, 'out', name)));
  });

  it('T11: renders nothing if a row is invalid, and reports all such rows', async () => {
    const { run, videos, requests } = setUp();
    const running = run([{ title: 'A' }, { title: 'much too long a title' }, 'B', { title: 'this one is, too' }]);
    await expect(running).rejects.toThrow(/3 of 4 rows.*Row 2: "much too long a title".*Row 3: it is not.*Row 4: "this one/s);
    expect(requests).toEqual([]);
    expect(await videos()).toEqual([]);
  });

  it('T11: continues after a failed row, and fails at the end', async () => {
    const { run, videos, lines } = setUp();
    const running = run([{ title: 'A' }, { title: 'bad' }, { title: 'C' }]);
    await expect(running).rejects.toMatchObject({ code: 'RENDER_FAILED', message: expect.stringMatching(/1 of 3.*bad\.mp4/) });
    expect(await videos()).toEqual(['A.mp4', 'C.mp4']);
    expect(lines).toContain('[2/3] bad.mp4: It broke.');
  });

  it('T11: a second run renders only missing videos, unless forced', async () => {
    const { run, videos, requests } = setUp();
    await run([{ title: 'A' }]);
    await run([{ title: 'A' }, { title: 'B' }]);
    expect(requests.map(({ title }) => title)).toEqual(['A', 'B']);
    await run([{ title: 'A' }, { title: 'B' }], { force: true });
    expect(requests).toHaveLength(4);
    expect(await videos()).toEqual(['A.mp4', 'B.mp4']);
    expect(await readFile(join(folder, 'out', 'A.mp4'), 'utf8')).toBe('video 4');
  });

  it('T11: malicious rows cannot write outside the folder', async () => {
    const { run, videos } = setUp();
    await run([{ title: '../up' }, { title: '/etc/x' }, { title: '..' }]);
    expect(await videos()).toEqual(['-etc-x.mp4', '-up.mp4', '3.mp4']);
    expect((await readdir(folder)).sort()).toEqual(['out', 'rows.json']);
  });

  it('T11: Ctrl+C cancels the batch, and says what is kept', async () => {
    const { run, videos, cancelled, lines, interrupt, onRow } = setUp();
    onRow((row) => row === 1 && interrupt.abort());
    await expect(run([{ title: 'A' }, { title: 'B' }, { title: 'C' }])).rejects.toThrow();
    expect(cancelled).toEqual(['/api/projects/prj_x/batches/bat_x/cancel']);
    expect(await videos()).toEqual(['A.mp4']);
    expect(lines.at(-1)).toMatch(/^Cancelled\. 1 of 3 videos are in .*out\. The same command makes the missing ones\.$/);
  });

  it('T11: ends with the reason if the batch is paused', async () => {
    const { run, videos, cancelled, pause, onRow } = setUp();
    onRow((row) => row === 1 && pause({ code: 'STORAGE_FULL', message: 'The disk is full.' }));
    await expect(run([{ title: 'A' }, { title: 'B' }])).rejects.toMatchObject({
      ...{ code: 'STORAGE_FULL', message: 'The disk is full.' },
    });
    expect(cancelled).toHaveLength(1);
    expect(await videos()).toEqual(['A.mp4']);
  });

  it('T11: renders more rows than a batch can have in several batches', async () => {
    const { run, results } = setUp();
    const table = Array.from({ length: 2_001 }, (_, index) => ({ title: `t${index}` }));
    await run(table);
    expect(results).toHaveLength(2_001);
  });

  it('T11: reports a missing file', async () => {
    const { run } = setUp();
    await expect(run([], { data: join(folder, 'none.json') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
