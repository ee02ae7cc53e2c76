import type { TextItem } from '../page/protocol.ts';
import type { PixelFrame } from './frame-analysis.ts';

type Colour = readonly [number, number, number];

const maxSamples = 6000;
/** So close to the text's colour is only the text. */
const sameRatio = 1.12;
/** Fewer of its own pixels than this, and something else is drawn over the text. */
const leastOwnShare = 0.02;
/** The ground is what most pixels are that are not glyphs: glyphs and their soft edges fill less than two thirds. */
const groundQuantile = 0.75;

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance; channels 0…255. */
export function relativeLuminance([red, green, blue]: Colour): number {
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function ratioOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/**
 * The contrast between a text and the ground it is drawn on, 1…21, measured in the frame itself, so that it holds over
 * pictures and canvases, too. Null where it cannot be told: no single colour, or the text is not to be seen.
 */
export function groundContrast(text: TextItem, frame: PixelFrame): number | null {
  if (text.color === null || text.turned) return null;
  const left = Math.max(0, Math.floor(text.box.left));
  const top = Math.max(0, Math.floor(text.box.top));
  const right = Math.min(frame.width, Math.ceil(text.box.right));
  const bottom = Math.min(frame.height, Math.ceil(text.box.bottom));
  const pixels = (right - left) * (bottom - top);
  if (right <= left || bottom <= top || pixels < 40) return null;
  const step = Math.max(1, Math.floor(pixels / maxSamples));
  const own = relativeLuminance(text.color);
  const ratios: number[] = [];
  for (let index = 0; index < pixels; index += step) {
    const at = ((top + Math.floor(index / (right - left))) * frame.width + left + (index % (right - left))) * 4;
    const [red = 0, green = 0, blue = 0] = frame.rgba.subarray(at, at + 3);
    ratios.push(ratioOf(own, relativeLuminance([red, green, blue])));
  }
  ratios.sort((one, other) => one - other);
  const ownShare = ratios.findIndex((ratio) => ratio > sameRatio) / ratios.length;
  // Nothing but its own colour: it cannot be told from its ground at all.
  if (ownShare < 0) return 1;
  if (ownShare < leastOwnShare) return null;
  return ratios[Math.floor(ratios.length * groundQuantile)] ?? null;
}
