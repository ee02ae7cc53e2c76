import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, useState } from 'react';
import { type Drawn, type Problem, problemIn, resolved, textIn } from '#contract/surface/drawing.ts';
import type { ComponentOf } from '#contract/surface/surface.ts';
import { Button, cx } from '../ui/elements.tsx';
import { useScope, useSurfaceContext } from './surface-context.ts';

/** Nested controls inside a button are disabled. */
export const InButton = createContext(false);

const variants = { default: 'secondary', primary: 'primary', borderless: 'quiet', destructive: 'secondary' } as const;

interface Props {
  of: ComponentOf<'Button'>;
  drawn: Drawn;
  children: ReactNode;
}

/** A button is never disabled: pressing it says what is missing. A destructive one asks once, in its own place. */
export function SurfaceButton({ of, drawn, children }: Props) {
  const { busy, mayPress, onAction } = useSurfaceContext();
  const scope = useScope(drawn.row);
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const { name, context = {} } = of.action.event;
  const problem = problemIn(of.checks, scope);
  const label = textIn(of.accessibility?.label, scope);
  const words = drawn.children[0]?.component;
  const act = () => {
    setAsking(false);
    const told = Object.entries(context).map(([key, value]) => [key, resolved(value, scope) ?? null]);
    onAction({ name, sourceComponentId: of.id, context: Object.fromEntries(told) });
  };
  const press = () => {
    if (busy) return;
    setTried(true);
    if (!mayPress(drawn) || problem !== null) return;
    if (of.variant === 'destructive') setAsking(true);
    else act();
  };
  const common = { 'aria-disabled': busy, onClick: press, ...(label === '' ? {} : { 'aria-label': label }) };
  const content = <InButton value={true}>{children}</InButton>;
  const note = tried && problem !== null && (
    <p role="alert" className="mt-1 text-[13px] text-bad leading-5">
      {problem}
    </p>
  );
  // A button with more than text is shown as a card.
  if (words?.component !== 'Text') {
    return (
      <div className="min-w-0">
        <button
          type="button"
          {...common}
          className="w-full rounded-xl border border-line-strong px-3.5 py-2.5 text-left font-medium transition-colors hover:border-accent hover:bg-accent-soft aria-disabled:opacity-50"
        >
          {content}
        </button>
        {note}
      </div>
    );
  }
  const verb = textIn(words.text, scope).replace(/…$/, '');
  if (asking) return <Ask verb={verb} onYes={act} onNo={() => setAsking(false)} />;
  const isDestructive = of.variant === 'destructive';
  return (
    <div className="min-w-0">
      <Button
        {...common}
        variant={variants[of.variant ?? 'default']}
        className={cx('w-fit max-w-full aria-disabled:opacity-75', isDestructive && 'text-bad!')}
      >
        {isDestructive ? <span className="wrap-anywhere">{verb}…</span> : content}
      </Button>
      {note}
    </div>
  );
}

/** Asks in the surface and not in a dialog: a dialog has only Koda's own words. */
function Ask({ verb, onYes, onNo }: { verb: string; onYes: () => void; onNo: () => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div
      role="group"
      aria-label={`${verb}?`}
      className="flex min-w-0 flex-wrap items-center gap-2"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onNo();
      }}
    >
      <span className="text-[13px] text-ink-2">This cannot be taken back.</span>
      <Button ref={(button) => button?.focus()} onClick={onNo}>
        Keep
      </Button>
      <Button variant="danger" className="max-w-full" onClick={onYes}>
        <span className="truncate">{verb}</span>
      </Button>
    </div>
  );
}

/** Links to the fields that have to be corrected, if there are at least two. */
export function Problems({ problems, onGo }: { problems: readonly Problem[]; onGo: (problem: Problem) => void }) {
  if (problems.length < 2) return null;
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-lg bg-bad-soft px-3 py-2.5 text-[13px] leading-5">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{problems.length} answers to check</p>
        <ul className="flex flex-wrap gap-x-3">
          {problems.map((problem) => (
            <li key={problem.key}>
              <button type="button" className="min-h-6 text-left underline wrap-anywhere" onClick={() => onGo(problem)}>
                {problem.label === '' ? problem.message : problem.label}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
