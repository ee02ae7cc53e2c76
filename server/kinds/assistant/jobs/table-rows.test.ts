import { expect, it } from 'vitest';
import { tableRows } from './table-rows.ts';

it('V7: reads the cells of a pasted table with the names of their columns', () => {
  expect(tableRows('branch;price;\nHarbour;2,50;x\nMill;;y\n')).toEqual({
    ...{
      columns: ['branch', 'price'],
      rows: [
        [
          ['branch', 'Harbour'],
          ['price', '2.50'],
        ],
        [['branch', 'Mill']],
      ],
      problem: null,
    },
  });
});

it.each([
  ['', 'The table has no rows.'],
  ['branch,until', 'The table has no rows.'],
  ['branch,until\nHarbour,21:00\nMill', 'This is not a table: line 3 has 1 columns, line 1 has 2.'],
  [`branch\n${'x\n'.repeat(2_001)}`, '2,000 rows at most. You have 2,001.'],
  ['a,a\n1,2', 'Two columns are named “a”. Rename one.'],
])('V7: says why %j is no table', (text, problem) => {
  expect(tableRows(text)).toEqual({ problem });
});
