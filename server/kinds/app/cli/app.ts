import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import Papa from 'papaparse';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { routeUrl } from '#contract/routes.ts';
import { type AppEdits, appEditsSchema } from '#kinds/app/contract/app.ts';
import type { Imported, ImportRequest } from '#kinds/app/contract/data.ts';
import { appRoutes } from '#kinds/app/contract/routes.ts';
import { fieldNamed, readText, recordsByTitle } from '#kinds/app/contract/texts.ts';
import { type AppDocument, documentSchema, type List } from '../../../../sandbox-image/templates/app/model/document.ts';
import type { Value } from '../../../../sandbox-image/templates/app/model/record.ts';
import { readTable, recogniseTable } from '../../../../sandbox-image/templates/app/model/tables.ts';
import { showValue } from '../../../../sandbox-image/templates/app/model/values.ts';
import { type CommandContext, pageTimeoutMs, saveDownload } from '../../../cli/client.ts';
import { countOf } from '../words.ts';
import { partsOf } from './parts.ts';
import { tableLines } from './table-text.ts';

export interface Flags {
  readonly json: boolean;
}

/** The app may have to start first. */
export const patient = ({ signal }: CommandContext) => ({ signal, timeoutMs: pageTimeoutMs });
export const newRecordId = (): string => randomBytes(8).toString('hex');

const today = () => new Date().toISOString().slice(0, 10);

export async function showLists(id: string, { json }: Flags, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  const { document } = await client.call(appRoutes.app, { id });
  const { lists } = await client.call(appRoutes.appRecords, { id, query: {} }, patient(context));
  const counted = document.lists.map((list) => ({ ...list, records: lists[list.id]?.length ?? 0 }));
  if (json) return terminal.result(JSON.stringify(counted));
  const lines = tableLines(
    ['list', 'name', 'records'],
    counted.map((list) => [list.id, list.name, String(list.records)]),
  );
  for (const [index, line] of lines.entries()) {
    terminal.result(line);
    for (const { id: field, type, name } of counted[index - 1]?.fields ?? []) terminal.result(`  ${field}: ${name} (${type})`);
  }
}

export async function showRows(id: string, listId: string, { json }: Flags, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  const { document } = await client.call(appRoutes.app, { id });
  const list = listNamed(document, listId);
  const { lists } = await client.call(appRoutes.appRecords, { id, query: {} }, patient(context));
  const records = lists[list.id] ?? [];
  if (json) return terminal.result(JSON.stringify(records));
  const titleOf = (other: string, recordId: string) => {
    const title = document.lists.find((one) => one.id === other)?.fields[0];
    const record = lists[other]?.find((one) => one.id === recordId);
    return title === undefined || record === undefined ? null : String(record.values[title.id] ?? '');
  };
  const stored = list.fields.filter(({ type }) => type !== 'computed');
  const rows = records.map((record) => [
    record.id,
    ...stored.map((field) => showValue(field, record.values[field.id] ?? null, { titleOf })),
  ]);
  for (const line of tableLines(['id', ...stored.map(({ name }) => name)], rows)) terminal.result(line);
}

/** Adds a record. `given`: `name=value` for each field, with the value as one would type it in the app. */
export async function addRecord(
  id: string,
  listId: string,
  given: readonly string[],
  { json }: Flags,
  context: CommandContext,
): Promise<void> {
  const { client, terminal } = context;
  const { document } = await client.call(appRoutes.app, { id });
  const list = listNamed(document, listId);
  const texts = given.map((pair) => textFor(list, pair));
  const isRelated = texts.some(({ field }) => field.type === 'relation');
  const lists = isRelated ? (await client.call(appRoutes.appRecords, { id, query: {} }, patient(context))).lists : {};
  const idOf = recordsByTitle(document, lists);
  const values: Record<string, Value> = {};
  for (const { field, text } of texts) {
    const read = readText(field, text, { todayIso: today(), idOf });
    if ('problem' in read) throw new KodaError('VALIDATION_ERROR', `Nothing was added. ${read.problem}`);
    values[field.id] = read.value;
  }
  const change = { op: 'put' as const, list: list.id, id: newRecordId(), values };
  const body = { batch: newRecordId(), changes: [change] };
  const { seq } = await client.call(appRoutes.changeAppRecords, { id, body }, patient(context));
  terminal.result(json ? JSON.stringify({ id: change.id, list: list.id, seq }) : `Added ${change.id} to ${list.name}.`);
}

function textFor(list: List, pair: string) {
  const at = pair.indexOf('=');
  if (at < 1) throw new KodaError('BAD_REQUEST', `“${pair}” sets no field. Write name=value, such as ${list.fields[0]?.id}=….`);
  const field = fieldNamed(list, pair.slice(0, at));
  if (field !== null) return { field, text: pair.slice(at + 1) };
  throw new KodaError(
    'VALIDATION_ERROR',
    `The list “${list.name}” has no field “${pair.slice(0, at)}”. Its fields are: ${list.fields.map((one) => one.id).join(', ')}.`,
  );
}

