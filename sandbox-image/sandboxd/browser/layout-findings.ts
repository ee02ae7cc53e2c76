import type { LayoutFinding } from '#contract/sandbox/answers.ts';
import type { Box, LayoutSnapshot, ShapeItem, TextItem } from '../page/protocol.ts';
import type { Size } from './chromium.ts';
import type { PixelFrame } from './frame-analysis.ts';
import { backgroundContrast } from './frame-analysis.ts';

/** A possible layout problem at one timestamp. It is confirmed only if the element does not move. */
export interface CandidateFinding {
  readonly kind: LayoutFinding['kind'];
  readonly id: number;
  readonly otherId: number | null;
  readonly selector: string;
  readonly text: string;
  readonly otherText: string | null;
  readonly amount: number;
}

/** Smaller text, as a fraction of the frame's shorter side, is unreadable on a phone. */
const minTextShare = 0.03;
const textTolerance = 0.0005;
/** WCAG AA. A finding so close to the limit would be a matter of rounding. */
const minContrast = { normal: 4.5, large: 3 };
const contrastTolerance = 0.2;
/** Size from which WCAG counts type as large, in a frame whose shorter side has 1080 px. */
const largeType = { fontPx: 24, framePx: 1080 };
/** Below this opacity, an element is fading or decorative. */
const solidOpacity = 0.5;
/** Height of capitals plus descenders, relative to the font size. A line's box is taller than its ink. */
const inkHeight = 0.75;
/** Fractions of the font size that can be cut off without visibly cutting a glyph. Sound text keeps a distance from the frame. */
const spareInBox = { width: 0.2, height: 0.1 };
const spareInFrame = { width: 0.1, height: 0.03 };
const minOverlap = 0.15;
/** A large figure that touches a smaller text covers little of it. */
const minTouch = 0.04;
const figureRatio = 1.5;
/** A text that is only slightly smaller than requested looks as intended. */
const minFitted = 0.85;
/** Movement between two timestamps 0.1 s apart, as a fraction of the frame's shorter side. */
const maxUnchangedShift = 0.004;
const maxUnchangedFade = 0.03;

const width = (box: Box) => Math.max(0, box.right - box.left);
const height = (box: Box) => Math.max(0, box.bottom - box.top);
const area = (box: Box) => width(box) * height(box);
const meet = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});
const frameBox = (size: Size): Box => ({ left: 0, top: 0, right: size.width, bottom: size.height });

/** Returns the fraction of a box that is inside the frame, 0 to 1. */
export function shareInside(box: Box, size: Size): number {
  return area(box) === 0 ? 0 : area(meet(box, frameBox(size))) / area(box);
}

function inkOf(text: TextItem): Box {
  const air = Math.max(0, (text.linePx - inkHeight * text.fontPx) / 2);
  return { ...text.box, top: text.box.top + air, bottom: Math.max(text.box.top + air + 1, text.box.bottom - air) };
}

/** Returns the fraction of a text's ink that is outside a border, 0 to 1; 0 if no glyph looks cut. */
function lostShare(text: TextItem, border: Box, spare: Size): number {
  const ink = inkOf(text);
  const { fontPx } = text;
  const wide = Math.max(border.left - ink.left, ink.right - border.right);
  const high = Math.max(border.top - ink.top, ink.bottom - border.bottom);
  if (wide <= spare.width * fontPx && high <= spare.height * fontPx) return 0;
  const lost = 1 - area(meet(ink, border)) / area(ink);
  // The bounding box of rotated text has empty corners.
  return text.rotated && lost < 0.3 ? 0 : lost;
}

export function candidateFindings(snapshot: LayoutSnapshot, size: Size, frame: PixelFrame): CandidateFinding[] {
  const texts = snapshot.texts.filter((text) => text.opacity >= solidOpacity && /[\p{L}\p{N}]/u.test(text.text));
  const candidates = texts.flatMap((text) => textCandidates(text, size, frame));
  const faint = new Set(candidates.flatMap(({ kind, id }) => (kind === 'text_contrast' ? [id] : [])));
  // A dim echo behind a legible text, such as the drained part of a number, is not to be read.
  const legible = texts.filter(({ id }) => !faint.has(id));
  const found = candidates.filter(
    ({ kind, id }) =>
      kind !== 'text_contrast' ||
      !legible.some((text) =>
        isEcho(
          texts.find((one) => one.id === id),
          text,
        ),
      ),
  );
  for (const [index, text] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      const share = overlap(text, other);
      const [large, small] = [Math.max(text.fontPx, other.fontPx), Math.min(text.fontPx, other.fontPx)];
      if (share >= (large > figureRatio * small ? minTouch : minOverlap))
        found.push({ ...about('text_overlap', text, share), otherId: other.id, otherText: other.text });
    }
  }
  for (const shape of snapshot.shapes) {
    const share = shareInside(shape.box, size);
    if (isCutImage(shape, share, size)) {
      found.push({ ...nothingElse, kind: 'outside_frame', id: shape.id, selector: shape.selector, text: '', amount: 1 - share });
    }
  }
  return found;
}

