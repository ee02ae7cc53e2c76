import { Check, ImageOff, Search, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useView } from '../../../project/context.ts';
import { cx } from '../../../ui/elements.tsx';
import { Choice, inputClass, Switch } from '../../../ui/fields.tsx';
import {
  type Field,
  labelOf,
  lettersIn,
  type NumberKind,
  numberIssue,
  parseNumber,
  type TextKind,
  textIssue,
} from './field-schema.ts';
import { IconDrawing, iconSuggestions } from './icons.tsx';

/** Connects an input to its place in the film. */
export interface Binding {
  /** Identifies the field in the page: `data-field`. */
  readonly key: string;
  readonly value: unknown;
  /** The typed text, if it differs from the film's value. */
  readonly draft: string | null;
  readonly setDraft: (text: string | null) => void;
  readonly commit: (value: unknown) => void;
}

interface InputProps<Kind extends Field> {
  field: Kind;
  bind: Binding;
  /** Whether it is in a list row, where only screen readers read the label. */
  compact?: boolean;
  label?: string;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  onPaste?: (text: string) => boolean;
}

const boxClass = 'w-full min-w-0 rounded-lg border bg-panel px-3 text-sm placeholder:text-ink-3 max-pane:text-base';
const compactClass = 'h-8 w-full min-w-0 rounded-[7px] border bg-panel px-2 text-[13px] max-pane:h-11 max-pane:text-base';

/** Edits a line or paragraph of text. Invalid text stays in the field, and the film keeps the last valid value. */
export function TextInput({ field, bind, compact = false, label = field.label, onKeyDown, onPaste }: InputProps<TextKind>) {
  const id = useId();
  const text = bind.draft ?? (typeof bind.value === 'string' ? bind.value : '');
  const issue = textIssue(text, field);
  const letters = lettersIn(text);
  const change = (next: string) => {
    const stored = next.trim();
    if (textIssue(next, field) !== null) {
      bind.setDraft(next);
      return;
    }
    // Text is stored without surrounding spaces, which the user may still be typing.
    bind.setDraft(next === stored ? null : next);
    bind.commit(stored === '' && field.optional ? null : stored);
  };
  const shared = {
    id,
    value: text,
    autoComplete: 'off',
    'data-field': bind.key,
    'aria-invalid': issue !== null,
    ...(issue !== null && { 'aria-describedby': `${id}-issue` }),
    onChange: (event: { target: { value: string } }) => change(event.target.value),
    onBlur: () => bind.draft !== null && issue === null && bind.setDraft(null),
    onPaste: (event: React.ClipboardEvent) => onPaste?.(event.clipboardData.getData('text/plain')) && event.preventDefault(),
    ...(onKeyDown && { onKeyDown }),
  };
  const border = issue === null ? 'border-line-strong' : 'border-bad';
  const problem = issue !== null && <Problem id={`${id}-issue`}>{issue}</Problem>;
  if (compact) {
    return (
      <div className="min-w-0 flex-1">
        <input
          aria-label={label}
          placeholder={field.optional ? field.label : undefined}
          className={cx(compactClass, border)}
          {...shared}
        />
        {problem}
      </div>
    );
  }
  const counter = letters > field.max * 0.5 ? `${letters} of ${field.max}` : '';
  return (
    <Labelled id={id} label={label} aside={counter}>
      {field.long ? (
        <textarea
          rows={3}
          className={cx(boxClass, border, 'block resize-y py-2 leading-5', field.name === 'code' && 'font-mono text-xs')}
          {...shared}
        />
      ) : (
        <input
          placeholder={field.optional ? 'None' : undefined}
          className={cx(boxClass, border, 'h-9 max-pane:h-11')}
          {...shared}
        />
      )}
      {problem}
    </Labelled>
  );
}

/** Edits a number, which may be entered as an arithmetic expression. */
export function NumberInput({ field, bind, compact = false, label = field.label, onKeyDown, onPaste }: InputProps<NumberKind>) {
  const id = useId();
  const shown = typeof bind.value === 'number' ? String(bind.value) : '';
  const text = bind.draft ?? shown;
  const issue = numberIssue(text, field);
  const change = (next: string) => {
    const isValid = numberIssue(next, field) === null;
    const value = next.trim() === '' ? null : parseNumber(next);
    bind.setDraft(isValid && String(value ?? '') === next ? null : next);
    if (isValid) bind.commit(value);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.defaultPrevented || event.altKey || direction === undefined) return;
    event.preventDefault();
    const now = parseNumber(text) ?? 0;
    const next = Math.min(field.max, Math.max(field.min, now + direction * (event.shiftKey ? 10 : 1)));
    change(String(Math.round(next * 1e6) / 1e6));
  };
  const input = (
    <input
      id={id}
      inputMode="decimal"
      autoComplete="off"
      data-field={bind.key}
      value={text}
      placeholder={field.optional ? 'None' : undefined}
      aria-invalid={issue !== null}
      {...(compact && { 'aria-label': label })}
      {...(issue !== null && { 'aria-describedby': `${id}-issue` })}
      onChange={(event) => change(event.target.value)}
      onBlur={() => issue === null && bind.setDraft(null)}
      onKeyDown={onKey}
      onPaste={(event) => onPaste?.(event.clipboardData.getData('text/plain')) && event.preventDefault()}
      className={cx(
        compact ? compactClass : cx(boxClass, 'h-9 max-pane:h-11'),
        'text-right tabular-nums',
        issue === null ? 'border-line-strong' : 'border-bad',
      )}
    />
  );
  const problem = issue !== null && <Problem id={`${id}-issue`}>{issue}</Problem>;
  if (compact) {
    return (
      <div className="w-22 shrink-0">
        {input}
        {problem}
      </div>
    );
  }
  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={id} className="text-[13px]">
          {label}
        </label>
        <div className="w-28">{input}</div>
      </div>
      {problem}
    </div>
  );
}

