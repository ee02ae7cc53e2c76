import { basename, extname } from 'node:path';
import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { appKindId } from '#kinds/app/contract/app.ts';
import { tableNameOf } from '#kinds/app/contract/request.ts';
import { appRoutes } from '#kinds/app/contract/routes.ts';
import type { AppDocument, List } from '../../../../sandbox-image/templates/app/model/document.ts';
import {
  doubtText,
  readTable,
  recogniseTable,
  splitTotals,
  tableToList,
  totalsText,
} from '../../../../sandbox-image/templates/app/model/tables.ts';
import { fittingViews } from '../../../../sandbox-image/templates/app/model/views.ts';
import { reportState } from '../../../cli/act.ts';
import type { CommandContext } from '../../../cli/client.ts';
import { untilComplete } from '../../../cli/until-complete.ts';
import { newRecordId, patient, readInput } from './app.ts';
import { partsOf } from './parts.ts';

export interface MakeAppOptions {
  /** `null`: the starting point or the file says what the app is. */
  readonly prompt: string | null;
  /** Id of a starting point. */
  readonly start: string | null;
  /** Path of a table of which the app is made. */
  readonly data: string | null;
  readonly yes: boolean;
  readonly json: boolean;
}

interface TableApp {
  readonly document: AppDocument;
  readonly records: ReturnType<typeof tableToList>['records'];
}

/** Makes a web app from words, a starting point or a table, handles its approvals and prints its address. */
export async function makeApp(options: MakeAppOptions, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  const { start, data, yes, json } = options;
  if (start !== null && data !== null) throw new KodaError('BAD_REQUEST', 'Use either --start or --data.');
  const name = start === null ? null : await startName(start, context);
  const file = data === null ? null : { text: await readInput(data), name: basename(data, extname(data)) };
  const table = file === null ? null : tableApp(file, options.prompt ?? '', context);
  const prompt = options.prompt ?? name ?? table?.document.name;
  if (prompt === undefined) throw new KodaError('BAD_REQUEST', 'Say what the app is for, or use --start or --data.');
  const hints = { ...(start !== null && { start }), ...(table !== null && { document: table.document }) };
  const { id } = await client.call(routes.createProject, { body: { prompt, kind: appKindId, hints } });
  const address = `${client.address}/p/${id}`;
  terminal.note(`Project ${id}: ${address}`);
  await untilComplete(id, { prompt, yes, look: 'Try it' }, context);
  if (table !== null) await addRecords(id, table, context);
  if (json) await reportState(id, { json, video: null }, context);
  else terminal.result(address);
}

async function startName(id: string, { client }: CommandContext): Promise<string> {
  const starts = await client.call(appRoutes.starts, {});
  const start = starts.find((one) => one.id === id);
  if (start !== undefined) return start.name;
  throw new KodaError(
    'NOT_FOUND',
    `There is no starting point “${id}”. The starting points are: ${starts.map((one) => one.id).join(', ')}.`,
  );
}

const shownViews = 3;

interface TableFile {
  readonly text: string;
  /** Without its ending. */
  readonly name: string;
}

function tableApp(file: TableFile, words: string, { terminal }: Pick<CommandContext, 'terminal'>): TableApp {
  const read = readTable(file.text);
  if ('problem' in read) throw new KodaError('VALIDATION_ERROR', `No app was made. ${read.problem}`);
  const { table, totals } = splitTotals(read);
  if (totals.length > 0) terminal.note(`  ${totalsText(totals)}`);
  const recognised = recogniseTable(table, { todayIso: new Date().toISOString().slice(0, 10) });
  for (const column of recognised.columns) {
    terminal.note(`  ${column.name}: ${column.type}`);
    for (const doubt of column.doubts) terminal.note(`    ${doubtText(column, doubt)}`);
  }
  const columns = recognised.columns.map(({ name }) => name);
  const { name } = tableNameOf(words, { heading: table.heading ?? null, file: file.name, columns });
  const { list, records } = tableToList(recognised, {}, name);
  return { document: documentOf(list), records };
}

/** Returns an app with a page for the list, which has a page for each of the views that fit it best. */
function documentOf(list: List): AppDocument {
  const empty: AppDocument = {
    ...{ version: 1, name: list.name, theme: 'studio', mode: 'system', icon: 'list', lists: [list], pages: [] },
  };
  const fitting = fittingViews(list, empty);
  const table = fitting.filter(({ view }) => view === 'table');
  const others = fitting.filter(({ view }) => view !== 'table' && view !== 'sheet' && view !== 'form');
  const pages = [...table, ...others].slice(0, shownViews).map((view) => ({
    id: view.view,
    name: view.view === 'table' ? list.name : view.view.charAt(0).toUpperCase() + view.view.slice(1),
    views: [view],
  }));
  return { ...empty, pages };
}

async function addRecords(id: string, { document, records }: TableApp, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  const [list] = document.lists;
  if (list === undefined) return;
  const changes = records.map((record) => ({ op: 'put' as const, list: list.id, id: newRecordId(), ...record }));
  for (const part of partsOf(changes)) {
    const body = { batch: newRecordId(), changes: part };
    await client.call(appRoutes.changeAppRecords, { id, body }, patient(context));
  }
  terminal.note(`Added ${records.length} records to ${list.name}.`);
}
