import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppDocument, Field } from '../model/document.ts';
import type { Change, Value } from '../model/record.ts';
import { Problem } from './problem.ts';
import { Store, type StoreEvent } from './store.ts';

const name: Field = { id: 'name', name: 'Name', type: 'text', needed: true, unique: true };
const tools = { id: 'tools', name: 'Tools', one: 'tool' };
const loans = { id: 'loans', name: 'Loans', one: 'loan' };
const documentWith = (fields: Field[]): AppDocument => ({
  version: 1,
  name: 'Tool library',
  theme: 'forest',
  mode: 'system',
  lists: [
    { ...tools, fields },
    {
      ...loans,
      fields: [
        { id: 'who', name: 'Who', type: 'text' },
        { id: 'tool', name: 'Tool', type: 'relation', list: 'tools' },
        { id: 'days', name: 'Days', type: 'computed', formula: '1 + 1', result: 'number' },
      ],
    },
  ],
  pages: [{ id: 'tools', name: 'Tools', views: [{ view: 'table', id: 'table', list: 'tools' }] }],
});
const plain = documentWith([name, { id: 'deposit', name: 'Deposit', type: 'number', min: 0 }]);

let root: string;
let store: Store;
beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'koda-app-'));
  mkdirSync(path.join(root, 'src'));
  writeDocument(JSON.stringify(plain));
  store = new Store(root);
  await store.refresh();
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true });
});

const writeDocument = (content: string) => writeFileSync(path.join(root, 'src/app.json'), content);
const journalFile = () => path.join(root, 'data/records.ndjson');
const journal = () => readFileSync(journalFile(), 'utf8');
async function restart(): Promise<void> {
  await store.close();
  store = new Store(root);
  await store.refresh();
}

let batches = 0;
const submit = (...changes: Change[]) => {
  batches += 1;
  return store.submit({ batch: `batch-${batches}`, changes });
};
const tool = (id: string, values: Record<string, Value>, was?: Record<string, Value>): Change => ({
  op: 'put',
  list: 'tools',
  id: id.padEnd(8, '0'),
  values,
  ...(was ? { was } : {}),
});
const remove = (id: string): Change => ({ op: 'delete', list: 'tools', id: id.padEnd(8, '0') });
const valuesOf = (list = 'tools') => store.snapshot().lists[list]?.map(({ values }) => values);
const problemOf = async (work: Promise<unknown>): Promise<Problem> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw new Error(`no problem but ${String(error)}`);
};

test('records are the same after a restart', async () => {
  await submit(tool('drill', { name: 'Drill', deposit: 20 }), tool('saw', { name: 'Saw' }));
  await submit(tool('saw', { deposit: 5 }));
  const before = store.snapshot();
  await restart();
  expect(store.snapshot()).toEqual(before);
  expect(valuesOf()).toEqual([
    { name: 'Drill', deposit: 20 },
    { name: 'Saw', deposit: 5 },
  ]);
});

test('a batch that is sent again takes effect once, after a restart and a compaction too', async () => {
  const request = { batch: 'the-same-batch', changes: [tool('drill', { name: 'Drill', deposit: 1 }, { deposit: null })] };
  const first = await store.submit(request);
  expect(await store.submit(request)).toEqual(first);
  for (let count = 0; count < 5; count += 1) await submit(tool('drill', { deposit: count }));
  await restart();
  expect(journal().split('\n').length).toBeLessThan(5);
  expect((await store.submit(request)).seq).toBe(first.seq);
  expect(valuesOf()).toEqual([{ name: 'Drill', deposit: 4 }]);
});

test('a value that someone else has changed is a conflict, and nothing of the batch is applied', async () => {
  await submit(tool('drill', { name: 'Drill', deposit: 1 }));
  const problem = await problemOf(submit(tool('saw', { name: 'Saw' }), tool('drill', { deposit: 2 }, { deposit: 7 })));
  expect(problem).toMatchObject({ status: 409, code: 'CONFLICT', details: { field: 'deposit', value: 1 } });
  expect(valuesOf()).toEqual([{ name: 'Drill', deposit: 1 }]);
});

test.each([
  ['a value below the least', { deposit: -1 }, 422],
  ['no value for a needed field', { deposit: 1 }, 422],
  ['a field that does not exist', { name: 'Saw', colour: 'red' }, 404],
  ['a value that another record has', { name: 'Drill' }, 422],
])('refuses %s', async (_what, values, status) => {
  await submit(tool('drill', { name: 'Drill' }));
  expect(await problemOf(submit(tool('saw', values)))).toMatchObject({ status });
  expect(valuesOf()).toEqual([{ name: 'Drill' }]);
});

