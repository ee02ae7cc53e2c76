import type { Field, Filter } from '../../model/document.ts';
import type { TitleOf } from '../../model/rows.ts';
import { showValue } from '../../model/values.ts';

type Is = Filter['is'];

const texts: readonly Is[] = ['has', 'is', 'is-not', 'empty', 'filled'];
const numbers: readonly Is[] = ['is', 'is-not', 'more', 'less', 'empty', 'filled'];
const dates: readonly Is[] = ['is', 'before', 'after', 'empty', 'filled'];
const picked: readonly Is[] = ['is', 'is-not', 'empty', 'filled'];
const byType: Readonly<Record<Field['type'], readonly Is[]>> = {
  text: texts,
  longtext: texts,
  link: texts,
  email: texts,
  phone: texts,
  number: numbers,
  money: numbers,
  rating: numbers,
  date: dates,
  time: dates,
  choice: picked,
  relation: picked,
  choices: ['has', 'empty', 'filled'],
  yesno: ['is'],
  image: ['filled', 'empty'],
  computed: numbers,
};

/** Values that can be missing. A yes/no field always has one. */
export const canBeEmpty = ({ type }: Field): boolean => type !== 'yesno';

/** Comparisons that suit a field, the usual one first. */
export function comparisons(field: Field): readonly Is[] {
  if (field.type !== 'computed') return byType[field.type];
  return field.result === 'number' || field.result === 'money' ? numbers : byType[field.result];
}

const words: Readonly<Record<Is, string>> = {
  is: 'is',
  'is-not': 'is not',
  has: 'contains',
  less: 'less than',
  more: 'more than',
  before: 'before',
  after: 'after',
  empty: 'is empty',
  filled: 'is not empty',
};

export const comparisonWord = (is: Is): string => words[is];

export const takesValue = (is: Is): boolean => is !== 'empty' && is !== 'filled';

/** The value of a filter in words. */
export function filterValueText(field: Field, { value }: Filter, titleOf: TitleOf): string {
  if (value === undefined || value === '') return '…';
  if (value === 'today') return 'today';
  return showValue(field, value, { titleOf });
}

/** A new filter of a field, which the user completes. */
export function newFilter(field: Field): Filter {
  const is = comparisons(field)[0] ?? 'is';
  return field.type === 'yesno' ? { field: field.id, is, value: true } : { field: field.id, is };
}

/** “3 filters”, “‘drl’ with 1 filter”. */
export function nothingText(one: string, search: string, filters: number): string {
  const count = filters === 1 ? '1 filter' : `${filters} filters`;
  if (search === '') return `No ${one} matches ${count}.`;
  return filters === 0 ? `No ${one} matches ‘${search}’.` : `No ${one} matches ‘${search}’ with ${count}.`;
}
