import { z } from 'zod';
import { recall, remember } from './memory.ts';
import { exporting } from './mode.ts';

type Value = string | number | boolean;
type Values = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.ZodType<Value, Value | undefined>>>;

/** Description of a parameter, from which a client builds an input field. */
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
  /** The only scene that the parameter affects, or `null` if it may affect any. */
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

/** All declared parameters by name. A hot reload replaces the entries that it declares again. */
const declared = new Map<string, Parameter>();

/** Values from the renderer, or from the studio before the page was last reloaded. */
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
 * Declares values that a render can set, and returns them: the given ones, or the defaults. Every parameter is a string, a
 * number or a boolean with a default:
 *
 *     const parameters = declareParameters({
 *       title: z.string().max(60).default('Hello').describe('The words at the top'),
 *       ball: color('#e2654a').describe('The colour of the ball'),
 *     });
 *
 * Names are unique in the film. Values are constant during the page's lifetime, so they can be used anywhere. `scene` promises
 * that only this scene depends on them, so that frames of other scenes need not be captured again.
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
    // `refuseBadParameters` reports all invalid values together.
    values[name] = given?.success ? given.data : info.default;
  }
  return values as { [Name in keyof Declared]: z.output<Declared[Name]> };
}

export function declaredParameters(): ParameterInfo[] {
  return [...declared.values()].map(({ info }) => info);
}

/** Makes the page fail to load if a value has no parameter or is invalid. Call after all declarations. */
export function refuseBadParameters(): void {
  const problem = problemOf(givenValues);
  if (problem === null) return;
  if (exporting) window.__exportParameterError = problem;
  window.__reportError(problem);
}

/** Returns the external values at page load, or `null` if there are none. */
export const givenParameters = (): Values | null => (Object.keys(givenValues).length === 0 ? null : givenValues);

/** Reloads the page at the current time with other values; `null` restores the film's own. */
export function replaceParameters(values: unknown): void {
  remember(storageKey, values === null ? null : JSON.stringify(values));
  window.location.reload();
}

function storedValues(): Values {
  const stored: unknown = JSON.parse(recall(storageKey) ?? '{}');
  return typeof stored === 'object' && stored !== null ? (stored as Values) : {};
}

/** Returns validation errors for these values as sentences, or `null` if they are valid. */
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

/** Returns the allowed values: `text of at most 60 characters`, `a number from 1 to 5`, `one of "a", "b"`. */
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

/** zod bounds every integer by the safe integers, which are not worth showing. */
function bound(value: unknown): number | null {
  return typeof value !== 'number' || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
}
