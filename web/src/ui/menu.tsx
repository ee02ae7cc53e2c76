import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import { cx } from './elements.tsx';

/** Parent of menus. In full screen, only descendants of the full-screen element are visible. */
export const MenuContainer = createContext<HTMLElement | null>(null);

interface MenuProps {
  trigger: ReactNode;
  align?: 'start' | 'center' | 'end';
  className?: string;
  onOpen?: () => void;
  onCloseAutoFocus?: ComponentProps<typeof DropdownMenu.Content>['onCloseAutoFocus'];
  children: ReactNode;
}

export function Menu(props: MenuProps) {
  const { trigger, align = 'center', className = 'min-w-44 max-w-80', onOpen, onCloseAutoFocus, children } = props;
  const container = useContext(MenuContainer);
  return (
    <DropdownMenu.Root modal={false} onOpenChange={(open) => open && onOpen?.()}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          {...(onCloseAutoFocus && { onCloseAutoFocus })}
          className={cx(
            'z-50 max-h-(--radix-dropdown-menu-content-available-height) animate-fade overflow-y-auto rounded-xl border border-line-strong bg-panel p-1 text-[13px] shadow-lift outline-none',
            className,
          )}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const itemClass =
  'flex min-h-8 cursor-pointer select-none items-center gap-2.5 rounded-lg px-2.5 py-1 leading-5 outline-none data-disabled:cursor-default data-highlighted:bg-sunken data-disabled:text-ink-3 [&_svg]:size-4 [&_svg]:text-ink-3';

interface MenuItemProps {
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Whether choosing the item keeps the menu open. */
  stays?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, keys, danger = false, disabled = false, stays = false, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      disabled={disabled}
      onSelect={(event) => {
        if (stays) event.preventDefault();
        onSelect();
      }}
      className={cx(itemClass, danger && 'text-bad [&_svg]:text-bad!')}
    >
      {icon && (
        <span aria-hidden="true" className="contents">
          {icon}
        </span>
      )}
      {children}
      {keys && <Keys keys={keys} />}
    </DropdownMenu.Item>
  );
}

export function MenuLink({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild className={itemClass}>
      {children}
    </DropdownMenu.Item>
  );
}

function Mark() {
  return (
    <span aria-hidden="true" className="flex h-5 w-4 shrink-0 items-center">
      <DropdownMenu.ItemIndicator>
        <Check className="text-accent-text!" />
      </DropdownMenu.ItemIndicator>
    </span>
  );
}

function Keys({ keys }: { keys: string }) {
  return (
    <span aria-hidden="true" className="ml-auto pl-4 text-ink-3 text-xs pointer-coarse:hidden">
      {keys}
    </span>
  );
}

export function MenuTitle({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-ink-3 text-xs">{children}</DropdownMenu.Label>;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="mx-2 my-1 h-px bg-line" />;
}

interface MenuCheckProps {
  label: string;
  keys: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Menu item that is on or off. The menu stays open for further changes. */
export function MenuCheck({ label, keys, checked, onChange }: MenuCheckProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={itemClass}
    >
      <Mark />
      {label}
      <Keys keys={keys} />
    </DropdownMenu.CheckboxItem>
  );
}

interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly detail?: ReactNode;
  }[];
  onChange: (value: Value) => void;
}

/** Menu group with one selected option. */
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
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={cx(itemClass, 'items-start')}>
          <Mark />
          <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{option.label}</span>
          {option.detail && <span className="shrink-0 text-ink-3 text-xs leading-5 tabular-nums">{option.detail}</span>}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

interface PickProps<Value extends string> extends MenuChoiceProps<Value> {
  short?: string;
  disabled?: boolean;
  className?: string;
}

/** Button that shows the selected option and opens a menu with all options. */
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
          <ChevronDown className="size-3.5 shrink-0" />
        </button>
      }
    >
      <MenuTitle>{choice.label}</MenuTitle>
      <MenuChoice {...choice} />
    </Menu>
  );
}
