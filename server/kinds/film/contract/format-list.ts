import { z } from 'zod';
import { filmDocumentSchema } from './edit.ts';
import { formatSceneSchema, sceneIdSchema } from './film.ts';

/** Purposes of formats, which are the groups of the format picker. */
export const purposeSchema = z.enum(['announce', 'explain', 'compare', 'numbers', 'people', 'product', 'code', 'story', 'parts']);
export type Purpose = z.infer<typeof purposeSchema>;

const props = formatSceneSchema.shape.props;

export const formatInfoSchema = z.object({
  id: sceneIdSchema,
  title: z.string(),
  use: z.string(),
  /** When not to use the format, and what to use instead. */
  avoid: z.string(),
  purposes: z.array(purposeSchema).min(1).max(3),
  /** JSON Schema of the fields. The keyword `format` names icons (`icon`), uploads (`image`) and colours (`color`). */
  schema: z.record(z.string(), z.unknown()),
  example: props,
  /** Length of the example in seconds, in the smooth style. */
  seconds: z.number(),
});
export type FormatInfo = z.infer<typeof formatInfoSchema>;

/** Parts of the request that no scene shows, and scenes that would show them, best first. */
export const unusedSchema = z.object({
  words: z.array(z.string()),
  suggestions: z.array(z.object({ format: sceneIdSchema, props, seconds: z.number() })),
});
export type Unused = z.infer<typeof unusedSchema>;

export const documentResponseSchema = filmDocumentSchema.extend({
  unused: unusedSchema.nullable(),
  /** Time in seconds that each format scene takes to read and watch, by scene id. */
  naturalSeconds: z.record(sceneIdSchema, z.number()),
});

/** A scene's content in another format. `lost` lists the texts that do not fit into that format. */
export const conversionSchema = z.union([
  z.object({ format: sceneIdSchema, props, lost: z.array(z.string()) }),
  z.object({ format: sceneIdSchema, props: z.null(), reason: z.string() }),
]);
export type Conversion = z.infer<typeof conversionSchema>;
