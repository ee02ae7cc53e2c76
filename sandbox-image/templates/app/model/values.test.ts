import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Field, type FieldType, fieldSchema } from './document.ts';
import { emptyValue, parseDate, parseNumber, parseText, showValue, valueProblem } from './values.ts';

const choices = [
  { id: 'garden', name: 'Garden', hue: 'green' as const },
  { id: 'house', name: 'House, cellar', hue: 'blue' as const },
];
const extra: Partial<Record<FieldType, object>> = {
  money: { currency: 'GBP' },
  choice: { choices },
  choices: { choices },
  relation: { list: 'people' },
  computed: { formula: '1', result: 'number' },
};
function field(type: FieldType, more: object = {}): Field {
  return fieldSchema.parse({ id: 'fee', name: 'Fee', type, ...extra[type], ...more });
}
// 4 November 2026 is a Wednesday.
const today = { todayIso: '2026-11-04' };
function read(type: FieldType, text: string, more: object = {}): unknown {
  const parsed = parseText(field(type, more), text, today);
  return 'value' in parsed ? parsed.value : parsed.problem;
}

describe('parseText', () => {
  it.each([
    ['1,5', 1.5],
    ['1.5', 1.5],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1,234', 1234],
    ['1 234,5', 1234.5],
    ['£1,180', 1180],
    ['2+3*4', 14],
    ['(2+3)×4', 20],
    ['10 ÷ 4', 2.5],
    ['0.1+0.2', 0.3],
    ['-3', -3],
    ['−3', -3],
    ['(12.50)', -12.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['', null],
  ])('reads the number “%s”', (text, value) => expect(read('number', text)).toBe(value));

  it.each(['free', '1/0', '1+', '(1', '1,23,4', '1..2', '07700 900123', '1.5.2'])('refuses “%s” as a number', (text) =>
    expect(read('number', text)).toMatch(/number/),
  );

  it('keeps amounts in minor units and refuses another currency', () => {
    expect(read('money', '£1,180')).toBe(118_000);
    expect(read('money', '1.005')).toBe(101);
    expect(read('money', '2*3.50')).toBe(700);
    expect(read('money', '1180', { currency: 'JPY' })).toBe(1180);
    expect(read('money', '€5')).toBe('Fee is in GBP, and this amount is in EUR.');
    expect(read('money', '$5', { currency: 'AUD' })).toBe(500);
    expect(read('money', 'free')).toBe('Money needs a number.');
    expect(read('money', '9'.repeat(40))).toBe('Money needs a number.');
  });

  it.each([
    ['2027-02-03', '2027-02-03'],
    ['3 Feb 2027', '2027-02-03'],
    ['3rd February 2027', '2027-02-03'],
    ['Feb 3, 2027', '2027-02-03'],
    ['Wed 3 Feb 2027', '2027-02-03'],
    ['3/2/2027', '2027-02-03'],
    ['3.2.27', '2027-02-03'],
    ['2/13/2027', '2027-02-13'],
    ['3/2', '2026-02-03'],
    ['today', '2026-11-04'],
    ['tomorrow', '2026-11-05'],
    ['+3', '2026-11-07'],
    ['-4', '2026-10-31'],
    ['fri', '2026-11-06'],
    ['wed', '2026-11-04'],
    ['Tuesday', '2026-11-10'],
    ['29 feb 2028', '2028-02-29'],
  ])('reads the date “%s”', (text, value) => expect(read('date', text)).toBe(value));

  it.each(['29 feb 2027', '31/4/2027', '0/0/2027', 'soon', '32 may 2027', '2027-13-01', 'constructor'])(
    'refuses “%s” as a date',
    (text) => expect(read('date', text)).toMatch(/A date is needed/),
  );

  it.each([
    ['13:30', '13:30'],
    ['1:30pm', '13:30'],
    ['1.30 p.m.', '13:30'],
    ['9', '09:00'],
    ['12am', '00:00'],
    ['12 pm', '12:00'],
    ['1330', '13:30'],
  ])('reads the time “%s”', (text, value) => expect(read('time', text)).toBe(value));
  it.each(['24:00', '9:60', '13pm', 'noonish'])('refuses “%s” as a time', (text) => expect(read('time', text)).toMatch(/time/));

  it('reads yes and no, ratings and choices', () => {
    for (const text of ['yes', 'Y', '✓', 'x', 'TRUE', '1']) expect(read('yesno', text), text).toBe(true);
    for (const text of ['no', 'N', '☐', '0', 'off']) expect(read('yesno', text), text).toBe(false);
    expect(read('yesno', 'perhaps')).toBe('This needs yes or no.');
    expect(read('rating', '4')).toBe(4);
    expect(read('rating', '★★★★')).toBe(4);
    expect(read('rating', '★★☆☆☆')).toBe(2);
    expect(read('rating', '3/5')).toBe(3);
    expect(read('rating', '0')).toBeNull();
    expect(read('rating', '6')).toBe('A rating is 1 to 5.');
    expect(read('choice', ' GARDEN ')).toBe('garden');
    expect(read('choice', 'Shed')).toBe('Fee has no choice “Shed”.');
    expect(read('choices', 'garden')).toEqual(['garden']);
    expect(read('choices', 'House, cellar')).toEqual(['house']);
    expect(read('choices', 'garden; shed')).toBe('Fee has no choice “shed”.');
  });

  it('checks the form of e-mails, links and phone numbers', () => {
    expect(read('email', 'ana.example.com')).toBe('An e-mail address has an @ in it.');
    expect(read('email', 'ana@example.com')).toBe('ana@example.com');
    expect(read('email', 'ana@example')).toMatch(/looks like/);
    expect(read('link', 'example.com/a')).toBe('https://example.com/a');
    expect(read('link', 'javascript:alert(1)')).toMatch(/A link looks like/);
    expect(read('phone', '+44 7700 900-123')).toBe('+44 7700 900-123');
    expect(read('phone', 'call me')).toMatch(/digits/);
    expect(read('relation', 'Ana')).toMatch(/Choose one/);
    expect(read('computed', '1')).toMatch(/computed/);
    expect(read('image', 'x.png')).toMatch(/picture/);
  });

  it('never throws, and gives values that pass their check', () => {
    const types = [
      'text',
      'longtext',
      'number',
      'money',
      'date',
      'time',
      'choice',
      'choices',
      'rating',
      'yesno',
      'link',
      'email',
      'phone',
    ] as const;
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789.,-+*/() £€:ampfri') });
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.oneof(fc.string(), digits), (type, text) => {
        const parsed = parseText(field(type), text, today);
        if ('value' in parsed) expect(valueProblem(field(type), parsed.value)).toBeNull();
        else expect(parsed.problem).toMatch(/[.]$/);
      }),
    );
  });

  it('reads back what it shows', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (minor) => {
        for (const long of [false, true]) expect(read('money', showValue(field('money'), minor, { long }))).toBe(minor);
      }),
    );
    fc.assert(
      fc.property(fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }), (date) => {
        const iso = date.toISOString().slice(0, 10);
        expect(read('date', showValue(field('date'), iso))).toBe(iso);
      }),
    );
  });
});

