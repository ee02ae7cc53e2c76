import { Check, ChevronsUpDown } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { cx } from '../ui/elements.tsx';
import { inputClass } from '../ui/fields.tsx';

interface SearchableChoiceProps {
  /** Attributes of the button that opens the list. */
  control: { id: string; 'aria-invalid': boolean; 'aria-describedby'?: string };
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  onLeave: () => void;
}

/** A menu with a search. It opens in its place, because nothing of a surface is drawn outside its box. */
export function SearchableChoice({ control, label, value, options, onChange, onLeave }: SearchableChoiceProps) {
  const [search, setSearch] = useState<string | null>(null);
  const [marked, setMarked] = useState(0);
  const current = options.find((option) => option.value === value)?.label;
  const found = options.filter((option) => option.label.toLowerCase().includes((search ?? '').trim().toLowerCase()));
  const listId = `${control.id}-list`;
  const optionId = (index: number) => `${control.id}-option-${index}`;
  const close = () => {
    setSearch(null);
    document.getElementById(control.id)?.focus();
  };
  const choose = (next: string | undefined) => {
    if (next === undefined) return;
    onChange(next);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) setMarked((marked + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') choose(found[marked]?.value);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <fieldset
      aria-label={label}
      className="min-w-0"
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setSearch(null);
        onLeave();
      }}
    >
      <button
        type="button"
        {...{ id: control.id, 'aria-describedby': control['aria-describedby'] }}
        aria-label={`${label}: ${current ?? 'choose'}`}
        aria-expanded={search !== null}
        onClick={() => {
          setMarked(0);
          setSearch(search === null ? '' : null);
        }}
        className={cx(
          inputClass,
          'flex h-9 w-full items-center gap-2 px-3 text-left text-sm',
          control['aria-invalid'] && 'border-bad',
        )}
      >
        <span className={cx('min-w-0 flex-1 truncate', current === undefined && 'text-ink-2')}>{current ?? 'Choose…'}</span>
        <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
      </button>
      {search !== null && (
        <div className="mt-1 rounded-xl border border-line bg-panel p-1">
          <input
            ref={(input) => input?.focus()}
            role="combobox"
            aria-label={`Search: ${label}`}
            aria-expanded={true}
            aria-controls={listId}
            aria-activedescendant={found.length === 0 ? undefined : optionId(marked)}
            placeholder="Search"
            value={search}
            autoComplete="off"
            spellCheck={false}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setMarked(0);
              setSearch(event.target.value);
            }}
            className={cx(inputClass, 'mb-1 w-full')}
          />
          <div id={listId} role="listbox" aria-label={label} className="max-h-56 overflow-y-auto">
            {found.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys.
              <div
                key={option.value}
                id={optionId(index)}
                role="option"
                tabIndex={-1}
                aria-selected={option.value === value}
                onClick={() => choose(option.value)}
                className={cx(
                  'flex min-h-8 cursor-pointer items-center justify-between gap-2 rounded-lg px-2.5 text-[13px] hover:bg-sunken',
                  index === marked && 'bg-sunken',
                )}
              >
                <span className="min-w-0 wrap-anywhere">{option.label}</span>
                {option.value === value && <Check aria-hidden="true" className="size-4 shrink-0" />}
              </div>
            ))}
          </div>
          {found.length === 0 && <p className="px-2.5 py-1.5 text-[13px] text-ink-2">Nothing matches.</p>}
        </div>
      )}
    </fieldset>
  );
}
