import type { FilmText } from '../../../../contract/film.ts';
import { type Frame, round } from '../frame.ts';
import type { TextPlace } from './places.ts';

/** How wide a text runs, in em: a fair guess for layout, the page itself measures exactly. */
export function estimateEm(text: string): number {
  let width = 0;
  for (const sign of text) {
    if (/\p{Extended_Pictographic}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(sign))
      width += 1.05;
    else if (/[MWmw@—]/u.test(sign)) width += 0.85;
    else if (/[ijl.,:;'!| ftr]/u.test(sign)) width += 0.32;
    else width += /\p{Lu}/u.test(sign) ? 0.68 : 0.55;
  }
  return width;
}

const lineHeights = { title: 1.12, subtitle: 1.3, caption: 1.35 } as const;

/** Height that a text wants at this width (all in per cent of the frame's height), three lines at most. */
function wantedHeight(text: FilmText, size: number, widthPercent: number, frame: Frame): number {
  const perLine = (widthPercent * (frame.width / frame.height)) / size;
  const byWidth = Math.ceil((estimateEm(text.text) * 1.06) / perLine);
  const byCharacters = text.role === 'title' ? Math.ceil(text.text.length / 24) : 1;
  const lines = Math.min(text.role === 'title' ? 3 : 4, Math.max(1, byWidth, byCharacters, text.text.trim().split('\n').length));
  return lines * size * lineHeights[text.role] + 0.6;
}

interface Stack {
  readonly places: TextPlace[];
  readonly height: number;
}

/** Sets texts below one another; `top` of the result is at 0. */
export function stack(
  texts: readonly FilmText[],
  left: number,
  right: number,
  boost: number,
  align: TextPlace['align'],
  frame: Frame,
  maxHeight: number,
): Stack {
  const sized = texts.map((text) => {
    const size = Math.max(frame.sizes[text.role] * text.scale * (text.role === 'title' ? boost : Math.min(boost, 1.35)), 3.5);
    return { text, size: round(size, 1), height: wantedHeight(text, size, right - left, frame) };
  });
  const gap = 2.2;
  const natural = sized.reduce((sum, { height }) => sum + height, 0) + gap * Math.max(0, sized.length - 1);
  const squeeze = Math.min(1, maxHeight / natural);
  let y = 0;
  const places = sized.map(({ text, size, height }) => {
    const place: TextPlace = {
      text,
      size,
      align,
      box: { x: left, y: round(y, 1), width: round(right - left, 1), height: round(height * squeeze, 1) },
    };
    y += (height + gap) * squeeze;
    return place;
  });
  return { places, height: Math.min(natural, maxHeight) };
}

/** How much larger than usual a title is that has the frame to itself: it spans most of it when it is short. */
export function heroBoost(texts: readonly FilmText[], frame: Frame): number {
  const [title] = texts;
  if (title?.role !== 'title') return 1.35;
  const span = 0.62 * (frame.text.right - frame.text.left) * (frame.width / frame.height);
  const boost = span / (Math.max(...title.text.split('\n').map(estimateEm)) * frame.sizes.title * title.scale);
  return Math.min(texts.length > 1 ? 1.8 : 2.3, Math.max(1.35, boost));
}

/** A word or two over the cast are read at a glance; a sentence leaves it the frame. */
export function titleBoost(texts: readonly FilmText[], frame: Frame): number {
  const [title] = texts;
  if (title?.role !== 'title' || texts.length > 1) return 1;
  const span = 0.4 * (frame.text.right - frame.text.left) * (frame.width / frame.height);
  return Math.min(1.4, Math.max(1, span / (estimateEm(title.text) * frame.sizes.title * title.scale)));
}

export function moveDown(places: readonly TextPlace[], by: number): TextPlace[] {
  return places.map((place) => ({ ...place, box: { ...place.box, y: round(place.box.y + by, 1) } }));
}

export const roleOrder = { title: 0, subtitle: 1, caption: 2 } as const;

/** The part of a text's box that its words really cover. */
export function inkBox({ text, box, size, align }: TextPlace, frame: Frame): TextPlace['box'] {
  const lines = Math.max(1, Math.round(box.height / (size * 1.15)));
  const em = (estimateEm(text.text) / lines) * (lines > 1 ? 1.3 : 1.16);
  const width = Math.min(box.width, ((em * size) / 100) * (frame.height / frame.width) * 100);
  return {
    x: round(align === 'left' ? box.x : box.x + (box.width - width) / 2, 1),
    y: box.y,
    width: round(width, 1),
    height: box.height,
  };
}
