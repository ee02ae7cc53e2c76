import { cpSync, createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { filmKind } from '../../server/kinds/film/kind.ts';
import { type Database, openDatabase } from '../../server/storage/database.ts';
import type { ProjectRecord } from '../../server/storage/projects.ts';
import { createStores, type Stores } from '../../server/storage/stores.ts';
import { upgradePlans } from '../../server/storage/upgrade-plans.ts';
import { startTestStudio, type TestStudio } from '../fixtures/app.ts';
import { tempDir, tempStores, testPerson } from '../fixtures/storage.ts';
import { digest, expectGolden } from '../goldens/golden.ts';

const { signal } = new AbortController();
const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url);

/** Archives of a data folder. The second one has a cycle, and films in several phases. */
const archives = [
  ['backup-version-1.tar.gz', restoreArchive],
  ['database-2026-11.db.gz', unpackDatabase],
] as const;

async function restoreArchive(name: string, dataDir: string): Promise<void> {
  const source = createReadStream(fixture(name));
  await restoreBackup(source, { dataDir, force: false, signal, onProgress: () => undefined });
}

async function unpackDatabase(name: string, dataDir: string): Promise<void> {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'koda.db'), gunzipSync(readFileSync(fixture(name))));
}

async function eventsOf({ bus }: Stores, id: string): Promise<ProjectEvent[]> {
  const events: ProjectEvent[] = [];
  const stop = new AbortController();
  for await (const event of bus.follow(id, { afterSeq: 0, signal: stop.signal })) {
    events.push(event);
    if ((await bus.nextSeq(id, event.seq)) === null) stop.abort();
  }
  return events;
}

function described(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const start = typeof value === 'object' && value !== null && 'summary' in value ? `“${value.summary}” ` : '';
  return `${Array.isArray(value) ? `${value.length}, ` : start}${digest(value)}`;
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
const partsOf = (value: object) =>
  Object.entries(value).flatMap(([part, content]) => (isEmpty(content) ? [] : [`${part} ${described(content)}`]));

/** Divides events after each that changes what a user decides or reads. */
function stepsOf(events: readonly ProjectEvent[]): ProjectEvent[][] {
  const steps: ProjectEvent[][] = [[]];
  for (const event of events) {
    steps.at(-1)?.push(event);
    if (/^(project[.]phase|plan|approval|message|render[.]complete)/.test(event.type)) steps.push([]);
  }
  return steps.filter((step) => step.length > 0);
}

/** Old data names nobody: its projects belong to the only person, and its events have an unknown author. */
function withoutOwner<P extends ProjectRecord>({ owner, ...project }: P): Omit<P, 'owner'> {
  expect(owner).toBe('local');
  return project;
}

/** Returns what the stores show of a project, now and in earlier states. */
async function storedLines(stores: Stores, id: string, events: readonly ProjectEvent[]): Promise<string[]> {
  const commits = await stores.checkpointLedger.commits(id);
  const state = await stores.projects.state(id);
  const stored = { ...state, project: withoutOwner(state.project), events, commits };
  const lines = partsOf(stored).map((part) => `${id}: ${part}`);
  for (const { seq } of stepsOf(events).flatMap((step) => step.slice(-1)))
    lines.push(`${id} at ${seq}: ${partsOf(await stores.projects.stateAt(id, seq)).join(', ')}`);
  return lines;
}

/** Records a project's events again. Returns the resulting states, without the times of recording them. */
async function replayedLines(project: ProjectRecord, events: readonly ProjectEvent[]): Promise<string[]> {
  using stores = tempStores();
  const { id, kind, name, prompt, hints } = project;
  const chips = kind === filmKind.id ? filmKind.hints?.chips(hints) : [];
  await stores.projects.create({ by: testPerson, id, kind, name, prompt, hints, ...(chips && { chips }), events: [] });
  const lines: string[] = [];
  for (const step of stepsOf(events)) {
    const bodies = step.map(({ seq: _seq, projectId: _id, at: _at, ...body }) => body as EventBody);
    await stores.projects.record(id, bodies, { by: testPerson });
    const state = await stores.projects.state(id);
    const { createdAt: _created, updatedAt: _updated, previewLabel: _label, owner: _owner, ...replayed } = state.project;
    lines.push(`${id} replayed to ${step.at(-1)?.type}: ${partsOf({ ...state, project: replayed }).join(', ')}`);
  }
  return lines;
}

/** Returns what clients read of a project, except for what the start of a studio changes. */
async function servedLines(studio: TestStudio, id: string): Promise<string[]> {
  const read = async (part: string) => {
    const response = await studio.call(`/api/projects/${id}/${part}`);
    return `${id}: GET ${part} ${response.status} ${digest(await response.json())}`;
  };
  return await Promise.all(['document', 'document/scenes/scene-1/formats', 'renders'].map(read));
}

it.each(archives)('A22: the projects in %s are the same as before', async (name, fill) => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  await fill(name, dataDir);
  const database = openDatabase(dataDir);
  const stores = createStores(database);
  await upgradePlans(database, [filmKind]);
  const query = { cursor: null, limit: 100, search: null };
  const { items: projects } = await stores.projects.list(query);
  const { items: deleted } = await stores.projects.list({ ...query, state: 'deleted' });
  const lines = [...projects, ...deleted].map(
    (row) => `${row.id}: ${row.kind} “${row.name}” ${row.phase} ${digest(withoutOwner(row))}`,
  );
  for (const project of projects) {
    const events = await eventsOf(stores, project.id);
    for (const event of events) expect(event).not.toHaveProperty('by');
    lines.push(...(await storedLines(stores, project.id, events)), ...(await replayedLines(project, events)));
  }
  database.close();

  await using studio = await startTestStudio({ dataDir });
  for (const { id } of projects) lines.push(...(await servedLines(studio, id)));
  await expectGolden(`${name.split('.')[0]}.txt`, lines);
});

