import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { formatSeconds } from '#contract/format.ts';
import type { Plan } from '#contract/project.ts';
import { EditRuler } from './edit-ruler.tsx';
import { issuesOf } from './issues.ts';
import { NotShown } from './not-shown.tsx';
import { isEdited, shownPlan, usePlanEditor, usePlanEdits, useUndoKeys } from './plan-editor.ts';
import {
  addQuotedScene,
  addRefusal,
  addScene,
  deleteScene,
  duplicateScene,
  type EditPlan,
  gridSeconds,
  isQuoted,
  moveScene,
  nudge,
  setDuration,
  setSceneText,
} from './plan-edits.ts';
import { EditHead, type HeadPart, HoldTotal, PlanState, StashNotice } from './plan-head.tsx';
import type { SceneAction } from './scene-editor.tsx';
import { SceneEditor, type ScenePart } from './scene-editor.tsx';

const newScene = { title: 'New scene', description: '', animationNotes: 'Comes in, holds, leaves.' };
const copyOf = (title: string) => `${title.slice(0, 72)} (copy)`;

/** The field being edited: one of the plan's own, or one of the scene with this key. */
type Editing = { key: null; part: HeadPart } | { key: string; part: ScenePart } | null;

export function EditBoard({ plan: proposed }: { plan: Plan }) {
  const editor = usePlanEditor();
  const plan = usePlanEdits(shownPlan);
  const edited = usePlanEdits(isEdited);
  const canUndo = usePlanEdits(({ history }) => history !== null && history.past.length > 0);
  const canRedo = usePlanEdits(({ history }) => history !== null && history.future.length > 0);
  const holdTotal = usePlanEdits((state) => state.holdTotal);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const [editing, setEditing] = useState<Editing>(null);
  const [announcement, announce] = useState('');
  const hintId = useId();
  const { blockRef, cardRef, focusBlock, showCard } = useSceneElements();
  useUndoKeys(editor);
  if (plan === null) return null;

  const issues = issuesOf(plan);
  const ofPlan = issues.filter(({ sceneIndex, field }) => sceneIndex === null && field !== 'title');
  const indexOf = (key: string) => plan.scenes.findIndex((scene) => scene.key === key);
  const current = () => editor.store.getState().history?.present ?? plan;

  const add = (index: number) => {
    editor.edit((old) => addScene(old, index, newScene));
    const added = current().scenes[index + 1];
    if (!added) return;
    announce(`Scene ${added.number} was added.`);
    setEditing({ key: added.key, part: 'description' });
    showCard(added.key);
  };
  const show = (text: string) => {
    editor.edit((old) => addQuotedScene(old, text));
    const added = current().scenes.at(-1);
    if (!added) return;
    announce(`Scene ${added.number} shows “${text}”.`);
    showCard(added.key);
  };
  const move = (key: string, by: 1 | -1, focus: boolean) => {
    const index = indexOf(key);
    editor.edit((old) => moveScene(old, index, index + by));
    const moved = current().scenes.find((scene) => scene.key === key);
    if (moved) announce(`${moved.title} is now scene ${moved.number} of ${plan.scenes.length}.`);
    if (focus) focusBlock(key);
  };
  const remove = (key: string) => {
    const index = indexOf(key);
    const scene = plan.scenes[index];
    if (!scene || plan.scenes.length === 1) return;
    editor.edit((old) => deleteScene(old, index));
    announce(`${scene.title} was deleted.`);
    const beside = plan.scenes[index + 1] ?? plan.scenes[index - 1];
    if (beside) focusBlock(beside.key);
  };
  const rename = (key: string) => {
    setEditing({ key, part: 'title' });
    showCard(key);
  };
  const act = (key: string, action: SceneAction) => {
    const index = indexOf(key);
    switch (action) {
      case 'earlier':
      case 'later':
        return move(key, action === 'earlier' ? -1 : 1, true);
      case 'add':
        return add(index);
      case 'duplicate':
        editor.edit((old) => duplicateScene(old, index, copyOf));
        return focusBlock(current().scenes[index + 1]?.key ?? key);
      case 'delete':
        return remove(key);
    }
  };
  const onBlockArrow = (event: KeyboardEvent, key: string) => {
    const direction = event.key === 'ArrowLeft' ? -1 : 1;
    if (event.altKey) return move(key, direction, true);
    const index = indexOf(key);
    const stepSeconds = event.shiftKey ? 1 / plan.fps : gridSeconds;
    editor.edit((old) => nudge(old, index, { direction, stepSeconds, holdTotal }), { join: event.repeat });
    const next: EditPlan = current();
    const length = next.scenes[index]?.durationSeconds ?? 0;
    announce(`Scene ${index + 1} lasts ${formatSeconds(length)}, the film ${formatSeconds(next.durationSeconds)}.`);
  };
  const onBlockKey = (event: KeyboardEvent, key: string) => {
    if (event.ctrlKey || event.metaKey) return;
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowRight':
        onBlockArrow(event, key);
        break;
      case 'Enter':
      case 'F2':
        rename(key);
        break;
      case 'Delete':
      case 'Backspace':
        remove(key);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-270 px-4 py-6 sm:px-8">
        <EditHead
          editor={editor}
          plan={plan}
          state={<PlanState plan={proposed} edited={edited} />}
          titleIssue={issues.find(({ sceneIndex, field }) => sceneIndex === null && field === 'title')?.reason ?? null}
          editing={editing?.key === null ? editing.part : null}
          onEdit={(part) => setEditing(part === null ? null : { key: null, part })}
          edited={edited}
          canUndo={canUndo}
          canRedo={canRedo}
        />
        {plan.caveat && <p className="mt-4 rounded-lg bg-warn-soft px-3.5 py-2.5 text-[13px] text-warn">{plan.caveat}</p>}
        <NotShown
          texts={(proposed.notShown ?? []).filter((text) => !isQuoted(plan, text))}
          disabled={addRefusal(plan) !== null}
          onShow={show}
        />
        <StashNotice canUse />
        {ofPlan.length > 0 && (
          <div role="alert" className="mt-4 rounded-lg bg-bad-soft px-3.5 py-2.5 text-[13px] text-bad">
            {ofPlan.map(({ reason }) => (
              <p key={reason}>{reason}</p>
            ))}
          </div>
        )}
        <div className="mt-6">
          <EditRuler
            editor={editor}
            plan={plan}
            issues={issues}
            holdTotal={holdTotal}
            hintId={hintId}
            highlighted={highlighted}
            onHighlight={setHighlighted}
            onKeyDown={onBlockKey}
            onPick={showCard}
            onAdd={() => add(plan.scenes.length - 1)}
            blockRef={blockRef}
          />
        </div>
        <div className="mt-2 flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <p id={hintId} className="max-w-180 text-pretty text-ink-3 text-xs leading-5">
            Drag an edge to change a length, a block to move it; with Shift, by single frames.{' '}
            <span className="pointer-coarse:hidden">
              {'Keys: ←\u00a0→\u00a0length, Alt\u00a0←\u00a0→\u00a0move, Enter\u00a0edit, Delete\u00a0remove.'}
            </span>
          </p>
          <HoldTotal checked={holdTotal} onChange={(holds) => editor.setHoldTotal(holds)} />
        </div>
        <ol className="mt-5 grid grid-cols-[repeat(auto-fill,minmax(min(100%,270px),1fr))] gap-4">
          {plan.scenes.map((scene, index) => (
            <SceneEditor
              key={scene.key}
              scene={scene}
              count={plan.scenes.length}
              fps={plan.fps}
              canAdd={addRefusal(plan) === null}
              issues={issues.filter(({ sceneIndex }) => sceneIndex === index)}
              highlighted={highlighted === scene.key}
              onHighlight={setHighlighted}
              editing={editing?.key === scene.key ? editing.part : null}
              onEdit={(part) => setEditing(part === null ? null : { key: scene.key, part })}
              onText={(part, text) => editor.edit((old) => setSceneText(old, index, { [part]: text }))}
              onLength={(seconds) => editor.edit((old) => setDuration(old, index, seconds, { holdTotal }))}
              onAction={(action) => act(scene.key, action)}
              cardRef={cardRef(scene.key)}
            />
          ))}
        </ol>
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </div>
    </div>
  );
}

/** Keeps the scenes' elements, to focus a block or scroll to a card once it is rendered. */
function useSceneElements() {
  const blocks = useRef(new Map<string, HTMLElement>());
  const cards = useRef(new Map<string, HTMLElement>());
  const [wanted, setWanted] = useState<{ kind: 'block' | 'card'; key: string } | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    if (wanted.kind === 'block') blocks.current.get(wanted.key)?.focus();
    else cards.current.get(wanted.key)?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [wanted]);
  const keep = (map: Map<string, HTMLElement>, key: string, element: HTMLElement | null) => {
    if (element) map.set(key, element);
    else map.delete(key);
  };
  return {
    blockRef: (key: string, element: HTMLElement | null) => keep(blocks.current, key, element),
    cardRef: (key: string) => (element: HTMLElement | null) => keep(cards.current, key, element),
    focusBlock: (key: string) => setWanted({ kind: 'block', key }),
    showCard: (key: string) => setWanted({ kind: 'card', key }),
  };
}
