import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './class-names.ts';

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  onChange: (value: Value) => void;
  /** Shows the label before the options. */
  showLabel?: boolean;
}

/** One of a few, all in sight. */
export function Choice<Value extends string>({ label, value, options, onChange, showLabel = false }: ChoiceProps<Value>) {
  return (
    <div className="flex items-center gap-2">
      {showLabel && (
        <span aria-hidden="true" className="text-[13px] text-ink-3">
          {label}
        </span>
      )}
      <ToggleGroup.Root
        type="single"
        role="radiogroup"
        aria-label={label}
        value={value}
        // An empty value means that the chosen one was clicked again: it stays chosen.
        onValueChange={(next) => {
          const chosen = options.find((option) => option.value === next);
          if (chosen) onChange(chosen.value);
        }}
        className="flex flex-wrap rounded-lg bg-sunken p-0.5"
      >
        {options.map((option) => (
          <ToggleGroup.Item
            key={option.value}
            value={option.value}
            className={cx(
              'flex h-7 items-center gap-1.5 rounded-md px-2.5 text-[13px] text-ink-2 transition-colors hover:text-ink',
              'data-[state=on]:bg-panel data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:shadow-[0_1px_2px_rgb(0_0_0/0.12)]',
            )}
          >
            {option.icon}
            {option.label}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </div>
  );
}
