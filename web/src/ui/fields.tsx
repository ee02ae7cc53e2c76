import { Search, X } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId, useRef } from 'react';
import { cx, IconButton } from './elements.tsx';

export const inputClass =
  'h-8 min-w-0 rounded-lg border border-line-strong bg-panel px-2.5 text-[13px] tabular-nums aria-invalid:border-bad';

const labelClass = 'w-full shrink-0 wrap-anywhere text-[13px] text-ink-2 sm:w-32';

interface RowProps {
  label: string;
  note?: ReactNode;
  htmlFor?: string;
  children: ReactNode;
}

/** Form row with a label, a control and a note. */
export function FieldRow({ label, note, htmlFor, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {htmlFor ? (
        <label htmlFor={htmlFor} className={labelClass}>
          {label}
        </label>
      ) : (
        // The control itself has the accessible name.
        <span aria-hidden="true" className={labelClass}>
          {label}
        </span>
      )}
      {children}
      {note && <span className="text-ink-3 text-xs tabular-nums">{note}</span>}
    </div>
  );
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string;
  hint?: ReactNode;
  problem?: string | null;
  aside?: ReactNode;
}

export function TextField({ label, hint, problem = null, aside, className, ...props }: TextFieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', problem === null ? '' : `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div className="min-w-0">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="font-medium text-[13px]">
          {label}
        </label>
        {aside}
      </div>
      <input
        id={id}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== null}
        {...(described === '' ? {} : { 'aria-describedby': described })}
        className={cx(
          'h-9 w-full rounded-lg border bg-panel px-3 text-sm placeholder:text-ink-3 read-only:bg-sunken read-only:text-ink-2',
          problem === null ? 'border-line-strong' : 'border-bad',
          className,
        )}
        {...props}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className="mt-1 text-[13px] text-bad leading-5">
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-pretty text-ink-2 text-xs leading-4.5">
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  onChange: (value: Value) => void;
  showLabel?: boolean;
  /** The group's id and the attributes that tie it to its hint and error. */
  group?: Pick<ComponentProps<'div'>, 'id' | 'aria-invalid' | 'aria-describedby'>;
}

/** Selects one of a few visible options. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChange, showLabel = false, group } = props;
  return (
    <div className="flex items-center gap-2">
      {showLabel && (
        <span aria-hidden="true" className="text-[13px] text-ink-3">
          {label}
        </span>
      )}
      <ToggleGroup.Root
        {...group}
        type="single"
        role="radiogroup"
        aria-label={label}
        value={value}
        // An empty value means that the selected option was clicked again; it stays selected.
        onValueChange={(next) => {
          const chosen = options.find((option) => option.value === next);
          if (chosen) onChange(chosen.value);
        }}
        className="flex flex-wrap rounded-lg bg-sunken p-0.5"
      >
        {options.map((option) => (
          <ToggleGroup.Item
            key={option.value}
            value={option.value}
            className={cx(
              'flex h-7 items-center gap-1.5 rounded-md px-2.5 text-[13px] text-ink-2 transition-colors hover:text-ink',
              'data-[state=on]:bg-panel data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:shadow-[0_1px_2px_rgb(0_0_0/0.12)]',
            )}
          >
            {option.icon}
            {option.label}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </div>
  );
}

export function ChoiceRow<Value extends string>({ note, ...choice }: ChoiceProps<Value> & { note?: ReactNode }) {
  return (
    <FieldRow label={choice.label} note={note}>
      <Choice {...choice} />
    </FieldRow>
  );
}

interface SwitchProps extends Omit<ComponentProps<'button'>, 'onChange'> {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** On/off switch, whose name the caller gives. The two states differ in shape as well as in colour. */
export function Switch({ checked, onChange, ...props }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      onClick={() => onChange(!checked)}
      className={cx(
        'relative h-4.5 w-8 shrink-0 rounded-full transition-colors',
        checked ? 'bg-accent' : 'bg-sunken shadow-[inset_0_0_0_1.5px_var(--ink-3)]',
      )}
      {...props}
    >
      <span
        className={cx(
          'absolute rounded-full transition-all',
          checked ? 'top-0.5 left-4 size-3.5 bg-accent-ink' : 'top-1 left-1 size-2.5 bg-ink-3',
        )}
      />
    </button>
  );
}

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  clearLabel: string;
  value: string;
  onChange: (value: string) => void;
}

/** Field that searches or filters as the user types. Escape clears it. */
export function SearchField({ label, clearLabel, value, onChange, onKeyDown, className, ...props }: SearchFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const clear = () => {
    onChange('');
    box.current?.querySelector('input')?.focus();
  };
  return (
    <div ref={box} className={cx('relative min-w-0', className)}>
      <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3" />
      <input
        type="search"
        value={value}
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          onKeyDown?.(event);
          if (event.defaultPrevented || event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
        className="size-full min-w-0 rounded-lg border border-line bg-panel pr-9 pl-9 text-[13px] placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
        {...props}
      />
      {value !== '' && (
        <IconButton icon={X} label={clearLabel} onClick={clear} className="absolute top-1/2 right-0.5 size-7 -translate-y-1/2" />
      )}
    </div>
  );
}

/** A control below its visible label. */
export function Labelled({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div>
      {/* The control itself has the accessible name. */}
      <p aria-hidden="true" className="mb-1 font-medium text-[13px]">
        {text}
      </p>
      {children}
    </div>
  );
}
