import { Table } from 'lucide-react';
import { type RefObject, useLayoutEffect } from 'react';
import type { ReadingSpan } from '#kinds/film/contract/reading.ts';
import { cx } from '../../../../ui/elements.tsx';
import { labelOf, segmentsOf } from './marks.ts';
import type { TextRange } from './ranges.ts';
import type { ReadingRow } from './rows.ts';
import { SceneNumber } from './scene-number.tsx';

/** More marks than these would slow down typing. The list has the others. */
const maxMarks = 300;

interface MarkLayerProps {
  readonly layer: RefObject<HTMLDivElement | null>;
  readonly text: string;
  /** Position of the text in the request. */
  readonly offset: number;
  readonly spans: readonly ReadingSpan[];
  readonly lit: readonly TextRange[];
  readonly formatOfScene: (scene: number) => string;
}

/** Draws the marks behind the field's letters, with labels where they have room. */
export function MarkLayer({ layer, text, offset, spans, lit, formatOfScene }: MarkLayerProps) {
  useLayoutEffect(() => {
    const element = layer.current;
    if (element === null) return;
    const place = () => hideCrowdedLabels(element);
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    return () => observer.disconnect();
  });
  const segments = segmentsOf(text, offset, spans.slice(0, maxMarks));
  let before: ReadingSpan | null = null;
  return (
    <div ref={layer} aria-hidden="true" className="composer-marks" dir="auto">
      {segments.map(({ start, text: words, span }) => {
        if (span === null) return words;
        const label = labelOf(span, before, formatOfScene);
        before = span.state === 'instruction' && span.sets === null ? before : span;
        const isLit = lit.some(({ start: from, end: to }) => span.start < to && from < span.end);
        return (
          <span
            key={start}
            data-start={span.start}
            {...(isLit && { 'data-lit': '' })}
            className={cx('mark', `mark-${span.state}`)}
          >
            {label !== null && (
              <span className="mark-label">
                {label.number !== null && <SceneNumber number={label.number} />}
                {label.swatch !== null && <span className="swatch" style={{ background: label.swatch }} />}
                {label.text !== '' && <span>{label.text}</span>}
                {label.question && <span className="mark-ask">for Koda?</span>}
              </span>
            )}
            {words}
          </span>
        );
      })}
      {/* A field shows the empty line after a final line break, other elements do not. */}
      {text.endsWith('\n') ? '\u200b' : null}
    </div>
  );
}

/** Hides labels that would cover the next label on their line. The list has their texts. */
function hideCrowdedLabels(layer: HTMLElement): void {
  const labels = [...layer.querySelectorAll<HTMLElement>('.mark-label')];
  const boxes = labels.map((label) => label.getBoundingClientRect());
  const { right: edge } = layer.getBoundingClientRect();
  for (const [at, label] of labels.entries()) {
    const box = boxes[at];
    const next = boxes[at + 1];
    if (box === undefined) continue;
    const end = next !== undefined && Math.abs(next.top - box.top) < 2 && next.left > box.left ? next.left : edge;
    label.toggleAttribute('data-hidden', box.right + 4 > end);
  }
}

/** Returns the part of the request whose mark is at a point of the window, or `null`. */
export function markAt(layer: HTMLElement, x: number, y: number): { start: number; rects: readonly DOMRect[] } | null {
  for (const mark of layer.querySelectorAll<HTMLElement>('.mark')) {
    const rects = [...mark.getClientRects()];
    if (rects.some((box) => x >= box.left && x <= box.right && y >= box.top - 2 && y <= box.bottom + 2))
      return { start: Number(mark.dataset['start']), rects };
  }
  return null;
}

/** Returns where some of the layer's words are in the window, line by line. Labels do not count. */
export function placeOf(layer: HTMLElement, { start, end }: TextRange): readonly DOMRect[] {
  const texts = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('.mark-label') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const range = document.createRange();
  let at = 0;
  let isOpen = false;
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { length } = node.textContent ?? '';
    if (!isOpen && start <= at + length) {
      range.setStart(node, start - at);
      isOpen = true;
    }
    if (isOpen && end <= at + length) {
      range.setEnd(node, end - at);
      return [...range.getClientRects()];
    }
    at += length;
  }
  return [];
}

/** Explains the marks. Those that are rare are explained when they occur. */
export function Legend({ rows }: { rows: readonly ReadingRow[] }) {
  const hasQuestion = rows.some(({ state }) => state === 'question');
  const hasDrawing = rows.some(({ state }) => state === 'needs-drawing');
  return (
    <p aria-hidden="true" className="flex h-10 items-center gap-4.5 whitespace-nowrap px-6 text-xs max-sm:hidden">
      <span className="legend-mark mark mark-shown">on screen</span>
      <span className="legend-mark mark mark-instruction">instruction</span>
      <span className="flex items-center gap-1.5 text-ink-2">
        <Table className="size-3.5" />
        data
      </span>
      <span className="legend-mark mark mark-left-out">left out</span>
      {hasQuestion && <span className="legend-mark mark mark-question">for Koda?</span>}
      {hasDrawing && <span className="legend-mark mark mark-needs-drawing">needs a drawing</span>}
    </p>
  );
}
