import { Redo2, Undo2 } from 'lucide-react';
import { Switch } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import { type Aspect, aspectSchema, type Style, styleSchema } from '#contract/film.ts';
import { formatSeconds } from '#contract/format.ts';
import type { Plan } from '#contract/project.ts';
import { Button, cx, IconButton } from '../ui/elements.tsx';
import { Choice } from '../ui/fields.tsx';
import { FrameIcon } from '../ui/graphics.tsx';
import { InlineLengthField, InlineTextField } from './inline-fields.tsx';
import { type PlanEditor, usePlanEditor, usePlanEdits } from './plan-editor.ts';
import { type EditPlan, setPlan, setTotal } from './plan-edits.ts';

const styleNames: Record<Style, string> = { playful: 'Playful', smooth: 'Smooth', cinematic: 'Cinematic' };

const planStates = {
  accepted: { label: 'Accepted', tone: 'bg-ok-soft text-ok' },
  edited: { label: 'Edited by you', tone: 'bg-accent-soft text-accent-text' },
  proposed: { label: 'Proposed', tone: 'bg-warn-soft text-warn' },
} as const;

export function PlanState({ plan, edited }: { plan: Pick<Plan, 'accepted' | 'revision'>; edited: boolean }) {
  const open = edited ? planStates.edited : planStates.proposed;
  const { label, tone } = plan.accepted ? planStates.accepted : open;
  return (
    <>
      <p className={cx('rounded-full px-2 py-0.5 text-xs', tone)}>{label}</p>
      {plan.revision > 1 && <p className="text-ink-3 text-xs">{`Version ${plan.revision}`}</p>}
    </>
  );
}

export function PlanFacts({ plan }: { plan: Pick<EditPlan, 'durationSeconds' | 'aspect' | 'fps' | 'style'> }) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-ink-2">
      <li className="tabular-nums">{formatSeconds(plan.durationSeconds)}</li>
      <li className="flex items-center gap-1.5">
        <FrameIcon aspect={plan.aspect} />
        {plan.aspect}
      </li>
      <li>{`${plan.fps} fps`}</li>
      <li>{styleNames[plan.style]}</li>
    </ul>
  );
}

export type HeadPart = 'title' | 'total';

interface EditHeadProps {
  editor: PlanEditor;
  plan: EditPlan;
  state: ReactNode;
  titleIssue: string | null;
  editing: HeadPart | null;
  onEdit: (part: HeadPart | null) => void;
  edited: boolean;
  canUndo: boolean;
  canRedo: boolean;
}

const aspects = aspectSchema.options.map((value) => ({ value, label: value, icon: <FrameIcon aspect={value} /> }));
const styles = styleSchema.options.map((value) => ({ value, label: styleNames[value] }));
const frameRates = [
  { value: '30', label: '30 fps' },
  { value: '60', label: '60 fps' },
] as const;

export function EditHead({ editor, plan, state, titleIssue, editing, onEdit, edited, canUndo, canRedo }: EditHeadProps) {
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0">
            <InlineTextField
              label="Film title"
              value={plan.title}
              placeholder="A title"
              maxCharacters={80}
              inline
              editing={editing === 'title'}
              onEdit={() => onEdit('title')}
              onCommit={(title) => editor.edit((old) => setPlan(old, { title }))}
              onEnd={() => onEdit(null)}
              issue={titleIssue}
              className="relative -left-1.5 max-w-full font-semibold text-xl tracking-tight"
            />
          </h2>
          {state}
        </div>
        <div className="ml-auto flex items-center gap-0.5">
          {edited && (
            <Button size="sm" variant="quiet" onClick={() => editor.discard()}>
              Discard edits
            </Button>
          )}
          <IconButton icon={Undo2} label="Undo" disabled={!canUndo} onClick={() => editor.undo()} />
          <IconButton icon={Redo2} label="Redo" disabled={!canRedo} onClick={() => editor.redo()} />
        </div>
      </div>
      <fieldset aria-label="Film settings" className="mt-3 flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
        <InlineLengthField
          label="Film length"
          seconds={plan.durationSeconds}
          fps={plan.fps}
          editing={editing === 'total'}
          onEdit={() => onEdit('total')}
          onCommit={(seconds) => editor.edit((old) => setTotal(old, seconds))}
          onEnd={() => onEdit(null)}
          className="bg-sunken px-2.5 py-1.5 font-medium text-[13px] tabular-nums"
        />
        <Choice
          label="Frame"
          value={plan.aspect}
          options={aspects}
          onChange={(aspect: Aspect) => editor.edit((old) => setPlan(old, { aspect }))}
        />
        <Choice
          label="Frames per second"
          value={plan.fps === 30 ? '30' : '60'}
          options={frameRates}
          onChange={(fps) => editor.edit((old) => setPlan(old, { fps: fps === '30' ? 30 : 60 }))}
        />
        <Choice
          label="Style"
          value={plan.style}
          options={styles}
          onChange={(style: Style) => editor.edit((old) => setPlan(old, { style }))}
        />
      </fieldset>
    </>
  );
}

/** Offers edits that a newer plan replaced. `canUse`: the plan can be edited now. */
export function StashNotice({ canUse }: { canUse: boolean }) {
  const planEditor = usePlanEditor();
  const aside = usePlanEdits((state) => state.aside);
  const shows = usePlanEdits((state) => state.isStashShown);
  if (aside === null) return null;
  return (
    <div
      role="status"
      className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line-strong bg-panel px-3.5 py-2.5 text-[13px]"
    >
      <p className="min-w-0 flex-1 basis-60">
        {shows
          ? `Your edits to version ${aside.revision} are not in the plan.`
          : 'The plan was changed. Your edits are saved separately.'}
      </p>
      <div className="flex flex-wrap gap-1.5">
        {canUse && (
          <Button size="sm" variant={shows ? 'primary' : 'secondary'} onClick={() => planEditor.applyStash()}>
            Use my edits
          </Button>
        )}
        <Button size="sm" onClick={() => planEditor.showStash(!shows)}>
          {shows ? 'Back to the plan' : 'See my edits'}
        </Button>
        <Button size="sm" variant="quiet" onClick={() => planEditor.dropStash()}>
          Discard
        </Button>
      </div>
    </div>
  );
}

/** Keeps the film's length while a scene's length changes. */
export function HoldTotal({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId();
  return (
    <div
      className="flex items-center gap-2 text-[13px]"
      title="On: the next scene gets shorter or longer to compensate. Off: later scenes move."
    >
      <label htmlFor={id} className="cursor-pointer text-ink-2">
        Keep the total length
      </label>
      <Switch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        className="h-5 w-9 cursor-pointer rounded-full bg-line-strong p-0.5 transition-colors data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-4 rounded-full bg-panel transition-transform data-[state=checked]:translate-x-4" />
      </Switch.Root>
    </div>
  );
}
