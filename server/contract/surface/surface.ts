import { z } from 'zod';
import {
  checksSchema,
  dynamicBoolean,
  dynamicList,
  dynamicNumber,
  dynamicString,
  dynamicValue,
  maxTextCharacters,
} from './values.ts';

/**
 * Surfaces are interfaces that an author describes as data and the studio draws with its own components. The format is A2UI
 * v0.9 (a2ui.org): messages with a flat list of components that reference each other by id, values bound to paths in a data
 * model, and named actions. Nothing in it can be executed.
 */
export const storedVersion = 'v0.9';
const version = z.literal(storedVersion);
/** Versions that are read. A surface keeps the one that created it, in which its actions are phrased. */
export const versions = [storedVersion, 'v0.9.1', '1.0', 'v1.0'] as const;
const anyVersion = z.enum(versions);
export type SurfaceVersion = (typeof versions)[number];

export const kodaCatalog = 'koda:catalog/v1';
/** A2UI's own catalogs are accepted, but only for the components below. */
export const catalogs = [
  kodaCatalog,
  'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json',
  'https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json',
  'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json',
  'https://a2ui.org/specification/v1_0/catalogs/minimal/catalog.json',
] as const;

/** Checked before a surface is traversed or drawn. A surface that exceeds one is refused whole. */
export const surfaceLimits = {
  characters: 500_000,
  components: 300,
  /** Nesting levels of components. */
  depth: 20,
  /** Entries of a list in the data model. */
  rows: 2000,
  textCharacters: maxTextCharacters,
  /** What a person has typed into a field may be longer than a text, such as a pasted table. */
  enteredCharacters: 10_000,
  payload: { values: 80_000, depth: 16, characters: 500_000 },
} as const;

const idSchema = z.string().min(1).max(100);
const common = {
  id: idSchema,
  accessibility: z.strictObject({ label: dynamicString.optional(), description: dynamicString.optional() }).optional(),
  weight: z.number().optional(),
};

const listSchema = z.strictObject({ componentId: idSchema, path: z.string().max(300) });
const childrenSchema = z.union([z.array(idSchema).max(surfaceLimits.components), listSchema]);
export type Children = z.infer<typeof childrenSchema>;
const justify = z.enum(['center', 'end', 'spaceAround', 'spaceBetween', 'spaceEvenly', 'start', 'stretch']).optional();
const align = z.enum(['start', 'center', 'end', 'stretch']).optional();

const actionSchema = z.strictObject({
  event: z.strictObject({ name: z.string().min(1).max(100), context: z.record(z.string(), dynamicValue).optional() }),
});

function component<Name extends string, Shape extends z.core.$ZodLooseShape>(name: Name, shape: Shape) {
  return z.strictObject({ ...common, component: z.literal(name), ...shape });
}
function input<Name extends string, Shape extends z.core.$ZodLooseShape>(name: Name, shape: Shape) {
  return component(name, { ...shape, checks: checksSchema });
}

const cellSchema = z.strictObject({
  title: dynamicString,
  path: z.string().min(1).max(300),
  align: z.enum(['start', 'end']).optional(),
});

const barSchema = z.strictObject({
  label: dynamicString,
  value: dynamicNumber,
  /** The value in words: “1.2 GB”. */
  text: dynamicString.optional(),
});

