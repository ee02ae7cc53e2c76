import type { Page } from 'puppeteer-core';
import type { Style } from '#kinds/film/contract/film.ts';
import { restlessFormats } from '../../server/kinds/film/formats/catalogue.ts';
import type { Format } from '../../server/kinds/film/formats/define-format.ts';
import type { GalleryWindow } from './gallery-window.ts';

const fps = 60;
/** Frames at the end of a scene, when everything has entered. */
const holdFrames = 54;
/** A drift advances once in so many frames, except in the smooth style, where it rests. */
const driftFrames = 6;

interface Shown {
  readonly format: Format;
  readonly style: Style;
  readonly seconds: number;
}

/** Returns the fraction of the shown film's frames that repeat the one before, which a render reuses. */
export async function reusedShare(page: Page, seconds: number): Promise<number> {
  const last = Math.round(seconds * fps) - 1;
  return 1 - (await changedFrames(page, 1, last)) / last;
}

/** Returns the problem that the shown film moves in its hold, if its format should rest there. */
export async function restless(page: Page, { format, style, seconds }: Shown): Promise<string[]> {
  if (restlessFormats.has(format.id)) return [];
  const last = Math.round(seconds * fps) - 1;
  const changed = await changedFrames(page, last - holdFrames + 1, last);
  const allowed = style === 'smooth' ? 0 : holdFrames / driftFrames;
  return changed > allowed ? [`${changed} of the last ${holdFrames} frames change; ${allowed} may`] : [];
}

async function changedFrames(page: Page, first: number, last: number): Promise<number> {
  return page.evaluate((from, until) => (globalThis as unknown as GalleryWindow).__changedFrames(from, until), first, last);
}
