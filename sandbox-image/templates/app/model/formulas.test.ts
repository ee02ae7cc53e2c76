import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AppDocument, documentSchema } from './document.ts';
import { compileFormula, computedValues, evaluate, formulaCache } from './formulas.ts';
import type { AppRecord, Values } from './record.ts';

interface Formulas {
  readonly [id: string]: { readonly formula: string; readonly result?: string };
}

function documentWith(computed: Formulas = {}): AppDocument {
  return documentSchema.parse({
    version: 1,
    name: 'Tools',
    theme: 'forest',
    mode: 'system',
    lists: [
      {
        id: 'tools',
        name: 'Tools',
        one: 'tool',
        fields: [
          { id: 'name', name: 'Name', type: 'text' },
          { id: 'price', name: 'Price', type: 'money', currency: 'GBP' },
          { id: 'amount', name: 'Amount in stock', type: 'number' },
          { id: 'min', name: 'Least', type: 'number' },
          { id: 'price-cost', name: 'Cost', type: 'money', currency: 'GBP' },
          { id: 'lent', name: 'Lent', type: 'date' },
          { id: 'back', name: 'Back', type: 'date' },
          { id: 'paid', name: 'Paid', type: 'yesno' },
          { id: 'state', name: 'State', type: 'choice', choices: [{ id: 'new', name: 'As new', hue: 'green' }] },
          { id: 'abroad', name: 'Abroad', type: 'money', currency: 'EUR' },
          ...Object.entries(computed).map(([id, { formula, result = 'number' }]) => ({
            id,
            name: id,
            type: 'computed',
            formula,
            result,
          })),
        ],
      },
      {
        id: 'loans',
        name: 'Loans',
        one: 'loan',
        fields: [
          { id: 'note', name: 'Note', type: 'text' },
          { id: 'tool', name: 'Tool', type: 'relation', list: 'tools' },
          { id: 'fee', name: 'Fee', type: 'money', currency: 'GBP' },
          { id: 'open', name: 'Open', type: 'yesno' },
        ],
      },
    ],
    pages: [{ id: 'tools', name: 'Tools', views: [{ view: 'table', id: 'all', list: 'tools' }] }],
  });
}
function record(id: string, values: Values): AppRecord {
  return { id: id.padEnd(8, '0'), values, createdMs: 0, changedMs: 0 };
}
const drill = record('drill', {
  name: 'Drill',
  price: 1250,
  amount: 4,
  min: 2,
  'price-cost': 200,
  lent: '2027-02-03',
  back: '2027-02-10',
  paid: true,
  state: 'new',
});
const saw = record('saw', { name: 'Saw', price: 999 });
const loans = [
  record('one', { tool: drill.id, fee: 500, open: true }),
  record('two', { tool: drill.id, fee: 250, open: false }),
  record('three', { tool: saw.id, fee: 100, open: true }),
  record('four', { fee: 7 }),
];
const lists: Record<string, AppRecord[]> = { tools: [drill, saw], loans };
const recordsOf = (id: string) => lists[id] ?? [];

function run(text: string, on: AppRecord = drill, document = documentWith(), listId = 'tools'): unknown {
  const list = document.lists.find(({ id }) => id === listId);
  if (list === undefined) throw new Error('no such list');
  const compiled = compileFormula(text, { document, list });
  if ('problem' in compiled) return compiled.problem;
  const result = evaluate(compiled.formula, on, { recordsOf });
  return 'value' in result ? result.value : result.problem;
}

