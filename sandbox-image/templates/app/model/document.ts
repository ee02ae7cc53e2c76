import { z } from 'zod';

/**
 * The document of an app: its lists with typed fields, and its pages with views. It is data, and the code of the pages is printed from
 * it. The records are not part of it.
 */

/** Ids are also names in addresses, files and code. No name of a member that every object has, such as `constructor`. */
const reservedIds = new Set(['id', 'constructor', 'prototype', 'tostring', 'valueof', 'hasownproperty', 'api', 'files', 'src']);
export const idSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens, and begin with a letter')
  .refine((id) => !reservedIds.has(id.replaceAll('-', '')), 'must not be a reserved word');

const nameSchema = z.string().trim().min(1).max(60);

export const hues = ['grey', 'red', 'amber', 'green', 'teal', 'blue', 'violet', 'pink'] as const;
export const choiceSchema = z.object({ id: idSchema, name: nameSchema, hue: z.enum(hues) });
export type Choice = z.infer<typeof choiceSchema>;

const common = {
  id: idSchema,
  name: nameSchema,
  /** Whether a record without a value is refused. */
  needed: z.boolean().optional(),
  hint: z.string().max(200).optional(),
};
const unique = z.boolean().optional();
const range = { min: z.number().optional(), max: z.number().optional() };
const choices = z.array(choiceSchema).max(200);

export const fieldSchema = z.discriminatedUnion('type', [
  z.object({ ...common, type: z.literal('text'), unique, maxLength: z.int().min(1).max(1000).optional() }),
  z.object({ ...common, type: z.literal('longtext') }),
  z.object({
    ...common,
    type: z.literal('number'),
    ...range,
    unique,
    decimals: z.int().min(0).max(6).optional(),
    unit: z.string().max(12).optional(),
  }),
  /** Amounts are integers in the currency's minor units. `min` and `max` are too. */
  z.object({ ...common, type: z.literal('money'), ...range, currency: z.string().regex(/^[A-Z]{3}$/) }),
  /** `overdue`: a past date is shown as overdue unless this yes/no field is set or this choice field has a closed choice. */
  z.object({
    ...common,
    type: z.literal('date'),
    overdue: z.object({ unless: idSchema, in: z.array(idSchema).optional() }).optional(),
  }),
  z.object({ ...common, type: z.literal('time') }),
  z.object({ ...common, type: z.literal('choice'), choices }),
  z.object({ ...common, type: z.literal('choices'), choices, most: z.int().min(1).optional() }),
  z.object({ ...common, type: z.literal('rating') }),
  z.object({ ...common, type: z.literal('yesno') }),
  z.object({ ...common, type: z.literal('image') }),
  z.object({ ...common, type: z.literal('link'), unique }),
  z.object({ ...common, type: z.literal('email'), unique }),
  z.object({ ...common, type: z.literal('phone'), unique }),
  z.object({ ...common, type: z.literal('relation'), list: idSchema, many: z.boolean().optional() }),
  /** `result` is the type in which the value is shown. `currency` belongs to money. */
  z.object({
    ...common,
    type: z.literal('computed'),
    formula: z.string().min(1).max(500),
    result: z.enum(['number', 'money', 'text', 'yesno', 'date']),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    decimals: z.int().min(0).max(6).optional(),
  }),
]);
export type Field = z.infer<typeof fieldSchema>;
export type FieldType = Field['type'];

/** A removed field, whose values are kept until 30 days after `removedAt` (ISO 8601). */
const removedFieldSchema = z.object({ field: fieldSchema, removedAt: z.iso.datetime() });

export const listSchema = z.object({
  id: idSchema,
  /** “Tools”. */
  name: nameSchema,
  /** One record: “tool”. */
  one: nameSchema,
  /** The first one is the title of a record. */
  fields: z.array(fieldSchema).min(1).max(60),
  removed: z.array(removedFieldSchema).max(60).optional(),
});
export type List = z.infer<typeof listSchema>;

export const filterSchema = z.object({
  field: idSchema,
  /** `has` searches in texts and in multiple choices. `before`, `after`, `less` and `more` include no equal value. */
  is: z.enum(['is', 'is-not', 'has', 'less', 'more', 'before', 'after', 'empty', 'filled']),
  value: z.union([z.string().max(200), z.number(), z.boolean()]).optional(),
});
export type Filter = z.infer<typeof filterSchema>;
export const sortSchema = z.object({ field: idSchema, descending: z.boolean().optional() });

const emptySchema = z.object({ title: z.string().max(80), text: z.string().max(200) });
const dataView = {
  /** Identifies the view on its page. */
  id: idSchema,
  list: idSchema,
  /** Shown fields in order. All if omitted. */
  fields: z.array(idSchema).max(60).optional(),
  filter: z.array(filterSchema).max(10).optional(),
  sort: z.array(sortSchema).max(3).optional(),
  search: z.boolean().optional(),
  empty: emptySchema.optional(),
};
const optionalId = idSchema.optional();
export const totals = ['sum', 'average', 'min', 'max', 'count', 'empty'] as const;
export const measures = ['count', 'sum', 'average', 'min', 'max'] as const;
const measure = { measure: z.enum(measures), of: optionalId, filter: z.array(filterSchema).max(5).optional() };

