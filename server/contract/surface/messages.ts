import { isBinding } from './drawing.ts';
import {
  dataIssue,
  invalid,
  type Path,
  type SurfaceIssue,
  schemaIssue,
  securityIssue,
  sizeIssue,
  textIssue,
  tooLarge,
} from './issues.ts';
import { findJsonError } from './json-position.ts';
import { isPicture } from './picture.ts';
import { namesOf, withValueAt } from './pointer.ts';
import {
  type Component,
  childIds,
  componentNames,
  componentSchema,
  rootId,
  type Surface,
  type SurfaceMessage,
  type SurfaceMessages,
  storedVersion,
  surfaceLimits,
  surfaceMessageSchema,
  versions,
} from './surface.ts';
import { asStored } from './versions.ts';

type Invalid = { readonly ok: false; readonly issue: SurfaceIssue };
export type Read<T> = { readonly ok: true; readonly value: T } | Invalid;

/** Parses a surface from A2UI messages, as a list or one per line. All input is bounded before it is traversed. */
export function parseSurface(text: string): Read<Surface> {
  if (text.length > surfaceLimits.characters) {
    return tooLarge('characters', { count: text.length, limit: surfaceLimits.characters, field: '' });
  }
  const json = readJson(text);
  if (!json.ok) return json;
  return readSurface(json.value);
}

export function readSurface(messages: unknown): Read<Surface> {
  const surface = applyMessages(null, messages);
  if (!surface.ok) return surface;
  return surface.value === null
    ? invalid('INVALID_REFERENCE', 'There is no surface to show: it was deleted or never created. Send createSurface first.')
    : { ok: true, value: surface.value };
}

/** Returns the messages that create a surface. Inverse of `readSurface`. */
export function messagesOf(surface: Surface): SurfaceMessage[] {
  const { surfaceId, catalogId, theme, sendDataModel, components, data } = surface;
  const version = storedVersion;
  return surfaceMessageSchema.array().parse([
    {
      version: surface.version,
      createSurface: { surfaceId, catalogId, ...(theme === null ? {} : { theme }), ...(sendDataModel ? { sendDataModel } : {}) },
    },
    { version, updateDataModel: { surfaceId, value: data } },
    ...(components.size === 0 ? [] : [{ version, updateComponents: { surfaceId, components: [...components.values()] } }]),
  ]);
}

/** Prints a surface as text. Inverse of `parseSurface`. */
export function printSurface(surface: Surface): string {
  return JSON.stringify(messagesOf(surface));
}

/** Merges further messages into those that create a surface, using as few messages as possible. */
export function withPieces(messages: SurfaceMessages, pieces: SurfaceMessages): Read<SurfaceMessages> {
  const before = readSurface(messages);
  const after = before.ok ? applyMessages(before.value, pieces) : before;
  return after.ok ? { ok: true, value: after.value === null ? [] : messagesOf(after.value) } : after;
}

/** Applies messages to a surface. Returns `null` as the value if it was deleted. */
export function applyMessages(before: Surface | null, messages: unknown): Read<Surface | null> {
  const list = Array.isArray(messages) ? messages : [messages];
  const tooMany = countIssue(list, before?.components.size ?? 0);
  const issue = tooMany ?? sizeIssue(list) ?? textIssue(list) ?? securityIssue(list);
  if (issue !== null) return issue;
  let surface = before;
  for (const [index, given] of list.entries()) {
    const stored = asStored(given, index, surface);
    if (!stored.ok) return stored;
    for (const message of stored.value) {
      const next = applyMessage(surface, message, index);
      if (!next.ok) return next;
      surface = next.value;
    }
  }
  if (surface === null) return { ok: true, value: null };
  return referenceIssue(surface) ?? dataIssue(surface.data, enteredPaths(surface)) ?? { ok: true, value: surface };
}

/** Returns the paths that text fields are bound to. */
function enteredPaths({ components }: Surface): ReadonlySet<string> {
  const paths = [...components.values()].flatMap((one) =>
    one.component === 'TextField' && isBinding(one.value) ? [one.value.path] : [],
  );
  return new Set(paths);
}

