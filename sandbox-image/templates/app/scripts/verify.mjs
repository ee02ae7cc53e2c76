// Adds, changes, deletes and restores a record of each list through the app's API, in a copy of the data, so that the check leaves
// no trace in it. Prints a sentence for each problem, and ends with 1 if there are any. Use: node scripts/verify.mjs
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createApi } from '../server/api.ts';
import { Store } from '../server/store.ts';

const root = path.resolve(import.meta.dirname, '..');
const copy = mkdtempSync(path.join(tmpdir(), 'verify-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const file of ['src/app.json', 'data/document.json', 'data/records.ndjson'])
  if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(copy, file));
const store = new Store(copy);
const api = createApi(store, copy);
const { lists } = JSON.parse(readFileSync(path.join(root, 'src/app.json'), 'utf8'));

const newId = () => randomBytes(8).toString('hex');
const within = (value, { min = value, max = value }) => Math.min(Math.max(value, min), max);

/** Returns a value that the field accepts, or `undefined` if there is none, such as a picture. */
function valueFor(field, records) {
  const text = newId();
  switch (field.type) {
    case 'text':
      return text.slice(0, field.maxLength);
    case 'longtext':
      return text;
    case 'number':
      return within(field.unique ? Math.trunc(Math.random() * 1e9) : 1, field);
    case 'money':
      return within(100, field);
    case 'date':
      return new Date().toISOString().slice(0, 10);
    case 'time':
      return '12:00';
    case 'choice':
      return field.choices[0]?.id;
    case 'choices':
      return field.choices.slice(0, 1).map(({ id }) => id);
    case 'rating':
      return 3;
    case 'yesno':
      return true;
    case 'link':
      return `https://example.org/${text}`;
    case 'email':
      return `${text}@example.org`;
    case 'phone':
      return '020 7946 0000';
    case 'relation': {
      const other = records[field.list]?.[0]?.id;
      return field.many && other !== undefined ? [other] : other;
    }
    default:
      return undefined;
  }
}

async function ask(address, body) {
  const request = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await api.request(address, request);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error?.message ?? `The server answers with ${response.status}.`);
  return answer;
}

const change = (changes) => ask('/api/changes', { batch: newId(), changes });

async function recordsOf(list) {
  return (await ask('/api/records')).lists[list] ?? [];
}

/** Returns the values of a new record, or `null` if a needed field has none that could be chosen here. */
function newValues(list, records) {
  const wanted = list.fields.filter((field, index) => field.type !== 'computed' && (index === 0 || field.needed));
  const values = wanted.map((field) => [field.id, valueFor(field, records)]);
  return values.some(([, value]) => value === undefined || value.length === 0) ? null : Object.fromEntries(values);
}

/** @throws with a sentence on what did not work */
async function verify(list, values) {
  const id = newId();
  const put = (given) => change([{ op: 'put', list: list.id, id, values: given }]);
  const remove = () => change([{ op: 'delete', list: list.id, id }]);
  const found = async () => (await recordsOf(list.id)).find((record) => record.id === id);
  const before = await recordsOf(list.id);
  try {
    await put(values);
    if (!isDeepStrictEqual((await found())?.values, values))
      throw new Error('A new record does not have the values that were sent.');
    const [title] = list.fields;
    const changed = { ...values, [title.id]: valueFor(title, {}) ?? values[title.id] };
    await put(changed);
    if (!isDeepStrictEqual((await found())?.values, changed)) throw new Error('A changed record does not have its new values.');
    await remove();
    if (await found()) throw new Error('A deleted record is still there.');
    await put(changed);
    if (!isDeepStrictEqual((await found())?.values, changed)) throw new Error('A deleted record cannot be restored.');
  } finally {
    if (await found()) await remove();
  }
  if (!isDeepStrictEqual(await recordsOf(list.id), before)) throw new Error('The records are not as they were before the check.');
}

const problems = [];
const { lists: records } = await ask('/api/records');
for (const list of lists) {
  const values = newValues(list, records);
  if (values === null) continue;
  try {
    await verify(list, values);
  } catch (error) {
    problems.push(`The list “${list.name}” does not work: ${error.message}`);
  }
}
await store.close();
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
