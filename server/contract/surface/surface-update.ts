import { z } from 'zod';
import { invalid, schemaIssue } from './issues.ts';
import { valueAt, withValueAt } from './pointer.ts';
import { type Component, kodaCatalog, rootId, type Surface, storedVersion } from './surface.ts';
import { type Checks, dynamicString } from './values.ts';

/**
 * `surfaceUpdate`: a second, smaller vocabulary for surfaces, without layout. It is translated on entry into messages of the stored
 * version, so nothing else knows it. The parts stand below each other in their order, and the buttons share a row at the end.
 */

/** Leaves room for the ids of a part's own components. */
const id = z.string().min(1).max(90);
const statePath = z.string().min(1).max(300);
const optionSchema = z.union([z.string(), z.strictObject({ label: z.string(), value: z.string() })]);
const field = {
  id,
  label: dynamicString,
  statePath,
  hint: dynamicString.optional(),
  required: z.boolean().default(false),
};
const part = <Name extends string, Shape extends z.core.$ZodLooseShape>(type: Name, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape });

const partSchema = z.discriminatedUnion('type', [
  part('TextInput', {
    ...field,
    /** Ignored: a field's label and hint say what to write. */
    placeholder: z.string().optional(),
    inputType: z.enum(['text', 'multiline', 'number', 'email', 'password']).default('text'),
  }),
  part('Select', { ...field, options: z.array(optionSchema).min(1).max(500), multiple: z.boolean().default(false) }),
  part('Checkbox', field),
  part('Text', { id, text: dynamicString, usageHint: z.enum(['h1', 'h2', 'h3', 'h4', 'h5', 'p', 'span']).default('p') }),
  part('Alert', {
    id,
    title: dynamicString.optional(),
    message: dynamicString,
    variant: z.enum(['info', 'success', 'warning', 'error']).default('info'),
  }),
  part('Table', {
    id,
    caption: dynamicString,
    columns: z.array(z.strictObject({ title: dynamicString, path: z.string().min(1).max(300) })).min(1),
    statePath,
    empty: dynamicString.optional(),
  }),
  part('Button', {
    id,
    label: dynamicString,
    action: z.string().min(1).max(100).default('submit'),
    variant: z.enum(['primary', 'secondary', 'destructive', 'danger']).default('secondary'),
  }),
]);
type Part = z.infer<typeof partSchema>;
type Input = Extract<Part, { statePath: string; label: unknown }>;
const partNames: readonly string[] = partSchema.options.map(({ shape }) => shape.type.value);