export function SwitchInput({ field, bind, compact = false, label = field.label }: InputProps<Field>) {
  const id = useId();
  const control = (
    <Switch
      id={id}
      checked={bind.value === true}
      onChange={bind.commit}
      data-field={bind.key}
      {...(compact && { 'aria-label': label, title: label })}
    />
  );
  if (compact) return <span className="flex h-8 items-center">{control}</span>;
  return (
    <div className="flex min-h-7 items-center justify-between gap-3">
      <label htmlFor={id} className="text-[13px]">
        {label}
      </label>
      {control}
    </div>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  label: string;
  bind: Binding;
  value: string;
  options: readonly Option[];
  compact?: boolean;
  onChange: (value: string) => void;
}

/** Selects one option: buttons side by side if they fit, otherwise a drop-down list. */
export function SelectInput({ label, bind, value, options, compact = false, onChange }: SelectProps) {
  const id = useId();
  const isShort = !compact && options.length <= 4 && options.reduce((sum, each) => sum + each.label.length, 0) <= 26;
  if (isShort) {
    return (
      <div
        data-field={bind.key}
        tabIndex={-1}
        className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 outline-none"
      >
        <span aria-hidden="true" className="text-[13px]">
          {label}
        </span>
        <Choice label={label} value={value} options={options} onChange={onChange} />
      </div>
    );
  }
  const select = (
    <select
      id={id}
      data-field={bind.key}
      value={value}
      {...(compact && { 'aria-label': label })}
      onChange={(event) => onChange(event.target.value)}
      className={cx(inputClass, compact ? 'w-full' : 'max-w-44', 'max-pane:h-11')}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
  if (compact) return select;
  return (
    <div className="flex items-center justify-between gap-3">
      <label htmlFor={id} className="text-[13px]">
        {label}
      </label>
      {select}
    </div>
  );
}

const none = '';

/** Options for a field with fixed values. For an optional field, the format may choose. */
export function ChoiceInput({
  field,
  bind,
  compact = false,
  label = field.label,
}: InputProps<Extract<Field, { kind: 'choice' }>>) {
  const options = field.options.map((value) => ({ value, label: labelOf(value) }));
  return (
    <SelectInput
      label={label}
      bind={bind}
      compact={compact}
      value={typeof bind.value === 'string' ? bind.value : none}
      options={field.optional ? [{ value: none, label: 'Auto' }, ...options] : options}
      onChange={(value) => bind.commit(value === none ? null : value)}
    />
  );
}

/** Chooses the upload that a field shows. */
export function ImageInput({ field, bind, label = field.label }: InputProps<Field>) {
  const images = useView((view) => view.assets).filter(({ kind }) => kind === 'image');
  const options = images.map(({ name }) => ({ value: `/assets/${name}`, label: name }));
  const value = typeof bind.value === 'string' ? bind.value : none;
  const known =
    value === none || options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
  if (known.length === 0) {
    return (
      <div className="flex items-center justify-between gap-3 text-[13px]">
        <span>{label}</span>
        <span className="flex items-center gap-1.5 text-ink-3">
          <ImageOff aria-hidden="true" className="size-4" />
          Upload an image in Assets
        </span>
      </div>
    );
  }
  return (
    <SelectInput
      label={label}
      bind={bind}
      value={value}
      options={[{ value: none, label: 'None' }, ...known]}
      onChange={(next) => bind.commit(next === none ? null : next)}
    />
  );
}

interface ColorProps extends InputProps<Field> {
  palette: readonly string[];
  /** A warning about the colour, for example that its contrast with the background is too low. */
  note?: string | null;
}

export function ColorInput({ field, bind, palette, note = null, compact = false, label = field.label }: ColorProps) {
  const id = useId();
  const value = typeof bind.value === 'string' ? bind.value : '';
  const text = bind.draft ?? value;
  const issue = text === '' || /^#[0-9a-f]{6}$/i.test(text) ? null : 'Enter six hex digits, such as #2f4ff0.';
  const change = (next: string) => {
    const isHex = /^#[0-9a-f]{6}$/i.test(next);
    bind.setDraft(isHex || (next === '' && field.optional) ? null : next);
    if (isHex) bind.commit(next.toLowerCase());
    else if (next === '' && field.optional) bind.commit(null);
  };
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <label htmlFor={id} className={cx('text-[13px]', compact && 'sr-only')}>
          {label}
        </label>
        <div className="flex items-center gap-1.5">
          {palette.map((color) => (
            <button
              key={color}
              type="button"
              aria-label={`${label}: ${color}`}
              aria-pressed={value === color}
              onClick={() => change(color)}
              className="flex size-6 items-center justify-center rounded-md border border-line-strong max-pane:size-11"
              style={{ background: color }}
            >
              {value === color && <Check className="size-3.5 text-white mix-blend-difference" />}
            </button>
          ))}
          <input
            id={id}
            data-field={bind.key}
            value={text}
            spellCheck={false}
            placeholder={field.optional ? 'Theme' : '#000000'}
            aria-invalid={issue !== null}
            onChange={(event) => change(event.target.value.trim())}
            className={cx(inputClass, 'w-22 font-mono text-xs')}
          />
        </div>
      </div>
      {(issue ?? note) !== null && <Problem id={`${id}-issue`}>{issue ?? note}</Problem>}
    </div>
  );
}

/** Chooses an icon by name. A search finds it; the most common ones are shown. */
export function IconInput({ field, bind, label = field.label }: InputProps<Field>) {
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState(false);
  const value = typeof bind.value === 'string' ? bind.value : '';
  const found = iconSuggestions.filter((name) => name.includes(search.trim().toLowerCase()));
  const typed = /^[a-z0-9]+(-[a-z0-9]+)*$/.test(search) ? `lucide:${search}` : search;
  const isName = /^(lucide|fluent):[a-z0-9]+(-[a-z0-9]+)*$/.test(typed);
  const choose = (name: string | null) => {
    bind.commit(name);
    setOpen(false);
    setSearch('');
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        data-field={bind.key}
        aria-label={`${label}: ${value === '' ? 'none' : value.replace(/^.*:/, '')}`}
        title={label}
        className="flex size-8 shrink-0 items-center justify-center rounded-[7px] border border-line-strong bg-panel text-ink-2 hover:text-ink data-[state=open]:border-accent data-[state=open]:text-accent-text max-pane:size-11"
      >
        <IconDrawing name={value} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 w-72 animate-fade rounded-xl border border-line-strong bg-panel p-2 shadow-lift"
        >
          <div className="relative">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-3"
            />
            <input
              aria-label="Search icons by name"
              placeholder="Search icons, such as coffee"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => {
                const name = found[0] === undefined ? typed : `lucide:${found[0]}`;
                if (event.key === 'Enter' && (found.length > 0 || isName)) choose(name);
              }}
              className="h-9 w-full rounded-lg border border-line-strong bg-panel pr-2 pl-8.5 text-[13px]"
            />
          </div>
          <div className="mt-2 grid max-h-56 grid-cols-7 gap-1 overflow-y-auto">
            {found.map((name) => (
              <button
                key={name}
                type="button"
                title={name}
                aria-label={name}
                aria-pressed={value === `lucide:${name}`}
                onClick={() => choose(`lucide:${name}`)}
                className="flex size-9 items-center justify-center rounded-lg text-ink-2 hover:bg-sunken hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
              >
                <IconDrawing name={`lucide:${name}`} />
              </button>
            ))}
          </div>
          <div className="mt-2 flex items-center justify-between border-line border-t pt-2 text-[13px]">
            {isName && found.length === 0 ? (
              <button
                type="button"
                onClick={() => choose(typed)}
                className="rounded-lg px-2 py-1 text-ink-2 hover:bg-sunken hover:text-ink"
              >
                Use “{typed}”
              </button>
            ) : (
              <span className="px-2 text-ink-3 text-xs">For an emoji, enter a name such as fluent:dog-face.</span>
            )}
            {field.optional && (
              <button
                type="button"
                onClick={() => choose(null)}
                className="flex items-center gap-1.5 rounded-lg px-2 py-1 text-ink-2 hover:bg-sunken hover:text-ink"
              >
                <X className="size-4" />
                No icon
              </button>
            )}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Labelled({ id, label, aside, children }: { id: string; label: string; aside: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium text-[13px]">
          {label}
        </label>
        <span className="text-ink-3 text-xs tabular-nums">{aside}</span>
      </div>
      {children}
    </div>
  );
}

function Problem({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1 text-bad text-xs leading-4.5">
      {children}
    </p>
  );
}