describe('formulas', () => {
  it.each<[string, unknown]>([
    ['2 + 3 * 4', 14],
    ['(2 + 3) × 4 ÷ 8', 2.5],
    ['10 − 4 − 3', 3],
    ['-amount + 1', -3],
    ['price * amount', 5000],
    ['price + 5', 1750],
    ['price - price-cost', 1050],
    ['price-cost', 200],
    ['Amount in stock * 2', 8],
    ['price ÷ price-cost', 6.25],
    ['min(amount, min, 3)', 2],
    ['max(price, 20)', 2000],
    ['round(10 ÷ 3, 2)', 3.33],
    ['round(2.5)', 3],
    ['if(paid, 0, price)', 0],
    ['if(amount < min, "low", "enough")', 'enough'],
    ['if(price > 12, 1, 2)', 1],
    ['days(lent, back)', 7],
    ['back > lent', true],
    ['lent = "2027-02-03"', true],
    ['state = "As new"', true],
    ['state ≠ "new"', false],
    ['name = "DRILL"', true],
    ['amount = 4 and paid = yes', true],
    ['amount = 5 or paid = no', false],
    ['sum(loans.fee)', 857],
    ['sum(loans.fee where tool = this)', 750],
    ['sum(Loans.Fee where open and tool = this)', 500],
    ['count(loans where tool = this)', 2],
    ['count(loans where fee > 2)', 2],
    ['sum(loans.fee where fee < this.price)', 857],
    ['sum(loans.fee where tool = this) - price', -500],
    ['sum(loans.tool.price)', 1250 * 2 + 999],
  ])('%s is %j', (text, value) => expect(run(text)).toEqual(value));

  it('follows relations', () => {
    const one = loans[0] ?? drill;
    expect(run('tool.price - fee', one, documentWith(), 'loans')).toBe(750);
    expect(run('tool.name', one, documentWith(), 'loans')).toBe('Drill');
    expect(run('tool.price', loans[3], documentWith(), 'loans')).toBeNull();
  });

  it('leaves a calculation with an empty operand empty, but adds what there is', () => {
    expect(run('price * amount', saw)).toBeNull();
    expect(run('price + price-cost', saw)).toBe(999);
    expect(run('days(lent, back)', saw)).toBeNull();
    expect(run('amount < 3', saw)).toBe(false);
    expect(run('price', record('bad', { price: 'free' }))).toBeNull();
  });

  it.each<[string, RegExp]>([
    ['price ÷ 0', /divides by zero/],
    ['amount / (amount - 4)', /divides by zero/],
    ['nme * 2', /Tools has no field “nme”/],
    ['constructor', /no field “constructor”/],
    ['__proto__', /no field/],
    ['price *', /ends too early/],
    ['(price', /“\)” is missing/],
    ['price price', /not expected/],
    ['name + 1', /needs numbers, and Name is a text/],
    ['price * price', /cannot be multiplied/],
    ['price + abroad', /different currencies/],
    ['state = "broken"', /has no choice “broken”/],
    ['amount = name', /cannot be compared/],
    ['days(lent, amount)', /days needs dates/],
    ['if(amount, 1, 2)', /yes or no/],
    ['sum(lons.fee)', /no such list/],
    ['sum(loans.note)', /needs a number/],
    ['sum(loans.fee where price > 1)', /Write this\.price/],
    ['sum(loans.fee where count(tools) > 1)', /within another/],
    ['eval("1")', /no field “eval”/],
    ['', /ends too early/],
    [`${'('.repeat(300)}1`, /too many brackets/],
    ['1+'.repeat(400), /at most 500/],
  ])('says what is wrong with %j', (text, problem) => expect(run(text)).toMatch(problem));

  it('says where', () => {
    const document = documentWith();
    const [list] = document.lists;
    if (list === undefined) throw new Error('no list');
    expect(compileFormula('price + nme', { document, list })).toMatchObject({ at: 8 });
  });

  it('never throws, whatever the text', () => {
    const parts = fc.constantFrom(
      'price',
      'amount',
      'sum(',
      'loans',
      '.',
      'where',
      'this',
      '(',
      ')',
      '+',
      '÷',
      '=',
      '"a"',
      '1',
      ',',
      'if(',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts).map((all) => all.join(' ')),
        ),
        (text) => {
          run(text);
        },
      ),
    );
  });

  it('computes like JavaScript', () => {
    const number = fc.integer({ min: 1, max: 99 }).map(String);
    const sum = fc.array(fc.tuple(fc.constantFrom('+', '-', '*'), number), { maxLength: 8 });
    fc.assert(
      fc.property(number, sum, (first, rest) => {
        const text = first + rest.map(([sign, next]) => sign + next).join('');
        const products = text.split(/(?=[+-])/).map((term) =>
          term
            .replace('+', '')
            .split('*')
            .map(Number)
            .reduce((a, b) => a * b, 1),
        );
        const expected = products.reduce((a, b) => a + b, 0);
        expect(run(text)).toBeCloseTo(expected, -Math.log10(Math.max(1, Math.abs(expected)) * 1e-12));
      }),
    );
  });
});

