import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ColumnType,
  doubtText,
  readTable,
  recogniseTable,
  splitTotals,
  splitWords,
  type Table,
  tableToList,
  totalsText,
} from './tables.ts';
import { valueProblem } from './values.ts';

const today = { todayIso: '2026-11-04' };
function table(text: string, options = {}): Table {
  const read = readTable(text, options);
  if ('problem' in read) throw new Error(read.problem);
  return read;
}
function recognise(text: string, types: Record<number, ColumnType> = {}) {
  return recogniseTable(table(text), { ...today, types });
}
const typesOf = (text: string) => recognise(text).columns.map(({ type }) => type);
const column = (name: string, cells: readonly string[]) => [`${name};Extra`, ...cells.map((cell) => `${cell};x`)].join('\n');

describe('readTable', () => {
  it.each([
    ['commas', 'Name,Fee\nDrill,5\nSaw,7'],
    ['semicolons', 'Name;Fee\nDrill;5\nSaw;7'],
    ['tabs', 'Name\tFee\nDrill\t5\nSaw\t7'],
    ['bars', 'Name|Fee\nDrill|5\nSaw|7'],
    ['a BOM and Windows line ends', '\uFEFFName,Fee\r\nDrill,5\r\nSaw,7\r\n'],
    ['quotes', '"Name","Fee"\n"Drill","5"\n"Saw","7"'],
    ['Markdown', '| Name | Fee |\n|:--|--:|\n| Drill | 5 |\n| Saw | 7 |'],
    ['empty lines', '\n\nName,Fee\n\nDrill,5\nSaw,7\n\n'],
  ])('reads %s', (_name, text) => {
    expect(table(text)).toEqual({
      header: ['Name', 'Fee'],
      headed: true,
      rows: [
        ['Drill', '5'],
        ['Saw', '7'],
      ],
    });
  });

  it('keeps delimiters, quotes and line breaks within quotes', () => {
    expect(table('Name,Note\n"Drill, big","says ""hi""\nagain"\nSaw,').rows).toEqual([
      ['Drill, big', 'says "hi"\nagain'],
      ['Saw', ''],
    ]);
  });

  it('reads a quotation mark that is never closed as text, and loses no row', () => {
    expect(table('Name;Size\n"5 inch;1\nSaw;2').rows).toEqual([
      ['"5 inch', '1'],
      ['Saw', '2'],
    ]);
  });

  it('takes a semicolon before a decimal comma', () => {
    expect(table('Name;Fee\nDrill;1,5\nSaw;2,50').rows).toEqual([
      ['Drill', '1,5'],
      ['Saw', '2,50'],
    ]);
  });

  it('reads one column, also with commas in some lines', () => {
    expect(table('Buy milk, eggs\nCall Ana\nPay rent')).toMatchObject({
      headed: false,
      rows: [['Buy milk, eggs'], ['Call Ana'], ['Pay rent']],
    });
    expect(table('Fee\n1,5\n2,5')).toMatchObject({ header: ['Fee'], rows: [['1,5'], ['2,5']] });
  });

  it('sees whether the first line is a header, unless it is told', () => {
    expect(table('Drill,5\nSaw,7').headed).toBe(false);
    expect(table('Drill,Garden\nSaw,Garden').headed).toBe(false);
    expect(table('Drill,5\nSaw,7', { headed: true }).header).toEqual(['Drill', '5']);
  });

  it('keeps cells beyond the header', () => {
    expect(table('Name,Fee\nDrill,5,extra\nSaw,7\nAxe,8')).toMatchObject({
      header: ['Name', 'Fee', ''],
      rows: [
        ['Drill', '5', 'extra'],
        ['Saw', '7', ''],
        ['Axe', '8', ''],
      ],
    });
  });

  it('refuses what is too large or empty, and says so', () => {
    expect(readTable('')).toEqual({ problem: 'The table is empty. Paste at least one row.' });
    expect(readTable(' \n \n')).toHaveProperty('problem');
    expect(readTable(`Name,Fee\n${'Drill,5\n'.repeat(100_000)}`)).toEqual({
      problem: 'The table has 100,000 rows, and at most 10,000 can be read. Split it and paste one part.',
    });
    expect(table(`Name,Fee\n${'Drill,5\n'.repeat(10_000)}`).rows).toHaveLength(10_000);
    expect(readTable(`${'a,'.repeat(60)}b\n${'1,'.repeat(60)}2`)).toEqual({
      problem: 'The table has 61 columns, and at most 60 can be read. Leave some out and paste it again.',
    });
  });

  it('never throws, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '1', ',', ';', '\t', '|', '"', '\n', '\r', '-', ' ', '\\') });
    fc.assert(
      fc.property(text, (csv) => {
        const read = readTable(csv);
        if ('problem' in read) return;
        const { list, records } = tableToList(recogniseTable(read, today), {}, 'Things');
        expect(records).toHaveLength(read.rows.length);
        for (const { values } of records) {
          for (const field of list.fields) expect(valueProblem(field, values[field.id] ?? null)).toBeNull();
        }
      }),
    );
  });
});

