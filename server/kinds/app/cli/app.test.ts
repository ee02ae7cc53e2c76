import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Route } from '#contract/routes.ts';
import { appRoutes } from '#kinds/app/contract/routes.ts';
import type { AppDocument } from '../../../../sandbox-image/templates/app/model/document.ts';
import type { CommandContext, StudioClient } from '../../../cli/client.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { addRecord, editApp, importFile, runSql, showLists, showRows } from './app.ts';
import { withMakeApp } from './commands.ts';
import { partsOf } from './parts.ts';

const id = 'prj_0123456789abcdefghjk';
const document: AppDocument = {
  ...{ version: 1, name: 'Loans', theme: 'studio', mode: 'system' },
  lists: [
    {
      ...{ id: 'tools', name: 'Tools', one: 'tool' },
      fields: [
        { id: 'name', name: 'Name', type: 'text' },
        { id: 'fee', name: 'Late fee', type: 'money', currency: 'EUR' },
        { id: 'owner', name: 'Owner', type: 'relation', list: 'people' },
      ],
    },
    { id: 'people', name: 'People', one: 'person', fields: [{ id: 'name', name: 'Name', type: 'text' }] },
  ],
  pages: [{ id: 'tools', name: 'Tools', views: [{ view: 'table', id: 'tools', list: 'tools' }] }],
};
const ana = { id: 'personana', values: { name: 'Ana' }, createdMs: 1, changedMs: 1 };
const saw = { id: 'toolnosaw', values: { name: 'Saw', fee: 250, owner: ana.id }, createdMs: 1, changedMs: 1 };

const human = { json: false };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'koda-app-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file and returns its path. */
function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** Creates a studio with one app. `bodies` collects what is sent to it. */
function studio() {
  const lines: string[] = [];
  const notes: string[] = [];
  const bodies: unknown[] = [];
  const answers = new Map<Route, unknown>([
    [appRoutes.app, { revision: 4, document }],
    [appRoutes.appRecords, { seq: 1, lists: { tools: [saw], people: [ana] } }],
    [appRoutes.changeAppRecords, { seq: 2, applied: [] }],
    [appRoutes.queryApp, { columns: ['name', 'n'], rows: [['Saw', null]], more: true }],
    [appRoutes.editApp, { revision: 5, document, notes: ['The total of Late fee is gone.'] }],
    [appRoutes.importIntoApp, { added: 2, notes: 1, skipped: 1, totals: 1, columns: [{ name: 'Colour', field: null }] }],
  ]);
  const call = async (route: Route, { body }: { body?: unknown }) => {
    if (body !== undefined) bodies.push(body);
    return answers.get(route);
  };
  const client = { call } as unknown as StudioClient;
  const terminal = { result: (line: string) => lines.push(line), note: (line: string) => notes.push(line) };
  const context: CommandContext = {
    ...{ client, terminal: terminal as unknown as Terminal, signal: new AbortController().signal },
  };
  return { context, lines, notes, bodies };
}

