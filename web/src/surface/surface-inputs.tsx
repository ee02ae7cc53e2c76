import { type ReactNode, useId, useState } from 'react';
import { isBinding, problemIn, resolved, textIn } from '#contract/surface/drawing.ts';
import { pathWithin } from '#contract/surface/pointer.ts';
import type { Component, ComponentOf } from '#contract/surface/surface.ts';
import type { Dynamic } from '#contract/surface/values.ts';
import { cx } from '../ui/elements.tsx';
import { Choice, inputClass, TextField } from '../ui/fields.tsx';
import { useScope, useSurfaceContext } from './surface-context.ts';

type InputName = 'TextField' | 'CheckBox' | 'ChoicePicker' | 'Slider' | 'ColorPicker';
type InputComponent = ComponentOf<InputName>;
interface Props<Name extends InputName> {
  of: ComponentOf<Name>;
  row: string;
}

const inputNames: ReadonlySet<string> = new Set(['TextField', 'CheckBox', 'ChoicePicker', 'Slider', 'ColorPicker']);
export const isInput = (component: Component): component is InputComponent => inputNames.has(component.component);

/** A surface's field. Its value is in the data model; an unbound field is read-only. */
export function SurfaceInput({ of, row }: { of: InputComponent; row: string }) {
  switch (of.component) {
    case 'TextField':
      return <TextInput of={of} row={row} />;
    case 'CheckBox':
      return <CheckInput of={of} row={row} />;
    case 'ChoicePicker':
      return <ChoiceInput of={of} row={row} />;
    case 'Slider':
      return <SliderInput of={of} row={row} />;
    case 'ColorPicker':
      return <ColorInput of={of} row={row} />;
  }
}

/** Returns a field's value, its setter, and its error once the user has visited it. */
function useField({ of, row }: { of: InputComponent; row: string }) {
  const { onData, busy } = useSurfaceContext();
  const scope = useScope(row);
  const [touched, setTouched] = useState(false);
  const bound: Dynamic<unknown> | undefined = of.value;
  const path = isBinding(bound) ? pathWithin(row, bound.path) : null;
  return {
    scope,
    value: resolved(bound, scope),
    label: textIn('label' in of && of.label !== undefined ? of.label : of.accessibility?.label, scope),
    hint: textIn(of.accessibility?.description, scope),
    problem: touched ? problemIn(of.checks, scope) : null,
    fixed: busy || path === null,
    set(value: unknown) {
      setTouched(true);
      if (path !== null) onData(path, value);
    },
    leave: () => setTouched(true),
  };
}

function TextInput(props: Props<'TextField'>) {
  const { value, label, hint, problem, fixed, set, leave } = useField(props);
  const { variant } = props.of;
  const id = useId();
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (variant !== 'longText') {
    return (
      <TextField
        label={label}
        hint={hint}
        problem={problem}
        value={text}
        readOnly={fixed}
        type={variant === 'obscured' ? 'password' : 'text'}
        inputMode={variant === 'number' ? 'decimal' : undefined}
        onBlur={leave}
        onChange={(event) => set(event.target.value)}
      />
    );
  }
  return (
    <Field label={label} hint={hint} problem={problem} id={id}>
      <textarea
        id={id}
        rows={3}
        value={text}
        readOnly={fixed}
        aria-invalid={problem !== null}
        onBlur={leave}
        onChange={(event) => set(event.target.value)}
        className={cx(inputClass, 'h-auto w-full px-3 py-2 text-sm')}
      />
    </Field>
  );
}