describe('parseNumber and parseDate of tables', () => {
  it('take no sums and no words', () => {
    expect(parseNumber('3/2/2027')).toBeNull();
    expect(parseNumber('1,234', { decimal: ',' })).toBe(1.234);
    expect(parseDate('fri', { ...today, words: false })).toBeNull();
    expect(parseDate('3/2', { ...today, words: false })).toBeNull();
    expect(parseDate('3/2/2027', { ...today, monthFirst: true })).toBe('2027-03-02');
  });
});

describe('valueProblem', () => {
  it.each<[FieldType, object, unknown, string | null]>([
    ['text', { needed: true }, '', 'Fee is needed.'],
    ['text', {}, null, null],
    ['text', { maxLength: 3 }, 'four', 'Fee has at most 3 characters.'],
    ['text', {}, 4, 'Fee needs a text.'],
    ['number', { min: 2 }, 1, 'Fee is at least 2.'],
    ['number', {}, Number.NaN, 'A number is needed here, such as 12 or 1.5.'],
    ['money', { max: 500 }, 501, 'Fee is at most £5.'],
    ['money', {}, 1.5, 'Money needs a number.'],
    ['money', {}, '5', 'Money needs a number.'],
    ['date', {}, ['2027-02-03'], 'A date is needed here, such as 3 Feb 2027, 3/2/2027 or fri.'],
    ['date', {}, '2027-02-30', 'A date is needed here, such as 3 Feb 2027, 3/2/2027 or fri.'],
    ['time', {}, '25:00', 'A time is needed here, such as 13:30 or 9am.'],
    ['choice', {}, 'constructor', 'Fee has no choice “constructor”.'],
    ['choices', { most: 1 }, ['garden', 'house'], 'Fee takes at most 1 choices.'],
    ['choices', {}, 'garden', 'Fee needs choices.'],
    ['rating', {}, 2.5, 'A rating is 1 to 5.'],
    ['yesno', {}, 'true', 'This needs yes or no.'],
    ['link', {}, 'javascript:alert(1)', 'A link looks like https://example.com, without spaces.'],
    ['image', {}, '../secret', 'Fee needs a picture.'],
    ['relation', {}, ['abcdefgh'], 'Fee needs one record.'],
    ['relation', { many: true }, ['abcdefgh'], null],
    ['computed', { needed: true }, null, null],
  ])('of %s %j with %j is %j', (type, more, value, problem) => {
    expect(valueProblem(field(type, more), value as never)).toBe(problem);
  });
});

describe('showValue', () => {
  it('shows values in British English', () => {
    expect(showValue(field('money'), 118_000)).toBe('£1,180');
    expect(showValue(field('money'), 118_000, { long: true })).toBe('£1,180.00');
    expect(showValue(field('money'), 118_050)).toBe('£1,180.50');
    expect(showValue(field('date'), '2027-02-03')).toBe('3 Feb 2027');
    expect(showValue(field('number', { unit: 'kg', decimals: 1 }), 1234)).toBe('1,234.0 kg');
    expect(showValue(field('number', { unit: '%' }), 5)).toBe('5%');
    expect(showValue(field('number', { name: 'Year' }), 1984)).toBe('1984');
    expect(showValue(field('choices'), ['house', 'garden'])).toBe('House, cellar, Garden');
    expect(showValue(field('rating'), 3)).toBe('★★★');
    expect(showValue(field('link'), 'https://example.com/')).toBe('example.com');
    expect(showValue(field('relation'), 'abcdefgh', { titleOf: (list, id) => `${list} ${id}` })).toBe('people abcdefgh');
    expect(showValue(field('computed', { result: 'money', currency: 'EUR' }), 500)).toBe('€5');
  });

  it('shows no value as an empty text, and what does not fit as it is', () => {
    for (const type of Object.keys(extra) as FieldType[]) expect(showValue(field(type), emptyValue(field(type)))).toBe('');
    expect(showValue(field('money'), 'free')).toBe('free');
  });
});

describe('a number with more decimal places than its field asks for', () => {
  it('shows them', () => {
    const field = { id: 'km', name: 'Kilometres', type: 'number', decimals: 0 } as const;
    expect(showValue(field, 8.2)).toBe('8.2');
    expect(showValue({ ...field, decimals: 2 }, 8)).toBe('8.00');
  });
});