const surfaceUpdateSchema = z.strictObject({
  surfaceUpdate: z.strictObject({
    surfaceId: z.string().min(1).max(100),
    components: z.array(partSchema).min(1),
    state: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** Returns the messages that show a `surfaceUpdate`. A later one replaces the parts, and keeps the state unless it has its own. */
export function fromSurfaceUpdate(message: unknown, index: number, before: Surface | null) {
  const unknown = unknownPart(message, index);
  if (unknown !== null) return unknown;
  const read = surfaceUpdateSchema.safeParse(message);
  if (!read.success) return schemaIssue(read.error, [index], `Message ${index} (surfaceUpdate)`);
  const { surfaceId, components, state } = read.data.surfaceUpdate;
  const isShown = before?.surfaceId === surfaceId;
  const data = components.reduce(withChosen, state ?? (isShown ? before.data : {}));
  const version = storedVersion;
  const value = [
    ...(isShown ? [{ version, deleteSurface: { surfaceId } }] : []),
    { version, createSurface: { surfaceId, catalogId: kodaCatalog } },
    { version, updateDataModel: { surfaceId, value: data } },
    { version, updateComponents: { surfaceId, components: componentsOf(components) } },
  ];
  return { ok: true, value } as const;
}

function unknownPart(message: unknown, index: number) {
  const list = valueAt(message, '/surfaceUpdate/components');
  if (!Array.isArray(list)) return null;
  const place = list.findIndex((one: unknown) => {
    const type = valueAt(one, '/type');
    return typeof type === 'string' && !partNames.includes(type);
  });
  if (place === -1) return null;
  const name = String(valueAt(list[place], '/type')).slice(0, 100);
  const words = `The component "${name}" does not exist. Use one of: ${partNames.join(', ')}.`;
  return invalid('UNKNOWN_COMPONENT', words, { field: `${index}.surfaceUpdate.components.${place}.type`, allowed: partNames });
}

/** Koda keeps a choice as a list. */
function withChosen(data: unknown, one: Part): unknown {
  if (one.type !== 'Select') return data;
  const chosen = valueAt(data, one.statePath);
  return typeof chosen === 'string' ? withValueAt(data, one.statePath, chosen === '' ? [] : [chosen]) : data;
}

const variants = { h1: 'h1', h2: 'h2', h3: 'h3', h4: 'h4', h5: 'h5', p: 'body', span: 'caption' } as const;
const looks = { primary: 'primary', secondary: 'default', destructive: 'destructive', danger: 'destructive' } as const;
const fieldVariants = {
  text: 'shortText',
  multiline: 'longText',
  number: 'number',
  email: 'shortText',
  password: 'obscured',
} as const;

function componentsOf(parts: readonly Part[]): Component[] {
  const buttons = parts.filter(({ type }) => type === 'Button');
  const others = parts.filter(({ type }) => type !== 'Button');
  const footer = `${rootId}-buttons`;
  const children = [...others.map((one) => one.id), ...(buttons.length > 0 ? [footer] : [])];
  const inputs = parts.filter(
    (one): one is Input => one.type === 'TextInput' || one.type === 'Select' || one.type === 'Checkbox',
  );
  const context = Object.fromEntries(inputs.map((one) => [one.statePath.replace(/^\//, ''), { path: one.statePath }]));
  return [
    { id: rootId, component: 'Column', children },
    ...(buttons.length > 0
      ? [{ id: footer, component: 'Row' as const, children: buttons.map((one) => one.id), justify: 'end' as const }]
      : []),
    ...parts.flatMap((one) => componentOf(one, context)),
  ];
}

function componentOf(one: Part, context: Readonly<Record<string, { path: string }>>): Component[] {
  switch (one.type) {
    case 'TextInput':
      return [{ ...inputOf(one), component: 'TextField', variant: fieldVariants[one.inputType] }];
    case 'Select':
      return [
        {
          ...inputOf(one),
          component: 'ChoicePicker',
          options: one.options.map((option) => (typeof option === 'string' ? { label: option, value: option } : option)),
          variant: one.multiple ? 'multipleSelection' : 'mutuallyExclusive',
        },
      ];
    case 'Checkbox':
      return [{ ...inputOf(one), component: 'CheckBox' }];
    case 'Text':
      return [{ id: one.id, component: 'Text', text: one.text, variant: variants[one.usageHint] }];
    case 'Alert':
      return [{ id: one.id, component: 'Alert', text: one.message, tone: one.variant, ...titled(one) }];
    case 'Table': {
      const { type: _, statePath: rows, ...table } = one;
      return [{ ...table, component: 'Table', rows }];
    }
    case 'Button': {
      const label = `${one.id}-label`;
      return [
        {
          ...{ id: one.id, component: 'Button', child: label, variant: looks[one.variant] },
          action: { event: { name: one.action, context } },
        },
        { id: label, component: 'Text', text: one.label },
      ];
    }
  }
}

const titled = ({ title }: Extract<Part, { type: 'Alert' }>) => (title === undefined ? {} : { title });

function inputOf(one: Input) {
  const { id: own, label, statePath: path, hint } = one;
  const checks = checksOf(one);
  return {
    ...{ id: own, label, value: { path } },
    ...(hint === undefined ? {} : { accessibility: { description: hint } }),
    ...(checks.length === 0 ? {} : { checks }),
  };
}

const missing = { TextInput: 'Fill this in.', Select: 'Choose one.', Checkbox: 'Tick this box.' } as const;

function checksOf(one: Input): NonNullable<Checks> {
  const value = { path: one.statePath };
  const filled = { call: 'required', args: { value } } as const;
  const required = one.required ? [{ condition: filled, message: missing[one.type] }] : [];
  const format = one.type === 'TextInput' ? formats[one.inputType] : undefined;
  if (format === undefined) return required;
  const empty = { call: 'not', args: { value: filled } } as const;
  return [...required, { condition: { call: 'or', args: { values: [empty, format.of(value)] } }, message: format.message }];
}

interface Format {
  readonly message: string;
  readonly of: (value: { path: string }) => NonNullable<Checks>[number]['condition'];
}
const formats: Readonly<Record<string, Format>> = {
  number: {
    message: 'Not a number. Write one such as 12.5.',
    of: (value) => ({ call: 'numeric', args: { value, min: -Number.MAX_VALUE } }),
  },
  email: {
    message: 'Not an email address. Write one such as ana@koda.example.',
    of: (value) => ({ call: 'email', args: { value } }),
  },
};