/** Adds the rows of a file to a list. A file that is too large for one request is sent in parts. */
export async function importFile(
  id: string,
  listId: string,
  path: string,
  { json, keepTotals = false }: Flags & { readonly keepTotals?: boolean },
  context: CommandContext,
): Promise<void> {
  const { client, terminal } = context;
  const imported: Imported[] = [];
  for (const request of importRequests(listId, await readInput(path))) {
    const body = { ...request, ...(keepTotals && { keepsTotals: true }) };
    imported.push(await client.call(appRoutes.importIntoApp, { id, body }, patient(context)));
  }
  const sum = (name: 'added' | 'notes' | 'skipped' | 'totals') => imported.reduce((total, one) => total + one[name], 0);
  const columns = imported[0]?.columns ?? [];
  const counts = { added: sum('added'), notes: sum('notes'), skipped: sum('skipped'), totals: sum('totals') };
  const result = { ...counts, columns };
  if (json) return terminal.result(JSON.stringify(result));
  terminal.result(`Added ${result.added} records.`);
  if (result.notes > 0) terminal.note(`${result.notes} cells fit no field and became notes of their records.`);
  if (result.skipped > 0) terminal.note(`${result.skipped} rows were left out, because they lack a value that the list needs.`);
  if (result.totals > 0) terminal.note(`${countOf(result.totals, 'total row')} left out. --keep-totals adds them, too.`);
  const unknown = columns.filter(({ field }) => field === null).map(({ name }) => `“${name}”`);
  if (unknown.length > 0) terminal.note(`No field is called ${unknown.join(', ')}.`);
}

function importRequests(list: string, csv: string): ImportRequest[] {
  const table = readTable(csv);
  if ('problem' in table) throw new KodaError('VALIDATION_ERROR', `Nothing was imported. ${table.problem}`);
  const parts = partsOf(table.rows);
  if (parts.length <= 1) return [{ list, csv }];
  // What is guessed from all rows holds for each part.
  const decisions = recogniseTable(table, { todayIso: today() }).columns.map(({ monthFirst, decimal }, index) => {
    return [String(index), { ...(monthFirst !== undefined && { monthFirst }), ...(decimal !== undefined && { decimal }) }];
  });
  return parts.map((rows) => ({
    list,
    csv: Papa.unparse(table.headed ? [table.header, ...rows] : rows),
    decisions: Object.fromEntries(decisions),
  }));
}

export async function exportList(
  id: string,
  listId: string,
  { json, out }: Flags & { readonly out?: string },
  context: CommandContext,
): Promise<void> {
  const { client, signal, terminal } = context;
  const path = routeUrl(appRoutes.exportApp, { id, query: { list: listId } });
  if (out !== undefined) {
    await saveDownload(path, resolve(out), context);
    return terminal.result(json ? JSON.stringify({ list: listId, file: resolve(out) }) : resolve(out));
  }
  const csv = await new Response(await client.download(path, { signal })).text();
  terminal.result(json ? JSON.stringify({ list: listId, csv }) : csv.replace(/\r?\n$/, ''));
}

export async function runSql(id: string, query: string, { json }: Flags, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  const result = await client.call(appRoutes.queryApp, { id, body: { query } }, patient(context));
  if (json) return terminal.result(JSON.stringify(result));
  const rows = result.rows.map((row) => row.map((value) => String(value ?? '')));
  for (const line of tableLines(result.columns, rows)) terminal.result(line);
  if (result.more) terminal.note('There are more rows. Add LIMIT and OFFSET to the query to read them.');
}

/** Edits an app's document by a JSON file: edits, `{ "edits": […] }`, or a whole document as `koda app show` prints it. */
export async function editApp(id: string, path: string, { json }: Flags, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  const value = jsonFrom(await readInput(path), path);
  const edits = await editsIn(value, async () => (await client.call(appRoutes.app, { id })).revision);
  const result = await client.call(appRoutes.editApp, { id, body: { edits } });
  if (json) return terminal.result(JSON.stringify(result));
  terminal.result(`Saved as revision ${result.revision}.`);
  for (const note of result.notes) terminal.note(note);
}

async function editsIn(value: unknown, revision: () => Promise<number>): Promise<AppEdits> {
  const document = documentSchema.safeParse(value);
  if (document.success) return [{ type: 'set-document', document: document.data, revision: await revision() }];
  const isWrapped = typeof value === 'object' && value !== null && 'edits' in value;
  const edits = appEditsSchema.safeParse(isWrapped ? value.edits : value);
  if (edits.success) return edits.data;
  const [issue] = (Array.isArray(value) || isWrapped ? edits.error : document.error).issues;
  throw new KodaError(
    'VALIDATION_ERROR',
    `The file contains neither edits nor a document: ${issue?.path.map(String).join('.')}: ${issue?.message}`,
  );
}

export async function showApp(id: string, { client, terminal }: CommandContext): Promise<void> {
  const { document } = await client.call(appRoutes.app, { id });
  terminal.result(JSON.stringify(document, null, 2));
}

function listNamed({ lists }: AppDocument, name: string): List {
  const list = lists.find(({ id }) => id === name) ?? lists.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (list !== undefined) return list;
  throw new KodaError('NOT_FOUND', `There is no list “${name}”. The lists are: ${lists.map(({ id }) => id).join(', ')}.`);
}

export async function readInput(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new KodaError('NOT_FOUND', `The file cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

function jsonFrom(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KodaError('VALIDATION_ERROR', `${path} is no JSON: ${errorMessage(error)}`, { cause: error });
  }
}
