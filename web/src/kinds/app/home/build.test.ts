import { describe, expect, it } from 'vitest';
import { isSameDocument } from './build.ts';
import { commonPlans } from './plan/first-plans.ts';
import { hasRows, readRowsFile } from './rows-file.ts';

describe('the proposed plan', () => {
  it('is the built one whatever the order of its members', () => {
    const [first, second] = commonPlans('').map(({ document }) => document);
    if (first === undefined || second === undefined) throw new Error('There are three plans.');
    const reversed = Object.fromEntries(Object.entries(first).reverse()) as typeof first;
    expect(isSameDocument(first, reversed)).toBe(true);
    expect(isSameDocument(first, second)).toBe(false);
    expect(isSameDocument(first, { ...first, theme: 'candy' })).toBe(false);
  });
});

describe('rows', () => {
  it('are told from sentences', () => {
    expect(hasRows('Name\tFee\nAda\t3')).toBe(true);
    expect(hasRows('name,fee\nAda,3\nBo,4')).toBe(true);
    expect(hasRows('Month;Tenant;Rent;Note\n01/2025;Yildiz, A.;620,00;\n02/2025;Krause;540,00;50 missing')).toBe(true);
    const quoted =
      'Date,Hive,Mites,Notes\n2025-03-22,Linden,,"Cold, so I kept it short. Mouse guard removed."\n22 March,Shed,2,calm';
    expect(hasRows(quoted)).toBe(true);
    expect(hasRows(`All our hives. What is due?\n\n${quoted}`)).toBe(true);
    expect(hasRows('Dear all,\nthe hall is free; we can start.\nPlease bring chairs, tables, and cups, thank you.')).toBe(false);
    expect(hasRows('{"a": 1,\n"b": 2,\n"c": 3}')).toBe(false);
    expect(hasRows('- Milk\n- Bread')).toBe(true);
    expect(hasRows('Two plain lines,\nwhich stay text')).toBe(false);
    expect(hasRows('One line, with a comma')).toBe(false);
  });

  it('are read from files of old and new programs', async () => {
    expect(await readRowsFile(new File([Uint8Array.of(0x61, 0x3b, 0xe9)], 'Our list.csv'))).toEqual({
      text: 'a;é',
      name: 'Our list',
    });
    expect(await readRowsFile(new File(['a;b'], 'Our list.csv'))).toEqual({ text: 'a;b', name: 'Our list' });
    expect(await readRowsFile(new File(['x'], 'Our list.xlsx'))).toHaveProperty('problem');
    expect(await readRowsFile(new File(['x'], 'photo.png'))).toHaveProperty('problem');
  });
});
