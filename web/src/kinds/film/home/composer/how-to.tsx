import { ArrowRight, CornerDownRight, MousePointer2, Quote } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

const RulesDialog = lazy(async () => ({ default: (await import('./rules-dialog.tsx')).RulesDialog }));

/** Explains in three sentences how Koda reads, before there is anything to read. */
export function HowTo() {
  const [hasRules, setHasRules] = useState(false);
  return (
    <section aria-label="How Koda reads" className="flex flex-col gap-3 px-4.5 pt-3 pb-4 text-[13px] text-ink-2 leading-4.75">
      <h2 className="flex h-7 items-center font-semibold text-ink">How Koda reads</h2>
      <p className="flex gap-2.5">
        <Quote aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          Text in <span className="legend-mark mark mark-shown">“quotes”</span> is shown exactly as it stands.
        </span>
      </p>
      <p className="flex gap-2.5">
        <CornerDownRight aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          The word before it says what it is: <span className="legend-mark mark mark-instruction">title</span>,{' '}
          <span className="legend-mark mark mark-instruction">subtitle</span>,{' '}
          <span className="legend-mark mark mark-instruction">button</span>.
        </span>
      </p>
      <p className="flex gap-2.5">
        <MousePointer2 aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          Point at words to <span className="legend-mark mark mark-left-out">leave them out</span> or give them another place.
        </span>
      </p>
      <button
        type="button"
        onClick={() => setHasRules(true)}
        className="flex h-7 items-center gap-1.5 self-start font-medium text-ink hover:underline"
      >
        All 12 rules
        <ArrowRight aria-hidden="true" className="size-3.5" />
      </button>
      {hasRules && (
        <Suspense>
          <RulesDialog onClose={() => setHasRules(false)} />
        </Suspense>
      )}
    </section>
  );
}
