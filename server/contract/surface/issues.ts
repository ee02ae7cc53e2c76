import type { z } from 'zod';
import { isWithinLimits } from '../sandbox/payload-limits.ts';
import type { TextPosition } from './json-position.ts';
import { forbiddenName, namesOf } from './pointer.ts';
import { surfaceLimits } from './surface.ts';

export const surfaceIssueCodes = [
  'JSON_SYNTAX',
  'SCHEMA_INVALID',
  'UNKNOWN_COMPONENT',
  'INVALID_REFERENCE',
  'SECURITY_VIOLATION',
] as const;

export interface SurfaceIssue {
  readonly code: (typeof surfaceIssueCodes)[number];
  readonly message: string;
  readonly position?: TextPosition;
  /** Path to the invalid field: `1.updateComponents.components.3.label`. */
  readonly field?: string;
  readonly allowed?: readonly string[];
}

export type Path = readonly PropertyKey[];
export const fieldOf = (path: Path): string => path.map(String).join('.');

export function invalid(code: SurfaceIssue['code'], message: string, more: Omit<SurfaceIssue, 'code' | 'message'> = {}) {
  return { ok: false, issue: { code, message, ...more } } as const;
}

/** Returns the first issue in a schema error. For a union, returns that of the most likely member. */
export function schemaIssue(error: z.ZodError, at: Path, subject: string) {
  const { path, message } = deepest(error.issues);
  const field = fieldOf([...at, ...path]);
  return invalid('SCHEMA_INVALID', `${subject}${path.length > 0 ? `, ${fieldOf(path)}` : ''}: ${message}.`, { field });
}

function deepest(issues: readonly z.core.$ZodIssue[]): { path: Path; message: string } {
  const [issue] = issues;
  if (issue === undefined) return { path: [], message: 'Invalid input' };
  if (issue.code !== 'invalid_union') return { path: issue.path, message: issue.message };
  const branches = issue.errors.map((branch) => deepest(branch)).filter(({ path }) => path.length > 0);
  const isMissing = ({ message }: { message: string }) => message.endsWith('received undefined');
  const [best] = branches.sort((a, b) => Number(isMissing(a)) - Number(isMissing(b)) || b.path.length - a.path.length);
  return best === undefined
    ? { path: issue.path, message: issue.message }
    : { path: [...issue.path, ...best.path], message: best.message };
}

/** Returns an issue if a value is too large to validate, otherwise `null`. */
export function sizeIssue(value: unknown) {
  if (isWithinLimits(value, surfaceLimits.payload)) return null;
  const { values, depth, characters } = surfaceLimits.payload;
  const allowed = `${counted(values)} values, ${depth} levels and ${counted(characters)} characters are allowed`;
  return invalid('SCHEMA_INVALID', `The form is too large to show: ${allowed}.`);
}

const counted = (count: number): string => count.toLocaleString('en');

/** `what` is what there is too much of, in the plural. */
export function tooLarge(what: string, { count, limit, field }: { count: number; limit: number; field: string }) {
  const message = `The form is too large to show: ${counted(count)} ${what}, ${counted(limit)} are allowed.`;
  return invalid('SCHEMA_INVALID', message, { field });
}

/** Names of a message whose values may contain anything. */
const dataNames = ['updateDataModel', 'dataModel', 'state'];

/** Returns an issue if a text outside the data is too long, otherwise `null`. */
export function textIssue(value: unknown, at: Path = []): ReturnType<typeof invalid> | null {
  const limit = surfaceLimits.textCharacters;
  if (typeof value === 'string' && value.length > limit)
    return tooLarge('characters in a text', { count: value.length, limit, field: fieldOf(at) });
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (dataNames.includes(name)) continue;
    const issue = textIssue(inner, [...at, name]);
    if (issue !== null) return issue;
  }
  return null;
}

/** Returns an issue if data has a list that is too long, or a text that no field in `entered` holds, otherwise `null`. */
export function dataIssue(value: unknown, entered: ReadonlySet<string>, at = ''): ReturnType<typeof invalid> | null {
  if (typeof value === 'string') {
    const limit = entered.has(at) ? surfaceLimits.enteredCharacters : surfaceLimits.textCharacters;
    return value.length > limit ? tooLarge('characters in a text', { count: value.length, limit, field: at }) : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value) && value.length > surfaceLimits.rows)
    return tooLarge('rows', { count: value.length, limit: surfaceLimits.rows, field: at });
  for (const [name, inner] of Object.entries(value)) {
    const issue = dataIssue(inner, entered, `${at}/${name}`);
    if (issue !== null) return issue;
  }
  return null;
}

/** Text that would execute if it were used as HTML or as an address. */
const scripts: readonly RegExp[] = [
  /<\s{0,20}\/?\s{0,20}(?:script|iframe|object|embed|applet|base|meta|link)\b/i,
  /<[a-z][^<>]{0,400}?\son[a-z]{3,30}\s{0,20}=/i,
  /^\s*(?:javascript|vbscript)\s*:(?:\S|\s*[\w.]{1,100}[(=`])/i,
  /^\s*data\s*:\s*(?:text\/html|image\/svg\+xml|application\/(?:xhtml|javascript))/i,
];
/** Names whose values are paths of the data model. */
const pathNames = ['path', '@path', 'rows', 'statePath'];
const scriptProperty = /^(?:on[A-Z]\w*|dangerouslySetInnerHTML|innerHTML|outerHTML|srcdoc)$/;

/**
 * Returns an issue if a value within the limits contains script-like content, otherwise `null`. Defence in depth: surfaces
 * are drawn as plain text anyway.
 */
export function securityIssue(value: unknown, at: Path = [], isData = false): ReturnType<typeof invalid> | null {
  if (typeof value === 'string') {
    if (!scripts.some((script) => script.test(value))) return null;
    return invalid('SECURITY_VIOLATION', `${fieldOf(at)}: this text looks like a script. Show plain text.`, {
      field: fieldOf(at),
    });
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const path = [...at, name];
    if (name === forbiddenName || (!isData && scriptProperty.test(name))) {
      return invalid('SECURITY_VIOLATION', `${fieldOf(path)}: a surface has no property "${name}".`, { field: fieldOf(path) });
    }
    if (!isData && pathNames.includes(name) && typeof inner === 'string' && namesOf(inner) === null) {
      return invalid('SECURITY_VIOLATION', `The path "${inner.slice(0, 100)}" is not allowed.`, { field: fieldOf(path) });
    }
    const issue = securityIssue(name, path, isData) ?? securityIssue(inner, path, isData || dataNames.includes(name));
    if (issue !== null) return issue;
  }
  return null;
}
