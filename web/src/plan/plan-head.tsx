import { Redo2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Aspect, aspectSchema, type Style, styleSchema } from '../../../server/contract/film.ts';
import { formatSeconds } from '../../../server/contract/format.ts';
import type { Plan } from '../../../server/contract/project.ts';
import { texts } from '../texts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { cx } from '../ui/class-names.ts';
import { FrameIcon } from '../ui/frame-icon.tsx';
import { LengthInPlace } from './length-in-place.tsx';
import type { PlanEditor } from './plan-editor.ts';
import { type EditPlan, setPlan, setTotal } from './plan-edits.ts';
import { TextInPlace } from './text-in-place.tsx';

/** Whether the plan is accepted, only proposed or edited, and which revision it is. */
export function PlanState({ plan, edited }: { plan: Pick<Plan, 'accepted' | 'revision'>; edited: boolean }) {
  return (
    <>
      <p
        className={cx(
          'rounded-full px-2 py-0.5 text-xs',
          plan.accepted ? 'bg-ok-soft text-ok' : edited ? 'bg-accent-soft text-accent-text' : 'bg-warn-soft text-warn',
        )}
      >
        {plan.accepted ? texts.plan.accepted : edited ? texts.plan.edited : texts.plan.proposed}
      </p>
      {plan.revision > 1 && <p className="text-ink-3 text-xs">{texts.plan.revision(plan.revision)}</p>}
    </>
  );
}

/** Length, frame, frame rate and style as they are. */
export function PlanFacts({ plan }: { plan: Pick<EditPlan, 'durationSeconds' | 'aspect' | 'fps' | 'style'> }) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-ink-2">
      <li className="tabular-nums">{formatSeconds(plan.durationSeconds)}</li>
      <li className="flex items-center gap-1.5">
        <FrameIcon aspect={plan.aspect} />
        {plan.aspect}
      </li>
      <li>{texts.plan.fps(plan.fps)}</li>
      <li>{texts.plan.styles[plan.style]}</li>
    </ul>
  );
}

/** A part of the head that can be written over. */
export type HeadPart = 'title' | 'total';

interface EditHeadProps {
  editor: PlanEditor;
  plan: EditPlan;
  state: ReactNode;
  titleFault: string | null;
  editing: HeadPart | null;
  onEdit: (part: HeadPart | null) => void;
  edited: boolean;
  canUndo: boolean;
  canRedo: boolean;
}

const aspects = aspectSchema.options.map((value) => ({ value, label: value, icon: <FrameIcon aspect={value} /> }));
const styles = styleSchema.options.map((value) => ({ value, label: texts.plan.styles[value] }));
const frameRates = [
  { value: '30', label: texts.plan.fps(30) },
  { value: '60', label: texts.plan.fps(60) },
] as const;

/** Title and settings of a plan under the user's hands, with what takes edits back. */
export function EditHead({ editor, plan, state, titleFault, editing, onEdit, edited, canUndo, canRedo }: EditHeadProps) {
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0">
            <TextInPlace
              label={texts.plan.fields.plan}
              value={plan.title}
              placeholder={texts.plan.placeholders.title}
              maxCharacters={80}
              inline
              editing={editing === 'title'}
              onEdit={() => onEdit('title')}
              onCommit={(title) => editor.edit((old) => setPlan(old, { title }))}
              onEnd={() => onEdit(null)}
              fault={titleFault}
              className="relative -left-1.5 max-w-full font-semibold text-xl tracking-tight"
            />
          </h2>
          {state}
        </div>
        <div className="ml-auto flex items-center gap-0.5">
          {edited && (
            <Button size="sm" variant="quiet" onClick={() => editor.discard()}>
              {texts.plan.discard}
            </Button>
          )}
          <IconButton label={texts.plan.undo} disabled={!canUndo} onClick={() => editor.undo()}>
            <Undo2 className="size-4" />
          </IconButton>
          <IconButton label={texts.plan.redo} disabled={!canRedo} onClick={() => editor.redo()}>
            <Redo2 className="size-4" />
          </IconButton>
        </div>
      </div>
      <fieldset aria-label={texts.plan.settings} className="mt-3 flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
        <LengthInPlace
          label={texts.plan.total}
          seconds={plan.durationSeconds}
          fps={plan.fps}
          editing={editing === 'total'}
          onEdit={() => onEdit('total')}
          onCommit={(seconds) => editor.edit((old) => setTotal(old, seconds))}
          onEnd={() => onEdit(null)}
          className="bg-sunken px-2.5 py-1.5 font-medium text-[13px] tabular-nums"
        />
        <Choice
          label={texts.plan.aspect}
          value={plan.aspect}
          options={aspects}
          onChange={(aspect: Aspect) => editor.edit((old) => setPlan(old, { aspect }))}
        />
        <Choice
          label={texts.plan.frames}
          value={plan.fps === 30 ? '30' : '60'}
          options={frameRates}
          onChange={(fps) => editor.edit((old) => setPlan(old, { fps: fps === '30' ? 30 : 60 }))}
        />
        <Choice
          label={texts.plan.style}
          value={plan.style}
          options={styles}
          onChange={(style: Style) => editor.edit((old) => setPlan(old, { style }))}
        />
      </fieldset>
    </>
  );
}
