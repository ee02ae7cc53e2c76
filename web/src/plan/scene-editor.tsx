import { ArrowLeft, ArrowRight, Copy, Ellipsis, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatSeconds } from '#contract/format.ts';
import type { PlanIssue } from '#contract/plan-rules.ts';
import { cx, IconButton } from '../ui/elements.tsx';
import { sceneColour } from '../ui/graphics.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { InlineLengthField, InlineTextField } from './inline-fields.tsx';
import type { EditScene, SceneText } from './plan-edits.ts';

export type ScenePart = SceneText | 'length';

interface SceneEditorProps {
  scene: EditScene;
  count: number;
  fps: number;
  canAdd: boolean;
  issues: readonly PlanIssue[];
  highlighted: boolean;
  onHighlight: (key: string | null) => void;
  editing: ScenePart | null;
  onEdit: (part: ScenePart | null) => void;
  onText: (part: SceneText, text: string) => void;
  onLength: (seconds: number) => void;
  onAction: (action: SceneAction) => void;
  cardRef: (element: HTMLElement | null) => void;
}

const fieldNames: Record<SceneText, string> = {
  title: 'Title of scene',
  description: 'What happens in scene',
  animationNotes: 'Motion of scene',
};
const placeholders: Record<SceneText, string> = {
  title: 'A title',
  description: 'Say what happens in this scene.',
  animationNotes: 'How it moves.',
};
const limits: Record<SceneText, number> = { title: 80, description: 1000, animationNotes: 1000 };

export function SceneEditor(props: SceneEditorProps) {
  const { scene, issues, onEdit, onAction } = props;
  const { number, key } = scene;
  // A text's issue is shown below its field, others below the scene's head.
  const others = issues.filter(({ field }) => !(field in limits));
  const border = props.highlighted ? 'border-ink-3' : 'border-line';
  return (
    <li
      ref={props.cardRef}
      onMouseEnter={() => props.onHighlight(key)}
      onMouseLeave={() => props.onHighlight(null)}
      className={cx('overflow-hidden rounded-xl border bg-panel transition-colors', issues.length > 0 ? 'border-bad' : border)}
    >
      <div className="flex items-center gap-2 px-4 py-2 text-xs" style={{ backgroundColor: sceneColour(number) }}>
        <span className="font-medium">{`Scene ${number}`}</span>
        <span className="ml-auto text-ink-2 tabular-nums">
          {`${formatSeconds(scene.startSeconds)} – ${formatSeconds(scene.startSeconds + scene.durationSeconds)}`}
        </span>
        <InlineLengthField
          label={`Length of scene ${number}`}
          seconds={scene.durationSeconds}
          fps={props.fps}
          editing={props.editing === 'length'}
          onEdit={() => onEdit('length')}
          onCommit={props.onLength}
          onEnd={() => onEdit(null)}
          className="bg-panel/60 font-medium tabular-nums"
        />
        <SceneMenu number={number} count={props.count} canAdd={props.canAdd} onAction={onAction} />
      </div>
      {others.map(({ reason }) => (
        <p key={reason} className="bg-bad-soft px-4 py-2 text-bad text-xs">
          {reason}
        </p>
      ))}
      <div className="px-4 pt-2.5 pb-4">
        <h3>
          <SceneTextField {...props} part="title" className="font-medium" />
        </h3>
        <div className="mt-0.5">
          <SceneTextField {...props} part="description" className="text-[13px] text-ink-2 leading-5" />
        </div>
        <div className="mt-2.5 border-line border-t pt-2">
          <p className="font-medium text-[13px] leading-5">Motion</p>
          <SceneTextField {...props} part="animationNotes" className="text-[13px] text-ink-2 leading-5" />
        </div>
      </div>
    </li>
  );
}

function SceneTextField({
  scene,
  part,
  issues,
  editing,
  onEdit,
  onText,
  className,
}: SceneEditorProps & { part: SceneText; className: string }) {
  return (
    <InlineTextField
      label={`${fieldNames[part]} ${scene.number}`}
      value={scene[part]}
      placeholder={placeholders[part]}
      maxCharacters={limits[part]}
      editing={editing === part}
      onEdit={() => onEdit(part)}
      onCommit={(text) => onText(part, text)}
      onEnd={() => onEdit(null)}
      issue={issues.find(({ field }) => field === part)?.reason ?? null}
      className={className}
    />
  );
}

export type SceneAction = 'earlier' | 'later' | 'add' | 'duplicate' | 'delete';

interface SceneMenuProps {
  number: number;
  count: number;
  canAdd: boolean;
  onAction: (action: SceneAction) => void;
}

/** Offers the ruler's drag and key actions as a menu, for touch and for users who do not drag. */
function SceneMenu({ number, count, canAdd, onAction }: SceneMenuProps) {
  const item = (action: SceneAction, label: string, icon: ReactNode, disabled = false) => (
    <MenuItem icon={icon} disabled={disabled} onSelect={() => onAction(action)}>
      {label}
    </MenuItem>
  );
  return (
    <Menu
      align="end"
      // The chosen action moves the focus.
      onCloseAutoFocus={(event) => event.preventDefault()}
      trigger={
        <IconButton icon={Ellipsis} label={`Actions for scene ${number}`} className="-my-1 -mr-2 size-7 hover:bg-black/5" />
      }
    >
      {item('earlier', 'Move earlier', <ArrowLeft />, number === 1)}
      {item('later', 'Move later', <ArrowRight />, number === count)}
      {item('add', 'Add a scene after this one', <Plus />, !canAdd)}
      {item('duplicate', 'Duplicate', <Copy />, !canAdd)}
      {item('delete', 'Delete', <Trash2 />, count === 1)}
    </Menu>
  );
}
