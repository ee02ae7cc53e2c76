import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  /** One primary button a screen. */
  readonly kind?: 'primary' | 'plain' | 'ghost' | 'danger';
  readonly size?: 'small' | 'large';
  readonly icon?: LucideIcon;
}

export function Button({ kind = 'plain', size, icon, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`btn ${className}`} data-kind={kind} data-size={size} {...rest}>
      {icon && <Icon of={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** Says what the button does: its name and its tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'small';
  readonly on?: boolean;
}

export function IconButton({ label, icon, size, on, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={`icon-btn ${className}`}
      aria-label={label}
      title={label}
      data-size={size}
      data-on={on}
      {...rest}
    >
      <Icon of={icon} />
    </button>
  );
}

export function Key({ children }: { children: string }) {
  return (
    <span className="kbd" aria-hidden="true">
      {children}
    </span>
  );
}