it('cells of a Markdown table that are bold as a whole are their text', () => {
  const { rows } = table('| What | Fee |\n|---|---|\n| *Stall* | 3 |\n| a*b* | `4` |\n| **Total** | **7** |');
  expect(rows).toEqual([
    ['Stall', '3'],
    ['a*b*', '4'],
    ['Total', '7'],
  ]);
});

it('dates without a year are of the year that the dates beside them name', () => {
  const found = table('What,Day\nFirst,3 Jan 2025\nSecond,14 Jan\nThird,1 Feb\nFourth,2 Feb 2026\nFifth,3 March');
  const { records } = tableToList(recogniseTable(found, today), {}, 'Days');
  expect(records.map(({ values }) => values['day'])).toEqual([
    ...['2025-01-03', '2025-01-14', '2025-02-01', '2026-02-02', '2026-03-03'],
  ]);
  const none = tableToList(recogniseTable(table('What,Day\nA,3 Jan\nB,14 Jan\nC,5 Feb'), today), {}, 'Days');
  expect(none.records.map(({ values }) => values['day'])).toEqual(['2026-01-03', '2026-01-14', '2026-02-05']);
});

describe('words above a table', () => {
  const marked = '| Service | Cost |\n|---|---:|\n| Figma | $540 |';
  const tabbed = 'Name\tFee\tPaid\nAnn\t20\tyes\nBo\t20\tno';
  it.each([
    ['a Markdown table', marked],
    ['tabs', tabbed],
    ['commas', 'Name,Fee,Paid\nAnn,20,yes\nBo,20,no'],
  ])('are split off above %s', (_name, rows) => {
    const words = 'All our members, and what they pay.\nRemind us of those who have not.';
    expect(splitWords(`${words}\n\n${rows}`)).toEqual({ words, rows: expect.stringContaining(rows) });
    expect(table(`${words}\n\n${rows}`.replaceAll('\n', '\r\n'))).toEqual(table(rows));
  });

  it('are a heading if they are few', () => {
    expect(table(`# Our subscriptions\n\n${marked}`)).toMatchObject({
      heading: 'Our subscriptions',
      header: ['Service', 'Cost'],
    });
    expect(table(`Members 2026\n\n${tabbed}`)).toMatchObject({ heading: 'Members 2026', header: ['Name', 'Fee', 'Paid'] });
  });

  it('are not rows with as many cells as the others, and not all there is', () => {
    for (const text of ['a,b\n\nc,d\ne,f', 'Milk\n\nEggs\nBread', '', 'one\n\ntwo'])
      expect(splitWords(text), text).toEqual({ words: '', rows: text });
  });
});

describe('the heading of a table', () => {
  it.each([
    ['a mark before it', '# Stock\nName,Fee\nDrill,5\nSaw,7'],
    ['a colon after it', 'Stock:\nName\tFee\nDrill\t5\nSaw\t7'],
    ['a Markdown table below it', '## Stock\n\n| Name | Fee |\n|--|--|\n| Drill | 5 |\n| Saw | 7 |'],
    ['empty cells beside it', 'Stock,\nName,Fee\nDrill,5\nSaw,7'],
    ['nothing beside it', 'Stock\nName\tFee\nDrill\t5\nSaw\t7'],
  ])('is known by %s', (_how, text) => {
    expect(table(text)).toMatchObject({ heading: 'Stock', header: ['Name', 'Fee'], rows: [{ 0: 'Drill' }, { 0: 'Saw' }] });
  });

  it('is no row of the table', () => {
    expect(table('Shopping:\nMilk\nEggs')).toMatchObject({ heading: 'Shopping', rows: [['Milk'], ['Eggs']] });
    for (const text of ['Milk\nEggs\nBread', 'Name,Fee\nDrill,5\nSaw,7', 'Drill,\nSaw,\nAxe,5', '# Stock', 'Stock:'])
      expect(table(text).heading, text).toBeUndefined();
  });
});

