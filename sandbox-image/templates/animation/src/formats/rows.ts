import type { Rect } from '../themes/theme.ts';
import type { LayoutSetting } from './format-scene.tsx';
import type { Frame } from './frame.ts';
import { cased, setText, setTexts, type TextRequest, type TextSet } from './text.ts';

/** Rows of text under a title: the layout that lists, checklists and agendas share. */
export interface RowsRequest {
  readonly title: string | null;
  readonly items: readonly { readonly text: string; readonly detail: string | null; readonly value: string | null }[];
  /** Width of what stands in front of a text, as a multiple of the size of the text. 0 where there is nothing. */
  readonly lead: number;
}

interface Row {
  readonly y: number;
  readonly height: number;
  readonly text: TextSet;
  readonly textX: number;
  readonly textY: number;
  readonly detail: TextSet | null;
  readonly detailY: number;
  readonly value: TextSet | null;
  /** Where values end, seen from the reading side. */
  readonly valueRight: number;
  readonly lead: { readonly x: number; readonly y: number; readonly size: number };
  /** Of an icon after the text. */
  readonly iconX: number;
  /** The strip behind the row, where the theme draws one. */
  readonly plate: Rect;
}

export interface Rows {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly items: readonly Row[];
}

/** Font sizes by the number of rows: few rows are large. */
const sizeFor = (count: number, frame: Frame): number => {
  const base = frame.shape === 'wide' ? 66 : 60;
  return count <= 3 ? base * 1.25 : count <= 5 ? base : base * 0.88;
};

export function layOutRows({ title, items, lead }: RowsRequest, { frame, theme, language }: LayoutSetting): Rows {
  const { safe } = frame;
  const titleSet =
    title === null
      ? null
      : setText({
          text: cased(theme, title, language),
          face: theme.display,
          size: frame.shape === 'wide' ? 118 : 112,
          minSize: 56,
          width: safe.width,
          height: safe.height * 0.26,
          maxCharacters: frame.shape === 'wide' ? 34 : 22,
        });
  const headHeight = titleSet === null ? 0 : titleSet.height + 56;
  const pitch = Math.min((safe.height - headHeight) / items.length, 170);
  const padding = theme.plate.drawn ? theme.plate.padding : 0;
  const wanted = Math.min(sizeFor(items.length, frame), pitch * 0.56);
  const leadSpace = lead === 0 ? 0 : wanted * lead + wanted * 0.55;
  const hasDetails = items.some(({ detail }) => detail !== null);
  const values = setTexts(
    items.flatMap(({ value }): TextRequest[] =>
      value === null ? [] : [{ text: value, face: theme.figures, size: wanted, width: safe.width * 0.34, height: pitch }],
    ),
  );
  const valueSpace = values.length === 0 ? 0 : Math.max(...values.map(({ width }) => width)) + 60;
  const textWidth = safe.width - leadSpace - valueSpace - padding * 2;
  const texts = setTexts(
    items.map(({ text }) => ({
      text,
      face: theme.plate.drawn ? theme.strong : hasDetails ? theme.strong : theme.text,
      size: wanted,
      width: textWidth,
      height: pitch * (hasDetails ? 0.5 : 0.92),
      maxCharacters: 70,
      lineHeight: 1.12,
    })),
  );
  const size = texts[0]?.size ?? wanted;
  const details = setTexts(
    items.flatMap(({ detail }): TextRequest[] =>
      detail === null
        ? []
        : [
            {
              text: detail,
              face: theme.text,
              size: Math.max(34, size * 0.66),
              width: textWidth,
              height: pitch * 0.42,
              maxCharacters: 80,
            },
          ],
    ),
  );
  const used = headHeight + pitch * items.length;
  const top = safe.y + Math.max(0, (safe.height - used) * 0.42);
  let nextDetail = 0;
  let nextValue = 0;
  const rows = items.map((item, index): Row => {
    const text = texts[index] as TextSet;
    const detail = item.detail === null ? null : (details[nextDetail++] ?? null);
    const value = item.value === null ? null : (values[nextValue++] ?? null);
    const y = top + headHeight + index * pitch;
    const block = text.height + (detail === null ? 0 : detail.height + 4);
    const textY = y + (pitch - block) / 2;
    const leadSize = lead === 0 ? 0 : size * lead;
    const x = safe.x + (theme.plate.drawn ? padding * 0.4 : 0);
    const textX = safe.x + (lead === 0 ? padding : leadSize + size * 0.55 + padding * 0.3);
    const plateHeight = Math.min(pitch * 0.86, Math.max(block + size * 0.7, leadSize * 0.92));
    const right = value === null ? textX + Math.max(text.width, detail?.width ?? 0) + padding : safe.x + safe.width;
    return {
      y,
      height: pitch,
      text,
      textX,
      textY,
      detail,
      detailY: textY + text.height + 4,
      value,
      valueRight: safe.x + safe.width - padding,
      lead: { x, y: y + (pitch - leadSize) / 2, size: leadSize },
      iconX: textX + text.width + size * 0.5,
      plate: {
        x: safe.x + leadSize * 0.4,
        y: y + (pitch - plateHeight) / 2,
        width: right - safe.x - leadSize * 0.4,
        height: plateHeight,
      },
    };
  });
  return { title: titleSet, titleY: top, items: rows };
}
