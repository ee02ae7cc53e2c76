import {
  type Field,
  type FieldType,
  type List,
  type View,
  type ViewType,
  viewSchema,
} from '../../../../../sandbox-image/templates/app/model/document.ts';
import { roleTypes, typeOf } from '../../../../../sandbox-image/templates/app/model/problems.ts';

/** A field that a view needs or can use for one purpose. */
export interface ViewPart {
  /** Where the view names the field: `start`, or `card.title` for one of a card. */
  readonly key: string;
  readonly label: string;
  /** Types that can play the part. Any if missing. */
  readonly types?: readonly FieldType[];
  readonly needed?: boolean;
}

const texts: readonly FieldType[] = ['text', 'longtext'];

/** Parts of each view, the most important first. */
export const viewParts: Readonly<Record<ViewType, readonly ViewPart[]>> = {
  table: [{ key: 'group', label: 'Group by', types: roleTypes.group }],
  board: [
    { key: 'columns', label: 'Columns', types: roleTypes.columns, needed: true },
    { key: 'card.title', label: 'Title', needed: true },
    { key: 'card.text', label: 'Text', types: texts },
    { key: 'card.tags', label: 'Tags', types: roleTypes.tags },
    { key: 'card.person', label: 'Person', types: roleTypes.person },
    { key: 'card.date', label: 'Date', types: roleTypes.date },
    { key: 'card.amount', label: 'Amount', types: roleTypes.amount },
    { key: 'card.progress', label: 'Progress', types: roleTypes.progress },
    { key: 'sum', label: 'Sum in heads', types: roleTypes.amount },
  ],
  calendar: [
    { key: 'start', label: 'Day', types: roleTypes.date, needed: true },
    { key: 'title', label: 'Title', needed: true },
    { key: 'time', label: 'Time', types: roleTypes.time },
    { key: 'end', label: 'Ends', types: roleTypes.date },
    { key: 'minutes', label: 'Minutes', types: roleTypes.minutes },
    { key: 'text', label: 'Text' },
    { key: 'colour', label: 'Colour', types: roleTypes.colour },
  ],
  cards: [
    { key: 'title', label: 'Title', needed: true },
    { key: 'image', label: 'Picture', types: roleTypes.image },
    { key: 'badge', label: 'Badge' },
    { key: 'rating', label: 'Rating', types: roleTypes.rating },
    { key: 'tags', label: 'Tags', types: roleTypes.tags },
    { key: 'quick', label: 'Quick filter', types: roleTypes.quick },
  ],
  detail: [
    { key: 'title', label: 'Title', needed: true },
    { key: 'subtitle', label: 'Subtitle' },
    { key: 'image', label: 'Picture', types: roleTypes.image },
    { key: 'aside', label: 'Aside', types: roleTypes.aside },
  ],
  sheet: [{ key: 'head', label: 'Picture', types: roleTypes.image }],
  form: [],
  dashboard: [{ key: 'period', label: 'Period', types: roleTypes.date }],
  code: [],
};

/** Settings of views that are one of a few values. The first one applies if none is set. */
export const viewChoices: Readonly<Partial<Record<ViewType, readonly ViewChoice[]>>> = {
  table: [
    {
      key: 'edit',
      label: 'Edit',
      values: [
        { value: 'cell', label: 'In place' },
        { value: 'sheet', label: 'In the sheet' },
        { value: 'off', label: 'Not at all' },
      ],
    },
  ],
  calendar: [
    {
      key: 'mode',
      label: 'Shows a',
      values: [
        { value: 'month', label: 'Month' },
        { value: 'week', label: 'Week' },
        { value: 'day', label: 'Day' },
      ],
    },
  ],
  cards: [
    {
      key: 'size',
      label: 'Size',
      values: [
        { value: 'm', label: 'Medium' },
        { value: 's', label: 'Small' },
        { value: 'l', label: 'Large' },
      ],
    },
  ],
};

interface ViewChoice {
  readonly key: string;
  readonly label: string;
  readonly values: readonly { readonly value: string; readonly label: string }[];
}

/** Returns the fields of the list that can play the part. */
export function fieldsFor({ types }: ViewPart, list: List): Field[] {
  return list.fields.filter((field) => types === undefined || types.includes(typeOf(field)));
}

/** Returns the value of a part or setting as text, or `null`. */
export function partOf(view: View, key: string): string | null {
  const [first = '', second] = key.split('.');
  const outer = new Map<string, unknown>(Object.entries(view)).get(first);
  const value = second === undefined ? outer : new Map<string, unknown>(Object.entries(outer ?? {})).get(second);
  return typeof value === 'string' ? value : null;
}

/** Returns the view with another value for a part or setting; `null` removes it. Throws if the view needs it. */
export function withPart(view: View, key: string, value: unknown): View {
  const [first = '', second] = key.split('.');
  if (second === undefined) return viewSchema.parse(withMember(view, first, value));
  const outer = new Map<string, unknown>(Object.entries(view)).get(first);
  return viewSchema.parse({
    ...view,
    [first]: withMember(typeof outer === 'object' && outer !== null ? outer : {}, second, value),
  });
}

function withMember(object: object, key: string, value: unknown): object {
  const others = Object.entries(object).filter(([name]) => name !== key);
  return Object.fromEntries(value === null ? others : [...others, [key, value]]);
}

/** Returns the fields that a view shows, in its order, and then those that it hides. */
export function shownFields(view: { readonly fields?: readonly string[] | undefined }, list: List) {
  const { fields } = view;
  if (fields === undefined) return { shown: list.fields, hidden: [] };
  const shown = fields.flatMap((id) => list.fields.find((field) => field.id === id) ?? []);
  return { shown, hidden: list.fields.filter(({ id }) => !fields.includes(id)) };
}

/** Returns the ids after one of them has moved by some places. It stays within the list. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from];
  if (item === undefined) return [...items];
  return items.toSpliced(from, 1).toSpliced(Math.max(0, Math.min(to, items.length - 1)), 0, item);
}
