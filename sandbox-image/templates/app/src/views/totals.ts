import type { Field } from '../../model/document.ts';
import type { AppRecord } from '../../model/record.ts';
import { type Total, totalOf } from '../../model/rows.ts';
import { showValue } from '../../model/values.ts';
import { isOverdue } from '../fields/show.tsx';
import type { Rows } from './use-rows.ts';

const labels: Readonly<Record<Total, string>> = {
  sum: 'Sum',
  average: 'Average',
  min: 'Lowest',
  max: 'Highest',
  count: 'Filled',
  empty: 'Empty',
};

export interface ShownTotal {
  readonly label: string;
  readonly text: string;
  readonly bad: boolean;
}

/** The total below a column. A date without one counts what is overdue. */
export function shownTotal(field: Field, total: Total | undefined, records: readonly AppRecord[], rows: Rows): ShownTotal | null {
  if (total === undefined) {
    if (field.type !== 'date' || field.overdue === undefined) return null;
    const late = records.filter((record) => isOverdue(field, record.values[field.id], record)).length;
    return late === 0 ? null : { label: 'Overdue', text: String(late), bad: true };
  }
  const value = totalOf(records, field.id, total, rows.computed);
  if (value === null) return null;
  const isCount = total === 'count' || total === 'empty';
  const label = field.type === 'yesno' && total === 'count' ? 'Yes' : labels[total];
  const rounded = typeof value === 'number' && field.type !== 'money' ? Math.round(value * 100) / 100 : value;
  const text = isCount
    ? String(value)
    : showValue(field, field.type === 'money' && typeof value === 'number' ? Math.round(value) : rounded);
  return { label, text, bad: false };
}
