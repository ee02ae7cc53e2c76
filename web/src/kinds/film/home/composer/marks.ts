import type { ReadingSpan } from '#kinds/film/contract/reading.ts';
import { roleNames, swatchOf } from './names.ts';
import { editBetween, movedRange, type TextRange } from './ranges.ts';

/** A part of the text with its reading, or without one (`span` is `null`). */
export interface Segment {
  readonly start: number;
  readonly text: string;
  readonly span: ReadingSpan | null;
}

/** Returns the spans of an earlier text at their places in an edited one. */
export function followSpans<Span extends TextRange>(spans: readonly Span[], before: string, after: string): readonly Span[] {
  const edit = editBetween(before, after);
  if (edit === null) return spans;
  return spans.flatMap((span) => {
    const moved = movedRange(span, edit, before);
    return moved === null ? [] : [{ ...span, ...moved }];
  });
}

/** Cuts `text`, which starts at `offset` in the request, into parts with and without a reading. */
export function segmentsOf(text: string, offset: number, spans: readonly ReadingSpan[]): readonly Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  const add = (end: number, span: ReadingSpan | null) => {
    if (end > at) segments.push({ start: at, text: text.slice(at, end), span });
    at = Math.max(at, end);
  };
  for (const span of spans) {
    const start = Math.max(span.start - offset, at);
    const end = Math.min(span.end - offset, text.length);
    if (start >= end) continue;
    add(start, null);
    add(end, span);
  }
  add(text.length, null);
  return segments;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export interface MarkLabel {
  readonly number: number | null;
  readonly text: string;
  readonly question: boolean;
  readonly swatch: string | null;
}

/** Returns what stands above a mark. A scene's number stands at its first words, and at each other role. */
export function labelOf(
  span: ReadingSpan,
  before: ReadingSpan | null,
  formatOfScene: (scene: number) => string,
): MarkLabel | null {
  const { state, role, scene, rule, sets } = span;
  const swatch = swatchOf(span);
  if (state === 'instruction') {
    if (sets === null) return null;
    return { number: null, text: swatch === null ? capital(sets.value) : '', question: false, swatch };
  }
  if (state === 'left-out')
    return { number: null, text: rule === null ? 'left out by you' : 'left out', question: false, swatch: null };
  if (state === 'needs-drawing')
    return before?.state === state ? null : { number: null, text: 'needs a drawing', question: false, swatch: null };
  const isFirst = before?.scene !== scene;
  const own = role === null || role === 'text' ? '' : roleNames[role];
  const text = isFirst && own === '' && scene !== null ? formatOfScene(scene) : own;
  const isSame = !isFirst && before?.role === role && before.state === state;
  return isSame ? null : { number: scene, text, question: state === 'question', swatch: null };
}