describe('splitTotals', () => {
  const split = (...lines: string[]) => splitTotals(table(lines.join('\n')));

  it.each(['TOTAL', 'Sum', 'Gesamt', 'Summe:', 'Subtotal', 'Grand total', 'Total (2)', 'Σ', 'Insgesamt'])(
    'leaves out a last row “%s”',
    (label) => {
      const { table: rest, totals } = split('Bike;Pieces;Price', 'City;2;£300', 'Road;3;£900', `${label};5;£1,200`);
      expect(rest.rows.map(([name]) => name)).toEqual(['City', 'Road']);
      expect(totals).toEqual([{ cells: [label, '5', '£1,200'], kind: 'sum' }]);
    },
  );

  it('leaves out several, averages, and subtotals between the rows', () => {
    const { table: rest, totals } = split(
      ...[
        'Item;Cost',
        'Flour;1,50',
        'Sugar;2,50',
        'Subtotal;4,00',
        'Eggs;3,00',
        'Milk;1,00',
        'Subtotal;4,00',
        'Total;8,00',
        'Average;2,00',
      ],
    );
    expect(rest.rows.map(([name]) => name)).toEqual(['Flour', 'Sugar', 'Eggs', 'Milk']);
    expect(totals.map(({ kind }) => kind)).toEqual(['sum', 'sum', 'sum', 'average']);
    expect(totalsText(totals)).toBe('4 total rows left out: “Subtotal, 4,00”, “Subtotal, 4,00”, “Total, 8,00”, “Average, 2,00”.');
  });

  it('leaves out a last row without words whose figures are the sums of their columns', () => {
    expect(split('Name;Pieces;Price', 'A;2;3.10', 'B;3;4.20', ';5;7.30').totals).toEqual([
      { cells: ['', '5', '7.30'], kind: 'sum' },
    ]);
    expect(split('Name;Pieces;Price', 'A;2;3.10', 'B;3;4.20', ';5;7.31').totals).toEqual([]);
    expect(split('Name;Pieces', 'A;1', ';1').totals).toEqual([]);
  });

  it('keeps records that only sound like totals', () => {
    expect(split('Cereal;Maker', 'Total;Mills', 'Flakes;Kell').totals).toEqual([]);
    expect(split('Cereal;Price', 'Total;5', 'Flakes;3').totals).toEqual([]);
    expect(split('Task', 'Sum', 'Total').totals).toEqual([]);
    expect(split('Name;Fee', 'A;1', 'Total eclipse;5').totals).toEqual([]);
  });

  it('neither throws nor loses a row, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom('Total', '1', '2', ';', '\n', ' ', '.', ',') });
    fc.assert(
      fc.property(text, (csv) => {
        const read = readTable(csv);
        if ('problem' in read) return;
        const { table: rest, totals } = splitTotals(read);
        expect(rest.rows.length + totals.length).toBe(read.rows.length);
      }),
    );
  });
});

