import type { ReactNode } from 'react';
import { useProject } from '../project/context.ts';
import { cx } from '../ui/class-names.ts';

/** What the studio needs of the user now, in one place above the message box. */
export function Panel({ title, tone = 'normal', children }: { title: string; tone?: 'normal' | 'bad'; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className={cx(
        'animate-rise rounded-2xl border p-4 shadow-card',
        tone === 'bad' ? 'border-bad/35 bg-bad-soft' : 'border-line-strong bg-panel',
      )}
    >
      {children}
    </section>
  );
}

/** Shows what is most worth looking at, also where a narrow screen shows the conversation, and follows it from there on. */
export function useFollow(): () => void {
  const { workbench } = useProject();
  return () => workbench.setState({ chosenTab: null, pane: 'watch' });
}