it.each(archives)('A22: an upgrade of %s that stops at any transaction is completed by the next start', async (name, fill) => {
  using folder = tempDir();
  const original = join(folder.path, 'original');
  await fill(name, original);
  const copy = (to: string) => {
    const dataDir = join(folder.path, to);
    cpSync(original, dataDir, { recursive: true });
    return dataDir;
  };
  const uninterrupted = copy('uninterrupted');
  await upgrade(uninterrupted, Number.POSITIVE_INFINITY);
  const expected = rowsOf(uninterrupted);
  expect(expected).not.toEqual(rowsOf(original));

  let stops = 0;
  for (;;) {
    const dataDir = copy(`stopped-${stops + 1}`);
    if (await upgrade(dataDir, stops + 1)) break;
    stops += 1;
    expect(rowsOf(dataDir), `after stop ${stops}`).not.toEqual(expected);
    expect(await upgrade(dataDir, Number.POSITIVE_INFINITY)).toBe(true);
    expect(rowsOf(dataDir), `after stop ${stops} and the next start`).toEqual(expected);
  }
  // At least one project's plans, its events, and the version.
  expect(stops).toBeGreaterThanOrEqual(3);
});

/** Upgrades the plans in a data folder up to a transaction, which is rolled back as after a kill. Returns whether there were fewer. */
async function upgrade(dataDir: string, transaction: number): Promise<boolean> {
  const stopped = new Error('stopped');
  const database = openDatabase(dataDir);
  let left = transaction;
  const write: Database['write'] = (work) =>
    database.write((tx) => {
      const result = work(tx);
      left -= 1;
      if (left === 0) throw stopped;
      return result;
    });
  try {
    await upgradePlans({ ...database, write }, [filmKind]);
    return true;
  } catch (error) {
    if (error !== stopped) throw error;
    return false;
  } finally {
    database.close();
  }
}

/** Returns what an upgrade of plans may change. */
function rowsOf(dataDir: string): unknown[] {
  const { sqlite, close } = openDatabase(dataDir);
  const rows = [
    'SELECT project_id, revision, draft FROM plans ORDER BY 1, 2',
    'SELECT project_id, seq, body FROM events ORDER BY 1, 2',
    'SELECT kind, version FROM plan_versions ORDER BY 1',
  ].map((query) => sqlite.prepare(query).all());
  close();
  return rows;
}
