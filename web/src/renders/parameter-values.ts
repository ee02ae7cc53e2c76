import type { ParameterInfo, ParameterValues } from '../../../server/contract/render.ts';

/** What is in the fields of the film's parameters, by name; numbers as they are typed. Absent = as in the film. */
export type FieldValues = Readonly<Record<string, string | boolean>>;

/** What the field of a parameter holds. */
export function fieldValue({ name, default: usual }: ParameterInfo, fields: FieldValues): string | boolean {
  return fields[name] ?? (typeof usual === 'boolean' ? usual : String(usual));
}

/**
 * The values to render with; undefined when all are as in the film. `bad` names a number that is none. Everything else
 * is for the film to judge.
 */
export function valuesOf(
  parameters: readonly ParameterInfo[],
  fields: FieldValues,
): { values: ParameterValues | undefined } | { bad: string } {
  const values: ParameterValues = {};
  for (const parameter of parameters) {
    const text = fields[parameter.name];
    if (text === undefined) continue;
    const value = readField(parameter, text);
    if (value === null) return { bad: parameter.name };
    if (value !== parameter.default) values[parameter.name] = value;
  }
  return { values: Object.keys(values).length > 0 ? values : undefined };
}

function readField({ type }: ParameterInfo, text: string | boolean): string | number | boolean | null {
  if (type === 'boolean' || typeof text === 'boolean') return text === true || text === 'true';
  if (type === 'string') return text;
  const number = text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
  return Number.isFinite(number) ? number : null;
}
