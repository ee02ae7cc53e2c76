import { formatSeconds } from '../../../server/contract/format.ts';
import type { PlanFault } from '../../../server/contract/plan-rules.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { sceneColour } from '../ui/scene-colour.ts';
import { LengthInPlace } from './length-in-place.tsx';
import type { EditScene, SceneText } from './plan-edits.ts';
import { type SceneAction, SceneMenu } from './scene-menu.tsx';
import { TextInPlace } from './text-in-place.tsx';

/** A part of a scene that can be written over. */
export type ScenePart = SceneText | 'length';

interface SceneEditorProps {
  scene: EditScene;
  count: number;
  /** Of the film. */
  fps: number;
  canAdd: boolean;
  /** Of this scene. */
  faults: readonly PlanFault[];
  highlighted: boolean;
  onHighlight: (key: string | null) => void;
  editing: ScenePart | null;
  onEdit: (part: ScenePart | null) => void;
  onText: (part: SceneText, text: string) => void;
  onLength: (seconds: number) => void;
  onAction: (action: SceneAction) => void;
  cardRef: (element: HTMLElement | null) => void;
}

const limits: Record<SceneText, number> = { title: 80, description: 1000, animationNotes: 1000 };

/** A scene of the plan with all of its texts to be written over in place. */
export function SceneEditor(props: SceneEditorProps) {
  const { scene, faults, onEdit, onAction } = props;
  const { number, key } = scene;
  // Faults of a text stand under it, all others under the head.
  const others = faults.filter(({ field }) => !(field in limits));
  return (
    <li
      ref={props.cardRef}
      onMouseEnter={() => props.onHighlight(key)}
      onMouseLeave={() => props.onHighlight(null)}
      className={cx(
        'overflow-hidden rounded-xl border bg-panel transition-colors',
        faults.length > 0 ? 'border-bad' : props.highlighted ? 'border-ink-3' : 'border-line',
      )}
    >
      <div className="flex items-center gap-2 px-4 py-2 text-xs" style={{ backgroundColor: sceneColour(number) }}>
        <span className="font-medium">{texts.plan.scene(number)}</span>
        <span className="ml-auto text-ink-2 tabular-nums">
          {texts.plan.span(formatSeconds(scene.startSeconds), formatSeconds(scene.startSeconds + scene.durationSeconds))}
        </span>
        <LengthInPlace
          label={texts.plan.lengthOf(number)}
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
          <p className="font-medium text-[13px] leading-5">{texts.plan.motion}</p>
          <SceneTextField {...props} part="animationNotes" className="text-[13px] text-ink-2 leading-5" />
        </div>
      </div>
    </li>
  );
}

function SceneTextField({
  scene,
  part,
  faults,
  editing,
  onEdit,
  onText,
  className,
}: SceneEditorProps & { part: SceneText; className: string }) {
  return (
    <TextInPlace
      label={texts.plan.fields[part](scene.number)}
      value={scene[part]}
      placeholder={texts.plan.placeholders[part]}
      maxCharacters={limits[part]}
      editing={editing === part}
      onEdit={() => onEdit(part)}
      onCommit={(text) => onText(part, text)}
      onEnd={() => onEdit(null)}
      fault={faults.find(({ field }) => field === part)?.reason ?? null}
      className={className}
    />
  );
}
