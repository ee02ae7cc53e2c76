import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Reading, ReadingSpan } from '#kinds/film/contract/reading.ts';
import { withCorrection, withoutCorrection } from './corrections.ts';
import { followSpans } from './marks.ts';
import { roleNames } from './names.ts';
import type { TextRange } from './ranges.ts';
import { isOnScreen, type ReadingRow, rangesOf, rowAt, rowsOf } from './rows.ts';
import type { useCorrections } from './use-corrections.ts';
import { type OpenWords, usePopover } from './use-popover.ts';
import type { WordUse } from './word-choices.tsx';

/** Says what a correction did. */
function verbOf(use: WordUse): string {
  if (use === 'leave-out') return 'Left out.';
  if (use === 'show') return 'Shown.';
  if (use === 'follow') return 'Followed, not shown.';
  if (use === 'own-scene') return 'In a scene of its own.';
  return use === 'rules' ? 'Read by the rules again.' : `Used as ${roleNames[use].toLowerCase()}.`;
}

interface UseWordsOptions {
  readonly reading: Reading | null;
  /** The text that the reading is of, and the newest one. */
  readonly of: string;
  readonly text: string;
  /** The text in the field, which may start with spaces that the request does not have. */
  readonly typed: string;
  readonly edit: ReturnType<typeof useCorrections>;
  readonly formatOfScene: (scene: number) => string;
  readonly isPhone: boolean;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
  readonly textbox: RefObject<HTMLTextAreaElement | null>;
  readonly list: RefObject<HTMLUListElement | null>;
}

/** The words of a text with their readings: which are lit, whose choices are open, and what keys and clicks do to them. */
export function useWords(options: UseWordsOptions) {
  const { reading, of, text, typed, edit, formatOfScene, isPhone, box, layer, textbox, list } = options;
  const spaces = typed.length - typed.trimStart().length;
  const typedEnd = typed.trim().length;
  const spans = useMemo(() => (reading === null ? [] : followSpans(reading.spans, of, text)), [reading, of, text]);
  const rows = reading === null ? [] : rowsOf(text, spans, reading.blocks, formatOfScene);
  const popover = usePopover({ box, layer, text: typed, offset: -spaces });
  const [currentRow, setCurrentRow] = useState(0);
  const [litRow, setLitRow] = useState<number | null>(null);
  const [litScene, setLitScene] = useState<number | null>(null);
  const current = Math.min(currentRow, Math.max(0, rows.length - 1));

  const opened = popover.words;
  const spansOfScene = (scene: number) => spans.filter((span) => span.scene === scene);
  const pointedRow = litRow === null ? undefined : rows[litRow];
  const lit: readonly TextRange[] = [
    ...(opened === null ? [] : [opened.range]),
    ...(pointedRow?.spans ?? []),
    ...(litScene === null ? [] : spansOfScene(litScene)),
  ];

  const focusText = () => textbox.current?.focus();
  const caret = () => (textbox.current?.selectionStart ?? 0) - spaces;
  const spanAt = (position: number) => spans.find(({ start, end }) => start <= position && position <= end) ?? null;
  const apply = (ranges: readonly TextRange[], use: WordUse) => {
    popover.close();
    edit.correct(use === 'rules' ? withoutCorrection(edit.now, ranges) : withCorrection(edit.now, ranges, use), verbOf(use));
  };
  const openSpan = (position: number, by: OpenWords['by']) => {
    const span = spanAt(position);
    if (span !== null) popover.open(span, span, by);
    return span !== null;
  };
  const openSelection = ({ start, end }: TextRange, by: OpenWords['by']) => {
    const span: ReadingSpan | undefined = spans.find((one) => one.start === start && one.end === end);
    popover.open({ start, end }, span ?? null, by);
  };
  const goTo = ({ start, end }: TextRange) => {
    if (start >= typedEnd) return;
    focusText();
    textbox.current?.setSelectionRange(start + spaces, Math.min(end, typedEnd) + spaces);
    popover.close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isPlain = !(event.metaKey || event.ctrlKey || event.altKey || event.shiftKey);
    if (event.nativeEvent.isComposing || !isPlain) return;
    if (event.key === 'Tab' && rows.length > 0 && !isPhone) {
      event.preventDefault();
      const at = rowAt(rows, caret());
      flushSync(() => setCurrentRow(at));
      list.current?.querySelectorAll<HTMLElement>('[data-row]')[at]?.focus();
    } else if (event.key === 'F2') {
      const { selectionStart, selectionEnd } = event.currentTarget;
      const isSelected = selectionStart !== selectionEnd;
      if (isSelected) openSelection({ start: selectionStart - spaces, end: selectionEnd - spaces }, 'key');
      if (isSelected || openSpan(caret(), 'key')) event.preventDefault();
    } else if (event.key === 'Escape' && opened !== null) {
      event.preventDefault();
      popover.close();
    }
  };
  return {
    spans,
    rows,
    current,
    lit,
    litRow: litRow ?? (opened === null ? null : rowAt(rows, opened.range.start)),
    litScene: litScene ?? opened?.span?.scene ?? pointedRow?.scene ?? null,
    opened,
    /** What the request's text is at the opened words. */
    openedWords: opened === null ? '' : text.slice(opened.range.start, opened.range.end).trim(),
    spaces,
    focusText,
    keepOpen: popover.keep,
    leave: () => opened?.by === 'pointer' && popover.leave(),
    close() {
      popover.close();
      focusText();
    },
    closeSheet: popover.close,
    setCurrentRow,
    setLitRow,
    setLitScene,
    correctOpened(use: WordUse) {
      if (opened === null) return;
      apply([opened.range], use);
      focusText();
    },
    correctRow: (row: ReadingRow, use: WordUse) => apply(rangesOf(row), use),
    openRow: (row: ReadingRow) => row.spans[0] !== undefined && openSpan(row.spans[0].start, 'key'),
    goToRow: (row: ReadingRow) => row.spans[0] !== undefined && goTo(row.spans[0]),
    goToScene(scene: number) {
      const [first] = spansOfScene(scene);
      if (first !== undefined) goTo(first);
    },
    leaveSceneOut: (scene: number) => apply(spansOfScene(scene).filter(isOnScreen), 'leave-out'),
    scenesIn(pasted: string): readonly number[] {
      const from = text.indexOf(pasted.trim(), typedEnd);
      const own = spans.filter(({ scene, start, end }) => scene !== null && start >= from && end <= from + pasted.length);
      return [...new Set(own.flatMap(({ scene }) => scene ?? []))];
    },
    onKeyDown,
    onPoint(start: number | null) {
      if (start === null) {
        if (opened?.by === 'pointer') popover.leave();
      } else if (!isPhone && opened?.by !== 'selection' && opened?.by !== 'key') openSpan(start, 'pointer');
    },
    onSelect(range: TextRange | null) {
      if (range !== null && !isPhone) openSelection(range, 'selection');
      else if (opened?.by === 'selection') popover.close();
      setCurrentRow(rowAt(rows, caret()));
    },
    onTap: (start: number) => isPhone && openSpan(start, 'touch'),
  };
}
