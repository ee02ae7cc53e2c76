import { ChevronUp, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';

/** What the animation's page complained of: one line, which opens to all. Shown only when there is something. */
export function PreviewConsole({ errors }: { errors: readonly string[] }) {
  const [open, setOpen] = useState(false);
  const reported = useView(useShallow((view) => view.console.map((line) => line.text)));
  // The page and the server may tell of the same fault.
  const lines = [...new Set([...reported, ...errors])];
  const last = lines.at(-1);
  if (last === undefined) return null;
  return (
    <section aria-label={texts.stage.console} className="shrink-0 border-line border-t bg-bad-soft text-[13px]">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2 px-4 py-1.5 text-left text-bad"
      >
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 truncate font-mono text-xs">{last}</span>
        <span className="text-xs tabular-nums">{lines.length}</span>
        <ChevronUp aria-hidden="true" className={cx('size-4 transition-transform', open && 'rotate-180')} />
      </button>
      {open && (
        <ol className="max-h-40 overflow-y-auto px-4 pb-2 font-mono text-xs">
          {lines.map((line) => (
            <li key={line} className="whitespace-pre-wrap wrap-anywhere border-bad/20 border-t py-1">
              {line}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
