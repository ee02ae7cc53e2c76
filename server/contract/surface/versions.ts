import { invalid } from './issues.ts';
import { catalogs, kodaCatalog, type Surface, storedVersion } from './surface.ts';
import { fromSurfaceUpdate } from './surface-update.ts';

/**
 * A2UI's versions, read as v0.9, in which Koda stores surfaces. v0.9.1 has the same messages. v1.0 creates a surface with its
 * components and data in one message, deletes data with `null`, lets parts of a surface name their catalog, and, since its release,
 * marks what belongs to the protocol with `@`. Drafts of v1.0 have neither the `@` nor the shorter version name.
 */
const sameAsStored: readonly string[] = [storedVersion, 'v0.9.1'];
const newer: readonly string[] = ['1.0', 'v1.0'];

type Fields = Readonly<Record<string, unknown>>;
type Stored = { readonly ok: true; readonly value: readonly unknown[] } | ReturnType<typeof invalid>;

/**
 * Returns a message as those of the stored version; only `createSurface` keeps its own. A message of an unknown version is returned
 * as it is, for its schema to refuse.
 */
export function asStored(message: unknown, index: number, before: Surface | null): Stored {
  const version = isFields(message) ? message['version'] : undefined;
  if (isFields(message) && version === undefined && 'surfaceUpdate' in message) return fromSurfaceUpdate(message, index, before);
  if (!isFields(message) || typeof version !== 'string') return { ok: true, value: [message] };
  const inVersion = (part: Fields) => ({ ...part, version: 'createSurface' in part ? version : storedVersion });
  if (sameAsStored.includes(version)) return { ok: true, value: [inVersion(message)] };
  if (!newer.includes(version)) return { ok: true, value: [message] };
  const catalog = foreignCatalog(message);
  if (catalog !== null) {
    const field = `${index}.catalogId`;
    return invalid('SCHEMA_INVALID', `Koda does not have the catalog "${catalog.slice(0, 200)}".`, { field, allowed: catalogs });
  }
  return { ok: true, value: messagesFrom(message).map(inVersion) };
}

function messagesFrom(message: Fields): Fields[] {
  const { createSurface, updateComponents, updateDataModel } = message;
  if (isFields(createSurface)) {
    const { surfaceId, components, dataModel, metadata: _, catalogId = kodaCatalog, ...rest } = createSurface;
    return [
      { ...message, createSurface: { surfaceId, catalogId, ...rest } },
      ...(dataModel === undefined ? [] : [{ updateDataModel: { surfaceId, value: dataModel } }]),
      ...(components === undefined ? [] : [{ updateComponents: { surfaceId, components: componentsFrom(components) } }]),
    ];
  }
  if (isFields(updateComponents)) {
    return [
      { ...message, updateComponents: { ...updateComponents, components: componentsFrom(updateComponents['components']) } },
    ];
  }
  if (isFields(updateDataModel) && updateDataModel['value'] === null) {
    const { value: _, ...rest } = updateDataModel;
    return [{ ...message, updateDataModel: rest }];
  }
  return [message];
}

/** Hints of v1.0 that Koda does not draw. A surface without them works the same. */
const undrawn = ['catalogId', 'metadata', 'placeholder', 'steps'];
const fallbackMessage = 'This value is not valid.';

function componentsFrom(components: unknown): unknown {
  if (!Array.isArray(components)) return components;
  return components.map((component: unknown) => {
    const stored = withoutMarks(component);
    if (!isFields(stored)) return stored;
    const { accessibility, checks, action, ...rest } = Object.fromEntries(
      Object.entries(stored).filter(([name]) => !undrawn.includes(name)),
    );
    return {
      ...rest,
      ...(action !== undefined && { action: withoutUserMessage(action) }),
      ...(accessibility !== undefined && { accessibility: withoutLive(accessibility) }),
      ...(checks !== undefined && { checks: withMessages(checks) }),
    };
  });
}

/** Screen readers announce surfaces as the studio decides. */
function withoutLive(accessibility: unknown): unknown {
  if (!isFields(accessibility)) return accessibility;
  const { live: _, hidden: __, ...rest } = accessibility;
  return rest;
}

/** The conversation says in Koda's words which button was pressed. */
function withoutUserMessage(action: unknown): unknown {
  if (!isFields(action) || !isFields(action['event'])) return action;
  const { userMessage: _, ...event } = action['event'];
  return { ...action, event };
}

function withMessages(checks: unknown): unknown {
  if (!Array.isArray(checks)) return checks;
  return checks.map((check: unknown) => (isFields(check) ? { message: fallbackMessage, ...check } : check));
}

/** Names that v1.0 marks with `@` on components, bindings and calls. */
const marked = ['@path', '@call', '@catalogId', '@accessibility', '@metadata', '@checks'];

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).map(([name, inner]) => [
    marked.includes(name) ? name.slice(1) : name,
    withoutMarks(inner),
  ]);
  const { catalogId, ...rest } = Object.fromEntries(fields) as Record<string, unknown>;
  return 'call' in rest || catalogId === undefined ? rest : { ...rest, catalogId };
}

/** Returns the first catalog of a message's parts that Koda does not have, or `null`. Data may contain anything. */
function foreignCatalog(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'dataModel' || name === 'updateDataModel') continue;
    if ((name === 'catalogId' || name === '@catalogId') && typeof inner === 'string') {
      if (!catalogs.some((known) => known === inner)) return inner;
    } else {
      const found = foreignCatalog(inner);
      if (found !== null) return found;
    }
  }
  return null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
