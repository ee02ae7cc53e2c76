import type { SurfaceMessages } from '#contract/surface/surface.ts';

/** Builds the surfaces of the assistant's own jobs: a heading, parts, and buttons in the footer. */

const version = 'v0.9';

export interface Part {
  readonly id: string;
  readonly component: string;
  readonly [property: string]: unknown;
}

export interface SurfaceButton {
  readonly id: string;
  /** Names the effect and the number: “Make 3 videos”. */
  readonly label: string;
  readonly isPrimary?: boolean;
}

interface SurfaceContent {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly buttons?: readonly SurfaceButton[];
  /** Names of the values that each button sends. */
  readonly values?: readonly string[];
}

const pieces = (surfaceId: string, path: string, value: unknown): SurfaceMessages[number] => ({
  ...{ version, updateDataModel: { surfaceId, path, value } },
});

export function surfaceOf(surfaceId: string, { title, parts, data, buttons = [], values = [] }: SurfaceContent): SurfaceMessages {
  const context = Object.fromEntries(values.map((name) => [name, { path: `/${name}` }]));
  const footer = buttons.flatMap(({ id, label, isPrimary = false }): Part[] => [
    {
      ...{ id, component: 'Button', child: `${id}-label`, variant: isPrimary ? 'primary' : 'default' },
      action: { event: { name: 'submit', context } },
    },
    { id: `${id}-label`, component: 'Text', text: label },
  ]);
  const components: Part[] = [
    {
      id: 'root',
      component: 'Column',
      children: ['title', ...parts.map(({ id }) => id), ...(buttons.length > 0 ? ['footer'] : [])],
    },
    { id: 'title', component: 'Text', text: title, variant: 'h1' },
    ...parts,
    ...(buttons.length > 0 ? [{ id: 'footer', component: 'Row', children: buttons.map(({ id }) => id), justify: 'end' }] : []),
    ...footer,
  ];
  return [
    { version, createSurface: { surfaceId, catalogId: 'koda:catalog/v1' } },
    { version, updateDataModel: { surfaceId, value: data } },
    { version, updateComponents: { surfaceId, components } },
  ];
}

/** Changes values of a surface that is shown. */
export const surfaceUpdate = (surfaceId: string, values: Readonly<Record<string, unknown>>): SurfaceMessages =>
  Object.entries(values).map(([path, value]) => pieces(surfaceId, path, value));

export const words = (id: string, text: string): Part => ({ id, component: 'Text', text, variant: 'body' });

/** A text of a surface may have 4,000 characters. */
const maxAlertCharacters = 4000;

export const alert = (id: string, text: string, tone: 'info' | 'success' | 'warning' | 'error'): Part => ({
  ...{ id, component: 'Alert', tone },
  text: text.length > maxAlertCharacters ? `${text.slice(0, maxAlertCharacters - 1)}…` : text,
});

/** A table whose rows are in the data model under its id. */
export const table = (id: string, caption: string, columns: readonly (readonly [title: string, path: string])[]): Part => ({
  ...{ id, component: 'Table', caption, rows: `/${id}` },
  columns: columns.map(([title, path]) => ({ title, path, ...(path === 'size' && { align: 'end' }) })),
});

export const choice = (
  id: string,
  label: string,
  options: readonly { readonly label: string; readonly value: string }[],
  variant: 'multipleSelection' | 'mutuallyExclusive',
): Part => ({
  id,
  component: 'ChoicePicker',
  label,
  options,
  value: { path: `/${id}` },
  variant,
  filterable: options.length > 8,
});

export const cancelButton: SurfaceButton = { id: 'cancel', label: 'Cancel' };

const mebibyte = 1024 ** 2;

/** Returns a size for people: “412 MB”, “3.1 GB”. */
export function sizeText(bytes: number): string {
  if (bytes >= 1024 * mebibyte) return `${(bytes / 1024 / mebibyte).toFixed(1)} GB`;
  return bytes >= 10 * mebibyte ? `${Math.round(bytes / mebibyte)} MB` : `${(bytes / mebibyte).toFixed(1)} MB`;
}

export const counted = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