describe('recogniseTable', () => {
  const many = (cells: readonly string[]) => Array.from({ length: 30 }, (_, index) => cells[index % cells.length] ?? '');

  it.each<[ColumnType, readonly string[]]>([
    ['number', ['1', '2.5', '-3']],
    ['number', ['250 g', '80 g']],
    ['money', ['£1', '£1,180.50']],
    ['money', ['5 EUR', '1,50 EUR']],
    ['date', ['3 Feb 2027', '2027-02-03']],
    ['date', ['13/2/2027', '1/2/2027']],
    ['time', ['13:30', '9am']],
    ['yesno', ['yes', 'no']],
    ['yesno', ['✓', '', '✓']],
    ['rating', ['★★★', '★']],
    ['email', ['ana@example.com', 'ben@example.com']],
    ['link', ['https://example.com/a', 'www.example.com']],
    ['phone', ['+44 7700 900123', '07700 900456']],
    ['choice', ['Garden', 'House', 'garden ']],
    ['longtext', ['Long '.repeat(40), 'Other '.repeat(40)]],
  ])('sees %s in %j', (type, cells) => expect(typesOf(column('Thing', many(cells)))[0]).toBe(type));

  it('keeps full names and codes as texts', () => {
    const names = Array.from({ length: 30 }, (_, index) => `Person ${String.fromCharCode(65 + (index % 26))}${index}`);
    expect(typesOf(column('Who', names))[0]).toBe('text');
    expect(
      typesOf(
        column(
          'Who',
          names.map((name, index) => (index < 13 ? name : (names[index % 13] ?? ''))),
        ),
      )[0],
    ).toBe('text');
    const [code] = recognise(
      column(
        'Code',
        Array.from({ length: 30 }, (_, index) => `00${index + 10}`),
      ),
    ).columns;
    expect(code).toMatchObject({ type: 'text', doubts: [{ kind: 'number-as-text', example: '0010' }] });
    expect(typesOf(column('Card', many(['4111111111111111', '4222222222222222'])))[0]).not.toBe('number');
  });

  it('allows at most twelve choices and a third of the rows', () => {
    const cells = (count: number, rows: number) =>
      Array.from({ length: rows }, (_, index) => `Kind ${String.fromCharCode(97 + (index % count))}`);
    expect(typesOf(column('Kind', cells(12, 36)))[0]).toBe('choice');
    expect(typesOf(column('Kind', cells(12, 35)))[0]).toBe('text');
    expect(typesOf(column('Kind', cells(13, 60)))[0]).toBe('text');
  });

  it('counts the cells that do not fit, in words', () => {
    const cells = [...Array.from({ length: 20 }, (_, index) => `£${index}`), 'free', 'free', 'free', 'free', '?'];
    const [fee] = recognise(column('Fee', cells)).columns;
    expect(fee).toMatchObject({ type: 'money', fits: 20, of: 25, currency: 'GBP' });
    const [doubt] = fee?.doubts ?? [];
    if (fee === undefined || doubt === undefined) throw new Error('no doubt');
    expect(doubtText(fee, doubt)).toBe('5 cells in Fee are not numbers: “free” 4 times, “?” once.');
  });

  it('asks about the day and the month only if no date shows the order', () => {
    const doubts = (cells: string[]) => recognise(column('Due', cells)).columns[0]?.doubts.map(({ kind }) => kind);
    expect(doubts(['3/2/2027', '4/5/2027', '6/6/2027'])).toEqual(['date-order']);
    expect(doubts(['3/2/2027', '24/5/2027'])).toEqual([]);
    expect(doubts(['3/3/2027', '4/4/2027'])).toEqual([]);
    expect(recognise(column('Due', ['3/2/2027', '5/24/2027'])).columns[0]).toMatchObject({ monthFirst: true, doubts: [] });
  });

  it('doubts a choice with a value that occurs once, and names duplicate headers', () => {
    expect(recognise(column('Kind', [...many(['a b', 'c d']), 'e f'])).columns[0]?.doubts).toEqual([
      { kind: 'choice-or-text', distinct: 3 },
    ]);
    const { columns } = recognise('Name,Fee,Fee,constructor\nDrill,1,2,a\nSaw,3,4,b');
    expect(columns.map(({ name }) => name)).toEqual(['Name', 'Fee', 'Fee 2', 'constructor']);
    expect(columns[2]?.doubts).toEqual([{ kind: 'duplicate-header', header: 'Fee' }]);
  });

  it('takes the type that the user sets', () => {
    expect(recognise(column('Fee', ['1', '2', 'x']), { 0: 'number' }).columns[0]).toMatchObject({
      type: 'number',
      fits: 2,
      of: 3,
    });
  });
});

