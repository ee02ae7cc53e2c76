import type { Aspect } from '#contract/render.ts';

export const stripGap = 14;
const narrowest = 132;
/** From this number of scenes the strip scrolls. */
const scrollsFrom = 7;
const scrollingWidth = 200;

const heights: Readonly<Record<Aspect, number>> = { '16:9': 155, '1:1': 200, '4:5': 220, '9:16': 250 };

/** Few scenes have room for larger pictures. */
function scaleFor(scenes: number, width: number): number {
  if (width < 640) return 0.85;
  return { 2: 1.35, 3: 1.15 }[scenes] ?? 1;
}

export interface StripLayout {
  readonly widths: readonly number[];
  readonly height: number;
  readonly pixelsPerSecond: number;
}

/** Returns the tiles' widths, which follow the scenes' lengths, in a strip of a width. */
export function stripLayout(lengths: readonly number[], aspect: Aspect, width: number): StripLayout {
  const height = Math.round(heights[aspect] * scaleFor(lengths.length, width));
  const total = lengths.reduce((sum, seconds) => sum + seconds, 0);
  const free = width - stripGap * (lengths.length - 1);
  const fits = lengths.length < scrollsFrom && free / lengths.length >= narrowest;
  if (!fits) {
    const tile = Math.min(scrollingWidth, Math.max(narrowest, Math.round(height * 1.3)));
    const widths = lengths.map(() => (aspect === '9:16' ? narrowest : tile));
    return { widths, height, pixelsPerSecond: (tile * lengths.length) / total };
  }
  // Tiles that would be too narrow take their width from the others.
  const small = lengths.map((seconds) => (seconds / total) * free < narrowest);
  const rest = free - small.filter(Boolean).length * narrowest;
  const restSeconds = lengths.reduce((sum, seconds, at) => (small[at] ? sum : sum + seconds), 0);
  const widths = lengths.map((seconds, at) => Math.floor(small[at] ? narrowest : (seconds / restSeconds) * rest));
  return { widths, height, pixelsPerSecond: free / total };
}

/** Returns where a tile lands that is dragged by `dx` pixels. */
export function landing(widths: readonly number[], from: number, dx: number): number {
  const centers = widths.map((width, at) => widths.slice(0, at).reduce((sum, one) => sum + one + stripGap, 0) + width / 2);
  const center = (centers[from] ?? 0) + dx;
  const others = centers.filter((_, at) => at !== from);
  return others.filter((one) => one < center).length;
}
