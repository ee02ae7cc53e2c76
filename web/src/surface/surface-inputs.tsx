import { ChevronsUpDown, CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { isBinding, problemIn, resolved, textIn } from '#contract/surface/drawing.ts';
import { pathWithin } from '#contract/surface/pointer.ts';
import type { Component, ComponentOf } from '#contract/surface/surface.ts';
import type { Dynamic } from '#contract/surface/values.ts';
import { cx } from '../ui/elements.tsx';
import { Choice, inputClass } from '../ui/fields.tsx';
import { SearchableChoice } from './searchable-choice.tsx';
import { useScope, useSurfaceContext } from './surface-context.ts';

type InputName = 'TextField' | 'CheckBox' | 'ChoicePicker' | 'Slider' | 'ColorPicker';
type InputComponent = ComponentOf<InputName>;
interface Place {
  row: string;
  /** Key of the drawn component. */
  at: string;
}
type Props<Name extends InputName> = Place & { of: ComponentOf<Name> };

const inputNames: ReadonlySet<string> = new Set(['TextField', 'CheckBox', 'ChoicePicker', 'Slider', 'ColorPicker']);
export const isInput = (component: Component): component is InputComponent => inputNames.has(component.component);

const isWritten = ({ component }: InputComponent): boolean => component !== 'CheckBox' && component !== 'Slider';

/** Returns whether a field has to be filled in. */
export const isRequired = (input: InputComponent): boolean =>
  isWritten(input) &&
  input.checks?.some(({ condition }) => typeof condition === 'object' && 'call' in condition && condition.call === 'required') ===
    true;

/** A surface's field. Its value is in the data model; an unbound field is read-only. */
export function SurfaceInput({ of, ...place }: Place & { of: InputComponent }) {
  switch (of.component) {
    case 'TextField':
      return <TextInput of={of} {...place} />;
    case 'CheckBox':
      return <CheckInput of={of} {...place} />;
    case 'ChoicePicker':
      return <ChoiceInput of={of} {...place} />;
    case 'Slider':
      return <SliderInput of={of} {...place} />;
    case 'ColorPicker':
      return <ColorInput of={of} {...place} />;
  }
}

/** Returns a field's value, its setter, and its error once the user has left it or pressed a button. */
function useField({ of, row, at }: Place & { of: InputComponent }) {
  const { onData, busy, checked, hasRequired, goal, reach, idOf } = useSurfaceContext();
  const scope = useScope(row);
  const [touched, setTouched] = useState(false);
  const isGoal = goal?.key === at;
  useEffect(() => {
    if (isGoal) reach();
  }, [isGoal, reach]);
  const bound: Dynamic<unknown> | undefined = of.value;
  const path = isBinding(bound) ? pathWithin(row, bound.path) : null;
  const id = idOf(at);
  const hint = textIn(of.accessibility?.description, scope);
  const problem = touched || checked ? problemIn(of.checks, scope) : null;
  const described = [hint === '' ? '' : `${id}-hint`, problem === null ? '' : `${id}-problem`].filter(Boolean).join(' ');
  const fixed = busy || path === null;
  return {
    scope,
    value: resolved(bound, scope),
    fixed,
    /** Attributes of the control. */
    control: { id, 'aria-invalid': problem !== null, ...(described === '' ? {} : { 'aria-describedby': described }) },
    field: {
      ...{ id, hint, problem },
      label: textIn('label' in of && of.label !== undefined ? of.label : of.accessibility?.label, scope),
      isOptional: hasRequired && path !== null && isWritten(of) && !isRequired(of),
    },
    set(value: unknown) {
      setTouched(true);
      if (path !== null) onData(path, value);
    },
    leave: () => setTouched(true),
  };
}

const textLook = 'w-full px-3 text-sm read-only:bg-sunken read-only:text-ink-2';

function TextInput(props: Props<'TextField'>) {
  const { value, control, field, fixed, set, leave } = useField(props);
  const { variant } = props.of;
  const common = {
    ...control,
    value: typeof value === 'number' || typeof value === 'string' ? String(value) : '',
    readOnly: fixed,
    onBlur: leave,
    spellCheck: false,
  };
  return (
    <Field {...field}>
      {variant === 'longText' ? (
        <textarea
          {...common}
          rows={3}
          onChange={(event) => set(event.target.value)}
          className={cx(inputClass, textLook, 'h-auto py-2')}
        />
      ) : (
        <input
          {...common}
          type={variant === 'obscured' ? 'password' : 'text'}
          inputMode={variant === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          onChange={(event) => set(event.target.value)}
          className={cx(inputClass, textLook, 'h-9')}
        />
      )}
    </Field>
  );
}

function CheckInput(props: Props<'CheckBox'>) {
  const { value, control, field, fixed, set } = useField(props);
  return (
    <div>
      <label htmlFor={field.id} className="flex min-h-6 items-start gap-2.5 text-[13px] leading-5">
        <input
          {...control}
          type="checkbox"
          checked={value === true}
          disabled={fixed}
          onChange={(event) => set(event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        <span className="min-w-0 wrap-anywhere">{field.label}</span>
      </label>
      <Notes {...field} />
    </div>
  );
}

/** Up to this many short options are shown beside each other. */
const maxSegments = 4;
const maxSegmentCharacters = 18;
/** A menu with as many options has a search. */
const searchedFrom = 8;

function ChoiceInput(props: Props<'ChoicePicker'>) {
  const { value, control, field, fixed, set, leave, scope } = useField(props);
  const { variant, displayStyle } = props.of;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const chosen = values.filter((one) => typeof one === 'string');
  const options = props.of.options.map((option) => ({ value: option.value, label: textIn(option.label, scope) }));
  if (variant === 'multipleSelection') {
    return (
      <fieldset {...control} disabled={fixed}>
        <legend className="mb-1 font-medium text-[13px]">{field.label}</legend>
        <div className={cx('flex gap-x-4 gap-y-1.5', displayStyle === 'chips' ? 'flex-wrap' : 'flex-col')}>
          {options.map((option) => (
            <label key={option.value} className="flex min-h-6 items-start gap-2 text-[13px] leading-5">
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
        <Notes {...field} />
      </fieldset>
    );
  }
  const [current = ''] = chosen;
  const isShort = options.length <= maxSegments && options.every(({ label }) => label.length <= maxSegmentCharacters);
  if (isShort && !fixed) {
    return (
      <Field {...field} isGroup={true}>
        <Choice label={field.label} value={current} options={options} onChange={(next) => set([next])} group={control} />
      </Field>
    );
  }
  if (options.length >= searchedFrom && !fixed) {
    return (
      <Field {...field} isGroup={true}>
        <SearchableChoice
          {...{ control, options }}
          label={field.label}
          value={current}
          onChange={(next) => set([next])}
          onLeave={leave}
        />
      </Field>
    );
  }
  return (
    <Field {...field}>
      <span className="relative block">
        <select
          {...control}
          value={current}
          disabled={fixed}
          onBlur={leave}
          onChange={(event) => set([event.target.value])}
          className={cx(inputClass, 'h-9 w-full appearance-none pr-8')}
        >
          {!options.some((option) => option.value === current) && <option value={current}>Choose…</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronsUpDown
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-3.5 text-ink-3"
        />
      </span>
    </Field>
  );
}

/** Number of slider steps if integers are too coarse. */
const sliderSteps = 100;

function SliderInput(props: Props<'Slider'>) {
  const { value, control, field, fixed, set } = useField(props);
  const { min = 0, max } = props.of;
  const number = typeof value === 'number' ? value : min;
  // Steps are powers of ten, so that every value is easy to read.
  const fine = 10 ** Math.floor(Math.log10(Math.max((max - min) / sliderSteps, Number.EPSILON)));
  const step = Number.isInteger(min) && Number.isInteger(max) && max - min >= sliderSteps / 5 ? Math.max(1, fine) : fine;
  return (
    <Field {...field} aside={formatNumber(number)}>
      <input
        {...control}
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
  const { value, control, field, fixed, set, leave } = useField(props);
  const text = typeof value === 'string' ? value : '';
  // The browser's colour field accepts only this notation.
  const color = /^#[0-9a-f]{6}$/i.test(text) ? text : '#000000';
  return (
    <Field {...field}>
      <div className="flex gap-2">
        <input
          type="color"
          value={color}
          disabled={fixed}
          aria-label={`${field.label}, picker`}
          onChange={(event) => set(event.target.value)}
          className="h-9 w-12 shrink-0 rounded-lg border border-line-strong bg-panel p-1"
        />
        <input
          {...control}
          value={text}
          readOnly={fixed}
          onBlur={leave}
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
  id: string;
  hint: string;
  problem: string | null;
}

interface FieldProps extends NotesProps {
  label: string;
  isOptional: boolean;
  /** Whether the control names itself, because it is not one field that a label can point to. */
  isGroup?: boolean;
  aside?: string;
  children: ReactNode;
}

function Field({ label, aside, isOptional, isGroup = false, children, ...notes }: FieldProps) {
  const look = 'min-w-0 wrap-anywhere font-medium text-[13px]';
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-baseline justify-between gap-3">
        {isGroup ? (
          <span aria-hidden="true" className={look}>
            {label}
          </span>
        ) : (
          <label htmlFor={notes.id} className={look}>
            {label}
          </label>
        )}
        {isOptional && <span className="text-ink-2 text-[13px]">Optional</span>}
        {aside !== undefined && (
          <output htmlFor={notes.id} className="text-[13px] text-ink-2 tabular-nums">
            {aside}
          </output>
        )}
      </div>
      {children}
      <Notes {...notes} />
    </div>
  );
}

function Notes({ id, hint, problem }: NotesProps) {
  return (
    <>
      {problem !== null && (
        <p id={`${id}-problem`} role="alert" className="mt-1 flex items-start gap-1.5 text-[13px] text-bad leading-5">
          <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{problem}</span>
        </p>
      )}
      {hint !== '' && (
        <p id={`${id}-hint`} className="mt-1 text-pretty text-ink-2 text-xs leading-4.5">
          {hint}
        </p>
      )}
    </>
  );
}
