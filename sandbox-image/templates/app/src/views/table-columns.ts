import { useState } from 'react';
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
  readonly fields: readonly Field[];
  /** For `grid-template-columns`, the ticks first. */
  readonly template: string;
  readonly width: number;
  resize(fieldId: string, width: number): void;
}

/** The columns of a table, which scrolls if they are too wide. The first field takes what is left. The user's widths stay in this browser. */
export function useColumns(viewId: string, fields: readonly Field[], ticks: boolean): Columns {
  const key = `koda-widths:${location.pathname}/${viewId}`;
  const [own, setOwn] = useState<Readonly<Record<string, number>>>(() => JSON.parse(localStorage.getItem(key) ?? '{}'));
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
  };
}
