import { type RefObject, useRef, useState } from 'react';
import type { ReadingSpan } from '#kinds/film/contract/reading.ts';
import { placeOf } from './mark-layer.tsx';
import type { TextRange } from './ranges.ts';
import type { PopoverPlace } from './word-popover.tsx';

export interface OpenWords {
  readonly range: TextRange;
  readonly span: ReadingSpan | null;
  readonly by: 'pointer' | 'key' | 'selection' | 'touch';
  readonly place: PopoverPlace;
}

interface UsePopoverOptions {
  readonly box: RefObject<HTMLElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
  /** The text in the field, and its position in the request. */
  readonly text: string;
  readonly offset: number;
}

/** Opens the choices for some words, below their paragraph. */
export function usePopover({ box, layer, text, offset }: UsePopoverOptions) {
  const [words, setWords] = useState<OpenWords | null>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keep = () => clearTimeout(leaving.current);
  const open = (range: TextRange, span: ReadingSpan | null, by: OpenWords['by']) => {
    keep();
    if (box.current === null || layer.current === null) return;
    const start = range.start - offset;
    const end = Math.min(range.end - offset, text.length);
    const lines = start < 0 || start >= end ? [] : placeOf(layer.current, { start, end });
    const outer = box.current.getBoundingClientRect();
    const last = lines.at(-1);
    const paragraphEnd = text.slice(Math.max(end, 0)).search(/\n\s*\n|\s*$/u) + Math.max(end, 0);
    const paragraph = last === undefined ? [] : placeOf(layer.current, { start, end: paragraphEnd });
    const bottom = paragraph.at(-1)?.bottom ?? outer.top + 60;
    const visible = Math.min(bottom, outer.bottom - 40);
    setWords({
      range,
      span,
      by,
      place: {
        wordsLeft: (last?.left ?? outer.left + 60) - outer.left,
        wordsBottom: Math.min(last?.bottom ?? visible, visible) - outer.top,
        top: visible - outer.top,
        boxWidth: outer.width,
      },
    });
  };
  return {
    words,
    open,
    keep,
    close: () => {
      keep();
      setWords(null);
    },
    /** Closes soon, unless the pointer comes back. */
    leave: () => {
      keep();
      leaving.current = setTimeout(() => setWords(null), 250);
    },
  };
}
