import type { PointerEvent as ReactPointerEvent } from 'react';
import { type CalendarEvent, drawnRange, movedStart, resized } from './events.ts';

/** `place` gives a record without a date its day, `draw` makes a new one, `start` and `end` change an edge. */
export type DragKind = 'move' | 'start' | 'end' | 'draw' | 'place';

/** Where what is being dragged would lie. */
export interface Drag {
  readonly kind: DragKind;
  readonly recordId: string | null;
  readonly title: string;
  readonly date: string;
  readonly start: number | null;
  readonly end: number;
  /** Where the pointer is, for what is drawn beside it. */
  readonly x: number;
  readonly y: number;
}

interface DragOptions {
  readonly kind: DragKind;
  readonly recordId: string | null;
  readonly title: string;
  /** Present place. `null` for new and undated ones. */
  readonly event: CalendarEvent | null;
  /** Minutes that an undated record takes. */
  readonly length: number;
  /** Element around everything on which can be dropped: elements with `data-day`, and `data-from` and `data-to` in minutes if timed. */
  readonly root: HTMLElement;
  readonly onDrag: (drag: Drag | null) => void;
  readonly onDrop: (drag: Drag) => void;
}

interface Hit {
  readonly date: string;
  readonly minutes: number | null;
}

function hitAt(root: HTMLElement, x: number, y: number): Hit | null {
  for (const element of root.querySelectorAll<HTMLElement>('[data-day]')) {
    const box = element.getBoundingClientRect();
    const { day, from, to } = element.dataset;
    if (day === undefined || x < box.left || x > box.right) continue;
    if (from === undefined || to === undefined) {
      if (y >= box.top && y <= box.bottom) return { date: day, minutes: null };
    } else if (y >= box.top) {
      const part = Math.min(1, (y - box.top) / box.height);
      return { date: day, minutes: Number(from) + part * (Number(to) - Number(from)) };
    }
  }
  return null;
}

type Place = Pick<Drag, 'date' | 'start' | 'end'>;

function placeAt(options: DragOptions, grabbed: Hit | null, hit: Hit): Place | null {
  const { kind, event } = options;
  switch (kind) {
    case 'draw':
      if (grabbed === null || grabbed.minutes === null) return null;
      return { date: grabbed.date, ...drawnRange(grabbed.minutes, hit.minutes ?? grabbed.minutes) };
    case 'start':
    case 'end': {
      if (event === null || event.start === null || hit.minutes === null) return null;
      const by = hit.minutes - (kind === 'start' ? event.start : event.end);
      return { date: event.date, ...resized({ start: event.start, end: event.end }, kind, by) };
    }
    default:
      return movedTo(options, grabbed?.minutes ?? null, hit);
  }
}

function movedTo({ event, length }: DragOptions, grabbedMinutes: number | null, { date, minutes }: Hit): Place {
  const start = event?.start ?? null;
  const takes = event === null || start === null ? length : event.end - start;
  if (minutes === null) {
    // A month has no times, so an event keeps its own there. The row above a week is for the whole day.
    const kept = grabbedMinutes === null ? start : null;
    return { date, start: kept, end: kept === null ? 24 * 60 : kept + takes };
  }
  const keepsGrip = start !== null && grabbedMinutes !== null;
  const at = keepsGrip ? movedStart(start, minutes - grabbedMinutes, takes) : movedStart(minutes, 0, takes);
  return { date, start: at, end: at + takes };
}

/** Follows the pointer from here on until it is let go. Escape cancels. Less than 5 px count as a click, and are left alone. */
export function followPointer(down: ReactPointerEvent, options: DragOptions): void {
  if (down.button !== 0) return;
  const { clientX, clientY, pointerId } = down;
  const grabbed = hitAt(options.root, clientX, clientY);
  let drag: Drag | null = null;
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    if (drag === null && Math.hypot(event.clientX - clientX, event.clientY - clientY) < 5) return;
    const hit = hitAt(options.root, event.clientX, event.clientY);
    const place = hit && placeAt(options, grabbed, hit);
    const { kind, recordId, title } = options;
    if (place) drag = { kind, recordId, title, ...place, x: event.clientX, y: event.clientY };
    options.onDrag(drag);
  };
  const stop = () => {
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('pointercancel', stop);
    window.removeEventListener('keydown', onKey, true);
    options.onDrag(null);
  };
  const onUp = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    const dropped = drag;
    stop();
    if (dropped === null) return;
    // The click that follows would open what was dragged.
    window.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', swallow, true));
    options.onDrop(dropped);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    stop();
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', onUp);
  window.addEventListener('pointercancel', stop);
  window.addEventListener('keydown', onKey, true);
}

function swallow(event: MouseEvent): void {
  event.stopPropagation();
  event.preventDefault();
}
