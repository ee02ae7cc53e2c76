import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { wasStoppedByUser } from '../../../server/contract/project.ts';
import { useProject, useView } from '../project/context.ts';
import { standingOf } from '../project/standing.ts';
import { texts } from '../texts.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { Composer } from './composer.tsx';
import { DonePanel, ErrorPanel, PreviewGate, StoppedPanel, WorkingLine } from './gates.tsx';
import { carryOut, type Order, type PanelProps } from './orders.ts';
import { PlanGate } from './plan-gate.tsx';
import { QuestionGate } from './question-gate.tsx';

/** Always in the same place: what the studio is doing or needs from the user, and the box to say something. */
export function Dock() {
  const { projectId } = useProject();
  const status = useView(({ project }) => texts.standing[standingOf({ ...project, running: false })]);
  const orders = useMutation({ mutationFn: (order: Order) => carryOut(projectId, order) });
  // Counts requests to write: each one brings the cursor into the message box.
  const [focusRequest, setFocusRequest] = useState(0);
  return (
    <div className="bg-ground px-4 pt-1 pb-4">
      <p role="status" className="sr-only">
        {status}
      </p>
      <div className="mx-auto flex max-w-180 flex-col gap-2.5">
        {orders.isError && <ErrorNotice error={orders.error} onDismiss={() => orders.reset()} />}
        <NowPanel busy={orders.isPending} give={orders.mutate} write={() => setFocusRequest((count) => count + 1)} />
        <Composer focusRequest={focusRequest} />
      </div>
    </div>
  );
}

function NowPanel(props: PanelProps) {
  const approval = useView((view) => view.approval);
  const { phase, running, error } = useView((view) => view.project);
  if (approval) {
    switch (approval.type) {
      case 'question':
        return <QuestionGate approval={approval} {...props} />;
      case 'plan':
        return <PlanGate {...props} />;
      case 'preview':
        return <PreviewGate {...props} />;
    }
  }
  if (running) return <WorkingLine {...props} />;
  if (error && !wasStoppedByUser(error)) return <ErrorPanel error={error} {...props} />;
  if (error) return <StoppedPanel texts={texts.gates.userStop} {...props} />;
  if (phase === 'executing' || phase === 'error') return <StoppedPanel texts={texts.gates.stopped} {...props} />;
  if (phase === 'complete') return <DonePanel {...props} />;
  return null;
}