describe('koda app', () => {
  it('shows lists and records', async () => {
    const { context, lines } = studio();
    await showLists(id, human, context);
    expect(lines.slice(0, 3)).toEqual(['list    name    records', 'tools   Tools   1', '  name: Name (text)']);
    lines.length = 0;
    await showRows(id, 'Tools', human, context);
    expect(lines).toEqual(['id         Name  Late fee  Owner', 'toolnosaw  Saw   €2.50     Ana']);
    lines.length = 0;
    await showRows(id, 'tools', { json: true }, context);
    expect(JSON.parse(lines[0] ?? '')).toEqual([saw]);
  });

  it('adds a record from what one would type', async () => {
    const { context, lines, bodies } = studio();
    await addRecord(id, 'tools', ['name=a=b', 'late fee=2.50', 'owner=ana'], human, context);
    expect(bodies).toMatchObject([{ changes: [{ op: 'put', list: 'tools', values: { name: 'a=b', fee: 250, owner: ana.id } }] }]);
    expect(lines[0]).toMatch(/^Added [0-9a-f]{16} to Tools\.$/);
  });

  it('says what is wrong with a list, a field or a value, and sends nothing', async () => {
    const { context, bodies } = studio();
    await expect(showRows(id, 'cars', human, context)).rejects.toThrow('The lists are: tools, people.');
    await expect(addRecord(id, 'tools', ['wheels=4'], human, context)).rejects.toThrow('Its fields are: name, fee, owner.');
    await expect(addRecord(id, 'tools', ['name'], human, context)).rejects.toThrow('Write name=value');
    await expect(addRecord(id, 'tools', ['fee=free'], human, context)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(addRecord(id, 'tools', ['owner=Ben'], human, context)).rejects.toThrow('no record “Ben”');
    expect(bodies).toEqual([]);
  });

  it('imports a table, a large one in parts with the same reading of dates and numbers', async () => {
    const { context, lines, notes, bodies } = studio();
    await importFile(id, 'tools', file('small.csv', 'Name,Colour\nSaw,red\n'), human, context);
    expect(bodies).toEqual([{ list: 'tools', csv: 'Name,Colour\nSaw,red\n' }]);
    expect([lines, notes[2], notes[3]]).toEqual([
      ['Added 2 records.'],
      '1 total row left out. --keep-totals adds them, too.',
      'No field is called “Colour”.',
    ]);
    bodies.length = 0;
    const rows = Array.from(
      { length: 40 },
      (_row, index) => `${'x'.repeat(40_000)},${index === 0 ? '12/31/2025' : '01/02/2025'}`,
    );
    await importFile(id, 'tools', file('large.csv', `Name,Bought\n${rows.join('\n')}\n`), human, context);
    expect(bodies).toHaveLength(3);
    for (const body of bodies) expect(body).toMatchObject({ decisions: { 1: { monthFirst: true } } });
    await expect(importFile(id, 'tools', join(folder, 'none.csv'), human, context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('prints the rows of a query, and says if there are more', async () => {
    const { context, lines, notes } = studio();
    await runSql(id, 'select 1', human, context);
    expect([lines, notes]).toEqual([['name  n', 'Saw'], [expect.stringContaining('more rows')]]);
  });

  it('edits the document by edits, or replaces it', async () => {
    const { context, lines, notes, bodies } = studio();
    const edits = [{ type: 'rename-app', name: 'Shed', was: 'Loans' }];
    await editApp(id, file('edits.json', JSON.stringify({ edits })), human, context);
    await editApp(id, file('app.json', JSON.stringify(document)), human, context);
    expect(bodies).toEqual([{ edits }, { edits: [{ type: 'set-document', document, revision: 4 }] }]);
    expect([lines[0], notes[0]]).toEqual(['Saved as revision 5.', 'The total of Late fee is gone.']);
    const wrong = file('wrong.json', '[{"type":"paint"}]');
    await expect(editApp(id, wrong, human, context)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(editApp(id, file('text.json', 'x'), human, context)).rejects.toThrow('is no JSON');
  });
});

describe('koda make --app', () => {
  it('is koda make-app', () => {
    expect(withMakeApp(['make', '--app', 'lend tools', '--yes'])).toEqual(['make-app', 'lend tools', '--yes']);
    expect(withMakeApp(['--url', 'http://x', 'make', 'lend tools', '--app'])).toEqual([
      '--url',
      'http://x',
      'make-app',
      'lend tools',
    ]);
    expect(withMakeApp(['message', 'prj', 'make', '--app'])).toEqual(['message', 'prj', 'make', '--app']);
    expect(withMakeApp(['make', 'a ball'])).toEqual(['make', 'a ball']);
  });
});

describe('parts of a request', () => {
  it('keep all items in order, below the size of a request', () => {
    const items = Array.from({ length: 30 }, (_item, index) => `${index}${'é'.repeat(50_000)}`);
    const parts = partsOf(items);
    expect(parts.flat()).toEqual(items);
    for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(1024 * 1024);
    expect(partsOf([])).toEqual([]);
  });
});
