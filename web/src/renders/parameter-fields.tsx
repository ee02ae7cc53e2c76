import { RotateCcw } from 'lucide-react';
import { useId } from 'react';
import type { ParameterInfo, ParameterValues } from '../../../server/contract/render.ts';
import { IconButton } from '../ui/elements.tsx';
import { FieldRow, inputClass } from '../ui/fields.tsx';

/** The contents of the parameter fields, by name; numbers as typed. Absent = the film's default. */
export type FieldValues = Readonly<Record<string, string | boolean>>;

/** The content of a parameter's field. */
export function fieldValue({ name, default: usual }: ParameterInfo, fields: FieldValues): string | boolean {
  return fields[name] ?? (typeof usual === 'boolean' ? usual : String(usual));
}

/**
 * The values to render with; undefined when all are the film's defaults. `bad` names an unreadable number. The film
 * validates everything else.
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

const maxNameCharacters = 40;

interface ParameterFieldsProps {
  parameters: readonly ParameterInfo[];
  fields: FieldValues;
  onChange: (fields: FieldValues) => void;
}

/** The film's parameters. Their names and descriptions come from its code, and are shown as plain text. */
export function ParameterFields({ parameters, fields, onChange }: ParameterFieldsProps) {
  const reset = (name: string) => {
    const { [name]: _, ...others } = fields;
    onChange(others);
  };
  return (
    <fieldset className="flex flex-col gap-2.5 border-line border-t pt-4">
      <legend className="sr-only">Parameters of the film</legend>
      <p aria-hidden="true" className="font-medium text-[13px]">
        Parameters of the film
      </p>
      {parameters.map((parameter) => (
        <ParameterRow
          key={parameter.name}
          parameter={parameter}
          value={fieldValue(parameter, fields)}
          changed={parameter.name in fields}
          onChange={(value) => onChange({ ...fields, [parameter.name]: value })}
          onReset={() => reset(parameter.name)}
        />
      ))}
    </fieldset>
  );
}

interface ParameterRowProps {
  parameter: ParameterInfo;
  value: string | boolean;
  changed: boolean;
  onChange: (value: string | boolean) => void;
  onReset: () => void;
}

function ParameterRow({ parameter, value, changed, onChange, onReset }: ParameterRowProps) {
  const id = useId();
  const { name, description } = parameter;
  // A short description is a better name than the code's; a long one explains it.
  const isName = description !== '' && description.length <= maxNameCharacters;
  return (
    <div>
      <FieldRow label={isName ? description : name} htmlFor={id}>
        <ParameterInput id={id} parameter={parameter} value={value} onChange={onChange} />
        {changed && (
          <IconButton label="As in the film" onClick={onReset} className="-ml-2">
            <RotateCcw className="size-3.5" />
          </IconButton>
        )}
      </FieldRow>
      {description && !isName && (
        <p id={`${id}-about`} className="mt-0.5 text-ink-3 text-xs sm:pl-35">
          {description}
        </p>
      )}
    </div>
  );
}

function ParameterInput({
  id,
  parameter,
  value,
  onChange,
}: Pick<ParameterRowProps, 'parameter' | 'value' | 'onChange'> & { id: string }) {
  const { type, options, format, maxLength, description } = parameter;
  const common = { id, 'aria-describedby': description.length > maxNameCharacters ? `${id}-about` : undefined };
  if (type === 'boolean') {
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
    );
  }
  const text = String(value);
  if (options) {
    return (
      <select {...common} value={text} onChange={(event) => onChange(event.target.value)} className={`${inputClass} flex-1`}>
        {options.map((option) => (
          <option key={String(option)} value={String(option)}>
            {String(option)}
          </option>
        ))}
      </select>
    );
  }
  const field = (
    <input
      {...common}
      value={text}
      autoComplete="off"
      inputMode={type === 'string' ? undefined : 'decimal'}
      maxLength={maxLength ?? undefined}
      onChange={(event) => onChange(event.target.value)}
      className={`${inputClass} flex-1`}
    />
  );
  // The browser's colour field accepts only this notation.
  if (format !== 'color' || !/^#[0-9a-f]{6}$/i.test(text)) return field;
  return (
    <>
      <input
        type="color"
        value={text}
        aria-label={parameter.name}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 w-10 rounded-lg border border-line-strong bg-panel p-1"
      />
      {field}
    </>
  );
}
