import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { codeSceneSchema, type Film, type FilmScene, filmSchema, formatSceneSchema, isBounded, sceneIdSchema } from './film.ts';

/**
 * Edits to a film's document, as sent by forms, language models, the command line and MCP clients. Each edit includes the
 * value that it replaces (`was`). An edit is rejected if someone else has changed that value in the meantime, and edits to
 * different values never overwrite each other. Times are in seconds.
 */

const fieldName = z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/);
/** Path to a field of the scene's props: `['items', 2, 'text']`. */
const fieldPath = z
  .array(z.union([fieldName, z.int().min(0).max(999)]))
  .min(1)
  .max(6);
/** Not `z.json()`, because its recursive schema has no description in OpenAPI. */
const json = z.unknown().refine(isBounded, 'must be JSON of at most 1000 values');
/** Scene after which to insert. `null` for the start of the film. */
const after = sceneIdSchema.nullable();

export const lookFields = ['title', 'style', 'theme', 'aspect', 'fps', 'language', 'colors', 'music'] as const;

export const filmEditSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('field'), scene: sceneIdSchema, path: fieldPath, was: json, value: json }),
  /**
   * Changes a scene's format, or turns a code scene into a format scene, which replaces its file. `was` is the old format, or
   * `null` for code.
   */
  z.object({
    type: z.literal('format'),
    scene: sceneIdSchema,
    was: sceneIdSchema.nullable(),
    format: sceneIdSchema,
    props: formatSceneSchema.shape.props,
  }),
  z.object({
    type: z.literal('seconds'),
    scene: sceneIdSchema,
    was: z.number(),
    value: formatSceneSchema.shape.seconds,
  }),
  /** A code scene is described in words, and Koda builds it. It can be added only before the plan is accepted. */
  z.object({ type: z.literal('add'), after, scene: z.union([codeSceneSchema, formatSceneSchema]) }),
  /**
   * Changes a scene's title or, before the plan is accepted, the words that Koda builds a code scene from. Without a title, a
   * format scene has its format's.
   */
  z.object({
    type: z.literal('words'),
    scene: sceneIdSchema,
    field: z.enum(['title', 'description', 'notes']),
    was: z.string().nullable(),
    value: z.string().nullable(),
  }),
  z.object({ type: z.literal('remove'), scene: sceneIdSchema }),
  z.object({ type: z.literal('move'), scene: sceneIdSchema, after }),
  z.object({ type: z.literal('look'), field: z.enum(lookFields), was: json, value: json }),
]);
export type FilmEdit = z.infer<typeof filmEditSchema>;

export const maxFilmEdits = 100;
export const filmEditsSchema = z.array(filmEditSchema).min(1).max(maxFilmEdits);
export const filmEditsRequestSchema = z.object({ edits: filmEditsSchema });

/** `revision` increments with every change to the document. */
export const filmDocumentSchema = z.object({ revision: z.int(), film: filmSchema });
export type FilmDocument = z.infer<typeof filmDocumentSchema>;

/**
 * Returns the film after applying all edits in order. Throws CONFLICT, with the edit's index in `details.edit`, if a scene no
 * longer exists or a value differs from `was`. Throws VALIDATION_ERROR if the result is not a valid film. Does not check the
 * props of formats.
 */
export function applyFilmEdits(film: Film, edits: readonly FilmEdit[]): Film {
  const parsed = filmSchema.safeParse(withFilmEdits(film, edits));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new KodaError(
    'VALIDATION_ERROR',
    `The film was not saved because ${issue?.path.join('.')} is not valid: ${issue?.message}. Correct it and save again.`,
    {
      details: { field: issue?.path.join('.') ?? '' },
    },
  );
}

/** Applies the edits without validating the result. Throws CONFLICT as `applyFilmEdits` does. */
export function withFilmEdits(film: Film, edits: readonly FilmEdit[]): Film {
  return edits.reduce((current, edit, index) => applyEdit(current, edit, index), film);
}

/**
 * Returns the edits that undo `edits`, or `null` if one of them removes a code scene's file. `isProposed`: code scenes have no
 * files yet.
 */
export function inverseFilmEdits(
  film: Film,
  edits: readonly FilmEdit[],
  { isProposed }: { isProposed: boolean } = { isProposed: false },
): FilmEdit[] | null {
  const inverse: FilmEdit[] = [];
  let current = film;
  for (const [index, edit] of edits.entries()) {
    const back = inverseOf(current, edit, isProposed);
    if (back === null) return null;
    inverse.unshift(...back);
    current = applyEdit(current, edit, index);
  }
  return inverse;
}