function textCandidates(text: TextItem, size: Size, frame: PixelFrame): CandidateFinding[] {
  const found: CandidateFinding[] = [];
  const inside = shareInside(text.box, size);
  // Text outside the frame may be about to enter it.
  if (inside === 0) return found;
  const cutByFrame = lostShare(text, frameBox(size), spareInFrame);
  const seen = text.clip === null ? text.box : meet(text.box, text.clip);
  // Fully masked text may be about to appear.
  const cutByBox = text.clip === null || area(seen) === 0 ? 0 : lostShare(text, text.clip, spareInBox);
  if (cutByFrame > 0) found.push(about('text_beyond_frame', text, cutByFrame));
  else if (cutByBox > 0) found.push(about('text_clipped', text, cutByBox));
  else if (text.container !== null && area(seen) > 0 && !text.rotated) {
    const beyond = lostShare(text, text.container, spareInBox);
    if (beyond > 0) found.push(about('text_overflow', text, beyond));
  }
  if (area(seen) === 0) return found;
  const share = text.fontPx / Math.min(size.width, size.height);
  if (share < minTextShare - textTolerance) found.push(about('text_small', text, share));
  if (text.fitted !== null && (text.fitted === 1 || text.fitted < minFitted)) found.push(about('text_shrunk', text, text.fitted));
  if (text.touched !== null)
    found.push({ ...about('title_touched', text, text.touched.share), otherText: text.touched.selector });
  const ratio = text.opacity < 0.95 ? null : backgroundContrast(text, frame);
  if (ratio !== null && isFaint(text, ratio, size)) found.push(about('text_contrast', text, ratio));
  return found;
}

/** Returns whether a candidate's text has too little contrast, as `ratio` measures it. */
export function isFaint(text: TextItem, ratio: number, size: Size): boolean {
  return ratio < leastContrast(text, size) - contrastTolerance;
}

function leastContrast({ fontPx }: TextItem, { width, height }: Size): number {
  const isLarge = (fontPx / Math.min(width, height)) * largeType.framePx >= largeType.fontPx;
  return isLarge ? minContrast.large : minContrast.normal;
}

const nothingElse = { otherId: null, otherText: null };
const about = (kind: CandidateFinding['kind'], { id, selector, text }: TextItem, amount: number): CandidateFinding => ({
  ...nothingElse,
  kind,
  id,
  selector,
  text,
  amount,
});

function isEcho(one: TextItem | undefined, other: TextItem): boolean {
  return one?.text === other.text && area(meet(one.box, other.box)) > 0.5 * area(one.box);
}

/** Returns the fraction of the smaller text that the other one covers, 0 to 1. */
function overlap(one: TextItem, other: TextItem): number {
  if (one.rotated || other.rotated) return 0;
  // A text's echoes and outlines, and the letters of a word, overlap on purpose.
  if (one.text === other.text) return 0;
  if (one.parentId === other.parentId && Math.min(one.text.length, other.text.length) <= 2) return 0;
  const [ink, otherInk] = [inkOf(one), inkOf(other)];
  const common = meet(ink, otherInk);
  const least = 0.1 * Math.min(one.fontPx, other.fontPx);
  if (width(common) < least || height(common) < least) return 0;
  return area(common) / Math.min(area(ink), area(otherInk));
}

/** Returns whether most of an image is outside the frame. An image larger than the frame is a background and may be. */
function isCutImage(shape: ShapeItem, share: number, size: Size): boolean {
  const isBackground = width(shape.box) > size.width * 1.1 || height(shape.box) > size.height * 1.1;
  return shape.kind === 'image' && shape.opacity >= solidOpacity && !isBackground && share > 0 && share < 0.5;
}

/** Returns the findings whose elements did not move between two timestamps 0.1 s apart. */
export function unchangedFindings(
  candidates: readonly CandidateFinding[],
  before: LayoutSnapshot,
  after: LayoutSnapshot,
  size: Size,
): CandidateFinding[] {
  const isUnchanged = (id: number | null): boolean => {
    if (id === null) return true;
    const one = find(before, id);
    const other = find(after, id);
    if (one === undefined || other === undefined || Math.abs(one.opacity - other.opacity) > maxUnchangedFade) return false;
    const shift = (['left', 'top', 'right', 'bottom'] as const).map((edge) => Math.abs(one.box[edge] - other.box[edge]));
    return Math.max(...shift) <= maxUnchangedShift * Math.min(size.width, size.height);
  };
  return candidates.filter((candidate) => isUnchanged(candidate.id) && isUnchanged(candidate.otherId));
}

const find = (snapshot: LayoutSnapshot, id: number) =>
  snapshot.texts.find((text) => text.id === id) ?? snapshot.shapes.find((shape) => shape.id === id);
