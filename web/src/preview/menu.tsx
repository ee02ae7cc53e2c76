import { ChevronDown } from 'lucide-react';
import { cx } from '../ui/class-names.ts';
import { Menu, MenuChoice, type MenuChoiceProps, MenuTitle } from '../ui/menu.tsx';

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
