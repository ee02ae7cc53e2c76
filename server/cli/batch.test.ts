import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ParameterValues, parameterInfoSchema, type RenderRequest } from '#contract/render.ts';
import { type Route, routes, routeUrl } from '#contract/routes.ts';
import { sampleFilm, sampleProbe, sampleSettings } from '../../test/fixtures/renders.ts';
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
  const requests: RenderRequest[] = [];
  const cancelled: string[] = [];
  const interrupt = new AbortController();
  const lines: string[] = [];
  const results: string[] = [];
  let onRender = () => undefined as unknown;
  const client = {
    call: async (route: Route, input: { body: { sets?: ParameterValues[] } & RenderRequest }) => {
      const { body } = input;
      switch (route) {
        case routes.film:
          return film;
        case routes.project:
          return { seq: requests.length };
        case routes.checkParameters:
          return {
            problems: body.sets?.map(({ title = '' }) => (String(title).length > 10 ? `"${title}" is too long.` : null)),
          };
        case routes.startRender:
          requests.push(body);
          onRender();
          return { id: 'rnd_x', settings: sampleSettings() };
        default:
          return cancelled.push(routeUrl(route, input));
      }
    },
    download: async () => new Blob([`video ${requests.length}`]).stream(),
    events: async function* () {
      interrupt.signal.throwIfAborted();
      const bad = requests.at(-1)?.parameters?.['title'] === 'bad';
      const base = { id: 'rnd_x', renderTimeMs: 1, settings: sampleSettings() };
      yield bad
        ? { type: 'render.failed', render: { ...base, status: 'failed', error: { code: 'RENDER_FAILED', message: 'It broke.' } } }
        : { type: 'render.complete', render: { ...base, videoUrl: '/video', probe: sampleProbe() } };
    },
  } as unknown as StudioClient;
  const terminal = {
    note: (line: string) => lines.push(line),
    progress: () => undefined,
    result: (line: string) => results.push(line),
  } as unknown as Terminal;
  const context: CommandContext = { client, terminal, signal: interrupt.signal };
  const run = async (rows: unknown, options: Partial<BatchOptions> = {}) => {
    const data = join(folder, 'rows.json');
    await writeFile(data, JSON.stringify(rows));
    const defaults = { request: { kind: 'final' }, nameTemplate: '{title}', force: false, given: [] } as const;
    return renderBatch('prj_x', { ...defaults, data, outFolder: join(folder, 'out'), ...options }, context);
  };
  const videos = async () => (await readdir(join(folder, 'out')).catch(() => [])).sort();
  return {
    ...{ run, videos, requests, cancelled, lines, results, interrupt },
    onRender: (action: () => unknown) => {
      onRender = action;
    },
  };
}

describe('koda render --data', () => {
  it('T11: renders one video per row, with its own and the common parameters', async () => {
    const { run, videos, requests, results } = setUp();
    await run([{ title: 'A' }, { count: 7 }], { given: [['count', '5']] });
    expect(requests.map(({ parameters }) => parameters)).toEqual([{ title: 'A', count: 5 }, { count: 7 }]);
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
    expect(requests.map(({ parameters }) => parameters?.['title'])).toEqual(['A', 'B']);
    await run([{ title: 'A' }, { title: 'B' }], { force: true });
    expect(requests).toHaveLength(4);
    expect(await videos()).toEqual(['A.mp4', 'B.mp4']);
    expect(await readFile(join(folder, 'out', 'A.mp4'), 'utf8')).toBe('video 3');
  });

  it('T11: malicious rows cannot write outside the folder', async () => {
    const { run, videos } = setUp();
    await run([{ title: '../up' }, { title: '/etc/x' }, { title: '..' }]);
    expect(await videos()).toEqual(['-etc-x.mp4', '-up.mp4', '3.mp4']);
    expect((await readdir(folder)).sort()).toEqual(['out', 'rows.json']);
  });

  it('T11: Ctrl+C cancels the running render and starts no other', async () => {
    const { run, videos, requests, cancelled, interrupt, onRender } = setUp();
    onRender(() => requests.length === 2 && interrupt.abort());
    await expect(run([{ title: 'A' }, { title: 'B' }, { title: 'C' }])).rejects.toThrow();
    expect(requests).toHaveLength(2);
    expect(cancelled).toHaveLength(1);
    expect(await videos()).toEqual(['A.mp4']);
  });
});