function countIssue(messages: readonly unknown[], known: number): Invalid | null {
  let count = known;
  for (const message of messages) {
    for (const kind of ['updateComponents', 'createSurface', 'surfaceUpdate']) {
      const components = partOf(partOf(message, kind), 'components');
      if (Array.isArray(components)) count += components.length;
    }
  }
  // A message may replace every existing component.
  if (count <= surfaceLimits.components + known) return null;
  return tooLarge('parts', { count, limit: surfaceLimits.components, field: 'components' });
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function readJson(text: string): Read<unknown> {
  const issue = findJsonError(text);
  if (issue === null) return { ok: true, value: JSON.parse(text) };
  // A2UI streams one message per line.
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 1 && lines.every((line) => findJsonError(line) === null)) {
    return { ok: true, value: lines.map((line): unknown => JSON.parse(line)) };
  }
  const { line, column } = issue;
  return invalid('JSON_SYNTAX', `The text is not valid JSON at line ${line}, column ${column}.`, { position: issue });
}

const kinds = ['createSurface', 'updateComponents', 'updateDataModel', 'deleteSurface'] as const;

function applyMessage(surface: Surface | null, value: unknown, index: number): Read<Surface | null> {
  const unknown = unknownComponent(value, index);
  if (unknown !== null) return unknown;
  const parsed = surfaceMessageSchema.safeParse(value);
  if (!parsed.success) return messageIssue(value, index, parsed.error);
  const message = parsed.data;
  if ('createSurface' in message) {
    const { surfaceId, catalogId, theme = null, sendDataModel = false } = message.createSurface;
    if (surface !== null)
      return invalid('INVALID_REFERENCE', `The surface "${surface.surfaceId}" already exists. Delete it first.`);
    const { version } = message;
    return { ok: true, value: { version, surfaceId, catalogId, theme, sendDataModel, components: new Map(), data: {} } };
  }
  const surfaceId = existingSurfaceId(message);
  if (surface === null || surface.surfaceId !== surfaceId) {
    return invalid('INVALID_REFERENCE', `The surface "${surfaceId}" does not exist. Send createSurface first.`, {
      field: `${index}.surfaceId`,
    });
  }
  if ('deleteSurface' in message) return { ok: true, value: null };
  if ('updateComponents' in message) return withComponents(surface, message.updateComponents.components, index);
  const { path = '/', value: data } = message.updateDataModel;
  if (namesOf(path) === null)
    return invalid('SECURITY_VIOLATION', `The path "${path}" is not allowed.`, { field: `${index}.path` });
  return { ok: true, value: { ...surface, data: withValueAt(surface.data, path, data) ?? {} } };
}

function existingSurfaceId(message: Exclude<SurfaceMessage, { createSurface: unknown }>): string {
  if ('updateComponents' in message) return message.updateComponents.surfaceId;
  return 'updateDataModel' in message ? message.updateDataModel.surfaceId : message.deleteSurface.surfaceId;
}

/** Reported before a component's other issues, with a list of valid names. */
function unknownComponent(message: unknown, index: number): Invalid | null {
  const components = partOf(partOf(message, 'updateComponents'), 'components');
  if (!Array.isArray(components)) return null;
  for (const [place, component] of components.entries()) {
    const name: unknown = partOf(component, 'component');
    if (typeof name !== 'string' || componentNames.includes(name)) continue;
    return invalid(
      'UNKNOWN_COMPONENT',
      `The component "${name.slice(0, 100)}" does not exist. Use one of: ${componentNames.join(', ')}.`,
      {
        field: `${index}.updateComponents.components.${place}.component`,
        allowed: componentNames,
      },
    );
  }
  return null;
}

