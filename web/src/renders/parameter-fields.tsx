import { RotateCcw } from 'lucide-react';
import { useId } from 'react';
import type { ParameterInfo, ParameterValues } from '../../../server/contract/render.ts';
import { IconButton } from '../ui/elements.tsx';
import { FieldRow, inputClass } from '../ui/fields.tsx';

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

const maxNameCharacters = 40;

interface ParameterFieldsProps {
  parameters: readonly ParameterInfo[];
  fields: FieldValues;
  onChange: (fields: FieldValues) => void;
}

/** The parameters that the film declares. Names and descriptions come from its code: they are shown as text. */
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
  // A few words name it better than the code does; more of them explain it.
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
  // The browser's own field knows this way of writing a colour and no other.
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
