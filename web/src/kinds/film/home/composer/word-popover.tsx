import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { type ChosenWords, WordChoices, type WordUse, wordUseOf } from './word-choices.tsx';

export interface PopoverPlace {
  /** Where the words are, and where the popover may start, in pixels of the box. */
  readonly wordsLeft: number;
  readonly wordsBottom: number;
  readonly top: number;
  readonly boxWidth: number;
}

interface WordPopoverProps {
  readonly chosen: ChosenWords;
  readonly place: PopoverPlace;
  readonly picture: ReactNode;
  /** Whether it was opened by a key, and takes the focus. */
  readonly takesFocus: boolean;
  readonly onUse: (use: WordUse) => void;
  readonly onKeep: () => void;
  readonly onLeave: () => void;
  readonly onClose: () => void;
}

const width = 402;

/** Offers other readings of words, below their paragraph, so that nothing being read is covered. */
export function WordPopover({ chosen, place, picture, takesFocus, onUse, onKeep, onLeave, onClose }: WordPopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.querySelector('button')?.focus();
  }, [takesFocus]);
  const left = Math.max(8, Math.min(place.wordsLeft - 40, place.boxWidth - width - 8));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return;
    }
    if (event.key.toLowerCase() === 'u') {
      event.preventDefault();
      box.current?.querySelector<HTMLElement>('[data-use]')?.focus();
      return;
    }
    const use = wordUseOf(event);
    if (use === null) return;
    event.preventDefault();
    onUse(use);
  };
  return (
    <div
      ref={box}
      role="dialog"
      aria-label={chosen.span === null ? 'Selected words' : `How “${chosen.words.slice(0, 60)}” is read`}
      onKeyDown={onKeyDown}
      onPointerEnter={onKeep}
      onPointerLeave={onLeave}
      // Pressing a button must not take the selection away from the text.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute z-20 animate-fade rounded-xl border border-line-strong bg-panel p-2 shadow-lift"
      style={{ left, top: place.top + 12, width }}
    >
      <span
        aria-hidden="true"
        className="absolute w-[1.5px] bg-mark-line"
        style={{
          left: Math.max(12, Math.min(place.wordsLeft - left + 12, width - 12)),
          top: -(place.top + 12 - place.wordsBottom),
          height: Math.max(0, place.top + 12 - place.wordsBottom),
        }}
      />
      {!takesFocus && (
        <span aria-hidden="true" className="absolute top-2.5 right-3 text-[11px] text-ink-3">
          F2, then a key
        </span>
      )}
      <WordChoices chosen={chosen} picture={picture} onUse={onUse} />
    </div>
  );
}
