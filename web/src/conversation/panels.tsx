import { type ReactNode, useMemo } from 'react';
import type { Approval } from '#contract/project.ts';
import { chooseAction, optionButton, questionSurface } from '#contract/surface/question.ts';
import { useProject, useView } from '../project/context.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import type { PressedAction } from '../surface/surface-context.ts';
import { SurfaceView } from '../surface/surface-view.tsx';
import { useSurface } from '../surface/use-surface.ts';
import { cx } from '../ui/elements.tsx';
import type { PanelProps } from './orders.ts';

/** Shows what the studio needs from the user, above the message box. */
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

/** Shows the suggested pane and follows later suggestions. On a narrow screen, it replaces the conversation. */
export function useFollow(): () => void {
  const { workbench } = useProject();
  return () => workbench.setState({ chosenTab: null, pane: 'panes' });
}

/** Shows the question with its options as cards. A number key picks one. */
export function QuestionPanel({ approval, busy, give }: PanelProps & { approval: Approval }) {
  const given = useMemo(() => questionSurface(approval), [approval]);
  const { surface, setData } = useSurface(given);
  const press = (pressed: PressedAction) => give({ kind: 'action', surfaceId: surface.surfaceId, pressed });
  const choose = (optionId: string, index: number) =>
    press({ name: chooseAction, sourceComponentId: optionButton(index), context: { optionId } });
  const byKey = approval.options.slice(0, 9).map(({ id }, index) => [String(index + 1), () => choose(id, index)] as const);
  useShortcuts(Object.fromEntries(byKey), !busy);
  const title = useView((view) => (view.project.phase === 'question' ? 'A question before I plan' : 'A question'));
  return (
    <Panel title={title}>
      <p className="text-ink-3 text-xs">{title}</p>
      <p className="mt-1 mb-3 max-h-[24dvh] overflow-y-auto whitespace-pre-wrap wrap-anywhere font-medium">{approval.content}</p>
      <div className={cx('-m-0.5 overflow-y-auto p-0.5', approval.surface ? 'max-h-[48dvh]' : 'max-h-[36dvh]')}>
        <SurfaceView surface={surface} busy={busy} onData={setData} onAction={press} />
      </div>
      <p className="mt-2.5 text-ink-3 text-xs">
        {byKey.length > 1 && <span className="pointer-coarse:hidden">Press 1–{byKey.length} to choose. </span>}
        Or write your own answer below.
      </p>
    </Panel>
  );
}
