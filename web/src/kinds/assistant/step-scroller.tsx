import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { cx } from '../../ui/elements.tsx';
import { useStickToEnd } from '../../ui/stick-to-end.ts';

interface StepScrollerProps {
  /** Changes with the newest step. */
  newest: string;
  className: string;
  children: ReactNode;
}

/** Keeps the newest step in view. */
export function StepScroller({ newest, className, children }: StepScrollerProps) {
  const { scrollBox, content, toEnd } = useStickToEnd<HTMLElement>();
  const showNewest = useEffectEvent(() => toEnd('instant'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step is at the end.
  useEffect(() => showNewest(), [newest]);
  return (
    <section
      ref={scrollBox}
      aria-label="What happened"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
      tabIndex={0}
      className={cx('overflow-y-auto -outline-offset-2', className)}
    >
      <div ref={content}>{children}</div>
    </section>
  );
}