describe('tableToList', () => {
  it('makes a list, with the title first and what does not fit as notes', () => {
    const recognised = recognise(
      'Fee;Name;Due;constructor\n£5;Drill;3/2/2027;a\n£1,50;Saw;;b\n£7;Axe;1/3/2027;c\n£9;Rake;2/3/2027;d\nfree;Hoe;?;e',
    );
    const { list, records } = tableToList(recognised, { 2: { monthFirst: true } }, 'Garden tools');
    expect(list).toMatchObject({ id: 'garden-tools', one: 'garden tool' });
    expect(list.fields.map(({ id, type }) => [id, type])).toEqual([
      ['name', 'text'],
      ['fee', 'money'],
      ['due', 'text'],
      ['field-constructor', 'text'],
    ]);
    expect(records[1]?.values).toEqual({ name: 'Saw', fee: 150, 'field-constructor': 'b' });
    expect(records[4]).toEqual({ values: { name: 'Hoe', due: '?', 'field-constructor': 'e' }, notes: { Fee: 'free' } });
  });

  it('follows the decisions', () => {
    const recognised = recognise(
      'Name,Fee,Due,Junk\nDrill,£5,3/2/2027,a\nSaw,free,4/2/2027,b\nAxe,£7,5/2/2027,c\nHoe,£8,6/2/2027,c\nFork,£8,7/2/2027,c',
    );
    const decisions = { 1: { name: 'Deposit', replace: { free: '0' } }, 2: { monthFirst: true }, 3: { skip: true } };
    const { list, records } = tableToList(recognised, decisions, 'Tools');
    expect(list.fields.map(({ name }) => name)).toEqual(['Name', 'Deposit', 'Due']);
    expect(records[0]?.values).toEqual({ name: 'Drill', deposit: 500, due: '2027-03-02' });
    expect(records[1]).toEqual({ values: { name: 'Saw', deposit: 0, due: '2027-04-02' } });
  });

  it('reads decimal commas of a whole column alike', () => {
    const { records } = tableToList(recognise('Name;Size\nA;1,5\nB;1,234\nC;2,25'), {}, 'Sizes');
    expect(records.map(({ values }) => values['size'])).toEqual([1.5, 1.234, 2.25]);
  });

  it('makes choices of values, merging case and space', () => {
    const cells = Array.from({ length: 12 }, (_, index) => ['Garden', 'garden', 'House  old'][index % 3] ?? '');
    const { list, records } = tableToList(recognise(column('Kind', cells)), { 1: { skip: true } }, 'Tools');
    expect(list.fields[0]).toMatchObject({ type: 'choice', choices: [{ id: 'garden' }, { id: 'house-old', name: 'House old' }] });
    expect(records.slice(0, 3).map(({ values }) => values['kind'])).toEqual(['garden', 'garden', 'house-old']);
  });

  it('drops no text, however long', () => {
    const long = 'a'.repeat(45_000);
    const { records } = tableToList(recognise(`Name,Note\nDrill,${long}\nSaw,b`), {}, 'Tools');
    expect(Object.values(records[0]?.notes ?? {}).join('')).toBe(long);
  });

  it('reads 10,000 rows of 60 columns', () => {
    const row = (at: number) =>
      Array.from({ length: 60 }, (_, index) => (index % 3 ? `${at * index}` : `Item ${at} ${index}`)).join(',');
    const text = [
      Array.from({ length: 60 }, (_, index) => `C${index}`).join(','),
      ...Array.from({ length: 10_000 }, (_, at) => row(at)),
    ].join('\n');
    const { columns } = recognise(text);
    expect(new Set(columns.map(({ type }) => type))).toEqual(new Set(['text', 'number']));
  });
});

describe('the title of a record', () => {
  const titleIn = (text: string) => {
    const table = readTable(text);
    if ('problem' in table) throw new Error(table.problem);
    return tableToList(recogniseTable(table, { todayIso: '2026-11-29' }), {}, 'Rows').list.fields[0]?.name;
  };

  it('is a text that is hardly ever empty', () => {
    const rows = ['Ana\t5\tcalled', 'Ben\t6\t', 'Ana\t7\t', 'Ben\t8\tpaid late', 'Cid\t9\t', 'Ana\t4\t', 'Cid\t3\t'];
    expect(titleIn(`Tenant\tRent\tNotes\n${rows.join('\n')}`)).toBe('Tenant');
  });

  it('is no number of a record', () => {
    expect(titleIn('No\tBike\n001\tCity bike\n002\tRoad bike\n003\tOld Raleigh\n004\tFolding bike')).toBe('Bike');
  });
});
