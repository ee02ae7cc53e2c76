import { CircleAlert, LoaderCircle, type LucideIcon, X } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { addressOf } from '../address.ts';
import { toApiError } from '../api/client.ts';
import { navigate } from '../router.ts';

export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

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
  icon?: LucideIcon;
  /** Text shown with a spinner while work is in progress. The button is then disabled. */
  pending?: string | false;
}

export function Button(props: ButtonProps) {
  const { variant = 'secondary', size = 'md', icon: Icon, pending = false, className, disabled, children, ...others } = props;
  return (
    <button
      type="button"
      disabled={disabled || pending !== false}
      className={cx(base, variants[variant], sizes[size], className)}
      {...others}
    >
      {pending ? <Spinner /> : Icon && <Icon className="size-4" />}
      {pending || children}
    </button>
  );
}

/** Makes a link look like a button. */
export function buttonClass(variant: Variant, size: keyof typeof sizes = 'md'): string {
  return cx(base, variants[variant], sizes[size], variant === 'primary' ? 'hover:bg-accent-hover' : 'hover:bg-sunken');
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
  icon?: LucideIcon;
  shortcut?: string;
}

/** Button with only an icon. Screen readers read its label; hovering shows the label and the key. */
export function IconButton({ label, icon: Icon, shortcut, className, children, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-2 transition-colors enabled:hover:bg-sunken enabled:hover:text-ink disabled:opacity-40',
        className,
      )}
      {...props}
    >
      {Icon && <Icon className="size-4" />}
      {children}
    </button>
  );
}

/** Link to one of the page's paths. It navigates without loading a page, and also works in a new tab. */
export function Link({ href, onClick, ...props }: ComponentProps<'a'> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={addressOf(href)} onClick={follow} {...props} />;
}

export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle className={cx('size-4 animate-spin', className)} />;
}

export function Waiting({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <p role="status" className={cx('flex items-center gap-2 text-[13px] text-ink-2', className)}>
      <Spinner />
      {children}
    </p>
  );
}

interface ErrorNoticeProps {
  error: unknown;
  onRetry?: () => void;
  onDismiss?: () => void;
  className?: string;
  children?: ReactNode;
}

/** Shows an error's message, with what the user can do about it. */
export function ErrorNotice({ error, onRetry, onDismiss, className, children }: ErrorNoticeProps) {
  return (
    <div
      role="alert"
      className={cx('flex animate-fade items-start gap-2.5 rounded-lg bg-bad-soft px-3 py-2.5 text-bad', className)}
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 wrap-anywhere text-[13px] leading-5">
        {toApiError(error).message}
        {children}
        {onRetry && (
          <Button size="sm" onClick={onRetry} className="mt-2 block">
            Try again
          </Button>
        )}
      </div>
      {onDismiss && <IconButton icon={X} label="Dismiss" onClick={onDismiss} className="-my-1 -mr-1.5 size-7 text-bad" />}
    </div>
  );
}

interface EmptyProps {
  icon: ReactNode;
  title: string;
  text?: string;
  /** Whether this is the whole page. Its title is then the page's heading. */
  heading?: boolean;
  children?: ReactNode;
}

/** Placeholder for missing content. */
export function Empty({ icon, title, text = '', heading = false, children }: EmptyProps) {
  return (
    <div className="flex h-full min-h-48 flex-col items-center justify-center gap-1 px-6 py-10 text-center">
      <div aria-hidden="true" className="mb-2 text-ink-3 [&_svg]:size-6 [&_svg]:stroke-[1.5]">
        {icon}
      </div>
      {heading ? <h1 className="font-medium">{title}</h1> : <p className="font-medium">{title}</p>}
      <p role={heading ? 'alert' : undefined} className="max-w-80 text-balance text-[13px] text-ink-2">
        {text}
      </p>
      {children && <div className="mt-3">{children}</div>}
    </div>
  );
}

interface ProgressBarProps {
  label: string;
  percent: number;
  valueText?: string;
  className?: string;
}

export function ProgressBar({ label, percent, valueText, className }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(percent)}
      aria-valuetext={valueText}
      className={cx('overflow-hidden bg-line', className)}
    >
      <div className="h-full rounded-[inherit] bg-accent transition-[width] duration-300" style={{ width: `${percent}%` }} />
    </div>
  );
}
