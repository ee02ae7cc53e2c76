import { describe, expect, it } from 'vitest';
import { describePaste } from './paste.ts';

const labelOf = (text: string) => describePaste(text)?.label ?? null;

describe('pasted text', () => {
  it.each([
    ['tabs', 'Channel\tVisitors\nSearch\t1240\nNewsletter\t860', 'Pasted table, 2 rows, 2 columns'],
    ['tabs without a header', 'Search\t1240\nNewsletter\t860', 'Pasted table, 2 rows, 2 columns'],
    ['commas', 'name,city,age\nAda,London,36\nAlan,Wilmslow,41\nGrace,New York,85', 'Pasted table, 3 rows, 3 columns'],
    ['commas in quotation marks', 'Place,People\n"Porto, north",231\n"Lisbon, centre",545', 'Pasted table, 2 rows, 2 columns'],
    ['semicolons', 'Monat;Besucher\r\nJan;1.200\r\nFeb;1.800,5\r\n', 'Pasted table, 2 rows, 2 columns'],
    ['a title above', 'Visitors by channel\n\nSearch\t1240\nSocial\t540', 'Pasted table, 2 rows, 2 columns'],
    ['Markdown', '| Name | Role |\n|:-----|-----:|\n| Ada | Author |\n| Alan | Editor |', 'Pasted table, 2 rows, 2 columns'],
  ])('is a table with %s', (_, text, label) => {
    expect(labelOf(text)).toBe(label);
  });

  it.each([
    ['bullets', '- Milk\n- Bread\n- Eggs', 'Pasted list, 3 items'],
    ['numbers and a title', 'Rules of the fort:\n1. Shoes stay outside\n2. Whisper after nine', 'Pasted list, 2 items'],
    ['continued items', '* Milk,\n  two bottles\n* Bread', 'Pasted list, 2 items'],
    ['boxes to tick', '- [x] Pots dry\n- [ ] Shelves level', 'Pasted checklist, 2 items'],
    ['times', 'Agenda for Thursday\n09:00 Welcome\n09:30 Results\n10:15 Next steps', 'Pasted agenda, 3 items'],
    ['times with am and pm', '9 am Welcome\n2 pm Goodbye', 'Pasted agenda, 2 items'],
  ])('is a list with %s', (_, text, label) => {
    expect(labelOf(text)).toBe(label);
  });

  it.each([
    [
      'Markdown headings',
      '# 2.4.0\n\n## Added\n- Dark theme\n\n## Changed\n- Faster\n\n## Fixed\n- Fonts',
      'Pasted changelog, 3 sections',
    ],
    ['versions', '## [1.2.0] - 2026-01-02\n- One\n## [1.1.0] - 2025-12-01\n- Two', 'Pasted changelog, 2 sections'],
    ['plain headings', 'Added:\n- Dark theme\n- GIF\n\nFixed:\n- Fonts', 'Pasted changelog, 2 sections'],
    ['other headings', '# Plan\n## Why\nBecause.\n## How\nSlowly.', 'Pasted text, 2 sections'],
  ])('has sections with %s', (_, text, label) => {
    expect(labelOf(text)).toBe(label);
  });

  it.each([
    ['a fence', '```ts\nconst a = 1;\nconst b = 2;\n```', 'Pasted code, TypeScript, 2 lines'],
    ['a fence without a language', '```\nwhile true\n  wait\n```', 'Pasted code, 2 lines'],
    ['TypeScript', 'interface Row {\n  name: string;\n  value: number;\n}', 'Pasted code, TypeScript, 4 lines'],
    ['Python', 'def add(a, b):\n    return a + b', 'Pasted code, Python, 2 lines'],
    ['JavaScript', 'const wait = () => {\n  stop();\n};', 'Pasted code, JavaScript, 3 lines'],
    ['a query', 'SELECT name FROM people\nWHERE age > 30\nORDER BY name', 'Pasted code, SQL, 3 lines'],
    ['JSON rows', '[{"name":"Ada"},{"name":"Alan"}]', 'Pasted JSON, 2 items'],
    ['a JSON object', '{\n  "name": "Ada",\n  "age": 36\n}', 'Pasted JSON, 2 fields'],
  ])('is code with %s', (_, text, label) => {
    expect(labelOf(text)).toBe(label);
  });

  it.each([
    ['nothing', ''],
    ['a sentence', 'A red ball bounces three times, playful, with the title “Hello”'],
    ['paragraphs', 'Sum up our spring survey, please.\n\nIt ran in March, with 214 answers.'],
    ['a letter', 'Dear team,\nwe moved, at last.\nCome and see us, soon.\nInes, Office'],
    ['clauses of the same number', 'Roses are red, violets are blue\nSugar is sweet, and so are you'],
    ['one row', 'Search\t1240'],
    ['a dialogue', 'Ines: Are you on the train?\nMe: Platform 4, with time to spare'],
    ['words of code', 'Return to the class\nand import what you like from home'],
    ['broken JSON', '{ this is no JSON }'],
  ])('stays text if it is %s', (_, text) => {
    expect(describePaste(text)).toBeNull();
  });
});
