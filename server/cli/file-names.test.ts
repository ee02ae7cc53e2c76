import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../renders/rows.ts';
import { fileNames, safeName } from './file-names.ts';

const row = (number: number, fields: Row['fields'] = {}): Row => ({ number, parameters: fields, fields, problem: null });
const naming = { template: '{title}-{index}', ending: '.mp4', defaults: {} };

describe('fileNames', () => {
  it("T11: uses the row's fields, its number and the film's defaults", () => {
    const rows = [
      row(1, { title: 'Hello' }),
      row(2, { title: 'Grüße 你好' }),
      ...Array.from({ length: 8 }, (_, at) => row(at + 3)),
    ];
    const names = fileNames(rows, { ...naming, defaults: { title: 'Koda' } });
    expect(names.slice(0, 3)).toEqual(['Hello-01.mp4', 'Grüße 你好-02.mp4', 'Koda-03.mp4']);
    expect(fileNames([row(1)], { ...naming, template: 'video' })).toEqual(['video.mp4']);
  });

  it('T11: rejects two rows with the same name, even on case-insensitive file systems', () => {
    const same = [row(1, { title: 'A' }), row(2, { title: 'b' }), row(3, { title: 'a' })];
    expect(() => fileNames(same, { ...naming, template: '{title}' })).toThrow(/Rows 1 and 3.*\{index\}/);
  });

  it('T11: the error for a missing field lists the existing ones', () => {
    expect(() => fileNames([row(1, { title: 'A' })], { ...naming, template: '{titel}' })).toThrow(
      /Row 1 has no field "titel".*title, index/,
    );
  });

  it('F5: long fields never cut off the index, a shorter field or the words after them', () => {
    const long = row(7, { title: 'ü'.repeat(300), by: 'Ann' });
    const [whole] = fileNames([long], naming);
    expect(whole).toMatch(/^ü+-7\.mp4$/);
    const [name = ''] = fileNames([long], { ...naming, template: '{title} by {by}, take {index} final' });
    expect(name).toMatch(/^ü+ by Ann, take 7 final\.mp4$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(190);
  });

  it.each(['videos/{index}', '..\\{index}'])('T11: rejects a path as a template: %s', (template) => {
    expect(() => fileNames([row(1)], { ...naming, template })).toThrow('--out');
  });

  it.each([
    ['../../etc/passwd', '-..-etc-passwd'],
    ['/etc/passwd', '-etc-passwd'],
    ['C:\\windows', 'C--windows'],
    ['.hidden', 'hidden'],
    ['..', ''],
    ['nul', '_nul'],
    ['CON.txt', '_CON.txt'],
    ['a\0b\nc', 'a-b-c'],
    ['\u202egpj.exe', 'gpj.exe'],
    ['  much \t space. ', 'much - space'],
  ])('T11: %j as a field becomes %j in a name', (text, name) => {
    expect(safeName(text)).toBe(name);
  });

  it('T11: any field values result in a short name inside the folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (title) => {
        const [name = ''] = fileNames([row(1, { title })], { ...naming, template: '{title}' });
        expect(name).not.toMatch(/[/\\\0]|^\./u);
        expect(name.endsWith('.mp4')).toBe(true);
        expect(name.length).toBeGreaterThan('.mp4'.length);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
      }),
    );
  });
});
