import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { usePlanEditor, usePlanEdits } from './plan-context.ts';

/** Tells of edits that another plan took the place of, with a way to see them. `canUse`: the plan can be edited now. */
export function AsideNotice({ canUse }: { canUse: boolean }) {
  const planEditor = usePlanEditor();
  const aside = usePlanEdits((state) => state.aside);
  const shows = usePlanEdits((state) => state.showsAside);
  if (aside === null) return null;
  return (
    <div
      role="status"
      className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line-strong bg-panel px-3.5 py-2.5 text-[13px]"
    >
      <p className="min-w-0 flex-1 basis-60">{shows ? texts.plan.aside.shown(aside.revision) : texts.plan.aside.text}</p>
      <div className="flex flex-wrap gap-1.5">
        {canUse && (
          <Button size="sm" variant={shows ? 'primary' : 'secondary'} onClick={() => planEditor.takeAside()}>
            {texts.plan.aside.use}
          </Button>
        )}
        <Button size="sm" onClick={() => planEditor.showAside(!shows)}>
          {shows ? texts.plan.aside.back : texts.plan.aside.see}
        </Button>
        <Button size="sm" variant="quiet" onClick={() => planEditor.forgetAside()}>
          {texts.plan.aside.forget}
        </Button>
      </div>
    </div>
  );
}
