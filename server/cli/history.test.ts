import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckpointEntry } from '#contract/history.ts';
import { type Route, routeUrl } from '#contract/routes.ts';
import type { CommandContext, StudioClient } from './client.ts';
import { branch, importFile, makeCheckpoint, rewind, showDiff, showHistory } from './history.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'koda-history-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (id: string, overrides: Partial<CheckpointEntry> = {}): CheckpointEntry => ({
  id,
  trigger: 'todo_done',
  title: 'Todo done: Build the ball',
  name: null,
  restoredFrom: null,
  at: '2026-01-02T03:04:05.678Z',
  thumbnailUrl: null,
  changedFiles: 1,
  files: [{ path: 'src/a.ts', status: 'modified', previousPath: null }],
  ...overrides,
});

/** Creates a studio that returns these responses in order. */
function studio(...answers: unknown[]) {
  const requests: string[] = [];
  const results: string[] = [];
  const notes: string[] = [];
  const answer = async (line: string, body?: unknown) => {
    requests.push(body === undefined ? line : `${line} ${JSON.stringify(body)}`);
    return answers[requests.length - 1];
  };
  const client = {
    address: 'http://studio',
    call: (route: Route, input: { body?: unknown }) =>
      answer(`${route.method.toUpperCase()} ${routeUrl(route, input)}`, input.body),
    import: async (file: { name: string; content: Blob }) => await answer(`IMPORT ${file.name} ${await file.content.text()}`),
  } as unknown as StudioClient;
  const terminal = { note: (line: string) => notes.push(line), result: (line: string) => results.push(line) };
  const context = { client, terminal, signal: new AbortController().signal } as unknown as CommandContext;
  return { requests, results, notes, context };
}

describe('history commands', () => {
  it('X4: lists all pages with descriptions, and shows how to clone', async () => {
    const { context, results, requests, notes } = studio(
      { items: [entry('chk_2', { name: 'Blue', title: 'Blue', changedFiles: 0, files: [] })], nextCursor: '7' },
      {
        items: [
          entry('chk_1', { trigger: 'restore', title: 'Restored “Todo \u001bdone”', restoredFrom: 'chk_0', changedFiles: 5 }),
        ],
        nextCursor: null,
      },
    );
    await showHistory('prj_x', 30, context);
    expect(results).toEqual([
      'chk_2  2026-01-02 03:04:05  “Blue”  (no files)',
      'chk_1  2026-01-02 03:04:05  Restored “Todo \uFFFDdone” from chk_0  (5 files: src/a.ts, …)',
    ]);
    expect(requests[1]).toBe('GET /api/projects/prj_x/checkpoints?limit=29&cursor=7');
    expect(notes).toEqual([
      'Clone it (the password is an access token or the studio’s key): git clone http://studio/git/prj_x.git',
    ]);
  });

  it('X4: names the program that saved a checkpoint, but neither the only person nor Koda', async () => {
    const items = [
      entry('chk_4', { by: { type: 'program', id: 'tok_1', name: 'Claude \u001bCode' } }),
      entry('chk_3', { by: { type: 'person', id: 'local', name: 'Local user' } }),
      entry('chk_2', { by: { type: 'koda', cause: 'idle' } }),
      entry('chk_1'),
    ];
    const { context, results } = studio({ items, nextCursor: null });
    await showHistory('prj_x', 30, context);
    expect(results.map((line) => / by .*(?= {2}\()/.exec(line)?.[0] ?? null)).toEqual([
      ' by Claude \uFFFDCode',
      null,
      null,
      null,
    ]);
  });

  it('X4: saves the files as a named checkpoint', async () => {
    const { context, results, requests } = studio({ checkpoint: entry('chk_1', { name: 'Blue', title: 'Blue' }) });
    await makeCheckpoint('prj_x', 'Blue', context);
    expect(requests).toEqual(['POST /api/projects/prj_x/checkpoints {"name":"Blue"}']);
    expect(results).toEqual(['chk_1  2026-01-02 03:04:05  “Blue”  (1 file: src/a.ts)']);
  });

  it('X4: shows the newest checkpoint by default', async () => {
    const file = { path: 'b', status: 'renamed', previousPath: 'a', binary: false, addedLines: 1, deletedLines: 2 };
    const diff = { changedFiles: 1200, files: [file], patch: null, truncated: false };
    const { context, results, requests, notes } = studio({ items: [entry('chk_9')], nextCursor: null }, diff);
    await showDiff('prj_x', { checkpointId: null, path: null, against: null }, context);
    expect(requests[1]).toBe('GET /api/projects/prj_x/checkpoints/chk_9/diff');
    expect([results, notes]).toEqual([['R  a → b  +1 -2'], ['… and 1199 more.']]);
  });

  it('X4: requests a file by its exact name', async () => {
    const { context, requests, results } = studio({ changedFiles: 1, files: [], patch: '+x\n', truncated: false });
    await showDiff('prj_x', { checkpointId: 'chk_1', path: 'a b&c', against: 'chk_0' }, context);
    expect(requests).toEqual(['GET /api/projects/prj_x/checkpoints/chk_1/diff?path=a+b%26c&against=chk_0']);
    expect(results).toEqual(['+x']);
  });

  it('X4: shows how to undo a rewind', async () => {
    const { context, notes } = studio(
      { restored: true, checkpoint: entry('chk_3') },
      { items: [entry('chk_3'), entry('chk_2')], nextCursor: null },
    );
    await rewind('prj_x', 'chk_1', context);
    expect(notes).toEqual(['Undo it: koda rewind prj_x chk_2']);
  });

  it('X4: omits a name that was not given', async () => {
    const { context, requests } = studio({ id: 'prj_y', name: 'B' });
    await branch('prj_x', { checkpointId: null, name: null }, context);
    expect(requests).toEqual(['POST /api/projects/prj_x/branch {}']);
  });

  it('X4: imports a file under its name, and reports a missing file', async () => {
    const file = join(folder, 'film.zip');
    writeFileSync(file, 'PK');
    const { context, requests } = studio({ id: 'prj_y', name: 'film' });
    await importFile(file, context);
    expect(requests).toEqual(['IMPORT film.zip PK']);
    await expect(importFile(join(folder, 'none.zip'), context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
