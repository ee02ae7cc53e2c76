import { formatExactSeconds } from '#contract/display.ts';
import { KodaError } from '#contract/errors.ts';
import type { FilmEdit } from '#kinds/film/contract/edit.ts';
import type { Film, FilmScene, FormatScene } from '#kinds/film/contract/film.ts';
import type { FormatInfo } from '#kinds/film/contract/format-list.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import type { CommandContext } from '../../../cli/client.ts';

type Output = Pick<CommandContext, 'client' | 'terminal'>;

export async function showFormats(id: string | null, json: boolean, { client, terminal }: Output): Promise<void> {
  const formats = await client.call(filmRoutes.formats, {});
  if (id === null) {
    if (json) terminal.result(JSON.stringify(formats, null, 2));
    else for (const format of formats) terminal.result(`${format.id.padEnd(14)}${format.title}: ${format.use}`);
    return;
  }
  const format = formatNamed(formats, id);
  if (json) {
    terminal.result(JSON.stringify(format, null, 2));
    return;
  }
  terminal.result(`${format.title} (${format.id}), for: ${format.purposes.join(', ')}`);
  terminal.result(`  Use: ${format.use}`);
  terminal.result(`  Not for: ${format.avoid}`);
  terminal.result('Fields:');
  for (const [name, schema] of Object.entries(fieldsOf(format))) terminal.result(`  ${name}: ${fieldText(schema)}`);
  terminal.result(`Example, ${formatExactSeconds(format.seconds)}:`);
  terminal.result(JSON.stringify(format.example, null, 2));
}