function messageIssue(value: unknown, index: number, error: Parameters<typeof schemaIssue>[0]): Invalid {
  const components = partOf(partOf(value, 'updateComponents'), 'components');
  if (Array.isArray(components)) {
    for (const [place, component] of components.entries()) {
      const parsed = componentSchema.safeParse(component);
      if (parsed.success) continue;
      const id: unknown = partOf(component, 'id');
      const at: Path = [index, 'updateComponents', 'components', place];
      return schemaIssue(parsed.error, at, typeof id === 'string' ? `Component "${id.slice(0, 100)}"` : `Component ${place}`);
    }
  }
  if (!versions.some((known) => known === partOf(value, 'version'))) {
    const message = `Message ${index} has an unknown version. Use one of: ${versions.join(', ')}.`;
    return invalid('SCHEMA_INVALID', message, { field: `${index}.version`, allowed: versions });
  }
  const kind = kinds.find((name) => partOf(value, name) !== undefined);
  return kind === undefined
    ? invalid('SCHEMA_INVALID', `Message ${index} must have one of: ${kinds.join(', ')}.`, {
        field: String(index),
        allowed: kinds,
      })
    : schemaIssue(error, [index], `Message ${index} (${kind})`);
}

function withComponents(surface: Surface, list: readonly Component[], index: number): Read<Surface> {
  const ids = new Set<string>();
  const components = new Map(surface.components);
  for (const [place, component] of list.entries()) {
    if (ids.has(component.id)) {
      const field = `${index}.updateComponents.components.${place}.id`;
      return invalid('INVALID_REFERENCE', `Two components have the id "${component.id}".`, { field });
    }
    if (component.component === 'Image' && typeof component.url === 'string' && !isPicture(component.url)) {
      const field = `${index}.updateComponents.components.${place}.url`;
      return invalid('SECURITY_VIOLATION', `"${component.id}" shows a picture that is not one of Koda's own.`, { field });
    }
    ids.add(component.id);
    components.set(component.id, component);
  }
  if (components.size > surfaceLimits.components) {
    return tooLarge('parts', { count: components.size, limit: surfaceLimits.components, field: 'components' });
  }
  return { ok: true, value: { ...surface, components } };
}

/** Finds invalid component references: a missing component, a cycle, or a missing root. */
function referenceIssue({ components }: Surface): Invalid | null {
  if (components.size === 0) return null;
  if (!components.has(rootId))
    return invalid('INVALID_REFERENCE', `One component must have the id "${rootId}".`, { field: rootId });
  /** Nesting levels and number of drawn components below each visited component. */
  const known = new Map<string, { levels: number; drawn: number }>();
  const above = new Set<string>();
  const visit = (id: string, parent: string | null): Invalid | null => {
    if (known.has(id)) return null;
    const component = components.get(id);
    if (component === undefined)
      return invalid('INVALID_REFERENCE', `"${parent}" names "${id}", which does not exist.`, { field: id });
    if (above.has(id))
      return invalid('INVALID_REFERENCE', `"${id}" contains itself: ${[...above, id].join(' → ')}.`, { field: id });
    if (above.size === surfaceLimits.depth) {
      return tooLarge('levels', { count: above.size + 1, limit: surfaceLimits.depth, field: id });
    }
    above.add(id);
    let levels = 0;
    let drawn = 1;
    for (const child of childIds(component)) {
      const issue = visit(child, id);
      if (issue !== null) return issue;
      const below = known.get(child);
      levels = Math.max(levels, below?.levels ?? 0);
      drawn += below?.drawn ?? 0;
    }
    above.delete(id);
    known.set(id, { levels: levels + 1, drawn });
    const nested = above.size + levels + 1;
    if (nested > surfaceLimits.depth) return tooLarge('levels', { count: nested, limit: surfaceLimits.depth, field: id });
    // A component that several others contain is drawn for each of them.
    const limit = surfaceLimits.components * 2;
    return drawn > limit ? tooLarge('drawn parts', { count: drawn, limit, field: id }) : null;
  };
  for (const id of components.keys()) {
    const issue = visit(id, null);
    if (issue !== null) return issue;
  }
  return null;
}