/** All components. `ColorPicker`, `Alert`, `Table`, `Chart` and `Progress` are Koda's own; the others are from A2UI's catalog. */
export const componentSchema = z.discriminatedUnion('component', [
  component('Text', {
    text: dynamicString,
    variant: z.enum(['h1', 'h2', 'h3', 'h4', 'h5', 'caption', 'body']).optional(),
  }),
  component('Row', { children: childrenSchema, justify, align }),
  component('Column', { children: childrenSchema, justify, align }),
  component('List', { children: childrenSchema, direction: z.enum(['vertical', 'horizontal']).optional(), align }),
  component('Card', { child: idSchema }),
  component('Tabs', {
    tabs: z
      .array(z.strictObject({ title: dynamicString, child: idSchema }))
      .min(1)
      .max(50),
  }),
  component('Divider', { axis: z.enum(['horizontal', 'vertical']).optional() }),
  input('Button', {
    child: idSchema,
    action: actionSchema,
    variant: z.enum(['default', 'primary', 'borderless', 'destructive']).optional(),
  }),
  input('CheckBox', { label: dynamicString, value: dynamicBoolean }),
  input('TextField', {
    label: dynamicString,
    value: dynamicString.optional(),
    variant: z.enum(['longText', 'number', 'shortText', 'obscured']).optional(),
  }),
  input('ChoicePicker', {
    label: dynamicString.optional(),
    options: z.array(z.strictObject({ label: dynamicString, value: z.string().max(maxTextCharacters) })).max(500),
    value: dynamicList,
    variant: z.enum(['multipleSelection', 'mutuallyExclusive']).optional(),
    displayStyle: z.enum(['checkbox', 'chips']).optional(),
    filterable: z.boolean().optional(),
  }),
  input('Slider', { label: dynamicString.optional(), min: z.number().optional(), max: z.number(), value: dynamicNumber }),
  /** The value is `#rrggbb`. */
  input('ColorPicker', { label: dynamicString, value: dynamicString }),
  /** `url` is a path of one of Koda's own pictures (`picture.ts`), never an address. The studio decides on its size. */
  component('Image', {
    url: dynamicString,
    description: dynamicString.optional(),
    fit: z.enum(['contain', 'cover', 'fill', 'none', 'scaleDown']).optional(),
    variant: z.enum(['icon', 'avatar', 'smallFeature', 'mediumFeature', 'largeFeature', 'header']).optional(),
  }),
  /** `bar` divides one bar, `bars` draws one for each value. */
  component('Chart', {
    label: dynamicString,
    bars: z.array(barSchema).min(1).max(50),
    shape: z.enum(['bar', 'bars']).optional(),
  }),
  /** `value` is from 0 to 100. */
  component('Progress', { label: dynamicString, value: dynamicNumber, secondsLeft: dynamicNumber.optional() }),
  component('Alert', {
    title: dynamicString.optional(),
    text: dynamicString,
    tone: z.enum(['info', 'success', 'warning', 'error']).optional(),
  }),
  /** `rows` is the path to a list in the data model. */
  component('Table', {
    caption: dynamicString,
    columns: z.array(cellSchema).min(1).max(30),
    rows: z.string().max(300),
    /** Shown when there are no rows. */
    empty: dynamicString.optional(),
  }),
]);
export type Component = z.infer<typeof componentSchema>;
export type ComponentOf<Name extends Component['component']> = Extract<Component, { component: Name }>;
export const componentNames: readonly string[] = componentSchema.options.map(({ shape }) => shape.component.value);

const surfaceId = z.string().min(1).max(100);
/** A2UI's theme is accepted but ignored: surfaces look like the studio. */
const themeSchema = z.looseObject({
  primaryColor: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .optional(),
});

export const surfaceMessageSchema = z.union([
  z.strictObject({
    version: anyVersion,
    createSurface: z.strictObject({
      surfaceId,
      catalogId: z.enum(catalogs),
      theme: themeSchema.optional(),
      sendDataModel: z.boolean().optional(),
    }),
  }),
  z.strictObject({
    version,
    updateComponents: z.strictObject({ surfaceId, components: z.array(componentSchema).min(1).max(surfaceLimits.components) }),
  }),
  z.strictObject({
    version,
    updateDataModel: z.strictObject({ surfaceId, path: z.string().max(300).optional(), value: z.unknown().optional() }),
  }),
  z.strictObject({ version, deleteSurface: z.strictObject({ surfaceId }) }),
]);
export type SurfaceMessage = z.infer<typeof surfaceMessageSchema>;

export interface Surface {
  /** Version of A2UI in which the surface was created. */
  readonly version: SurfaceVersion;
  readonly surfaceId: string;
  readonly catalogId: string;
  readonly theme: Readonly<Record<string, unknown>> | null;
  readonly sendDataModel: boolean;
  /** Components by id, in order of arrival. */
  readonly components: ReadonlyMap<string, Component>;
  readonly data: unknown;
}

export const rootId = 'root';

/** A2UI messages as stored and sent. `readSurface` validates them. */
export const surfaceMessagesSchema = z.array(z.record(z.string(), z.unknown())).max(200);
export type SurfaceMessages = z.infer<typeof surfaceMessagesSchema>;

/** What both versions have in common. */
export const actionShape = {
  name: z.string().min(1).max(100),
  surfaceId,
  sourceComponentId: idSchema,
  timestamp: z.iso.datetime(),
  context: z.record(z.string().max(100), z.unknown()),
};
/** User action on a surface, as an A2UI message to the server, in the version of the surface. */
export const surfaceActionSchema = z.union([
  z.strictObject({ version: z.enum(['v0.9', 'v0.9.1']), action: z.strictObject(actionShape) }),
  z.strictObject({
    version: z.enum(['1.0', 'v1.0']),
    // The schema is strict, so an action that requests its own response is refused: Koda returns only the tool's result.
    action: z.strictObject({ ...actionShape, userMessage: z.string().max(4000).optional() }),
  }),
]);
export type SurfaceActionMessage = z.infer<typeof surfaceActionSchema>;
export type SurfaceAction = SurfaceActionMessage['action'];

export function childIds(of: Component): readonly string[] {
  switch (of.component) {
    case 'Row':
    case 'Column':
    case 'List':
      return Array.isArray(of.children) ? of.children : [of.children.componentId];
    case 'Card':
    case 'Button':
      return [of.child];
    case 'Tabs':
      return of.tabs.map(({ child }) => child);
    default:
      return [];
  }
}
