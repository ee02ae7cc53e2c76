import { Check, X } from 'lucide-react';
import type { TodoStatus } from '../../../server/contract/project.ts';
import { texts } from '../texts.ts';

/** How far the work on a scene is: a mark, and its words for those who do not see it or have the room. */
export function SceneStatus({ status, withText = false }: { status: TodoStatus; withText?: boolean }) {
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-[11px] text-ink-2">
      <Mark status={status} />
      <span className={withText ? undefined : 'sr-only'}>{texts.plan.sceneStatus[status]}</span>
    </span>
  );
}

function Mark({ status }: { status: TodoStatus }) {
  switch (status) {
    case 'pending':
      return <span aria-hidden="true" className="size-2 rounded-full border-[1.5px] border-ink-3" />;
    case 'active':
      return <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-accent" />;
    case 'done':
      return <Check aria-hidden="true" className="size-3 text-ok" strokeWidth={3} />;
    case 'failed':
      return <X aria-hidden="true" className="size-3 text-bad" strokeWidth={3} />;
  }
}
