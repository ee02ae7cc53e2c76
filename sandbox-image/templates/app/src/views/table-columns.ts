import { useMemo, useState } from 'react';
import type { Field } from '../../model/document.ts';

const widths: Readonly<Record<Field['type'], number>> = {
  text: 148,
  longtext: 220,
  number: 104,
  money: 112,
  date: 136,
  time: 88,
  choice: 136,
  choices: 180,
  rating: 112,
  yesno: 88,
  image: 80,
  link: 180,
  email: 190,
  phone: 140,
  relation: 148,
  computed: 120,
};
const titleWidth = 224;
const tickWidth = 52;
const minWidth = 64;

export const isNumeric = (field: Field): boolean =>
  field.type === 'number' ||
  field.type === 'money' ||
  (field.type === 'computed' && (field.result === 'number' || field.result === 'money'));

export interface Columns {
  /** In the user's order. */
  readonly fields: readonly Field[];
  /** For `grid-template-columns`, the ticks first. */
  readonly template: string;
  readonly width: number;
  resize(fieldId: string, width: number): void;
  /** Moves a column to a place, counted from 0. Returns false, and does nothing, for the title, which stays first. */
  move(fieldId: string, to: number): boolean;
}

/**
 * Returns the fields in the user's order. The title stays first, and fields that are new since then come where the view has them: after the
 * field before them.
 */
export function orderedFields(fields: readonly Field[], order: readonly string[]): readonly Field[] {
  const [title, ...rest] = fields;
  if (title === undefined || order.length === 0) return fields;
  const known = order.flatMap((id) => rest.find((field) => field.id === id) ?? []);
  for (const [at, field] of rest.entries()) {
    if (known.includes(field)) continue;
    const before = rest[at - 1];
    known.splice(before === undefined ? 0 : known.indexOf(before) + 1, 0, field);
  }
  return [title, ...known];
}

/**
 * The columns of a table, which scrolls if they are too wide. The first field takes what is left. The user's widths and order stay in this
 * browser.
 */
export function useColumns(viewId: string, viewFields: readonly Field[], ticks: boolean): Columns {
  const place = `${location.pathname}/${viewId}`;
  const key = `koda-widths:${place}`;
  const orderKey = `koda-columns:${place}`;
  const [order, setOrder] = useState<readonly string[]>(() => JSON.parse(localStorage.getItem(orderKey) ?? '[]'));
  const fields = useMemo(() => orderedFields(viewFields, order), [viewFields, order]);
  const [own, setOwn] = useState<Readonly<Record<string, number>>>(() => JSON.parse(localStorage.getItem(key) ?? '{}'));
  // The heads are drawn again only if this changes, and not while the table scrolls.
  return useMemo(() => {
    const widthOf = (field: Field, index: number) => own[field.id] ?? (index === 0 ? titleWidth : widths[field.type]);
    const tracks = fields.map((field, index) => {
      const width = widthOf(field, index);
      return index === 0 && own[field.id] === undefined ? `minmax(${width}px, 1fr)` : `${width}px`;
    });
    // A table whose title has a width of its own keeps its other columns at theirs.
    return {
      fields,
      template: [...(ticks ? [`${tickWidth}px`] : []), ...tracks].join(' '),
      width: fields.reduce((total, field, index) => total + widthOf(field, index), ticks ? tickWidth : 0),
      resize(fieldId, width) {
        const next = { ...own, [fieldId]: Math.max(minWidth, Math.round(width)) };
        setOwn(next);
        localStorage.setItem(key, JSON.stringify(next));
      },
      move(fieldId, to) {
        const from = fields.findIndex(({ id }) => id === fieldId);
        if (from < 1 || to < 1 || to >= fields.length) return false;
        const ids = fields.map(({ id }) => id);
        const next = ids.toSpliced(from, 1).toSpliced(to, 0, fieldId).slice(1);
        setOrder(next);
        localStorage.setItem(orderKey, JSON.stringify(next));
        return true;
      },
    };
  }, [fields, own, ticks, key, orderKey]);
}