describe('computed fields', () => {
  it('use each other', () => {
    const document = documentWith({
      net: { formula: 'price * amount', result: 'money' },
      gross: { formula: 'net * 1.2', result: 'money' },
    });
    expect(computedValues(document, recordsOf).value('tools', drill, 'gross')).toBe(6000);
    expect(run('gross + 1', drill, document)).toBe(6100);
  });

  it('give the declared type: a number as money and the other way round', () => {
    const document = documentWith({
      wage: { formula: 'amount * 20', result: 'money' },
      plain: { formula: 'price * 2', result: 'number' },
    });
    const values = computedValues(document, recordsOf);
    expect(values.value('tools', drill, 'wage')).toBe(8000);
    expect(values.value('tools', drill, 'plain')).toBe(25);
  });

  it('report loops and divisions by zero in words', () => {
    const loop = documentWith({
      a: { formula: 'b + 1' },
      b: { formula: 'c' },
      c: { formula: 'a' },
      self: { formula: 'self * 2' },
    });
    const values = computedValues(loop, recordsOf);
    expect(values.value('tools', drill, 'a')).toBeNull();
    expect(values.problem('tools', drill, 'a')).toMatch(/loop: “tools\.\w” → .*Take one of them out/);
    expect(values.problem('tools', drill, 'self')).toMatch(/loop/);
    const zero = documentWith({ share: { formula: '1 ÷ (amount - 4)' }, twice: { formula: 'share * 2' } });
    expect(computedValues(zero, recordsOf).problem('tools', drill, 'twice')).toBe('It divides by zero.');
    expect(computedValues(zero, recordsOf).problem('tools', saw, 'twice')).toBeNull();
  });

  it('find the loop through another list', () => {
    const document = documentWith({ all: { formula: 'sum(loans.share where tool = this)' } });
    document.lists[1]?.fields.push({ id: 'share', name: 'Share', type: 'computed', formula: 'tool.all ÷ 2', result: 'number' });
    expect(computedValues(document, recordsOf).problem('tools', drill, 'all')).toMatch(/loop/);
  });

  it('look related records up in an index instead of reading them all for each record', () => {
    let reads = 0;
    const many = Array.from({ length: 2000 }, (_, index) =>
      record(`t${String(index).padStart(7, '0')}`, { name: `T${index}`, price: index }),
    );
    const fees = many.map(({ id }, index) => {
      const values = { tool: id, open: true };
      Object.defineProperty(values, 'fee', {
        enumerable: true,
        get: () => {
          reads += 1;
          return index;
        },
      });
      return record(`l${index}`, values);
    });
    const document = documentWith({ fees: { formula: 'sum(loans.fee where open and tool = this)', result: 'money' } });
    const values = computedValues(document, (id) => (id === 'tools' ? many : fees));
    expect(many.map((tool) => values.value('tools', tool, 'fees'))).toEqual(many.map((_tool, index) => index));
    expect(reads).toBe(2000);
  });

  it('share a cache across evaluations', () => {
    let calls = 0;
    const document = documentWith();
    const [list] = document.lists;
    if (list === undefined) throw new Error('no list');
    const compiled = compileFormula('sum(loans.fee where tool = this)', { document, list });
    if ('problem' in compiled) throw new Error(compiled.problem);
    const counted = (id: string) => {
      calls += 1;
      return recordsOf(id);
    };
    const cache = formulaCache();
    for (const tool of [drill, saw, drill]) {
      evaluate(compiled.formula, tool, { recordsOf: counted, cache });
    }
    expect(calls).toBe(1);
  });
});