test('records swap unique values in one batch', async () => {
  await submit(tool('drill', { name: 'A' }), tool('saw', { name: 'B' }));
  await submit(tool('drill', { name: 'B' }), tool('saw', { name: 'A' }));
  expect(valuesOf()).toEqual([{ name: 'B' }, { name: 'A' }]);
});

test('batches that are written together are checked against each other', async () => {
  const results = await Promise.allSettled([submit(tool('drill', { name: 'A' })), submit(tool('saw', { name: 'A' }))]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('relations name records that exist, stay when these are deleted, and computed fields are refused', async () => {
  const loan = (values: Record<string, Value>): Change => ({ op: 'put', list: 'loans', id: 'loan0000', values });
  expect(await problemOf(submit(loan({ tool: 'drill000' })))).toMatchObject({ status: 422, details: { field: 'tool' } });
  expect(await problemOf(submit(loan({ days: 3 })))).toMatchObject({ status: 422, details: { field: 'days' } });
  await submit(loan({ tool: 'drill000' }), tool('drill', { name: 'Drill' }));
  await submit(remove('drill'));
  expect(valuesOf('loans')).toEqual([{ tool: 'drill000' }]);
  await submit({ op: 'delete', list: 'loans', id: 'loan0000' });
  await restart();
  await submit(loan({ tool: 'drill000' }));
  expect(valuesOf('loans')).toEqual([{ tool: 'drill000' }]);
});

test('a deleted record returns to its place', async () => {
  await submit(tool('a', { name: 'A' }), tool('b', { name: 'B' }), tool('c', { name: 'C' }));
  await submit(remove('b'));
  await restart();
  await submit(tool('b', { name: 'B' }));
  expect(valuesOf()).toEqual([{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
});

test('a torn last line is cut off and set aside', async () => {
  await submit(tool('drill', { name: 'Drill' }));
  const good = journal();
  appendFileSync(journalFile(), '{"seq":2,"batch":"to');
  await restart();
  expect(journal()).toBe(good);
  expect(readFileSync(path.join(root, 'data/records.damaged-1'), 'utf8')).toBe('{"seq":2,"batch":"to');
  await submit(tool('saw', { name: 'Saw' }));
  await restart();
  expect(valuesOf()).toEqual([{ name: 'Drill' }, { name: 'Saw' }]);
});

test('a last line without its end is kept if it can be read', async () => {
  await submit(tool('drill', { name: 'Drill' }));
  truncateSync(journalFile(), journal().length - 1);
  await restart();
  await submit(tool('saw', { name: 'Saw' }));
  await restart();
  expect(valuesOf()).toEqual([{ name: 'Drill' }, { name: 'Saw' }]);
});

test('a damaged line in the middle is refused, and the file is left as it is', async () => {
  await submit(tool('drill', { name: 'Drill' }));
  await submit(tool('saw', { name: 'Saw' }));
  const lines = journal().split('\n');
  const damaged = [lines[0], lines[1]?.slice(0, 30), ...lines.slice(2)].join('\n');
  writeFileSync(journalFile(), damaged);
  await store.close();
  store = new Store(root);
  expect(await problemOf(store.refresh())).toMatchObject({
    status: 503,
    code: 'DAMAGED_DATA',
    message: expect.stringContaining('Line 2'),
  });
  expect(await problemOf(submit(tool('axe', { name: 'Axe' })))).toMatchObject({ code: 'DAMAGED_DATA' });
  expect(journal()).toBe(damaged);
  writeFileSync(journalFile(), lines.join('\n'));
  await store.refresh();
  expect(valuesOf()).toEqual([{ name: 'Drill' }, { name: 'Saw' }]);
});

test.each([
  ['broken', '{ "version": 1, '],
  ['later', JSON.stringify({ ...plain, version: 2 })],
])('with a %s document records can be read, not changed, and the data stays the same', async (_what, content) => {
  await submit(tool('drill', { name: 'Drill' }));
  appendFileSync(journalFile(), '{"torn');
  const before = readdirSync(path.join(root, 'data')).map((file) => readFileSync(path.join(root, 'data', file), 'utf8'));
  writeDocument(content);
  for (const start of [() => store.refresh(), restart]) {
    await start();
    expect(valuesOf()).toEqual([{ name: 'Drill' }]);
    expect(await problemOf(submit(tool('saw', { name: 'Saw' })))).toMatchObject({ status: 503 });
  }
  const after = readdirSync(path.join(root, 'data')).map((file) => readFileSync(path.join(root, 'data', file), 'utf8'));
  expect(after).toEqual(before);
  writeDocument(JSON.stringify(plain));
  await submit(tool('saw', { name: 'Saw' }));
  await restart();
  expect(valuesOf()).toEqual([{ name: 'Drill' }, { name: 'Saw' }]);
});

test('records follow a changed document, also if it changed while nothing ran', async () => {
  await submit(tool('drill', { name: 'Drill', deposit: 20 }));
  const events: StoreEvent[] = [];
  store.listen(store.state.seq, (event) => events.push(event));
  writeDocument(JSON.stringify(documentWith([name, { id: 'deposit', name: 'Deposit', type: 'text' }])));
  await store.refresh();
  expect(valuesOf()).toEqual([{ name: 'Drill', deposit: '20' }]);
  expect(events).toEqual(['reset']);
  writeDocument(JSON.stringify(plain));
  await restart();
  expect(valuesOf()).toEqual([{ name: 'Drill', deposit: 20 }]);
});

test('pages that were away receive what they missed, or read everything again', async () => {
  await submit(tool('drill', { name: 'Drill' }));
  await submit(tool('saw', { name: 'Saw' }));
  const received = (after: number) => {
    const events: StoreEvent[] = [];
    store.listen(after, (event) => events.push(event))();
    return events.map((event) => (event === 'reset' ? event : event.seq));
  };
  expect(received(0)).toEqual([1, 2]);
  expect(received(1)).toEqual([2]);
  expect(received(2)).toEqual([]);
  expect(received(9)).toEqual(['reset']);
  await restart();
  expect(received(1)).toEqual(['reset']);
  expect(received(2)).toEqual([]);
});

type Step =
  | { readonly kind: 'change'; readonly deletes: boolean; readonly ids: readonly number[]; readonly amount: number }
  | { readonly kind: 'undo' | 'restart' | 'again' }
  | { readonly kind: 'kill'; readonly torn: string };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      deletes: fc.boolean(),
      ids: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }),
      amount: fc.integer({ min: -1, max: 9 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('undo' as const, 'restart' as const, 'again' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), torn: fc.constantFrom('', '{', '{"seq":9', '\0\0') }) },
);

type Model = ReadonlyMap<string, number>;

/** What the store has to have after each step. */
class Reference {
  model: Model = new Map();
  readonly #past: Model[] = [];
  #last: { batch: string; changes: Change[] } | null = null;

  async take(step: Step): Promise<void> {
    if (step.kind === 'change') await this.#change(step.ids, step.deletes ? null : step.amount);
    else if (step.kind === 'undo') await this.#undo();
    else if (step.kind === 'again') await (this.#last && store.submit(this.#last));
    else {
      if (step.kind === 'kill') appendFileSync(journalFile(), step.torn);
      await restart();
    }
  }

  async #change(ids: readonly number[], amount: number | null): Promise<void> {
    const names = ids.map((id) => `tool${id}`);
    batches += 1;
    const changes = names.map((id) => (amount === null ? remove(id) : tool(id, { name: id, deposit: amount })));
    this.#last = null;
    if (amount !== null && amount < 0) {
      await problemOf(store.submit({ batch: `batch-${batches}`, changes }));
      return;
    }
    this.#last = { batch: `batch-${batches}`, changes };
    await store.submit(this.#last);
    this.#past.push(this.model);
    const others = [...this.model].filter(([id]) => !names.includes(id));
    this.model = new Map([...others, ...(amount === null ? [] : names.map((id) => [id, amount] as const))]);
  }

  async #undo(): Promise<void> {
    const target = this.#past.pop();
    if (!target) return;
    const changes = [...new Set([...this.model.keys(), ...target.keys()])].map((id) => {
      const amount = target.get(id);
      if (amount === undefined) return remove(id);
      return tool(id, { name: id, deposit: amount }, { deposit: this.model.get(id) ?? null });
    });
    if (changes.length > 0) await submit(...changes);
    this.model = target;
    this.#last = null;
  }
}

test('any sequence of edits, undo, restarts and kills leaves what was acknowledged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 30 }), async (steps) => {
      rmSync(path.join(root, 'data'), { recursive: true, force: true });
      await restart();
      const reference = new Reference();
      for (const step of steps) {
        await reference.take(step);
        const shown = new Map(store.snapshot().lists['tools']?.map(({ values }) => [values['name'], values['deposit']]));
        expect(shown).toEqual(reference.model);
      }
    }),
    { numRuns: 200 },
  );
});
