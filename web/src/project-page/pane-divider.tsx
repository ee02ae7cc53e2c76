import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { browserStorage, type StoredTexts } from '../browser-storage.ts';
import { cx } from '../ui/elements.tsx';

const storageKey = 'koda:talk-width';
/** In CSS pixels. The message box with its buttons fits, and so does the live preview beside it. */
const minConversationWidth = 300;
const minPanesWidth = 520;

/** Limits the width, in whole pixels, so that both sides fit. */
export function fittingWidth(wanted: number, pageWidth: number): number {
  return Math.round(Math.max(minConversationWidth, Math.min(wanted, pageWidth - minPanesWidth)));
}

/** Parses the stored width; `null` for the default, which depends on the page's width. */
export function readWidth(kept: string | null): number | null {
  const width = kept === null ? Number.NaN : Number(kept);
  return Number.isFinite(width) && width >= minConversationWidth && width < 10_000 ? width : null;
}

/** The conversation's width as set by the user, in CSS pixels, or `null`. */
export const conversationWidth = createStore<{ readonly width: number | null }>(() => ({
  width: readWidth(browserStorage.read(storageKey)),
}));

export function setConversationWidth(width: number | null, storage: Pick<StoredTexts, 'write'> = browserStorage): void {
  conversationWidth.setState({ width });
  storage.write(storageKey, width === null ? null : String(width));
}

/** Returns the conversation's CSS width, which shrinks with the window. */
export function conversationColumn(width: number | null): string | undefined {
  return width === null ? undefined : `max(${minConversationWidth}px, min(${width}px, 100vw - ${minPanesWidth}px))`;
}

const stepPixels = 16;

/** Divider between conversation and panes. */
export function PaneDivider({ columnId }: { columnId: string }) {
  const width = useStore(conversationWidth, (state) => state.width);
  return (
    <ColumnDivider
      columnId={columnId}
      width={width}
      onWidth={(wanted) => setConversationWidth(wanted === null ? null : fittingWidth(wanted, window.innerWidth))}
    />
  );
}

interface ColumnDividerProps {
  columnId: string;
  /** Width of the column in CSS pixels. `null` for the default. */
  width: number | null;
  onWidth: (wanted: number | null) => void;
}

/** Right edge of the conversation, moved by dragging or with the arrow keys. A double click resets it. */
export function ColumnDivider({ columnId, width, onWidth }: ColumnDividerProps) {
  const [held, setHeld] = useState(false);
  const grip = useRef({ x: 0, width: 0 });
  const widthNow = () => document.getElementById(columnId)?.getBoundingClientRect().width ?? 0;
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { x: event.clientX, width: widthNow() };
    setHeld(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 4 * stepPixels : stepPixels;
    if (event.key === 'ArrowLeft') onWidth(widthNow() - step);
    else if (event.key === 'ArrowRight') onWidth(widthNow() + step);
    else if (event.key === 'Enter' || event.key === 'Home') onWidth(null);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be dragged, this can.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Conversation width"
      aria-controls={columnId}
      aria-valuenow={width ?? 0}
      aria-valuetext={width === null ? 'Default width' : `${width} pixels`}
      tabIndex={0}
      title="Drag to resize the conversation; double-click to reset"
      onPointerDown={onPointerDown}
      onPointerMove={(event) => held && onWidth(grip.current.width + event.clientX - grip.current.x)}
      onLostPointerCapture={() => setHeld(false)}
      onDoubleClick={() => onWidth(null)}
      onKeyDown={onKeyDown}
      className="group absolute inset-y-0 left-0 z-30 hidden w-2.5 -translate-x-1/2 cursor-col-resize touch-none outline-none md:block"
    >
      <span
        aria-hidden="true"
        className={cx(
          'pointer-events-none absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 transition-colors group-hover:bg-accent/60 group-focus-visible:bg-accent',
          held && 'bg-accent',
        )}
      />
    </div>
  );
}
