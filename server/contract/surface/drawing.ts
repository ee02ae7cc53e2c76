import { pathWithin, valueAt } from './pointer.ts';
import { type Children, type Component, type ComponentOf, rootId, type Surface } from './surface.ts';
import type { Binding, Call, Checks, Dynamic } from './values.ts';

export interface Scope {
  readonly data: unknown;
  readonly row: string;
}

export interface Drawn {
  readonly key: string;
  readonly component: Component;
  readonly row: string;
  readonly children: readonly Drawn[];
  /** Number of list rows that exceed the limit. */
  readonly leftOut: number;
}

/** Maximum number of components, counting each list row. */
const maxDrawn = 2000;

/** Returns the components to draw, at most 2,000. `null` if the root is missing. */
export function drawingOf({ components, data }: Surface): Drawn | null {
  let left = maxDrawn;
  const draw = (id: string, row: string, key: string): Drawn | null => {
    const component = components.get(id);
    if (component === undefined || left <= 0) return null;
    left -= 1;
    const { places, length } = placesIn(component, { data, row });
    const children: Drawn[] = [];
    for (const place of places) {
      const child = draw(place.id, place.row, `${key}/${place.row === row ? '' : place.row}${place.id}`);
      if (child === null) break;
      children.push(child);
    }
    return { key, component, row, children, leftOut: length - children.length };
  };
  return draw(rootId, '', rootId);
}

interface Places {
  readonly places: Iterable<{ readonly id: string; readonly row: string }>;
  readonly length: number;
}

function placesIn(component: Component, scope: Scope): Places {
  const inRow = (ids: readonly string[]): Places => ({
    places: ids.map((id) => ({ id, row: scope.row })),
    length: ids.length,
  });
  switch (component.component) {
    case 'Row':
    case 'Column':
    case 'List':
      return Array.isArray(component.children) ? inRow(component.children) : rowsOf(component.children, scope);
    case 'Card':
    case 'Button':
      return inRow([component.child]);
    case 'Tabs':
      return inRow(component.tabs.map(({ child }) => child));
    default:
      return inRow([]);
  }
}

function rowsOf({ componentId, path }: Exclude<Children, string[]>, { data, row }: Scope): Places {
  const list = pathWithin(row, path);
  const rows = valueAt(data, list);
  const length = Array.isArray(rows) ? Math.min(rows.length, maxDrawn) : 0;
  const places = Array.from({ length }, (_, index) => ({ id: componentId, row: `${list}/${index}` }));
  return { places, length: Array.isArray(rows) ? rows.length : 0 };
}

interface TableRows {
  readonly rows: readonly (readonly string[])[];
  /** Number of all rows. */
  readonly total: number;
}

/** Returns the cells of a table's rows from `first` to before `end` as strings. */
export function tableRows(table: ComponentOf<'Table'>, scope: Scope, { first, end }: { first: number; end: number }): TableRows {
  const all = valueAt(scope.data, pathWithin(scope.row, table.rows));
  if (!Array.isArray(all)) return { rows: [], total: 0 };
  const rows = all.slice(first, end).map((row: unknown) => table.columns.map(({ path }) => textOf(valueAt(row, path))));
  return { rows, total: all.length };
}

export function isBinding(value: unknown): value is Binding {
  return typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string';
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'call' in value && 'args' in value;
}

/** Resolves a value. Returns `undefined` if its path does not exist. */
export function resolved(value: Dynamic<unknown> | undefined, scope: Scope): unknown {
  if (isBinding(value)) return valueAt(scope.data, pathWithin(scope.row, value.path));
  return isCall(value) ? called(value, scope) : value;
}

export function textIn(value: Dynamic<unknown> | undefined, scope: Scope): string {
  return textOf(resolved(value, scope));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Returns the message of the first failed check, or `null` if all pass. */
export function problemIn(checks: Checks, scope: Scope): string | null {
  return checks?.find(({ condition }) => resolved(condition, scope) !== true)?.message ?? null;
}

export interface Problem {
  /** Key of the drawn input. */
  readonly key: string;
  readonly label: string;
  readonly message: string;
}

/** Returns the inputs whose checks fail, in their order. */
export function problemsOf({ key, component, row, children }: Drawn, data: unknown): readonly Problem[] {
  const below = children.flatMap((child) => problemsOf(child, data));
  if (!('checks' in component) || component.component === 'Button') return below;
  const message = problemIn(component.checks, { data, row });
  return message === null ? below : [{ key, message, label: textIn(component.label, { data, row }) }];
}

const between = (value: number, { min, max }: { min?: number | undefined; max?: number | undefined }): boolean =>
  value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);

const maxAddressCharacters = 320;

function called(call: Call, scope: Scope): unknown {
  switch (call.call) {
    case 'required':
      return isFilled(resolved(call.args.value, scope));
    case 'length':
      return between(textIn(call.args.value, scope).length, call.args);
    case 'numeric': {
      const number = numberOf(resolved(call.args.value, scope));
      return number !== null && between(number, call.args);
    }
    case 'email': {
      const text = textIn(call.args.value, scope);
      return text.length <= maxAddressCharacters && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
    }
    case 'and':
      return call.args.values.every((value) => resolved(value, scope) === true);
    case 'or':
      return call.args.values.some((value) => resolved(value, scope) === true);
    case 'not':
      return resolved(call.args.value, scope) !== true;
    case 'formatString':
      return filledIn(textIn(call.args.value, scope), scope);
    case 'formatNumber':
      return formatted(resolved(call.args.value, scope), call.args, {});
    case 'formatCurrency':
      return formatted(resolved(call.args.value, scope), call.args, { style: 'currency', currency: call.args.currency });
  }
}

function isFilled(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
  );
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value.trim().replace(',', '.'));
  return Number.isFinite(number) ? number : null;
}

function formatted(
  value: unknown,
  { decimals, grouping = true }: { decimals?: number | undefined; grouping?: boolean | undefined },
  style: Intl.NumberFormatOptions,
): string {
  const number = numberOf(value);
  if (number === null) return textOf(value);
  const places = decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en', { ...style, ...places, useGrouping: grouping }).format(number);
}

/** Replaces `${/name}` by the value at that path, and `\${` by a literal `${`. */
function filledIn(template: string, scope: Scope): string {
  return template.replace(/\\\$\{|\$\{([^${}]{0,300})\}/g, (whole, path?: string) =>
    path === undefined ? whole.slice(1) : textIn({ path: path.trim() }, scope),
  );
}
