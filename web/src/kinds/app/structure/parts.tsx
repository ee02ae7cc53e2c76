import { ChevronDown, GripVertical } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from '../../../ui/elements.tsx';
import { inputClass } from '../../../ui/fields.tsx';
import { Menu, MenuChoice } from '../../../ui/menu.tsx';

/** Controls of the properties. */

interface RowProps {
  label: string;
  htmlFor?: string;
  children: ReactNode;
}

export function Row({ label, htmlFor, children }: RowProps) {
  return (
    <div className="grid min-h-10 grid-cols-[104px_minmax(0,1fr)] items-center gap-x-2 text-[13px]">
      {htmlFor === undefined ? (
        // The control itself has the accessible name.
        <span aria-hidden="true" className="text-ink-2">
          {label}
        </span>
      ) : (
        <label htmlFor={htmlFor} className="text-ink-2">
          {label}
        </label>
      )}
      {children}
    </div>
  );
}

interface TextRowProps {
  label: string;
  value: string;
  /** Stores the text. Returns why it cannot be stored, or `null`. */
  onChange: (value: string) => string | null;
  needed?: boolean;
}

/** One line of text, which is stored when the user leaves the field or presses Enter. Escape restores it. */
export function TextRow({ label, value, onChange, needed = false }: TextRowProps) {
  const id = useId();
  return (
    <Row label={label} htmlFor={id}>
      <TextInput id={id} value={value} onChange={onChange} needed={needed} />
    </Row>
  );
}

interface TextInputProps extends Omit<TextRowProps, 'label'> {
  id?: string;
  label?: string;
  className?: string;
  /** Whether the text takes the focus, selected, when it appears. */
  takesFocus?: boolean;
}

export function TextInput({ id, label, value, onChange, needed = false, className, takesFocus = false }: TextInputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const problemId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.select();
  }, [takesFocus]);
  const restore = () => {
    setDraft(null);
    setProblem(null);
  };
  const store = () => {
    const next = draft?.trim() ?? value;
    if (next === value) return restore();
    const found = needed && next === '' ? 'This needs a text.' : onChange(next);
    setProblem(found);
    if (found === null) setDraft(null);
  };
  return (
    <div className={cx('min-w-0', className)}>
      <input
        ref={input}
        id={id}
        aria-label={label}
        value={draft ?? value}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : problemId}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={store}
        onKeyDown={(event) => {
          if (event.key === 'Enter') store();
          if (event.key === 'Escape') restore();
        }}
        className={cx(inputClass, 'w-full')}
      />
      {problem !== null && (
        <p id={problemId} role="alert" className="mt-1 text-bad text-xs">
          {problem}
        </p>
      )}
    </div>
  );
}

interface MenuRowProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { readonly value: Value; readonly label: string }[];
  icon?: ReactNode;
  onChange: (value: Value) => void;
}

export function MenuRow<Value extends string>({ label, ...menu }: MenuRowProps<Value>) {
  return (
    <Row label={label}>
      <SelectMenu label={label} {...menu} />
    </Row>
  );
}

export function SelectMenu<Value extends string>({ label, value, options, icon, onChange }: MenuRowProps<Value>) {
  const chosen = options.find((option) => option.value === value)?.label ?? 'Nothing';
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${chosen}`}
          className="flex h-8 w-full min-w-0 items-center gap-2 rounded-lg border border-line-strong bg-panel px-2.5 text-left text-[13px] hover:border-ink-3"
        >
          {icon}
          <span className="min-w-0 flex-1 truncate">{chosen}</span>
          <ChevronDown className="size-3.5 shrink-0 text-ink-3" />
        </button>
      }
    >
      <MenuChoice label={label} value={value} options={options} onChange={onChange} />
    </Menu>
  );
}

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function SwitchRow(props: SwitchProps) {
  return (
    <Row label={props.label}>
      <Switch {...props} />
    </Row>
  );
}

function Switch({ label, checked, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-label={label}
      aria-checked={checked}
      onClick={() => onChange(!checked)}
      className={cx(
        'relative h-5 w-9 justify-self-end rounded-full transition-colors',
        checked ? 'bg-accent' : 'bg-sunken inset-ring inset-ring-ink-3',
      )}
    >
      <span
        className={cx(
          'absolute top-0.75 size-3.5 rounded-full transition-all',
          checked ? 'left-4.5 bg-accent-ink' : 'left-0.75 bg-ink-3',
        )}
      />
    </button>
  );
}

interface SortableProps<T extends { readonly id: string; readonly name: string }> {
  label: string;
  items: readonly T[];
  /** Items from this index on keep their place. */
  fixedFrom?: number;
  onMove: (from: number, to: number) => void;
  children: (item: T, index: number) => ReactNode;
}

/** Rows with a grip, which is dragged or moved with the arrow keys. */
export function Sortable<T extends { readonly id: string; readonly name: string }>(props: SortableProps<T>) {
  const { label, items, fixedFrom = items.length, onMove, children } = props;
  const [dragged, setDragged] = useState<number | null>(null);
  return (
    <ul aria-label={label} className="rounded-xl border border-line bg-panel">
      {items.map((item, index) => {
        const isFixed = index >= fixedFrom;
        return (
          <li
            key={item.id}
            onDragOver={(event) => dragged !== null && !isFixed && event.preventDefault()}
            onDrop={() => {
              if (dragged !== null && dragged !== index) onMove(dragged, index);
              setDragged(null);
            }}
            className={cx(
              'flex min-h-9 items-center gap-1.5 border-line px-1.5 not-first:border-t',
              dragged === index && 'opacity-50',
            )}
          >
            <button
              type="button"
              draggable={!isFixed}
              disabled={isFixed}
              aria-label={`Move ${item.name}, ${index + 1} of ${fixedFrom}`}
              title="Drag, or press ↑ and ↓"
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                setDragged(index);
              }}
              onDragEnd={() => setDragged(null)}
              onKeyDown={(event) => {
                const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                if (by === undefined) return;
                event.preventDefault();
                if (index + by >= 0 && index + by < fixedFrom) onMove(index, index + by);
              }}
              className="mt-2 shrink-0 cursor-grab self-start rounded p-0.5 text-ink-3 disabled:cursor-default disabled:opacity-30"
            >
              <GripVertical className="size-3.5" />
            </button>
            {children(item, index)}
          </li>
        );
      })}
    </ul>
  );
}