function formatNamed(formats: readonly FormatInfo[], id: string): FormatInfo {
  const format = formats.find((one) => one.id === id);
  if (format !== undefined) return format;
  throw new KodaError('NOT_FOUND', `There is no format "${id}". The formats are: ${formats.map((one) => one.id).join(', ')}.`);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const fieldsOf = ({ schema }: FormatInfo): Record<string, unknown> =>
  isObject(schema['properties']) ? schema['properties'] : {};

/** Describes a JSON Schema field: “text, at most 60 characters, or null”. */
export function fieldText(schema: unknown): string {
  if (!isObject(schema)) return 'anything';
  const { anyOf, type, maxLength, minItems, maxItems, items, properties, format } = schema;
  if (Array.isArray(anyOf)) return anyOf.map(fieldText).join(', or ');
  if (Array.isArray(schema['enum'])) return schema['enum'].join(' | ');
  switch (type) {
    case 'string':
      if (typeof format === 'string') return format;
      return maxLength === undefined ? 'text' : `text, at most ${String(maxLength)} characters`;
    case 'array':
      return `${String(minItems ?? 0)} to ${String(maxItems ?? 'any number of')} of ${fieldText(items)}`;
    case 'object':
      return isObject(properties)
        ? `{ ${Object.entries(properties)
            .map(([name, inner]) => `${name}: ${fieldText(inner)}`)
            .join('; ')} }`
        : 'object';
    case 'boolean':
      return 'true | false';
    default:
      return String(type ?? 'anything');
  }
}

export async function listScenes(projectId: string, json: boolean, { client, terminal }: Output): Promise<void> {
  const { revision, film } = await client.call(filmRoutes.document, { id: projectId });
  if (json) {
    terminal.result(JSON.stringify({ revision, film }, null, 2));
    return;
  }
  terminal.result(`${film.title}: ${film.style}, theme ${film.theme}, ${film.aspect}`);
  for (const [index, scene] of film.scenes.entries()) {
    terminal.result(`${index + 1}. ${scene.id}  ${kindOf(scene)}  ${formatExactSeconds(scene.seconds)}`);
    if ('code' in scene) terminal.result(`     ${scene.title}`);
    else for (const [name, value] of Object.entries(scene.props)) terminal.result(`     ${name}: ${JSON.stringify(value)}`);
  }
}

const kindOf = (scene: FilmScene) => ('code' in scene ? 'code' : scene.format);

/** Changes fields of a scene. `field` is a name or a path such as `items.2.text`, where rows count from 1. */
export async function setFields(
  projectId: string,
  sceneId: string,
  { field, values, props }: { field: string | null; values: readonly string[]; props: string | null },
  context: Output,
): Promise<void> {
  const given = props === null ? null : objectOf(props);
  if ((given === null) === (field === null))
    throw new KodaError('BAD_REQUEST', 'Specify a field and its value, or all fields with --props \'{"title": "Hello"}\'.');
  if (field !== null && values.length === 0) throw new KodaError('BAD_REQUEST', `Add the value after "${field}".`);
  await edit(projectId, context, (film) => {
    const scene = sceneNamed(film, sceneId);
    if (field === 'seconds') return [{ type: 'seconds', scene: scene.id, was: scene.seconds, value: Number(values[0]) }];
    if ('code' in scene)
      throw new KodaError(
        'INVALID_TRANSITION',
        `The scene "${scene.id}" is written in code, so it has no fields. Edit its file, or describe the change in a message.`,
      );
    const fields: [string[], unknown][] =
      field === null
        ? Object.entries(given ?? {}).map(([name, one]) => [[name], one])
        : [[field.split('.'), parsedValue(values)]];
    return fields.map(([names, one]) => {
      const path = names.map((name) => (/^\d+$/.test(name) ? Number(name) - 1 : name));
      const was = valueAt(scene.props, path);
      // A title such as “2026” stays a string.
      const isText = field !== null && typeof was === 'string' && one !== null && typeof one !== 'object';
      return { type: 'field', scene: scene.id, path, was, value: isText ? textOf(values) : one };
    });
  });
}

/** Adds a scene with this format, by default with the format's example. `after`: a scene, `start`, or `null` for the end. */
export async function addScene(
  projectId: string,
  formatId: string,
  { props, after }: { props: string | null; after: string | null },
  context: Output,
): Promise<void> {
  const format = formatNamed(await context.client.call(filmRoutes.formats, {}), formatId);
  const given = props === null ? format.example : objectOf(props);
  await edit(projectId, context, (film) => {
    const taken = new Set(film.scenes.map(({ id }) => id));
    let number = film.scenes.length + 1;
    while (taken.has(`scene-${number}`)) number += 1;
    const scene: FormatScene = { id: `scene-${number}`, seconds: format.seconds, format: formatId, props: given };
    return [{ type: 'add', after: after === null ? (film.scenes.at(-1)?.id ?? null) : placeOf(film, after), scene }];
  });
}

export async function moveScene(projectId: string, sceneId: string, after: string, context: Output): Promise<void> {
  await edit(projectId, context, (film) => [{ type: 'move', scene: sceneNamed(film, sceneId).id, after: placeOf(film, after) }]);
}

export async function removeScene(projectId: string, sceneId: string, context: Output): Promise<void> {
  await edit(projectId, context, (film) => [{ type: 'remove', scene: sceneNamed(film, sceneId).id }]);
}

/**
 * Edits the current document. If someone else has edited it in the meantime, retries once. Throws CONFLICT if the same values
 * have changed.
 */
async function edit(projectId: string, { client, terminal }: Output, editsFor: (film: Film) => FilmEdit[]): Promise<void> {
  const send = (edits: FilmEdit[]) => client.call(filmRoutes.editDocument, { id: projectId, body: { edits } });
  let edits = editsFor((await client.call(filmRoutes.document, { id: projectId })).film);
  let stored: Awaited<ReturnType<typeof send>>;
  try {
    stored = await send(edits);
  } catch (error) {
    if (!(error instanceof KodaError) || error.code !== 'CONFLICT') throw error;
    const again = editsFor((await client.call(filmRoutes.document, { id: projectId })).film);
    // The value to replace has changed, so the user must decide.
    if (edits.some((one) => 'was' in one) && JSON.stringify(again) !== JSON.stringify(edits)) throw error;
    edits = again;
    stored = await send(edits);
  }
  for (const one of edits) terminal.result(`${changeText(one, stored.film)} (revision ${stored.revision})`);
}

function changeText(edit: FilmEdit, film: Film): string {
  const place = (id: string) => `scene ${film.scenes.findIndex((scene) => scene.id === id) + 1}`;
  switch (edit.type) {
    case 'field': {
      const name = edit.path.map((key) => (typeof key === 'number' ? key + 1 : key)).join('.');
      return `${edit.scene}: ${name} is now ${JSON.stringify(edit.value)}`;
    }
    case 'words':
      return `${edit.scene}: ${edit.field} is now ${JSON.stringify(edit.value)}`;
    case 'seconds':
      return `${edit.scene}: now lasts ${formatExactSeconds(edit.value)}`;
    case 'format':
      return `${edit.scene}: format is now ${edit.format}`;
    case 'add':
      return `${edit.scene.id}: added as ${place(edit.scene.id)}`;
    case 'remove':
      return `${edit.scene}: removed`;
    case 'move':
      return `${edit.scene}: is now ${place(edit.scene)}`;
    case 'look':
      return `${edit.field} is now ${JSON.stringify(edit.value)}`;
  }
}

function sceneNamed(film: Film, name: string): FilmScene {
  const scene = film.scenes.find(({ id }) => id === name) ?? film.scenes[/^\d+$/.test(name) ? Number(name) - 1 : -1];
  if (scene !== undefined) return scene;
  throw new KodaError('NOT_FOUND', `There is no scene "${name}". The scenes are: ${film.scenes.map(({ id }) => id).join(', ')}.`);
}

const placeOf = (film: Film, after: string) => (after === 'start' ? null : sceneNamed(film, after).id);

const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : null), value) ??
  null;

/** Joins the words, or returns the string if they are quoted JSON. */
function textOf(values: readonly string[]): string {
  const value = parsedValue(values);
  return typeof value === 'string' ? value : values.join(' ');
}

/** Parses JSON such as 12, true, null or ["a"]. Returns any other text unchanged. */
function parsedValue(values: readonly string[]): unknown {
  const text = values.join(' ');
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON needs no quotes.
    return text;
  }
}

function objectOf(text: string): Record<string, unknown> {
  const value = parsedValue([text]);
  if (isObject(value) && !Array.isArray(value)) return value;
  throw new KodaError(
    'BAD_REQUEST',
    '--props is not a JSON object. Write it as \'{"title": "Hello"}\', with single quotes around it.',
  );
}
