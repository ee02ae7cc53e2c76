import type { RenderSettings } from '../contract/render.ts';
import { partSeconds } from './part.ts';

/**
 * Capturing this many pixels takes about as long as it takes a busy machine to start one more browser and to
 * load the page in it (measured on two cores without a GPU). Under it, a second browser only takes
 * processor time from the first, which may have the page open already.
 */
const pixelsPerBrowser = 20_000_000;

/**
 * How many browsers a render is captured with, `configured` at most. A preview is small and awaited, so it
 * starts no more of them than it has work for; a final uses all.
 */
export function workerCount(settings: RenderSettings, configured: number): number {
  if (settings.kind === 'final') return configured;
  const { width, height, fps, range } = settings;
  const pixels = partSeconds(range, settings) * fps * width * height;
  return Math.min(configured, Math.max(1, Math.round(pixels / pixelsPerBrowser)));
}
