import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { createContext, type ReactNode, useContext } from 'react';
import { cx } from '../ui/class-names.ts';

/** Where menus are put: in full screen, nothing outside the element that fills it can be seen. */
export const MenuContainer = createContext<HTMLElement | null>(null);

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
}

/** A menu above the button that opens it. */
export function Menu({ trigger, children }: MenuProps) {
  const container = useContext(MenuContainer);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-30 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-80 animate-fade overflow-y-auto rounded-xl border border-line-strong bg-panel p-1 shadow-lift"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const itemClass =
  'flex cursor-pointer select-none items-center gap-2 rounded-lg py-1.5 pr-2.5 pl-8 text-[13px] outline-none data-[highlighted]:bg-sunken relative';

/** What is chosen is marked on the left. */
function Mark() {
  return (
    <DropdownMenu.ItemIndicator className="absolute left-2">
      <Check aria-hidden="true" className="size-4 text-accent-text" />
    </DropdownMenu.ItemIndicator>
  );
}

function Hint({ shortcut }: { shortcut: string }) {
  return (
    <span aria-hidden="true" className="ml-auto pl-4 text-ink-3 text-xs">
      {shortcut}
    </span>
  );
}

export function MenuTitle({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-ink-3 text-xs">{children}</DropdownMenu.Label>;
}

interface MenuCheckProps {
  label: string;
  shortcut: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Something that is on or off; the menu stays open, for more of them. */
export function MenuCheck({ label, shortcut, checked, onChange }: MenuCheckProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={itemClass}
    >
      <Mark />
      {label}
      <Hint shortcut={shortcut} />
    </DropdownMenu.CheckboxItem>
  );
}

interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { readonly value: Value; readonly label: string }[];
  onChange: (value: Value) => void;
}

/** One of a few, in a menu. */
export function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next);
        if (chosen) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={itemClass}>
          <Mark />
          <span className="min-w-0 truncate">{option.label}</span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

interface PickProps<Value extends string> extends MenuChoiceProps<Value> {
  /** What the button shows; the name of what is chosen when absent. */
  short?: string;
  disabled?: boolean;
  className?: string;
}

/** A button that shows what is chosen, and opens a menu of all there is. */
export function Pick<Value extends string>({ short, disabled, className, ...choice }: PickProps<Value>) {
  const chosen = choice.options.find(({ value }) => value === choice.value)?.label ?? '';
  return (
    <Menu
      trigger={
        <button
          type="button"
          disabled={disabled}
          aria-label={`${choice.label}: ${chosen}`}
          title={choice.label}
          className={cx(
            'flex h-8 min-w-0 items-center gap-1 rounded-lg px-2 text-[13px] text-ink-2 tabular-nums transition-colors enabled:hover:bg-sunken enabled:hover:text-ink disabled:opacity-40',
            className,
          )}
        >
          <span className="min-w-0 truncate">{short ?? chosen}</span>
          <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
        </button>
      }
    >
      <MenuTitle>{choice.label}</MenuTitle>
      <MenuChoice {...choice} />
    </Menu>
  );
}
