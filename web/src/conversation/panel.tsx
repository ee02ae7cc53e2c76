import type { ReactNode } from 'react';
import { useProject, useView } from '../project/context.ts';
import type { StageTab } from '../project/workbench.ts';
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

/** Shows a view of the stage, also where a narrow screen shows the conversation. */
export function useShow(): (tab: StageTab) => void {
  const { workbench } = useProject();
  const moves = useView((view) => view.moves);
  return (tab) => workbench.setState({ chosenTab: { tab, moves }, pane: 'watch' });
}
