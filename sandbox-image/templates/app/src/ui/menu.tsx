import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu, Popover as RadixPopover } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { Key } from './button.tsx';
import { Icon } from './icon.tsx';

interface MenuProps {
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
  readonly label?: string;
}

/** A button with a menu of actions. `trigger` is a button. */
export function Menu({ trigger, children, align = 'start', label }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={6} collisionPadding={12} aria-label={label}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps extends Omit<ComponentProps<typeof DropdownMenu.Item>, 'onSelect'> {
  readonly icon?: LucideIcon | undefined;
  readonly on?: boolean;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}

export function MenuItem({ icon, on = false, keys, danger, children, ...rest }: MenuItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" data-danger={danger} {...rest}>
      {icon && <Icon of={icon} />}
      {children}
      {on && <Icon of={Check} className="end" />}
      {keys !== undefined && (
        <span className="end">
          <Key>{keys}</Key>
        </span>
      )}
    </DropdownMenu.Item>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="menu-line" />;
}

export function MenuTitle({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="menu-title">{children}</DropdownMenu.Label>;
}

interface PopoverProps extends MenuProps {
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly className?: string;
}

/** A box beside its button, for what is more than a list of actions. */
export function Popover({ trigger, children, align = 'start', label, className = '', ...rest }: PopoverProps) {
  return (
    <RadixPopover.Root {...rest}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          className={`menu ${className}`}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
