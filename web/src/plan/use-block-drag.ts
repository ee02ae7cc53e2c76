import { type MouseEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { useWindowEvent } from '../ui/hooks.ts';
import type { PlanEditor } from './plan-editor.ts';
import { type EditPlan, gridSeconds, moveScene, placeAt, setDuration, snap } from './plan-edits.ts';

/** A press that moves less than this many CSS pixels is a click. */
const clickPixels = 4;

export interface BlockDrag {
  readonly kind: 'edge' | 'block';
  readonly key: string;
  /** The plan at the start of the drag. Its scale and order stay on screen until the end. */
  readonly from: EditPlan;
  /** Distance that the block was dragged, in CSS pixels; 0 for an edge. */
  readonly movedPixels: number;
}

interface Press {
  readonly kind: BlockDrag['kind'];
  readonly key: string;
  readonly startX: number;
  /** Set when the press becomes a drag, because the press may first end an edit and so change the plan. */
  hold: { readonly from: EditPlan; readonly pixelsPerSecond: number } | null;
}

interface DragOptions {
  readonly editor: PlanEditor;
  /** The element whose width represents the film's length. */
  readonly ruler: RefObject<HTMLElement | null>;
  readonly holdTotal: boolean;
}

/** Drags edges and blocks with mouse, pen or touch. Escape cancels. */
export function useBlockDrag({ editor, ruler, holdTotal }: DragOptions) {
  const press = useRef<Press | null>(null);
  // Uses a ref, because a drag may end before its last move is rendered.
  const wasDragged = useRef(false);
  const [drag, setDrag] = useState<BlockDrag | null>(null);

  const end = (keep: boolean) => {
    press.current = null;
    setDrag(null);
    if (keep) editor.drop();
    else editor.drag(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    end(false);
  };
  useWindowEvent('keydown', onKeyDown, { enabled: drag !== null, capture: true });

  const handlers = (kind: BlockDrag['kind'], key: string) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || !event.isPrimary) return;
      wasDragged.current = false;
      event.currentTarget.setPointerCapture(event.pointerId);
      press.current = { kind, key, startX: event.clientX, hold: null };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const pressed = press.current;
      if (!pressed || pressed.key !== key || pressed.kind !== kind) return;
      const movedPixels = event.clientX - pressed.startX;
      if (!wasDragged.current && Math.abs(movedPixels) < clickPixels) return;
      pressed.hold ??= holdOf(editor, ruler.current);
      if (pressed.hold === null) return;
      const { from, pixelsPerSecond } = pressed.hold;
      wasDragged.current = true;
      setDrag({ kind, key, from, movedPixels: kind === 'block' ? movedPixels : 0 });
      const movedSeconds = movedPixels / pixelsPerSecond;
      editor.drag(draggedPlan(from, { kind, key, movedSeconds, holdTotal, byFrames: event.shiftKey }));
    },
    onPointerUp: () => press.current && end(wasDragged.current),
    onPointerCancel: () => press.current && end(false),
    /** Suppresses the click at the end of a drag. */
    onClickCapture(event: MouseEvent<HTMLElement>) {
      if (wasDragged.current) event.stopPropagation();
      wasDragged.current = false;
    },
  });
  return { drag, handlers };
}

function holdOf(editor: PlanEditor, ruler: HTMLElement | null): Press['hold'] {
  const from = editor.store.getState().history?.present;
  const width = ruler?.getBoundingClientRect().width ?? 0;
  return !from || width === 0 ? null : { from, pixelsPerSecond: width / from.durationSeconds };
}

interface Move {
  readonly kind: BlockDrag['kind'];
  readonly key: string;
  readonly movedSeconds: number;
  readonly holdTotal: boolean;
  readonly byFrames: boolean;
}

function draggedPlan(from: EditPlan, { kind, key, movedSeconds, holdTotal, byFrames }: Move): EditPlan {
  const index = from.scenes.findIndex((scene) => scene.key === key);
  const scene = from.scenes[index];
  if (scene === undefined) return from;
  if (kind === 'block') return moveScene(from, index, placeAt(from, index, movedSeconds));
  const stepSeconds = byFrames ? 1 / from.fps : gridSeconds;
  return setDuration(from, index, snap(scene.durationSeconds + movedSeconds, stepSeconds), { holdTotal });
}
