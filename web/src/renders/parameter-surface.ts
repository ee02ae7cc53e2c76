import { z } from 'zod';
import type { ParameterInfo, ParameterValues } from '#contract/render.ts';
import { type Component, kodaCatalog, rootId, type Surface, storedVersion } from '#contract/surface/surface.ts';
import { parseStored, projectTextName, type StoredTexts } from '../browser-storage.ts';

/** Entered parameter values by name, as in the fields. Missing ones use the film's defaults. */
export type ParameterFields = Readonly<Record<string, unknown>>;
const fieldsSchema = z.record(z.string(), z.unknown());
const keyOf = (projectId: string) => projectTextName('parameters', projectId);

/** Returns the stored values. The film page stores its values as well. */
export function recallParameters(projectId: string, storage: Pick<StoredTexts, 'read'>): ParameterFields {
  return parseStored(fieldsSchema, storage.read(keyOf(projectId))) ?? {};
}

export function rememberParameters(projectId: string, fields: ParameterFields, storage: Pick<StoredTexts, 'write'>): void {
  storage.write(keyOf(projectId), Object.keys(fields).length === 0 ? null : JSON.stringify(fields));
}

/** A short description is a better name than the one in the code; a long one explains it. */
const maxNameCharacters = 40;
/** Integer ranges up to this size are shown as choices instead of a slider. */
const maxChoices = 20;

export const resetAction = 'reset_parameter';

/**
 * Returns a surface for a film's parameters. Only names and descriptions come from the film's code. The data model is keyed
 * by parameter name.
 */
export function parameterSurface(parameters: readonly ParameterInfo[], fields: ParameterFields): Surface {
  const list = parameters.flatMap((info) => rowOf(info, info.name in fields));
  const column: Component = { id: rootId, component: 'Column', children: parameters.map(({ name }) => rowId(name)) };
  return {
    version: storedVersion,
    surfaceId: 'parameters',
    catalogId: kodaCatalog,
    theme: null,
    sendDataModel: false,
    components: new Map([column, ...list].map((component) => [component.id, component])),
    data: Object.fromEntries(parameters.map((info) => [info.name, fieldOf(info, fields)])),
  };
}

const rowId = (name: string) => `row-${name}`;

function rowOf(info: ParameterInfo, isChanged: boolean): Component[] {
  const { name } = info;
  const field = { ...inputOf(info), weight: 1 };
  if (!isChanged) return [{ id: rowId(name), component: 'Row', children: [field.id] }, field];
  const reset: Component = {
    id: `reset-${name}`,
    component: 'Button',
    child: `reset-${name}-text`,
    variant: 'borderless',
    accessibility: { label: `As in the film: ${field.label}` },
    action: { event: { name: resetAction, context: { parameter: name } } },
  };
  return [
    { id: rowId(name), component: 'Row', children: [field.id, reset.id], align: 'end' },
    field,
    reset,
    { id: `reset-${name}-text`, component: 'Text', text: 'As in the film' },
  ];
}

function inputOf(info: ParameterInfo) {
  const { name, type, description, format, minimum, maximum } = info;
  const isName = description !== '' && description.length <= maxNameCharacters;
  const common = {
    id: `field-${name}`,
    label: isName ? description : name,
    value: { path: `/${name}` },
    ...(isName || description === '' ? {} : { accessibility: { description } }),
    checks: [],
  };
  const options = choicesOf(info);
  if (type === 'boolean') return { ...common, component: 'CheckBox' as const };
  if (options !== null) {
    const shown = options.map((option) => ({ label: String(option), value: String(option) }));
    return { ...common, component: 'ChoicePicker' as const, options: shown };
  }
  if (format === 'color') return { ...common, component: 'ColorPicker' as const };
  if (type !== 'string' && minimum !== null && maximum !== null) {
    return { ...common, component: 'Slider' as const, min: minimum, max: maximum };
  }
  return {
    ...common,
    component: 'TextField' as const,
    variant: type === 'string' ? ('shortText' as const) : ('number' as const),
  };
}

function choicesOf({ type, options, minimum, maximum }: ParameterInfo): readonly (string | number | boolean)[] | null {
  if (options !== null) return options;
  if (type !== 'integer' || minimum === null || maximum === null || maximum - minimum >= maxChoices) return null;
  return Array.from({ length: Math.floor(maximum) - Math.ceil(minimum) + 1 }, (_, index) => Math.ceil(minimum) + index);
}

function fieldOf(info: ParameterInfo, fields: ParameterFields): unknown {
  if (info.name in fields) return fields[info.name];
  const { default: usual } = info;
  if (choicesOf(info) !== null) return [String(usual)];
  const isTyped = typeof usual === 'number' && (info.minimum === null || info.maximum === null);
  return isTyped ? String(usual) : usual;
}

/**
 * Returns the film's parameter values, or `undefined` if all are defaults. `bad` names a parameter whose field has an invalid
 * value. The film page checks its own rules.
 */
export function valuesOf(
  parameters: readonly ParameterInfo[],
  fields: ParameterFields,
): { values: ParameterValues | undefined } | { bad: string; reason: string } {
  const values: ParameterValues = {};
  for (const info of parameters) {
    if (!(info.name in fields)) continue;
    const read = readField(info, fields[info.name]);
    if ('reason' in read) return { bad: info.name, ...read };
    if (read.value !== info.default) values[info.name] = read.value;
  }
  return { values: Object.keys(values).length > 0 ? values : undefined };
}

function readField(info: ParameterInfo, field: unknown): { value: string | number | boolean } | { reason: string } {
  const given: unknown = Array.isArray(field) ? field[0] : field;
  if (info.type === 'boolean') return { value: given === true || given === 'true' };
  if (info.type === 'string') return readText(info, String(given ?? ''));
  const text = String(given ?? '').trim();
  const number = text === '' ? Number.NaN : Number(text.replace(',', '.'));
  if (!Number.isFinite(number)) return { reason: 'must be a number' };
  if (info.minimum !== null && number < info.minimum) return { reason: `must be ${info.minimum} or more` };
  if (info.maximum !== null && number > info.maximum) return { reason: `must be ${info.maximum} or less` };
  return { value: info.type === 'integer' ? Math.round(number) : number };
}

function readText({ format, maxLength }: ParameterInfo, text: string): { value: string } | { reason: string } {
  if (format === 'color' && !/^#[0-9a-f]{6}$/i.test(text)) return { reason: 'must be a colour such as #ff8800' };
  if (maxLength !== null && text.length > maxLength) return { reason: `must be ${maxLength} characters or fewer` };
  return { value: text };
}
