import type { PropsWithChildren } from 'react';
import { cycleWritableRoots } from '#kinds/cycle/contract/cycle.ts';
import { type KindPage, KindPageContext } from '../../kind-page.ts';
import { FinishedPanel, plainPage, ResultPanel } from '../../project-page/plain-page.tsx';

const cyclePage: KindPage = {
  ...plainPage,
  writableRoots: cycleWritableRoots,
  // A cycle's plan is its specification, which is accepted from the start.
  steps: ['executing', 'preview', 'complete'],
  stepNames: { preview: 'Result' },
  PreviewPanel: (props) => <ResultPanel {...props} text="The tests pass. Accept the result, or say what to change." />,
  DonePanel: (props) => <FinishedPanel {...props} text="Describe a change, or run the next cycle." />,
};

export default function CyclePage({ children }: PropsWithChildren) {
  return <KindPageContext value={cyclePage}>{children}</KindPageContext>;
}
