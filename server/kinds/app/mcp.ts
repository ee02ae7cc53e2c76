import { z } from 'zod';
import { createProjectRequestSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import { stateSchema } from '#contract/mcp-results.ts';
import { type AppEdits, appEditsSchema, appKindId } from '#kinds/app/contract/app.ts';
import { sqlRequestSchema } from '#kinds/app/contract/data.ts';
import { sqlResponseSchema } from '../../../sandbox-image/templates/app/model/api.ts';
import { type AppDocument, filterSchema, idSchema, sortSchema } from '../../../sandbox-image/templates/app/model/document.ts';
import { computedValues } from '../../../sandbox-image/templates/app/model/formulas.ts';
import { documentProblems, readDocument } from '../../../sandbox-image/templates/app/model/problems.ts';
import { type Change, recordIdSchema, valueSchema } from '../../../sandbox-image/templates/app/model/record.ts';
import { filterRecords, sortRecords } from '../../../sandbox-image/templates/app/model/rows.ts';
import { mayCreateProjects } from '../../access/policies.ts';
import { validationError } from '../../lib/validation-error.ts';
import type { KindMcp } from '../../mcp/server.ts';
import { settledState, stateOf } from '../../mcp/state.ts';
import { defineMcpTool, defineProjectTool, type ToolCall } from '../../mcp/tool.ts';
import { wait } from '../../mcp/tools/projects.ts';
import { plannedIn } from '../../projects/document.ts';
import { type AppData, listIn } from './data/app-data.ts';
import { newRecordId } from './data/import-table.ts';
import { readableApp } from './document.ts';
import { startingPoint, startingPoints } from './starting-points.ts';

/** The schema of a whole document would be most of what a client sends to its model, so problems are described instead. */
const documentInput = z.looseObject({}).describe('a whole app, of the same form as the document that query_app returns');

function documentIn(given: unknown): AppDocument {
  const read = readDocument(given);
  const problems = 'problem' in read ? [read.problem] : documentProblems(read.document);
  if ('problem' in read || problems.length > 0)
    throw new KodaError('VALIDATION_ERROR', `The document is not valid: ${problems.join(' ')}`, { details: { problems } });
  return read.document;
}

const makeApp = defineMcpTool({
  name: 'make_app',
  title: 'Make a web app',
  description:
    'Creates a project and plans a web app in it: from a sentence, a starting point, or a whole document. Continue with accept_plan, unless the plan was accepted at once. Example: {"prompt": "lend tools to neighbours", "start": "tool-library", "accept": true}.',
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: createProjectRequestSchema.pick({ name: true }).extend({
    prompt: createProjectRequestSchema.shape.prompt.optional().describe('what the app is for; not needed with the others'),
    start: idSchema.optional().describe(`the starting point: ${startingPoints.map(({ id }) => id).join(', ')}`),
    document: documentInput.optional(),
    accept: z.boolean().optional().describe('whether to accept the plan at once; default: with a start or a document'),
    wait,
  }),
  output: stateSchema,
  async run({ start, document: given, accept, wait: waits, ...request }, call) {
    if (!mayCreateProjects(call.caller))
      throw new KodaError('FORBIDDEN', 'This token is for some projects alone, so it cannot create others.', {
        recovery: 'use_other_token',
      });
    const point = start === undefined ? null : startingPoint(start);
    if (start !== undefined && point === null)
      throw new KodaError(
        'VALIDATION_ERROR',
        `There is no starting point “${start}”. Use one of: ${startingPoints.map(({ id }) => id).join(', ')}.`,
        { details: { field: 'start' } },
      );
    const document = given === undefined ? null : documentIn(given);
    const prompt = request.prompt ?? document?.name ?? point?.name;
    if (prompt === undefined)
      throw new KodaError('VALIDATION_ERROR', 'Set prompt, start or document.', { details: { field: 'prompt' } });
    const hints = { ...(document !== null && { document }), ...(start !== undefined && { start }) };
    const name = request.name ?? document?.name;
    const { id } = await call.studio.commands.create({ kind: appKindId, prompt, name, hints, start: true });
    if (accept ?? (document !== null || point !== null)) await acceptPlan(call, id);
    return { output: waits ? await settledState(call, id) : await stateOf(call, id) };
  },
});

/** Waits for the plan of a new app and accepts it. Koda may ask something instead, which the client answers. */
async function acceptPlan(call: ToolCall, id: string): Promise<void> {
  const { waiting_for } = await settledState(call, id);
  if (waiting_for === 'plan') await call.studio.commands.decidePlan(id, { action: 'accept' });
}

const documentOutput = { revision: z.int(), document: z.looseObject({}) };

const setApp = defineProjectTool({
  name: 'set_app',
  title: 'Change an app',
  description:
    'Changes an app’s lists, fields, pages, views or look by edits, or replaces its whole document (query_app returns it). Saves all or nothing; the files and the live app follow. Values of a removed field are kept for 30 days. Example: {"edits": [{"type": "set-theme", "theme": "forest", "was": "studio"}]}.',
  scope: 'write',
  hints: { readOnly: false, destructive: true, idempotent: false },
  input: z.object({
    edits: z
      .array(z.looseObject({ type: z.string() }))
      .min(1)
      .max(200)
      .optional(),
    document: documentInput.optional(),
    revision: z.int().optional().describe('with document: the revision that it replaces, so that nothing else is lost'),
  }),
  output: z.object({ ...documentOutput, notes: z.array(z.string()).describe('what else has changed') }),
  async run(id, { edits, document, revision }, { studio }) {
    if ((edits === undefined) === (document === undefined))
      throw new KodaError('VALIDATION_ERROR', 'Set either edits or document.', { details: { field: 'edits' } });
    const plan = plannedIn(await studio.store.state(id));
    readableApp(plan);
    const given =
      document === undefined
        ? edits
        : [{ type: 'set-document', document: documentIn(document), revision: revision ?? plan.revision }];
    const saved = await studio.commands.editDocument(id, validEdits(given));
    const app = readableApp(saved);
    return { output: { revision: saved.revision, document: { ...app.document }, notes: [...app.notes] } };
  },
});

function validEdits(given: unknown): AppEdits {
  const parsed = appEditsSchema.safeParse(given);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}

const record = z.object({
  id: z.string(),
  values: z.record(z.string(), valueSchema),
  computed: z.record(z.string(), valueSchema).optional(),
  notes: z.record(z.string(), z.string()).optional(),
});

const queryApp = (data: AppData) =>
  defineProjectTool({
    name: 'query_app',
    title: 'Read an app’s data',
    description:
      'Returns the records of a list that pass all filters, or the rows of an SQL query (a table per list, a column per field, by their ids with _ for -), or without both the app’s document. Starts the app if it is not running. Example: {"list": "tools", "filter": [{"field": "kind", "is": "is", "value": "garden"}]}.',
    scope: 'read',
    hints: { readOnly: true, destructive: false, idempotent: true },
    input: z.object({
      list: idSchema.optional(),
      filter: z.array(filterSchema).max(10).default([]),
      search: z.string().max(200).default(''),
      sort: z.array(sortSchema).max(3).default([]),
      limit: z.int().min(1).max(1000).default(100),
      sql: sqlRequestSchema.shape.query.optional().describe('changes nothing; at most 5 s and 1,000 rows'),
    }),
    output: z
      .object({
        ...documentOutput,
        records: z.array(record).describe('money is in minor units; choices and relations are ids'),
        total: z.int().describe('number of records that pass'),
        ...sqlResponseSchema.shape,
      })
      .partial(),
    async run(id, { list: listId, sql, ...query }, { signal, studio }) {
      if (listId !== undefined && sql !== undefined)
        throw new KodaError('VALIDATION_ERROR', 'Set either list or sql.', { details: { field: 'sql' } });
      if (sql !== undefined) return { output: await data.sql(id, sql, { signal }) };
      if (listId !== undefined) return { output: await recordsOf(data, id, { listId, ...query }, signal) };
      const plan = plannedIn(await studio.store.state(id));
      return { output: { revision: plan.revision, document: { ...readableApp(plan).document } } };
    },
  });

interface Query {
  readonly listId: string;
  readonly filter: z.output<typeof filterSchema>[];
  readonly search: string;
  readonly sort: z.output<typeof sortSchema>[];
  readonly limit: number;
}

async function recordsOf(data: AppData, id: string, { listId, filter, search, sort, limit }: Query, signal: AbortSignal) {
  const { document } = await data.document(id);
  const list = listIn(document, listId);
  const unknown = [...filter, ...sort].find(({ field }) => !list.fields.some((one) => one.id === field));
  if (unknown !== undefined)
    throw new KodaError(
      'VALIDATION_ERROR',
      `The list “${list.id}” has no field “${unknown.field}”. Its fields are: ${list.fields.map((one) => one.id).join(', ')}.`,
    );
  const { lists } = await data.records(id, null, { signal });
  const computed = computedValues(document, (other) => lists[other] ?? []);
  const computedOf = (one: Parameters<typeof computed.value>[1], field: string) => computed.value(list.id, one, field);
  const todayIso = new Date().toISOString().slice(0, 10);
  const found = filterRecords(lists[list.id] ?? [], { list, filters: filter, search, computed: computedOf, todayIso });
  const sorted = sortRecords(found, sort, list, computedOf);
  const formulas = list.fields.filter(({ type }) => type === 'computed').map((field) => field.id);
  const records = sorted.slice(0, limit).map((one) => ({
    ...{ id: one.id, values: one.values, ...(one.notes && { notes: one.notes }) },
    ...(formulas.length > 0 && { computed: Object.fromEntries(formulas.map((field) => [field, computedOf(one, field)])) }),
  }));
  return { records, total: found.length, more: found.length > limit };
}

const changeInput = z.object({
  op: z.enum(['put', 'delete']),
  list: idSchema,
  id: recordIdSchema.optional().describe('none for a new record'),
  values: z.record(idSchema, valueSchema).optional().describe('by field; the others stay'),
  was: z.record(idSchema, valueSchema).optional().describe('values that must not have changed in the meantime'),
});

function changeOf({ op, list, id, values = {}, was }: z.output<typeof changeInput>): Change {
  if (op === 'put') return { op, list, id: id ?? newRecordId(), values, ...(was && { was }) };
  if (id !== undefined) return { op, list, id };
  throw new KodaError('VALIDATION_ERROR', 'A change with "delete" needs the id of the record.', { details: { field: 'id' } });
}

const changeApp = (data: AppData) =>
  defineProjectTool({
    name: 'change_app',
    title: 'Change an app’s data',
    description:
      'Adds, changes and deletes records of an app, all or none. Money is in minor units, dates are yyyy-mm-dd, choices and relations are ids. Example: {"changes": [{"op": "put", "list": "tools", "values": {"name": "Ladder"}}]}.',
    scope: 'write',
    hints: { readOnly: false, destructive: true, idempotent: false },
    input: z.object({ changes: z.array(changeInput).min(1).max(1000) }),
    output: z.object({ applied: z.array(z.object({ list: z.string(), id: z.string(), deleted: z.boolean() })) }),
    async run(id, { changes }, { signal }) {
      const { applied } = await data.change(id, { batch: newRecordId(), changes: changes.map(changeOf) }, { signal });
      return { output: { applied: applied.map((one) => ({ list: one.list, id: one.id, deleted: one.record === null })) } };
    },
  });

export const appMcp = (data: AppData): KindMcp => ({
  instructions:
    'Koda also makes web apps with lists, pages and data: make_app creates one, set_app changes it, and query_app and change_app work with its records.',
  tools: [
    { after: 'list_projects', tools: [makeApp] },
    { after: 'stop_project', tools: [setApp, queryApp(data), changeApp(data)] },
  ],
  views: [],
});
