import type { LayoutFinding } from '../../../server/contract/sandboxd.ts';
import type { Box, LayoutSnapshot, ShapeItem, TextItem } from '../page/protocol.ts';
import type { Size } from './chromium.ts';
import type { PixelFrame } from './frame-analysis.ts';
import { groundContrast } from './frame-analysis.ts';

/** Something that looks wrong at one moment. The moments around it show whether it is wrong: what moves is on its way. */
export interface Suspicion {
  readonly kind: LayoutFinding['kind'];
  readonly id: number;
  /** The second one of two that overlap. */
  readonly otherId: number | null;
  readonly selector: string;
  readonly text: string;
  readonly otherText: string | null;
  /** See `layoutFindingSchema`. */
  readonly amount: number;
}

/** Text under this share of the frame's height cannot be read on a phone; a little less is a matter of rounding. */
const smallestText = 0.035;
const textTolerance = 0.97;
/** WCAG AA. */
const leastContrast = 4.5;
/** Under this, something is being faded in or out, or is there as decoration. */
const solidOpacity = 0.5;
/** Height of capitals with what hangs below the line, in font sizes: a line's glyph area is higher than its ink. */
const inkHeight = 0.75;
/** Parts of the font size that may be lost without a glyph looking cut. */
const spareWidth = 0.2;
const spareHeight = 0.1;
const leastOverlap = 0.15;
/** Of the frame's shorter side, between two moments that are 0.1 s apart. */
const stillShift = 0.004;
const stillFade = 0.03;

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

/** The share of a box that is seen in the frame, 0…1. */
export function shareInside(box: Box, size: Size): number {
  return area(box) === 0 ? 0 : area(meet(box, frameBox(size))) / area(box);
}

/** Where the ink of a text is: without the air above and below its first and last line. */
function inkOf(text: TextItem): Box {
  const air = Math.max(0, (text.linePx - inkHeight * text.fontPx) / 2);
  return { ...text.box, top: text.box.top + air, bottom: Math.max(text.box.top + air + 1, text.box.bottom - air) };
}

/** How much of a text's ink a border takes away, 0…1; 0 when no glyph looks cut. */
function lostShare(text: TextItem, border: Box): number {
  const ink = inkOf(text);
  const { fontPx } = text;
  const wide = Math.max(border.left - ink.left, ink.right - border.right);
  const high = Math.max(border.top - ink.top, ink.bottom - border.bottom);
  if (wide <= spareWidth * fontPx && high <= spareHeight * fontPx) return 0;
  const lost = 1 - area(meet(ink, border)) / area(ink);
  // The box of a turned text has empty corners.
  return text.turned && lost < 0.3 ? 0 : lost;
}

/** What looks wrong at this moment; `picture` is the frame as it was drawn. */
export function suspicionsOf(snapshot: LayoutSnapshot, size: Size, picture: PixelFrame): Suspicion[] {
  const texts = snapshot.texts.filter((text) => text.opacity >= solidOpacity && /[\p{L}\p{N}]/u.test(text.text));
  const found = texts.flatMap((text) => textSuspicions(text, size, picture));
  for (const [index, text] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      const share = overlap(text, other);
      if (share >= leastOverlap) found.push({ ...about('text_overlap', text, share), otherId: other.id, otherText: other.text });
    }
  }
  for (const shape of snapshot.shapes) {
    const share = shareInside(shape.box, size);
    if (isCutPicture(shape, share, size)) {
      found.push({ ...nothingElse, kind: 'outside_frame', id: shape.id, selector: shape.selector, text: '', amount: 1 - share });
    }
  }
  return found;
}

function textSuspicions(text: TextItem, size: Size, picture: PixelFrame): Suspicion[] {
  const found: Suspicion[] = [];
  const inside = shareInside(text.box, size);
  // Wholly outside it may wait for its turn.
  if (inside === 0) return found;
  const cutByFrame = lostShare(text, frameBox(size));
  const seen = text.clip === null ? text.box : meet(text.box, text.clip);
  // Wholly behind its mask it waits, too.
  const cutByBox = text.clip === null || area(seen) === 0 ? 0 : lostShare(text, text.clip);
  if (cutByFrame > 0) found.push(about('text_beyond_frame', text, cutByFrame));
  else if (cutByBox > 0) found.push(about('text_clipped', text, cutByBox));
  else if (text.container !== null && area(seen) > 0 && !text.turned) {
    const beyond = lostShare(text, text.container);
    if (beyond > 0) found.push(about('text_overflow', text, beyond));
  }
  if (area(seen) === 0) return found;
  const share = text.fontPx / size.height;
  if (share < smallestText * textTolerance) found.push(about('text_small', text, share));
  const ratio = text.opacity < 0.95 ? null : groundContrast(text, picture);
  if (ratio !== null && ratio < leastContrast) found.push(about('text_contrast', text, ratio));
  return found;
}

const nothingElse = { otherId: null, otherText: null };
const about = (kind: Suspicion['kind'], { id, selector, text }: TextItem, amount: number): Suspicion => ({
  ...nothingElse,
  kind,
  id,
  selector,
  text,
  amount,
});

/** How much of the smaller text the other one lies on, 0…1. */
function overlap(one: TextItem, other: TextItem): number {
  if (one.turned || other.turned) return 0;
  // Echoes and outlines of one text, and the letters of one word, lie on each other on purpose.
  if (one.text === other.text) return 0;
  if (one.parentId === other.parentId && Math.min(one.text.length, other.text.length) <= 2) return 0;
  const [ink, otherInk] = [inkOf(one), inkOf(other)];
  const common = meet(ink, otherInk);
  const least = 0.1 * Math.min(one.fontPx, other.fontPx);
  if (width(common) < least || height(common) < least) return 0;
  return area(common) / Math.min(area(ink), area(otherInk));
}

/** A picture most of which cannot be seen; one that is larger than the frame is a ground. */
function isCutPicture(shape: ShapeItem, share: number, size: Size): boolean {
  const isGround = width(shape.box) > size.width * 1.1 || height(shape.box) > size.height * 1.1;
  return shape.kind === 'picture' && shape.opacity >= solidOpacity && !isGround && share > 0 && share < 0.5;
}

/** Of what looked wrong at two moments 0.1 s apart, what held still in between. */
export function heldStill(
  suspicions: readonly Suspicion[],
  before: LayoutSnapshot,
  after: LayoutSnapshot,
  size: Size,
): Suspicion[] {
  const still = (id: number | null): boolean => {
    if (id === null) return true;
    const one = find(before, id);
    const other = find(after, id);
    if (one === undefined || other === undefined || Math.abs(one.opacity - other.opacity) > stillFade) return false;
    const shift = (['left', 'top', 'right', 'bottom'] as const).map((edge) => Math.abs(one.box[edge] - other.box[edge]));
    return Math.max(...shift) <= stillShift * Math.min(size.width, size.height);
  };
  return suspicions.filter((suspicion) => still(suspicion.id) && still(suspicion.otherId));
}

const find = (snapshot: LayoutSnapshot, id: number) =>
  snapshot.texts.find((text) => text.id === id) ?? snapshot.shapes.find((shape) => shape.id === id);
