import { z } from 'zod';
import { recall, remember } from './memory.ts';
import { exporting } from './mode.ts';

type Value = string | number | boolean;
type Values = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.ZodType<Value, Value | undefined>>>;

/** What others need to know of a parameter, to show a field for it. */
export interface ParameterInfo {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly default: Value;
  readonly description: string;
  readonly format: string | null;
  readonly options: readonly Value[] | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly maxLength: number | null;
  /** The only scene that it changes; null = it may change any. */
  readonly scene: string | null;
}

interface Parameter {
  readonly type: Shape[string];
  readonly info: ParameterInfo;
}

const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/u;
const types = ['string', 'number', 'integer', 'boolean'] as const;
const storageKey = 'koda:parameters';
const shownCharacters = 60;

/** Everything that was declared, by name. A hot reload replaces what it declares anew. */
const declared = new Map<string, Parameter>();

/** What was set from outside: by the renderer, or by the studio before the page began anew. */
const givenValues: Values = exporting ? (window.__exportParameters ?? {}) : storedValues();

/** A colour as `#rrggbb`. */
export function color(value: string) {
  return z
    .string()
    .regex(/^#[0-9a-f]{6}$/iu, 'it is not a colour such as #ff8800')
    .meta({ format: 'color' })
    .default(value);
}

/**
 * Declares what can be set from outside for each render, and gives the values: those that were set, and the
 * defaults of the others. Every parameter is a string, a number or a boolean and has a default:
 *
 *     const parameters = declareParameters({
 *       title: z.string().max(60).default('Hello').describe('The words at the top'),
 *       ball: color('#e2654a').describe('The colour of the ball'),
 *     });
 *
 * Names are unique in the film. Values never change while the page lives, so they can be used anywhere. `scene`
 * is a promise that only this scene changes with them: pictures of the others need not be captured again.
 */
export function declareParameters<const Declared extends Shape>(
  shape: Declared,
  { scene = null }: { readonly scene?: string | null } = {},
): { [Name in keyof Declared]: z.output<Declared[Name]> } {
  const values: Record<string, Value> = {};
  for (const [name, type] of Object.entries(shape)) {
    const info = { ...describe(name, type), scene };
    declared.set(name, { type, info });
    const given = Object.hasOwn(givenValues, name) ? type.safeParse(givenValues[name]) : null;
    // A refused value is reported by `refuseBadParameters`, together with all others.
    values[name] = given?.success ? given.data : info.default;
  }
  return values as { [Name in keyof Declared]: z.output<Declared[Name]> };
}

/** All parameters of the film, in the order in which they were declared. */
export function declaredParameters(): ParameterInfo[] {
  return [...declared.values()].map(({ info }) => info);
}

/** Once everything is declared: makes the page fail to load when a value has no parameter or does not suit it. */
export function refuseBadParameters(): void {
  const problem = problemOf(givenValues);
  if (problem === null) return;
  if (exporting) window.__exportParameterError = problem;
  window.__reportError(problem);
}

/** What was set from outside when the page loaded; null = nothing. */
export const givenParameters = (): Values | null => (Object.keys(givenValues).length === 0 ? null : givenValues);

/** Plays the film with other values; null = with its own. The page begins anew, at the moment where it is. */
export function replaceParameters(values: unknown): void {
  remember(storageKey, values === null ? null : JSON.stringify(values));
  window.location.reload();
}

function storedValues(): Values {
  const stored: unknown = JSON.parse(recall(storageKey) ?? '{}');
  return typeof stored === 'object' && stored !== null ? (stored as Values) : {};
}

/** What is wrong with these values, in sentences; null = nothing. */
function problemOf(values: Values): string | null {
  const problems = Object.entries(values).flatMap(([name, value]) => {
    const parameter = declared.get(name);
    if (!parameter) {
      const names = [...declared.keys()].join(', ');
      return [`The film has no parameter "${name}". ${names === '' ? 'It has none at all.' : `It has: ${names}.`}`];
    }
    const parsed = parameter.type.safeParse(value);
    if (parsed.success) return [];
    const reasons = parsed.error.issues.map(({ message }) => message).join('; ');
    return [`The parameter "${name}" cannot be ${shown(value)}: ${reasons}. It is ${allowed(parameter.info)}.`];
  });
  return problems.length === 0 ? null : problems.join(' ');
}

window.__exportCheckParameters = (sets) => sets.map(problemOf);

/** `text of at most 60 characters`, `a number from 1 to 5`, `one of "a", "b"`. */
function allowed({ type, format, options, minimum, maximum, maxLength }: ParameterInfo): string {
  if (options) return `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`;
  switch (type) {
    case 'boolean':
      return 'true or false';
    case 'string':
      if (format === 'color') return 'a colour as #rrggbb';
      return maxLength === null ? 'text' : `text of at most ${maxLength} characters`;
    case 'number':
    case 'integer': {
      const kind = type === 'integer' ? 'a whole number' : 'a number';
      return `${kind}${minimum === null ? '' : ` from ${minimum}`}${maximum === null ? '' : ` up to ${maximum}`}`;
    }
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

function describe(name: string, type: Shape[string]): Omit<ParameterInfo, 'scene'> {
  if (!namePattern.test(name))
    throw new Error(`"${name}" is no name for a parameter: letters, digits and _ only, a letter first.`);
  const byDefault = type.safeParse(undefined);
  if (!byDefault.success) throw new Error(`The parameter "${name}" needs a default: …default(value).`);
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  const options = schema.enum ?? (schema.const === undefined ? null : [schema.const]);
  const kind = types.find((candidate) => candidate === (schema.type ?? typeof options?.[0]));
  if (!kind) throw new Error(`The parameter "${name}" must be a string, a number, a boolean, or one of several such values.`);
  return {
    name,
    type: kind,
    default: byDefault.data,
    description: schema.description ?? '',
    format: schema.format ?? null,
    options: options as Value[] | null,
    minimum: bound(schema.minimum ?? schema.exclusiveMinimum),
    maximum: bound(schema.maximum ?? schema.exclusiveMaximum),
    maxLength: schema.maxLength ?? null,
  };
}

/** Whole numbers have the bounds of what can be counted exactly, which need not be shown. */
function bound(value: unknown): number | null {
  return typeof value !== 'number' || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
}