export const viewSchema = z.discriminatedUnion('view', [
  z.object({
    ...dataView,
    view: z.literal('table'),
    group: optionalId,
    totals: z.record(idSchema, z.enum(totals)).optional(),
    edit: z.enum(['cell', 'sheet', 'off']).optional(),
  }),
  z.object({
    ...dataView,
    view: z.literal('board'),
    columns: idSchema,
    card: z.object({
      title: idSchema,
      text: optionalId,
      tags: optionalId,
      person: optionalId,
      date: optionalId,
      amount: optionalId,
      progress: optionalId,
    }),
    limits: z.record(idSchema, z.int().min(1)).optional(),
    sum: optionalId,
    closed: z.array(idSchema).max(20).optional(),
  }),
  z.object({
    ...dataView,
    view: z.literal('calendar'),
    title: idSchema,
    start: idSchema,
    time: optionalId,
    /** Field with the end date, or with the length in minutes. */
    end: optionalId,
    minutes: optionalId,
    text: optionalId,
    colour: optionalId,
    mode: z.enum(['day', 'week', 'month']).optional(),
    hours: z.tuple([z.int().min(0).max(23), z.int().min(1).max(24)]).optional(),
    /** Days of the week on which nothing takes place, 0 for Sunday. */
    closed: z.array(z.int().min(0).max(6)).max(7).optional(),
    waiting: z.boolean().optional(),
  }),
  z.object({
    ...dataView,
    view: z.literal('cards'),
    title: idSchema,
    image: optionalId,
    badge: optionalId,
    meta: z.array(idSchema).max(4).optional(),
    rating: optionalId,
    tags: optionalId,
    size: z.enum(['s', 'm', 'l']).optional(),
    quick: optionalId,
  }),
  z.object({
    ...dataView,
    view: z.literal('detail'),
    title: idSchema,
    subtitle: optionalId,
    image: optionalId,
    aside: optionalId,
    sections: z
      .array(z.object({ title: nameSchema, fields: z.array(idSchema).max(60) }))
      .max(12)
      .optional(),
    /** Relations of other lists to this one, as `list.field`. */
    related: z.array(z.string().max(90)).max(6).optional(),
  }),
  /** Every list has a sheet. This one is a page of its own, and sets how the list's sheet looks. */
  z.object({
    ...dataView,
    view: z.literal('sheet'),
    head: optionalId,
    sections: z
      .array(z.object({ title: nameSchema, fields: z.array(idSchema).max(60) }))
      .max(12)
      .optional(),
    related: z.array(z.string().max(90)).max(6).optional(),
  }),
  z.object({
    view: z.literal('form'),
    id: idSchema,
    list: idSchema,
    ask: z
      .array(
        z.object({
          field: idSchema,
          label: z.string().max(120).optional(),
          hint: z.string().max(200).optional(),
          needed: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(60),
    title: z.string().max(120).optional(),
    intro: z.string().max(600).optional(),
    thanks: z.object({ title: z.string().max(120), text: z.string().max(600), summary: z.boolean().optional() }).optional(),
    closes: z.iso.date().optional(),
    limit: z.int().min(1).optional(),
  }),
  z.object({
    view: z.literal('dashboard'),
    id: idSchema,
    list: idSchema,
    /** Date field by which the period is chosen. */
    period: optionalId,
    figures: z
      .array(z.object({ label: nameSchema, ...measure, list: optionalId, bad: z.enum(['up', 'down']).optional() }))
      .max(4),
    charts: z
      .array(
        z.object({
          title: nameSchema,
          kind: z.enum(['line', 'bars', 'share', 'progress']),
          list: optionalId,
          /** A choice, yes/no or relation field, or a date field, which is grouped by day, week or month. */
          x: idSchema,
          by: z.enum(['day', 'week', 'month']).optional(),
          ...measure,
          goal: z.number().optional(),
        }),
      )
      .max(4),
    lists: z
      .array(
        z.object({
          title: nameSchema,
          list: idSchema,
          sort: sortSchema.optional(),
          limit: z.int().min(1).max(20).optional(),
          fields: z.array(idSchema).max(6).optional(),
        }),
      )
      .max(3)
      .optional(),
  }),
  /** A component that people or models write: `src/code/<entry>.tsx`. */
  z.object({ view: z.literal('code'), id: idSchema, entry: idSchema, title: nameSchema.optional() }),
]);
export type View = z.infer<typeof viewSchema>;
export type ViewType = View['view'];
export type ViewOf<T extends ViewType> = Extract<View, { view: T }>;
/** A view of a list's records, which can be searched, filtered and sorted. */
export type DataView = ViewOf<'table' | 'board' | 'calendar' | 'cards' | 'detail' | 'sheet'>;

export const pageSchema = z.object({
  id: idSchema,
  name: nameSchema,
  /** Name of a Lucide icon in kebab case. */
  icon: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .optional(),
  /** A page for visitors, without the app's navigation. */
  public: z.boolean().optional(),
  views: z.array(viewSchema).min(1).max(8),
});
export type Page = z.infer<typeof pageSchema>;

export const themeIds = ['studio', 'paper', 'forest', 'blush', 'candy', 'midnight'] as const;
export type ThemeId = (typeof themeIds)[number];

const colourSchema = z.string().regex(/^#[0-9a-f]{6}$/);

/** Version of the format. A document of a later version is refused. */
export const documentVersion = 1;

export const documentSchema = z.object({
  version: z.literal(documentVersion),
  name: nameSchema,
  theme: z.enum(themeIds),
  mode: z.enum(['system', 'light', 'dark']),
  icon: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .optional(),
  /** Colours that replace the theme's. The page moves them until their contrast suffices. */
  colours: z.object({ accent: colourSchema.optional(), helper: colourSchema.optional() }).optional(),
  lists: z.array(listSchema).min(1).max(30),
  pages: z.array(pageSchema).min(1).max(30),
});
export type AppDocument = z.infer<typeof documentSchema>;

/** Path of the document in the project, printed and never parsed back. */
export const documentPath = 'src/app.json';
