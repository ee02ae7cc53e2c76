import type { PropsWithChildren } from 'react';
import { defaultWritableRoots } from '#contract/paths.ts';
import type { PanelProps } from '../conversation/orders.ts';
import { Panel } from '../conversation/panels.tsx';
import { type KindPage, KindPageContext, type MessageAddition } from '../kind-page.ts';
import { useView } from '../project/context.ts';
import { isConversation } from '../project/project-status.ts';
import { Button } from '../ui/elements.tsx';
import { codeTab, historyTab, terminalTab } from './core-tabs.tsx';

const suggestedTab: KindPage['suggestedTab'] = ({ project }) => (project.phase === 'complete' ? historyTab.id : codeTab.id);

const nothingAdded: MessageAddition = {
  about: null,
  marks: [],
  effect: null,
  problem: null,
  prepare: async () => undefined,
};

/** Shows the plan's sections for approval. */
function PlanPanel({ busy, give, write }: PanelProps) {
  const plan = useView((view) => view.plan);
  if (plan === null) return null;
  return (
    <Panel title="The plan is ready">
      <p className="font-medium">{`The plan is ready: ${plan.title}`}</p>
      <p className="mt-0.5 text-[13px] text-ink-2">{plan.summary}</p>
      <ol className="mt-2 max-h-[24dvh] list-decimal overflow-y-auto pl-5 text-[13px] text-ink-2">
        {plan.sections.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="primary" disabled={busy} onClick={() => give({ kind: 'plan', action: 'accept' })}>
          Accept plan
        </Button>
        <Button disabled={busy} onClick={write}>
          Ask for changes
        </Button>
        <Button variant="quiet" disabled={busy} onClick={() => give({ kind: 'plan', action: 'reject' })}>
          Reject
        </Button>
      </div>
    </Panel>
  );
}

interface ResultPanelProps extends PanelProps {
  /** What was achieved, and what the user can do. */
  text: string;
  /** What the kind calls its result. */
  noun?: string;
}

/** Shows the result for approval. */
export function ResultPanel({ busy, give, write, text, noun = 'result' }: ResultPanelProps) {
  const title = `Is the ${noun} right?`;
  return (
    <Panel title={title}>
      <p className="font-medium">{title}</p>
      <p className="mt-0.5 mb-3 text-[13px] text-ink-2">{text}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={busy} onClick={() => give({ kind: 'accept-preview', renderFinal: false })}>
          {`Accept ${noun}`}
        </Button>
        <Button disabled={busy} onClick={write}>
          Give feedback
        </Button>
      </div>
    </Panel>
  );
}

export function FinishedPanel({ write, text }: PanelProps & { text: string }) {
  return (
    <Panel title="Finished">
      <p className="font-medium">Finished</p>
      <p className="mt-0.5 mb-3 text-[13px] text-ink-2">{text}</p>
      <Button onClick={write}>Give feedback</Button>
    </Panel>
  );
}

/** Shows the code and the history. Kinds whose result is not shown in the page start from it. */
export const plainPage: KindPage = {
  writableRoots: defaultWritableRoots,
  tabs: [codeTab, terminalTab, historyTab],
  panesLabel: 'Work',
  suggestedTab,
  contentKey: suggestedTab,
  steps: ['idle', 'plan', 'executing', 'preview', 'complete'],
  stepNames: {},
  ideaHint: 'Describe what you want…',
  useMessageAddition: () => nothingAdded,
  PlanPanel,
  PreviewPanel: (props) => <ResultPanel {...props} text="Accept the result, or say what to change." />,
  DonePanel: (props) => <FinishedPanel {...props} text="Describe a change." />,
  renderSubject: () => null,
};

/** A conversation is its own result. A kind whose conversations also write files has a page of its own, with panes. */
const conversationPage: KindPage = { ...plainPage, tabs: [], steps: [] };

/** The page of a project whose kind has none of its own. */
export function PlainPage({ children }: PropsWithChildren) {
  const page = useView(isConversation) ? conversationPage : plainPage;
  return <KindPageContext value={page}>{children}</KindPageContext>;
}