function CheckInput(props: Props<'CheckBox'>) {
  const { value, label, hint, problem, fixed, set } = useField(props);
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="flex items-start gap-2.5 text-[13px] leading-5">
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          disabled={fixed}
          aria-invalid={problem !== null}
          onChange={(event) => set(event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        <span className="min-w-0 wrap-anywhere">{label}</span>
      </label>
      <Notes hint={hint} problem={problem} />
    </div>
  );
}

/** Up to this many choices are shown as chips. */
const maxChips = 4;

function ChoiceInput(props: Props<'ChoicePicker'>) {
  const { value, label, hint, problem, fixed, set, scope } = useField(props);
  const { variant, displayStyle } = props.of;
  const id = useId();
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const chosen = values.filter((one) => typeof one === 'string');
  const options = props.of.options.map((option) => ({ value: option.value, label: textIn(option.label, scope) }));
  if (variant === 'multipleSelection') {
    return (
      <fieldset disabled={fixed}>
        <legend className="mb-1 font-medium text-[13px]">{label}</legend>
        <div className={cx('flex gap-x-4 gap-y-1.5', displayStyle === 'chips' ? 'flex-wrap' : 'flex-col')}>
          {options.map((option) => (
            <label key={option.value} className="flex items-start gap-2 text-[13px] leading-5">
              <input
                type="checkbox"
                checked={chosen.includes(option.value)}
                onChange={({ target }) =>
                  set(target.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value))
                }
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 wrap-anywhere">{option.label}</span>
            </label>
          ))}
        </div>
        <Notes hint={hint} problem={problem} />
      </fieldset>
    );
  }
  if (displayStyle === 'chips' && options.length <= maxChips && !fixed) {
    return (
      <div>
        <p aria-hidden="true" className="mb-1 font-medium text-[13px]">
          {label}
        </p>
        <Choice label={label} value={chosen[0] ?? ''} options={options} onChange={(next) => set([next])} />
        <Notes hint={hint} problem={problem} />
      </div>
    );
  }
  return (
    <Field label={label} hint={hint} problem={problem} id={id}>
      <select
        id={id}
        value={chosen[0] ?? ''}
        disabled={fixed}
        aria-invalid={problem !== null}
        onChange={(event) => set([event.target.value])}
        className={cx(inputClass, 'h-9 w-full')}
      >
        {!options.some((option) => option.value === (chosen[0] ?? '')) && <option value={chosen[0] ?? ''}>Choose…</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Number of slider steps if integers are too coarse. */
const sliderSteps = 100;

function SliderInput(props: Props<'Slider'>) {
  const { value, label, hint, problem, fixed, set } = useField(props);
  const { min = 0, max } = props.of;
  const id = useId();
  const number = typeof value === 'number' ? value : min;
  // Steps are powers of ten, so that every value is easy to read.
  const fine = 10 ** Math.floor(Math.log10(Math.max((max - min) / sliderSteps, Number.EPSILON)));
  const step = Number.isInteger(min) && Number.isInteger(max) && max - min >= sliderSteps / 5 ? Math.max(1, fine) : fine;
  return (
    <Field label={label} hint={hint} problem={problem} id={id} aside={formatNumber(number)}>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={number}
        disabled={fixed}
        onChange={(event) => set(event.target.valueAsNumber)}
        className="h-6 w-full accent-accent"
      />
    </Field>
  );
}

const formatNumber = (number: number): string => String(Number(number.toPrecision(6)));

function ColorInput(props: Props<'ColorPicker'>) {
  const { value, label, hint, problem, fixed, set } = useField(props);
  const id = useId();
  const text = typeof value === 'string' ? value : '';
  // The browser's colour field accepts only this notation.
  const color = /^#[0-9a-f]{6}$/i.test(text) ? text : '#000000';
  return (
    <Field label={label} hint={hint} problem={problem} id={id}>
      <div className="flex gap-2">
        <input
          type="color"
          value={color}
          disabled={fixed}
          aria-label={`${label}, picker`}
          onChange={(event) => set(event.target.value)}
          className="h-9 w-12 shrink-0 rounded-lg border border-line-strong bg-panel p-1"
        />
        <input
          id={id}
          value={text}
          readOnly={fixed}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => set(event.target.value)}
          className={cx(inputClass, 'h-9 min-w-0 flex-1 font-mono')}
        />
      </div>
    </Field>
  );
}

interface NotesProps {
  hint: string;
  problem: string | null;
}

interface FieldProps extends NotesProps {
  id: string;
  label: string;
  aside?: string;
  children: ReactNode;
}

function Field({ id, label, aside, children, ...notes }: FieldProps) {
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="min-w-0 wrap-anywhere font-medium text-[13px]">
          {label}
        </label>
        {aside !== undefined && (
          <output htmlFor={id} className="text-[13px] text-ink-2 tabular-nums">
            {aside}
          </output>
        )}
      </div>
      {children}
      <Notes {...notes} />
    </div>
  );
}

function Notes({ hint, problem }: NotesProps) {
  return (
    <>
      {problem !== null && (
        <p role="alert" className="mt-1 text-[13px] text-bad leading-5">
          {problem}
        </p>
      )}
      {hint !== '' && <p className="mt-1 text-pretty text-ink-2 text-xs leading-4.5">{hint}</p>}
    </>
  );
}
