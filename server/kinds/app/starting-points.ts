import { createHash } from 'node:crypto';
import { type Start, viewTypesOf } from '#kinds/app/contract/app.ts';
import type { AppDocument, Field, List } from '../../../sandbox-image/templates/app/model/document.ts';
import type { NewRecord } from '../../../sandbox-image/templates/app/model/journal.ts';
import type { Value, Values } from '../../../sandbox-image/templates/app/model/record.ts';
import { isEmpty, valueProblem } from '../../../sandbox-image/templates/app/model/values.ts';
import type { StoredApp } from './document.ts';
import { bookings } from './starting-points/bookings.ts';
import { equipment } from './starting-points/equipment.ts';
import { habits } from './starting-points/habits.ts';
import { homeLibrary } from './starting-points/home-library.ts';
import { householdBudget } from './starting-points/household-budget.ts';
import { recipes } from './starting-points/recipes.ts';
import { repairs } from './starting-points/repairs.ts';
import { rota } from './starting-points/rota.ts';
import type { StartingPoint } from './starting-points/starting-point.ts';
import { stock } from './starting-points/stock.ts';
import { toolLibrary } from './starting-points/tool-library.ts';
import { tripPlan } from './starting-points/trip-plan.ts';
import { workouts } from './starting-points/workouts.ts';

/** In each group, those that are asked for most often come first. */
export const startingPoints: readonly StartingPoint[] = [
  equipment,
  toolLibrary,
  homeLibrary,
  stock,
  householdBudget,
  habits,
  workouts,
  bookings,
  repairs,
  rota,
  tripPlan,
  recipes,
];

export const startingPoint = (id: string): StartingPoint | null => startingPoints.find((start) => start.id === id) ?? null;

/** Returns the starting points as the home page shows them. */
export function listStarts(): Start[] {
  return startingPoints.map(({ id, name, text, group, words, document }) => ({
    ...{ id, name, text, group, words: { telling: [...words.telling], likely: [...words.likely], faint: [...words.faint] } },
    ...{ document, theme: document.theme, views: viewTypesOf(document) },
  }));
}

/**
 * Returns the sample records of a starting point by list, with dates around today. Leaves out what the document no longer has: the
 * user may have changed it before the first record is written.
 */
export function sampleRecords(
  { records }: Pick<StartingPoint, 'records'>,
  document: AppDocument,
  now: Date,
): Record<string, NewRecord[]> {
  const samplesOf = (list: List) =>
    Object.entries(records[list.id] ?? {}).map(([key, sample]) => ({
      id: sampleId(list.id, key),
      values: valuesOf(sample, list, { document, records, now }),
    }));
  return Object.fromEntries(document.lists.map((list) => [list.id, samplesOf(list)]));
}

/** Returns the sample records that the plan has, without what its document no longer takes. */
export function ownSamples({ document, samples = {} }: Pick<StoredApp, 'document' | 'samples'>): Record<string, NewRecord[]> {
  const recordsOf = (list: List) =>
    (samples[list.id] ?? []).map((record) => {
      const values = list.fields.flatMap((field): [string, Value][] => {
        const value = record.values[field.id] ?? null;
        return field.type === 'computed' || isEmpty(value) || valueProblem(field, value) !== null ? [] : [[field.id, value]];
      });
      return { ...record, values: Object.fromEntries(values) };
    });
  const isWhole = (list: List, { values }: NewRecord) =>
    list.fields.every(({ id, needed, type }) => needed !== true || type === 'computed' || Object.hasOwn(values, id));
  return Object.fromEntries(document.lists.map((list) => [list.id, recordsOf(list).filter((record) => isWhole(list, record))]));
}

interface SampleContext extends Pick<StartingPoint, 'records'> {
  readonly document: AppDocument;
  readonly now: Date;
}

function valuesOf(sample: Values, list: List, context: SampleContext): Values {
  const known = list.fields.flatMap((field): [string, Value][] => {
    const value = sample[field.id];
    const stored = value === undefined || value === null ? null : storedValue(value, field, context);
    return stored === null ? [] : [[field.id, stored]];
  });
  return Object.fromEntries(known);
}

/** Returns a sample's value as records store it, or `null` if it does not fit the field. */
function storedValue(value: Exclude<Value, null>, field: Field, context: SampleContext): Value {
  switch (field.type) {
    case 'date':
      return dateOf(value, context.now);
    case 'choice':
      return field.choices.some(({ id }) => id === value) ? value : null;
    case 'choices':
      return filled(textsIn(value).filter((id) => field.choices.some((choice) => choice.id === id)));
    case 'relation': {
      const ids = relatedIds(textsIn(value), field.list, context);
      return field.many === true ? filled(ids) : (ids[0] ?? null);
    }
    case 'computed':
      return null;
    case 'number':
    case 'money':
    case 'rating':
      return typeof value === 'number' ? value : null;
    case 'yesno':
      return typeof value === 'boolean' ? value : null;
    default:
      return typeof value === 'string' ? value : null;
  }
}

const filled = (list: string[]) => (list.length === 0 ? null : list);
const textsIn = (value: Value) => (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

function relatedIds(keys: readonly string[], list: string, { document, records }: SampleContext): string[] {
  const target = document.lists.some(({ id }) => id === list) ? (records[list] ?? {}) : {};
  return keys.filter((key) => Object.hasOwn(target, key)).map((key) => sampleId(list, key));
}

/** The same sample has the same id in every project. */
const sampleId = (list: string, key: string) => createHash('sha256').update(`${list}/${key}`).digest('hex').slice(0, 16);

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const dayMs = 86_400_000;

/** Returns the date of an offset in days from today, or of a day of this week (`tue`) or another one (`tue-1`). */
function dateOf(value: Value, now: Date): string | null {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  if (typeof value === 'number') return isoDate(today + value * dayMs);
  const [, day, weeks = '0'] = /^([a-z]{3})([+-]\d+)?$/.exec(typeof value === 'string' ? value : '') ?? [];
  const index = day === undefined ? -1 : weekdays.indexOf(day);
  if (index < 0) return null;
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * dayMs;
  return isoDate(monday + (index + 7 * Number(weeks)) * dayMs);
}

const isoDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);
