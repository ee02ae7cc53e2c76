import { z } from 'zod';
import { isModest } from '../contract/modest.ts';
import { changesSchema, fileEntrySchema, fileListSchema, foundLinesSchema, foundPathsSchema } from '../contract/sandboxd.ts';
import { brokenProtocol } from './transport.ts';

/** Most that an answer of each kind may hold. The longest honest listing: 20,000 entries of some hundred bytes. */
export const answerLimits = {
  jsonBytes: 1024 * 1024,
  listBytes: 32 * 1024 * 1024,
  logBytes: 4 * 1024 * 1024,
  /** With the console of a page that complains at every frame, and a picture of the frames. */
  reportBytes: 4 * 1024 * 1024,
  /** A picture for a model has 1.5 MB at most; in base64 that is 2 MB, and the answer says other things, too. */
  pictureBytes: 4 * 1024 * 1024,
  /** A chunk of output is 64 KiB at most, in which every byte may need six characters of JSON. */
  lineBytes: 1024 * 1024,
  /** Numbers, texts, lists and objects in an answer: a listing has five an entry. */
  values: 200_000,
  depth: 32,
} as const;

/** A path that a sandbox names must not lead anywhere else, whatever is done with it. */
function isInner(path: string): boolean {
  return (
    path !== '' &&
    path.length <= 4096 &&
    path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}
export const innerPathSchema = z.string().refine(isInner, 'a path that leaves the project');
export const innerEntrySchema = fileEntrySchema.refine((entry) => isInner(entry.path), 'a path that leaves the project');
export const innerListSchema = fileListSchema.extend({ files: z.array(innerEntrySchema) });
export const innerChangesSchema = changesSchema.extend({
  changed: z.array(innerEntrySchema),
  deleted: z.array(innerPathSchema),
});
export const innerPathsSchema = foundPathsSchema.extend({ paths: z.array(innerPathSchema).max(5_000) });
export const innerLinesSchema = foundLinesSchema.refine(
  ({ matches }) => matches.every(({ path }) => isInner(path)),
  'a path that leaves the project',
);
export const createdSchema = z.object({ created: z.boolean() });
export const deletedSchema = z.object({ deleted: z.boolean() });
export const writtenSchema = z.object({ path: innerPathSchema, sizeBytes: z.int().min(0) });
export const importedSchema = z.object({ files: z.int().min(0), bytes: z.int().min(0) });
export const problemsSchema = z.object({ problems: z.array(z.string().max(5000)).max(100) });
export const startedSchema = z.object({ pid: z.int().positive() });

/** How a stream ends that cannot go on. */
export const streamErrorSchema = z.object({
  type: z.literal('error'),
  code: z.string().max(64),
  message: z.string().max(16_384),
});

/** Of a schema's complaints, which are as many as a sandbox wants, the first ones tell enough. */
const maxIssuesTold = 5;

/** What a sandbox says, once its schema has passed it. Throws SANDBOX_DEAD: whoever says anything else is not our daemon. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw brokenProtocol('an answer that is not JSON');
  }
  const { values, depth } = answerLimits;
  if (!isModest(value, { values, depth, characters: text.length })) throw brokenProtocol('an answer of far too many parts');
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const told = z.prettifyError({ issues: parsed.error.issues.slice(0, maxIssuesTold) });
  throw brokenProtocol(told.slice(0, 500));
}
