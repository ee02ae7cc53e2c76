import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Drawn, drawingOf, problemIn, tableRows, textIn } from './drawing.ts';
import { readSurface } from './messages.ts';
import { pathWithin, valueAt, withValueAt } from './pointer.ts';
import { kodaCatalog, type Surface } from './surface.ts';

const component = (id: string, rest: object) => ({ id, ...rest });
/** Returns a template placeholder for the value at a path. */
const at = (path: string) => ['$', '{', path, '}'].join('');
const text = (id: string, words: unknown) => component(id, { component: 'Text', text: words });

function surfaceOf(data: unknown, ...components: object[]): Surface {
  const read = readSurface([
    { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: kodaCatalog } },
    { version: 'v0.9', updateDataModel: { surfaceId: 's', value: data } },
    { version: 'v0.9', updateComponents: { surfaceId: 's', components } },
  ]);
  if (!read.ok) throw new Error(read.issue.message);
  return read.value;
}

const textsOf = (drawn: Drawn | null, data: unknown): string[] => {
  if (drawn === null) return [];
  const { component, row, children } = drawn;
  const own = component.component === 'Text' ? [textIn(component.text, { data, row })] : [];
  return [...own, ...children.flatMap((child) => textsOf(child, data))];
};

it('V1: draws a list component per row, with paths relative to the row', () => {
  const data = {
    shop: 'Koda',
    rows: [
      { name: 'a', tags: ['x', 'y'] },
      { name: 'b', tags: [] },
    ],
  };
  const surface = surfaceOf(
    data,
    component('root', { component: 'List', children: { componentId: 'row', path: '/rows' } }),
    component('row', { component: 'Column', children: ['name', 'tags'] }),
    text('name', { call: 'formatString', args: { value: `${at('name')} at ${at('/shop')}, \\${at('not this')}` } }),
    component('tags', { component: 'Row', children: { componentId: 'tag', path: 'tags' } }),
    text('tag', { path: '' }),
  );
  expect(textsOf(drawingOf(surface), data)).toEqual([`a at Koda, ${at('not this')}`, 'x', 'y', `b at Koda, ${at('not this')}`]);
});

it('V1: limits the number of drawn rows and counts the omitted ones', () => {
  const rows = Array.from({ length: 150 }, () => ({ inner: Array.from({ length: 150 }, (_, index) => index) }));
  const surface = surfaceOf(
    { rows },
    component('root', { component: 'List', children: { componentId: 'row', path: '/rows' } }),
    component('row', { component: 'List', children: { componentId: 'cell', path: 'inner' } }),
    text('cell', { path: '' }),
  );
  const count = (drawn: Drawn | null): number =>
    drawn === null ? 0 : drawn.children.reduce((sum, child) => sum + count(child), 1);
  const drawn = drawingOf(surface);
  expect(count(drawn)).toBe(2000);
  expect(drawn?.leftOut).toBe(150 - (drawn?.children.length ?? 0));
  const keys = new Set<string>();
  const walk = ({ key, children }: Drawn): void => {
    keys.add(key);
    children.forEach(walk);
  };
  if (drawn !== null) walk(drawn);
  expect(keys.size).toBe(2000);

  const table = {
    id: 't',
    component: 'Table',
    caption: 'All',
    columns: [{ title: 'No', path: 'inner/0' }],
    rows: '/rows',
  } as const;
  const of = { ...table, columns: [...table.columns] };
  const read = tableRows(of, { data: { rows }, row: '' }, { first: 100, end: 200 });
  expect(read).toEqual({ rows: Array(50).fill(['0']), total: 150 });
});

it('V1: reports the failed check of an input', () => {
  const check = (condition: object) => [{ condition: condition as never, message: 'wrong' }];
  const problem = (condition: object, value: unknown) => problemIn(check(condition), { data: { value }, row: '' });
  const value = { path: '/value' };
  const required = { call: 'required', args: { value } };
  expect(['', null, undefined, false, []].map((empty) => problem(required, empty))).toEqual(Array(5).fill('wrong'));
  expect(['x', 0, true, ['a']].map((filled) => problem(required, filled))).toEqual(Array(4).fill(null));
  expect(problem({ call: 'email', args: { value } }, 'a@b.c')).toBeNull();
  expect(problem({ call: 'email', args: { value } }, 'a@b')).toBe('wrong');
  const between = { call: 'numeric', args: { value, min: 1, max: 3 } };
  expect([0, 1, '2,5', '', 'x', 4].map((number) => problem(between, number))).toEqual([
    'wrong',
    null,
    null,
    'wrong',
    'wrong',
    'wrong',
  ]);
  const either = { call: 'or', args: { values: [between, { call: 'not', args: { value: required } }] } };
  expect(problem(either, '')).toBeNull();
  expect(problem(either, 7)).toBe('wrong');
  expect(problem({ call: 'and', args: { values: [required, { call: 'length', args: { value, max: 2 } }] } }, 'abc')).toBe(
    'wrong',
  );
});

it('V1: formats numbers and currencies', () => {
  const scope = { data: { price: 1234.5 }, row: '' };
  const value = { path: '/price' };
  expect(textIn({ call: 'formatNumber', args: { value, decimals: 2 } }, scope)).toBe('1,234.50');
  expect(textIn({ call: 'formatCurrency', args: { value, currency: 'EUR', grouping: false } }, scope)).toBe('€1234.50');
  expect(textIn({ path: '/price' }, scope)).toBe('1234.5');
});

it('V1: reads a written value at its path and changes nothing else', () => {
  const name = fc.string({ maxLength: 6 }).filter((part) => part !== '__proto__');
  const path = fc.array(name, { minLength: 1, maxLength: 4 });
  const pointer = (names: readonly string[]) =>
    `/${names.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue({ maxDepth: 2 })), path, fc.jsonValue(), (data, names, value) => {
      fc.pre(!(names.length === 1 && names[0] === ''));
      const before = structuredClone(data);
      const after = withValueAt(data, pointer(names), value);
      expect(data).toEqual(before);
      // A list has no named properties.
      if (valueAt(after, pointer(names)) !== undefined) expect(valueAt(after, pointer(names))).toEqual(value);
      for (const key of Object.keys(data)) if (key !== names[0]) expect(Reflect.get(after as object, key)).toBe(data[key]);
    }),
    { numRuns: 300 },
  );
  expect(withValueAt({ rows: ['a', 'b'] }, '/rows/1', undefined)).toEqual({ rows: ['a'] });
  expect(withValueAt({ rows: ['a'] }, '/rows/-', 'b')).toEqual({ rows: ['a', 'b'] });
  expect(withValueAt({ rows: ['a'] }, '/rows/99999999', 'b')).toEqual({ rows: ['a'] });
  expect(Reflect.get(withValueAt({}, '/__proto__/polluted', 1) as object, 'polluted')).toBeUndefined();
  expect(pathWithin('/rows/2', 'name')).toBe('/rows/2/name');
});
