import { ListTree } from 'lucide-react';
import type { Plan } from '../../../server/contract/project.ts';
import { useView } from '../project/context.ts';
import { cx, Empty, Spinner } from '../ui/elements.tsx';
import { EditBoard } from './edit-board.tsx';
import { usePlanEdits } from './plan-editor.ts';
import { ReadBoard } from './read-board.tsx';

/** Shares of a ruler that has no scenes yet. */
const ghostScenes = [2, 3.5, 2.5];

export function Storyboard() {
  const plan = useView((view) => view.plan);
  const running = useView((view) => view.project.running);
  if (plan) return <PlanBoard plan={plan} />;
  return (
    <div className="mx-auto flex h-full max-w-270 flex-col justify-center px-4 sm:px-8">
      <div aria-hidden="true" className={cx('flex gap-1', running && 'animate-breathe')}>
        {ghostScenes.map((share) => (
          <span key={share} className="h-11 rounded-md border border-line-strong border-dashed" style={{ flexGrow: share }} />
        ))}
      </div>
      <div className="max-h-60">
        {running ? (
          <Empty icon={<Spinner />} title="Laying out the scenes…" text="The scenes appear here on a timeline." />
        ) : (
          <Empty icon={<ListTree />} title="No plan yet" text="The scenes appear here on a timeline." />
        )}
      </div>
    </div>
  );
}

/** A plan can be edited while its approval waits for the user; at all other times it is there to be looked at. */
function PlanBoard({ plan }: { plan: Plan }) {
  const waits = useView(({ approval }) => approval?.type === 'plan' && approval.planId === plan.id);
  const aside = usePlanEdits((state) => (state.showsAside ? state.aside : null));
  if (aside !== null)
    return <ReadBoard plan={{ ...aside.draft, accepted: false, revision: aside.revision }} canUseAside={waits} />;
  return waits ? <EditBoard key={`${plan.id} ${plan.revision}`} plan={plan} /> : <ReadBoard plan={plan} canUseAside={false} />;
}
