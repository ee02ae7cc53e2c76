import { Pencil } from 'lucide-react';
import { texts } from '../texts.ts';

interface ExampleListProps {
  disabled: boolean;
  onStart: (prompt: string) => void;
  onEdit: (prompt: string) => void;
}

/** Ideas that begin with one click, or go into the box first. */
export function ExampleList({ disabled, onStart, onEdit }: ExampleListProps) {
  return (
    <section aria-label={texts.home.examplesLabel}>
      <p className="text-center text-ink-3 text-xs">
        {texts.home.examplesLabel}
        <span className="hidden sm:inline">. {texts.home.examplesHint}</span>
      </p>
      <ul className="mt-2.5 flex flex-wrap justify-center gap-2">
        {texts.home.examples.map(({ label, prompt }) => (
          <li
            key={label}
            className="flex h-8 rounded-full border border-line-strong text-ink-2 transition-colors hover:border-ink-3 hover:bg-panel"
          >
            <button
              type="button"
              title={prompt}
              disabled={disabled}
              onClick={(event) => (event.shiftKey ? onEdit(prompt) : onStart(prompt))}
              className="rounded-l-full pr-2 pl-3.5 text-[13px] enabled:hover:text-ink disabled:opacity-50"
            >
              {label}
            </button>
            <button
              type="button"
              aria-label={texts.home.editExample(label)}
              title={texts.home.editExample(label)}
              disabled={disabled}
              onClick={() => onEdit(prompt)}
              className="flex w-7.5 items-center justify-center rounded-r-full border-line border-l text-ink-3 enabled:hover:text-ink disabled:opacity-50"
            >
              <Pencil aria-hidden="true" className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
