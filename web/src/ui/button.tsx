import type { ComponentProps } from 'react';
import { cx } from './class-names.ts';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';

const base =
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-lg font-medium transition-colors';

const variants: Record<Variant, string> = {
  primary: 'bg-accent text-accent-ink enabled:hover:bg-accent-hover disabled:bg-line disabled:text-ink-3',
  secondary: 'border border-line-strong bg-panel text-ink enabled:hover:border-ink-3 enabled:hover:bg-sunken disabled:text-ink-3',
  quiet: 'text-ink-2 enabled:hover:bg-sunken enabled:hover:text-ink disabled:text-ink-3',
  danger: 'bg-bad text-panel enabled:hover:opacity-90',
};

const sizes = { sm: 'h-8 px-2.5 text-[13px]', md: 'h-9 px-3.5 text-sm' };

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant;
  size?: keyof typeof sizes;
}

export function Button({ variant = 'secondary', size = 'md', className, type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={cx(base, variants[variant], sizes[size], className)} {...props} />;
}

/** The looks of a button, for links. */
export function buttonClass(variant: Variant, size: keyof typeof sizes = 'md'): string {
  return cx(base, variants[variant], sizes[size], variant === 'primary' ? 'hover:bg-accent-hover' : 'hover:bg-sunken');
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
  /** The key that does the same, as people call it. */
  shortcut?: string;
}

/** A button that shows an icon alone; its name is read out and shown on hover, with its key. */
export function IconButton({ label, shortcut, className, type = 'button', ...props }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-2 transition-colors enabled:hover:bg-sunken enabled:hover:text-ink disabled:opacity-40',
        className,
      )}
      {...props}
    />
  );
}
