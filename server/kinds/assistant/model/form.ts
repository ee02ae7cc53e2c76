import { z } from 'zod';
import { readSurface } from '#contract/surface/messages.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { type Part, surfaceOf } from '../surfaces.ts';

/** The interfaces that a language model describes: a short form of surfaces, in which inputs are bound to their ids. */

const idSchema = z.string().regex(/^[A-Za-z][\w-]{0,39}$/, 'must be a short name');
const text = z.string().max(4_000);
const cell = z.union([text, z.number(), z.boolean()]).transform(String);
const option = z.union([z.strictObject({ value: text, label: text }), text.transform((value) => ({ value, label: value }))]);
const input = { id: idSchema, label: text, optional: z.boolean().default(false) };

const partSchema = z.discriminatedUnion('component', [
  z.object({
    ...{ component: z.literal('TextInput'), ...input },
    type: z.enum(['text', 'long', 'number']).default('text'),
    value: cell.optional(),
  }),
  z.object({
    ...{ component: z.literal('Select'), ...input },
    options: z.array(option).min(1).max(500),
    multiple: z.boolean().default(false),
    value: z.union([z.array(text), text.transform((one) => [one])]).optional(),
  }),
  z.object({ component: z.literal('Checkbox'), ...input, value: z.boolean().optional() }),
  z.object({ component: z.literal('Text'), text, usageHint: z.enum(['h2', 'h3', 'p', 'span']).default('p') }),
  z.object({ component: z.literal('Alert'), text, tone: z.enum(['info', 'success', 'warning', 'error']).default('info') }),
  z.object({
    component: z.literal('Table'),
    caption: text,
    columns: z.array(text).min(1).max(30),
    rows: z.array(z.array(cell).max(30)).max(2_000),
  }),
]);
type FormPart = z.output<typeof partSchema>;

export const formSchema = z.object({
  title: text.min(1),
  parts: z.array(partSchema).max(250),
  buttons: z
    .array(
      z.object({
        id: idSchema,
        label: text.min(1).describe('names the effect and the number, such as Make 3 videos'),
        runs: z.string().max(100).nullish().describe('tool that this button allows'),
        primary: z.boolean().default(false),
      }),
    )
    .max(6)
    .default([]),
});
export type ModelForm = z.output<typeof formSchema>;

export type Values = Readonly<Record<string, unknown>>;

const isInput = (part: FormPart) => 'id' in part;
const textVariants = { h2: 'h2', h3: 'h3', p: 'body', span: 'caption' } as const;

/**
 * Returns the surface. Inputs without a value keep what the person entered under the same id before. `problem`: why the form cannot be
 * shown.
 */
export function surfaceIn(
  { title, parts, buttons }: ModelForm,
  { surfaceId, entered }: { readonly surfaceId: string; readonly entered: Values },
): { readonly surface: SurfaceMessages } | { readonly problem: string } {
  const drawn = parts.map((part, index) => drawnPart(part, { index, entered }));
  const primary = buttons.find((button) => button.primary) ?? buttons[0];
  const surface = surfaceOf(surfaceId, {
    title,
    parts: drawn.map(({ component }) => component),
    data: Object.assign({}, ...drawn.map(({ data }) => data)),
    values: parts.filter(isInput).map(({ id }) => id),
    buttons: buttons.map((button) => ({ id: button.id, label: button.label, isPrimary: button === primary })),
  });
  const read = readSurface(surface);
  return read.ok ? { surface } : { problem: read.issue.message };
}

/** Returns what is wrong with the values of a form, one sentence each. */
export function problemsIn({ parts }: ModelForm, values: Values): string[] {
  return parts.flatMap((part) => {
    if (!isInput(part) || part.component === 'Checkbox' || part.optional) return [];
    const value = values[part.id];
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [`${part.label}: ${part.component === 'Select' ? 'choose one.' : 'enter a value.'}`] : [];
  });
}

/** Returns the values with the labels of what was chosen, because their ids tell a model nothing. */
export function namedValues({ parts }: ModelForm, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([id, value]) => {
      const part = parts.find((one) => isInput(one) && one.id === id);
      if (part?.component !== 'Select') return [id, value];
      const chosen = [value]
        .flat()
        .map((one) => part.options.find((option) => option.value === one) ?? { value: one, label: '' });
      return [id, part.multiple ? chosen : (chosen[0] ?? null)];
    }),
  );
}

interface DrawnPart {
  readonly component: Part;
  readonly data: Values;
}

function drawnPart(part: FormPart, { index, entered }: { readonly index: number; readonly entered: Values }): DrawnPart {
  // Koda's own components, such as the title, keep their ids whatever a model calls its inputs.
  const id = isInput(part) ? `input-${part.id}` : `part-${index}`;
  switch (part.component) {
    case 'TextInput': {
      const variant = { text: 'shortText', long: 'longText', number: 'number' }[part.type];
      const component = { id, component: 'TextField', label: part.label, variant, ...bound(part, 'Enter a value.') };
      return { component, data: { [part.id]: part.value ?? entered[part.id] ?? '' } };
    }
    case 'Select': {
      const component = {
        ...{ id, component: 'ChoicePicker', label: part.label, options: part.options },
        ...{ variant: part.multiple ? 'multipleSelection' : 'mutuallyExclusive', filterable: part.options.length > 8 },
        ...bound(part, part.multiple ? 'Choose at least one.' : 'Choose one.'),
      };
      return { component, data: { [part.id]: part.value ?? entered[part.id] ?? [] } };
    }
    case 'Checkbox':
      return {
        component: { id, component: 'CheckBox', label: part.label, value: { path: `/${part.id}` } },
        data: { [part.id]: part.value ?? entered[part.id] ?? false },
      };
    case 'Text':
      return { component: { id, component: 'Text', text: part.text, variant: textVariants[part.usageHint] }, data: {} };
    case 'Alert':
      return { component: { id, component: 'Alert', text: part.text, tone: part.tone }, data: {} };
    case 'Table':
      return {
        component: {
          ...{ id, component: 'Table', caption: part.caption, rows: `/${id}` },
          columns: part.columns.map((title, column) => ({ title, path: `c${column}` })),
        },
        data: { [id]: part.rows.map((row) => Object.fromEntries(row.map((value, column) => [`c${column}`, value]))) },
      };
  }
}

function bound({ id, optional }: { readonly id: string; readonly optional: boolean }, message: string): Values {
  const value = { path: `/${id}` };
  return optional ? { value } : { value, checks: [{ condition: { call: 'required', args: { value } }, message }] };
}
