import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { stateSchema } from '#contract/mcp-results.ts';
import { routes } from '#contract/routes.ts';
import { appRoutes } from '#kinds/app/contract/routes.ts';
import { koda } from '../fixtures/koda-command.ts';
import { connectMcp, type McpClient } from '../fixtures/mcp-client.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';

let studio: Studio;
let mcp: McpClient;
let folder: string;
/** The tool library, made by the first test. */
let id: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'koda-doors-'));
  studio = await startStudio({ sandbox: 'process' });
  mcp = await connectMcp(studio.url);
});
afterAll(async () => {
  await mcp?.[Symbol.asyncDispose]();
  await studio?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const app = (...args: string[]) =>
  koda(['--url', studio.url, 'app', ...args], { env: { KODA_DATA_DIR: studio.dataDir, KODA_URL: studio.url } });

/** Runs `koda app` and returns what it prints as JSON. */
async function json(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await app(...args, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

const call = (name: string, input: Record<string, unknown>) => mcp.call(name, { project_id: id, ...input });
const total = async () => z.object({ total: z.int() }).parse(await call('query_app', { list: 'tools' })).total;

describe('an app at the doors of Koda', () => {
  it('X18: is made from a starting point over MCP, up to its preview', async () => {
    const before = await mcp.call('list_projects');
    const unknown = await mcp.result('make_app', { start: 'no-such-app' });
    expect(JSON.stringify(unknown)).toContain('tool-library');
    const invalid = await mcp.result('make_app', { document: { version: 1 } });
    expect(invalid.isError).toBe(true);
    expect(await mcp.call('list_projects')).toEqual(before);

    const state = stateSchema.parse(await mcp.call('make_app', { start: 'tool-library' }));
    expect(state).toMatchObject({ phase: 'preview', waiting_for: 'preview', error: null, plan: { accepted: true } });
    id = state.project_id;
  });

  it('shows its document and its records, filtered and sorted', async () => {
    expect(await call('query_app', {})).toMatchObject({ document: { name: 'Tool library' } });
    const found = await call('query_app', { list: 'tools', search: 'trimmer', sort: [{ field: 'name' }], limit: 1 });
    expect(found).toMatchObject({ total: 1, more: false, records: [{ values: { name: 'Hedge trimmer, 60 cm' } }] });
    expect(
      await mcp.result('query_app', { project_id: id, list: 'tools', filter: [{ field: 'size', is: 'filled' }] }),
    ).toMatchObject({
      isError: true,
    });
  });

  it('takes changes of its records, and saves them', async () => {
    const before = await total();
    const added = await call('change_app', { changes: [{ op: 'put', list: 'tools', values: { name: 'Long ladder' } }] });
    const [{ id: record } = { id: '' }] = z.object({ applied: z.array(z.object({ id: z.string() })) }).parse(added).applied;
    expect(await total()).toBe(before + 1);
    // Its trigger varies, because a periodic autosave may come first.
    await vi.waitFor(
      async () => {
        const [newest] = (await studio.client.call(routes.checkpoints, { id, query: {} })).items;
        const path = `/api/projects/${id}/checkpoints/${newest?.id}/files/data/records.ndjson`;
        expect(await (await fetch(studio.url + path)).text()).toContain('Long ladder');
      },
      { interval: 200 },
    );
    const stale = { op: 'put', list: 'tools', id: record, values: { name: 'X' }, was: { name: 'Short ladder' } };
    expect(JSON.stringify(await mcp.result('change_app', { project_id: id, changes: [stale] }))).toContain('CONFLICT');
    await call('change_app', { changes: [{ op: 'delete', list: 'tools', id: record }] });
    expect(await total()).toBe(before);
  });

  it('T6: is used on the command line: add, import, export and query', async () => {
    const before = await total();
    expect(await json('lists', id)).toContainEqual(expect.objectContaining({ id: 'tools', records: before }));
    expect(await json('add', id, 'tools', 'name=Step ladder')).toMatchObject({ list: 'tools' });
    const csv = join(folder, 'tools.csv');
    writeFileSync(csv, 'Name,Colour\nWheelbarrow,green\nRake,\n');
    expect(await json('import', id, 'tools', csv)).toMatchObject({ added: 2, notes: 1, skipped: 0 });
    const out = join(folder, 'out.csv');
    expect(await json('export', id, 'tools', '--out', out)).toEqual({ list: 'tools', file: out });
    expect(readFileSync(out, 'utf8')).toContain('Wheelbarrow');
    expect(await json('sql', id, 'select count(*) as n from tools')).toMatchObject({ columns: ['n'], rows: [[before + 3]] });
    const rows = await app('rows', id, 'tools');
    expect(rows.stdout).toMatch(/Step ladder/);
  });

  it('says on the command line what is wrong', async () => {
    const unknown = await app('rows', id, 'cars');
    expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining('The lists are: ') });
    const field = await app('add', id, 'tools', 'wheels=4');
    expect(field).toMatchObject({ code: 2, stderr: expect.stringContaining('Its fields are: ') });
    const query = await app('sql', id, 'delete from tools', '--json');
    expect(query).toMatchObject({ code: 2, stdout: expect.stringContaining('VALIDATION_ERROR') });
  });

  it('is changed by edits, and as a whole document', async () => {
    const edits = join(folder, 'edits.json');
    writeFileSync(edits, JSON.stringify([{ type: 'rename-app', name: 'Our shed', was: 'Tool library' }]));
    expect(await json('edit', id, edits)).toMatchObject({ document: { name: 'Our shed' } });
    const { document, revision } = z
      .object({ document: z.record(z.string(), z.unknown()), revision: z.int() })
      .parse(await call('query_app', {}));
    const whole = { ...document, name: 'The shed' };
    expect(await call('set_app', { document: whole, revision })).toMatchObject({ document: { name: 'The shed' } });
    expect(JSON.stringify(await mcp.result('set_app', { project_id: id, document: whole, revision }))).toContain('CONFLICT');
    expect(JSON.parse((await app('show', id)).stdout)).toMatchObject({ name: 'The shed' });
  });

  it('starts again for whoever asks for its data', async () => {
    const before = await total();
    expect((await fetch(`${studio.url}/api/projects/${id}/sandbox`, { method: 'DELETE' })).ok).toBe(true);
    const { lists } = await studio.client.call(
      appRoutes.appRecords,
      { id, query: { list: 'tools' } },
      {
        signal: new AbortController().signal,
        timeoutMs: 240_000,
      },
    );
    expect(lists['tools']).toHaveLength(before);
  });
});

it('is made of a table by `koda make --app`', async () => {
  const csv = join(folder, 'guests.csv');
  writeFileSync(csv, 'Name,Seats,Arrives\nAna,2,2026-12-24\nBen,1,2026-12-25\nCem,4,2026-12-24\n');
  const made = await koda(['--url', studio.url, 'make', '--app', '--data', csv, '--yes'], {
    env: { KODA_DATA_DIR: studio.dataDir, KODA_URL: studio.url },
  });
  expect(made.code, made.stderr).toBe(0);
  const project = /prj_[a-z0-9]+/.exec(made.stdout)?.[0] ?? '';
  expect(made.stdout.trim()).toBe(`${studio.url}/p/${project}`);
  expect((await studio.client.call(routes.project, { id: project })).project.phase).toBe('complete');
  expect(await json('sql', project, 'select sum(seats) as seats from guests')).toMatchObject({ rows: [[7]] });
});