function applyEdit(film: Film, edit: FilmEdit, index: number): Film {
  const refuse = (message: string): never => {
    throw new KodaError('CONFLICT', message, { details: { edit: index } });
  };
  const insertAfter = (scenes: readonly FilmScene[], after: string | null, scene: FilmScene, missing: string): Film => {
    const position = after === null ? 0 : scenes.findIndex(({ id }) => id === after) + 1;
    if (after !== null && position === 0) refuse(missing);
    return { ...film, scenes: scenes.toSpliced(position, 0, scene) };
  };
  const unchanged = (now: unknown, was: unknown, what: string) => {
    if (!isSame(now, was))
      refuse(
        `Someone else has changed ${what} in the meantime, so your edit was not saved. Check the new value, then edit again.`,
      );
  };
  if (edit.type === 'look') {
    unchanged(film[edit.field], edit.was, `the film’s ${edit.field}`);
    return { ...film, [edit.field]: edit.value };
  }
  if (edit.type === 'add') {
    if (film.scenes.some(({ id }) => id === edit.scene.id)) refuse(`A scene “${edit.scene.id}” already exists.`);
    return insertAfter(
      film.scenes,
      edit.after,
      edit.scene,
      `The new scene cannot follow “${edit.after}”, which no longer exists.`,
    );
  }
  const at = film.scenes.findIndex(({ id }) => id === edit.scene);
  const scene = film.scenes[at] ?? refuse(`The scene “${edit.scene}” no longer exists.`);
  const replace = (next: FilmScene): Film => ({ ...film, scenes: film.scenes.with(at, next) });
  switch (edit.type) {
    case 'seconds':
      unchanged(scene.seconds, edit.was, `the length of “${edit.scene}”`);
      return replace({ ...scene, seconds: edit.value });
    case 'field': {
      if ('code' in scene) return refuse(`The scene “${edit.scene}” is written in code, so it has no fields.`);
      unchanged(valueAt(scene.props, edit.path) ?? null, edit.was, `${edit.path.join(' ')} in “${edit.scene}”`);
      return replace({ ...scene, props: withValue(scene.props, edit.path, edit.value) as typeof scene.props });
    }
    case 'format': {
      unchanged('code' in scene ? null : scene.format, edit.was, `the format of “${edit.scene}”`);
      const title = 'code' in scene ? undefined : scene.title;
      const { id, seconds } = scene;
      return replace({ id, seconds, ...(title !== undefined && { title }), format: edit.format, props: edit.props });
    }
    case 'words': {
      if (edit.field !== 'title' && !('code' in scene))
        return refuse(`The scene “${edit.scene}” has a format, so it has no ${edit.field}.`);
      unchanged(valueAt(scene, [edit.field]), edit.was, `the ${edit.field} of “${edit.scene}”`);
      const next = Object.entries({ ...scene, [edit.field]: edit.value }).filter(([, value]) => value !== null);
      return replace(Object.fromEntries(next) as FilmScene);
    }
    case 'remove':
      if (film.scenes.length === 1) refuse('A film needs at least one scene.');
      return { ...film, scenes: film.scenes.toSpliced(at, 1) };
    case 'move':
      return insertAfter(film.scenes.toSpliced(at, 1), edit.after, scene, `The scene “${edit.after}” no longer exists.`);
  }
}

function inverseOf(film: Film, edit: FilmEdit, isProposed: boolean): FilmEdit[] | null {
  switch (edit.type) {
    case 'look':
    case 'seconds':
    case 'field':
    case 'words':
      return [{ ...edit, was: edit.value, value: edit.was } as FilmEdit];
    case 'add':
      return [{ type: 'remove', scene: edit.scene.id }];
    default: {
      const at = film.scenes.findIndex(({ id }) => id === edit.scene);
      const scene = film.scenes[at];
      if (scene === undefined) return null;
      const after = film.scenes[at - 1]?.id ?? null;
      if (edit.type === 'move') return [{ type: 'move', scene: edit.scene, after }];
      if ('code' in scene && !isProposed) return null;
      if (edit.type === 'remove') return [{ type: 'add', after, scene }];
      if (!('code' in scene))
        return [{ type: 'format', scene: scene.id, was: edit.format, format: scene.format, props: scene.props }];
      // A film always has a scene, so its only scene cannot be replaced in two edits.
      return film.scenes.length === 1
        ? null
        : [
            { type: 'remove', scene: scene.id },
            { type: 'add', after, scene },
          ];
    }
  }
}

/** Returns the value at a path in a scene's props, or `null` if there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : null),
    value,
  );
}

/** Returns a copy with the value at this path. Creates missing parents as objects. */
function withValue(target: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(target)) {
    const copy = [...target];
    copy[Number(key)] = withValue(target[Number(key)], rest, value);
    return copy;
  }
  const fields = typeof target === 'object' && target !== null ? target : {};
  return { ...fields, [key]: withValue(Reflect.get(fields, key), rest, value) };
}

/** Returns whether two JSON values are equal, regardless of the order of object fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(Reflect.get(one, key), Reflect.get(other, key)))
  );
}
