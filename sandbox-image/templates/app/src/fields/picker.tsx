import { Command } from 'cmdk';
import { Check, ChevronDown, Plus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { Key } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

export interface PickerItem {
  readonly id: string;
  readonly name: string;
  readonly shown: ReactNode;
}

interface PickerProps {
  readonly label: string;
  readonly items: readonly PickerItem[];
  readonly chosen: readonly string[];
  /** Stays open for several. */
  readonly many: boolean;
  readonly onChange: (ids: readonly string[]) => void;
  readonly onDone: (how: 'enter' | 'escape') => void;
  /** Creates what was searched for, and returns its id. */
  readonly onAdd?: (name: string) => string;
  readonly startOpen: boolean;
  readonly className: string;
  readonly id?: string | undefined;
  readonly invalid: boolean;
  readonly describedBy?: string | undefined;
  readonly children: ReactNode;
}

/** A field with a menu that can be searched. Enter takes the highlighted item. */
export function Picker(props: PickerProps) {
  const { label, items, chosen, many, onChange, onDone, onAdd, startOpen, className, id, invalid, describedBy, children } = props;
  const [open, setOpen] = useState(startOpen);
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = items.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, 200);
  const isNew = onAdd !== undefined && wanted !== '' && !items.some(({ name }) => name.toLowerCase() === wanted);
  // Where the focus goes after a choice is outside the menu, which would close it a second time.
  const closed = useRef(!startOpen);
  function close(how: 'enter' | 'escape') {
    if (closed.current) return;
    closed.current = true;
    setOpen(false);
    setSearch('');
    onDone(how);
  }
  function show() {
    closed.current = false;
    setOpen(true);
  }
  function take(item: string) {
    if (many) {
      onChange(chosen.includes(item) ? chosen.filter((other) => other !== item) : [...chosen, item]);
      setSearch('');
      return;
    }
    onChange([item]);
    close('enter');
  }
  return (
    <Popover.Root open={open} onOpenChange={(next) => (next ? show() : close('escape'))}>
      <Popover.Trigger asChild>
        <button type="button" id={id} className={className} aria-invalid={invalid || undefined} aria-describedby={describedBy}>
          {id === undefined && <span className="sr-only">{label}: </span>}
          <span className="flex min-w-0 flex-1 items-center gap-2">{children}</span>
          <Icon of={ChevronDown} size={14} className="text-ink-3" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu picker" align="start" sideOffset={6} collisionPadding={12} aria-label={label}>
          <Command shouldFilter={false} label={label}>
            <Command.Input
              className="menu-search"
              value={search}
              onValueChange={setSearch}
              placeholder={onAdd ? 'Find or add…' : 'Find…'}
              aria-label={`Find in ${label}`}
            />
            <Command.List className="picker-list">
              {found.map((item) => (
                <Command.Item key={item.id} value={item.id} className="menu-item" onSelect={() => take(item.id)}>
                  {item.shown}
                  <span className="end">{chosen.includes(item.id) ? <Icon of={Check} /> : <EnterKey />}</span>
                </Command.Item>
              ))}
              {isNew && (
                <Command.Item value="koda-add" className="menu-item" onSelect={() => take(onAdd(search.trim()))}>
                  <Icon of={Plus} />
                  <span className="min-w-0 truncate">Add ‘{search.trim()}’</span>
                  <span className="end">
                    <EnterKey />
                  </span>
                </Command.Item>
              )}
              {found.length === 0 && !isNew && <p className="px-2 py-1.5 text-ink-3">Nothing matches.</p>}
              {chosen.length > 0 && wanted === '' && (
                <Command.Item
                  value="koda-none"
                  className="menu-item text-ink-2"
                  onSelect={() => {
                    onChange([]);
                    close('enter');
                  }}
                >
                  Leave empty
                </Command.Item>
              )}
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function EnterKey() {
  return (
    <span className="enter">
      <Key>Enter</Key>
    </span>
  );
}
