import { Plus, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { formatSeconds } from '#contract/format.ts';
import type { PlanIssue } from '#contract/plan-rules.ts';
import { cx } from '../ui/elements.tsx';
import { sceneColour } from '../ui/graphics.tsx';
import type { PlanEditor } from './plan-editor.ts';
import { addRefusal, type EditPlan, type EditScene } from './plan-edits.ts';
import { assignLanes, rulerTicks } from './time-ruler.tsx';
import { type BlockDrag, useBlockDrag } from './use-block-drag.ts';

interface EditRulerProps {
  editor: PlanEditor;
  /** The plan as shown, including a drag in progress. */
  plan: EditPlan;
  issues: readonly PlanIssue[];
  holdTotal: boolean;
  hintId: string;
  highlighted: string | null;
  onHighlight: (key: string | null) => void;
  onKeyDown: (event: KeyboardEvent, key: string) => void;
  /** Called when a block is clicked, not dragged. */
  onPick: (key: string) => void;
  onAdd: () => void;
  blockRef: (key: string, element: HTMLButtonElement | null) => void;
}

const refusals = { scenes: 'A plan can have at most 15 scenes.', length: 'A film can last at most ten minutes.' } as const;
const blockHeight = 52;
const gap = 3;
/** Fraction of the width after the film's end. The film can be lengthened into it. */
const spareShare = 0.16;

/** Shows scenes as draggable blocks. Dragging an edge changes a length; dragging a block changes the order. */
export function EditRuler(props: EditRulerProps) {
  const { editor, plan, holdTotal, onAdd } = props;
  const ruler = useRef<HTMLOListElement>(null);
  const { drag, handlers } = useBlockDrag({ editor, ruler, holdTotal });
  // During a drag, scale and element order stay, because the pointer must not lose its element.
  const scale = drag?.from ?? plan;
  const byKey = new Map(plan.scenes.map((scene) => [scene.key, scene]));
  const { lanes, count } = assignLanes(plan.scenes);
  const laneOf = new Map(plan.scenes.map((scene, index) => [scene.key, lanes[index] ?? 0]));
  const refusal = addRefusal(plan);
  return (
    <div className="relative select-none" style={{ paddingRight: `${100 * spareShare}%` }}>
      <div
        aria-hidden="true"
        className="absolute top-0 right-0 rounded-md border border-line border-dashed bg-[repeating-linear-gradient(-45deg,var(--line)_0_1px,transparent_1px_8px)]"
        style={{ width: `calc(${100 * spareShare}% - 2px)`, height: blockHeight }}
      />
      <button
        type="button"
        onClick={onAdd}
        disabled={refusal !== null}
        title={refusal === null ? 'Add a scene' : refusals[refusal]}
        aria-label="Add a scene"
        className="absolute right-0 flex items-center justify-center rounded-md text-ink-2 transition-colors enabled:hover:bg-sunken enabled:hover:text-ink disabled:opacity-40"
        style={{ width: `calc(${100 * spareShare}% - 2px)`, height: blockHeight }}
      >
        <span className="flex size-7 items-center justify-center rounded-full bg-panel shadow-card">
          <Plus className="size-4" />
        </span>
      </button>
      <ol
        ref={ruler}
        aria-label="Scenes on the timeline"
        className="relative transition-[height]"
        style={{ height: count * (blockHeight + gap) - gap }}
      >
        {scale.scenes.map((original) => (
          <Block
            {...props}
            key={original.key}
            scene={byKey.get(original.key) ?? original}
            original={original}
            scaleSeconds={scale.durationSeconds}
            lane={laneOf.get(original.key) ?? 0}
            drag={drag}
            handlers={handlers}
          />
        ))}
      </ol>
      <EditTicks scaleSeconds={scale.durationSeconds} filmSeconds={plan.durationSeconds} />
    </div>
  );
}

interface BlockProps extends EditRulerProps {
  scene: EditScene;
  original: EditScene;
  scaleSeconds: number;
  lane: number;
  drag: BlockDrag | null;
  handlers: ReturnType<typeof useBlockDrag>['handlers'];
}

function Block(props: BlockProps) {
  const { scene, original, scaleSeconds, lane, drag, handlers, plan, issues, holdTotal } = props;
  const { key } = scene;
  const held = drag?.key === key ? drag : null;
  const moved = held?.kind === 'block';
  // Blocks glide aside for a dragged block, but follow a dragged edge immediately.
  const glides = held === null && drag?.kind !== 'edge';
  const shownStart = moved ? original.startSeconds : scene.startSeconds;
  const broken = issues.some((issue) => issue.sceneIndex === scene.number - 1);
  const highlighted = props.highlighted === key || held !== null;
  const isLast = scene.number === plan.scenes.length;
  const length = formatSeconds(scene.durationSeconds);
  return (
    <li
      className={cx('group absolute', glides && 'transition-[left,width,top] duration-200', moved && 'z-20')}
      style={{
        left: `calc(${(100 * shownStart) / scaleSeconds}% + 1px)`,
        width: `calc(${(100 * scene.durationSeconds) / scaleSeconds}% - 2px)`,
        top: lane * (blockHeight + gap),
        height: blockHeight,
        transform: moved ? `translateX(${held.movedPixels}px)` : undefined,
      }}
      onMouseEnter={() => props.onHighlight(key)}
      onMouseLeave={() => props.onHighlight(null)}
    >
      <button
        ref={(element) => props.blockRef(key, element)}
        type="button"
        aria-describedby={props.hintId}
        aria-keyshortcuts="ArrowLeft ArrowRight Alt+ArrowLeft Alt+ArrowRight Enter Delete"
        title={`${scene.title}, ${length}`}
        {...handlers('block', key)}
        onKeyDown={(event) => props.onKeyDown(event, key)}
        onClick={() => props.onPick(key)}
        onFocus={() => props.onHighlight(key)}
        onBlur={() => props.onHighlight(null)}
        className={cx(
          '@container flex size-full touch-pan-y flex-col justify-center overflow-hidden rounded-lg border-2 px-2 text-left',
          moved ? 'cursor-grabbing shadow-lift' : 'cursor-grab',
          broken && 'border-bad',
          !broken && (highlighted ? 'border-ink-3' : 'border-transparent'),
        )}
        style={{ backgroundColor: sceneColour(original.number) }}
      >
        <span className="flex w-full items-center gap-1 font-medium text-[13px] leading-4">
          {broken && <TriangleAlert className="size-3.5 shrink-0 text-bad" />}
          <span className="truncate">
            <span className="sr-only">Scene </span>
            {scene.number}
            {/* Hidden in narrow blocks, but still read by screen readers. */}
            <span className="@max-[2.75rem]:sr-only">{`. ${scene.title || 'untitled'}`}</span>
          </span>
        </span>
        <span className="sr-only">, </span>
        <span className="@max-[2.75rem]:sr-only truncate text-[11px] text-ink-2 leading-4 tabular-nums">{length}</span>
      </button>
      {held?.kind === 'edge' && <LengthFlag scene={scene} original={original} />}
      {!(isLast && holdTotal) && (
        <span
          aria-hidden="true"
          {...handlers('edge', key)}
          className="absolute inset-y-0 -right-2.5 z-10 flex w-5 cursor-ew-resize touch-none items-center justify-center"
        >
          <span
            className={cx(
              'h-5 w-1 rounded-full transition-colors',
              held?.kind === 'edge' ? 'bg-accent' : 'bg-ink-3/40 group-hover:bg-ink-3',
            )}
          />
        </span>
      )}
    </li>
  );
}

function LengthFlag({ scene, original }: { scene: EditScene; original: EditScene }) {
  const change = Math.round((scene.durationSeconds - original.durationSeconds) * 100) / 100;
  return (
    <span
      aria-hidden="true"
      className="absolute -top-8 right-0 z-20 translate-x-1/2 whitespace-nowrap rounded-md bg-ink px-2 py-0.5 text-[12px] text-ground tabular-nums"
    >
      {Math.round(scene.durationSeconds * 100) / 100} s
      {change !== 0 && <span className="opacity-70">{` ${change > 0 ? '+' : '−'}${Math.abs(change)}`}</span>}
    </span>
  );
}

interface EditTicksProps {
  /** The length that the ruler's width represents. */
  scaleSeconds: number;
  filmSeconds: number;
}

/** Shows time marks beneath the blocks and beyond the film's end, which is marked too. */
function EditTicks({ scaleSeconds, filmSeconds }: EditTicksProps) {
  const ticks = rulerTicks(scaleSeconds / (1 - spareShare), 14);
  const place = (seconds: number) => `${(100 * seconds) / scaleSeconds}%`;
  return (
    <div aria-hidden="true" className="relative mt-1.5 h-5 text-[11px] text-ink-3 tabular-nums">
      <span className="absolute top-0 left-0 border-line-strong border-t" style={{ width: `${100 / (1 - spareShare)}%` }} />
      {ticks.map((seconds, index) => {
        // Hides labels near the film's end, and every other label if they are dense.
        const shareToEnd = (filmSeconds - seconds) / scaleSeconds;
        const isNearEnd = shareToEnd > -0.06 && shareToEnd < 0.09;
        const isNearOnPhone = shareToEnd > -0.12 && shareToEnd < 0.22;
        const isLabelled = !isNearEnd && (ticks.length <= 9 || index % 2 === 0) && seconds < scaleSeconds * 1.13;
        return (
          <span
            key={seconds}
            className={cx(
              'absolute top-0 whitespace-nowrap border-line-strong border-l pt-0.5 pl-1',
              isLabelled ? 'h-full' : 'h-1.5',
            )}
            style={{ left: place(seconds) }}
          >
            {isLabelled && <span className={cx(isNearOnPhone && 'max-sm:hidden')}>{formatSeconds(seconds)}</span>}
          </span>
        );
      })}
      <span
        className="absolute top-0 h-full -translate-x-full whitespace-nowrap border-ink border-r-2 pt-0.5 pr-1 font-medium text-ink"
        style={{ left: place(filmSeconds) }}
      >
        {formatSeconds(filmSeconds)}
      </span>
    </div>
  );
}
