import { ChevronsLeftRight } from 'lucide-react';
import type { KeyboardEvent, PointerEvent } from 'react';

/** Where the edge between two versions goes when a key is pressed; null = the key is for something else. */
export function wipeAfterKey(share: number, { key, shiftKey }: { key: string; shiftKey: boolean }): number | null {
  const step = shiftKey ? 0.1 : 0.01;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, share - step);
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(1, share + step);
    case 'PageDown':
      return Math.max(0, share - 0.1);
    case 'PageUp':
      return Math.min(1, share + 0.1);
    case 'Home':
      return 0;
    case 'End':
      return 1;
    default:
      return null;
  }
}

interface WipeHandleProps {
  /** Share of the frame that shows the version before, 0…1 from the left. */
  share: number;
  onChange: (share: number) => void;
}

/** The edge between two versions that lie on each other: dragged, or moved by the arrow keys. Fills its parent. */
export function WipeHandle({ share, onChange }: WipeHandleProps) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const frame = event.currentTarget.parentElement?.getBoundingClientRect();
    if (frame) onChange(Math.min(1, Math.max(0, (event.clientX - frame.left) / frame.width)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = wipeAfterKey(share, event);
    if (next === null) return;
    event.preventDefault();
    onChange(next);
  };
  const percent = Math.round(100 * share);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Edge between the versions"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent} % of the version before`}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
      className="group absolute inset-y-0 z-10 flex w-11 -translate-x-1/2 cursor-ew-resize touch-none items-center justify-center outline-none"
      style={{ left: `${100 * share}%` }}
    >
      <span className="absolute inset-y-0 w-0.5 bg-white shadow-[0_0_0_1px_rgb(0_0_0/0.35)]" />
      <span className="relative flex size-8 items-center justify-center rounded-full bg-white text-black shadow-lift group-focus-visible:outline-2 group-focus-visible:outline-accent group-focus-visible:outline-offset-2">
        <ChevronsLeftRight aria-hidden="true" className="size-4" />
      </span>
    </div>
  );
}
