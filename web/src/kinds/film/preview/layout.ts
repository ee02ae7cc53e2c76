import type { Aspect } from '#contract/render.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** Positions within the pane, in CSS pixels. */
export interface FilmLayout {
  readonly film: Box;
  /** Box of the other version; `null` without a side-by-side comparison. */
  readonly other: Box | null;
  /** Box of the phone's body around the film; `null` without a phone. */
  readonly phone: Box | null;
}

/** Aspect ratio of current phone screens, long side to short side. */
const phoneAspect = 19.5 / 9;
/** Width of the phone's body around the screen, as a fraction of the short side. */
const bezelShare = 0.035;
const gap = 12;

const boxOf = ({ width, height }: Size): Box => ({ left: 0, top: 0, width, height });

/** Returns the largest centred box with this aspect ratio (width to height). */
export function fitInto(area: Box, aspect: number): Box {
  const width = Math.min(area.width, area.height * aspect);
  const height = width / aspect;
  return { left: area.left + (area.width - width) / 2, top: area.top + (area.height - height) / 2, width, height };
}

export function layOut(size: Size, { aspect, phone, split }: { aspect: number; phone: boolean; split: boolean }): FilmLayout {
  const area = boxOf(size);
  if (split) return splitLayout(area, aspect);
  if (!phone) return { film: fitInto(area, aspect), other: null, phone: null };
  const body = fitInto(area, aspect > 1 ? phoneAspect : 1 / phoneAspect);
  const bezel = Math.min(body.width, body.height) * bezelShare;
  const screen = {
    left: body.left + bezel,
    top: body.top + bezel,
    width: body.width - 2 * bezel,
    height: body.height - 2 * bezel,
  };
  return { film: fitInto(screen, aspect), other: null, phone: body };
}

/** Places the films side by side or one above the other, whichever makes them larger. */
function splitLayout(area: Box, aspect: number): FilmLayout {
  const column = { ...area, width: (area.width - gap) / 2 };
  const row = { ...area, height: (area.height - gap) / 2 };
  const beside = fitInto(column, aspect);
  const below = fitInto(row, aspect);
  if (beside.width >= below.width) {
    return { other: beside, film: { ...beside, left: beside.left + column.width + gap }, phone: null };
  }
  return { other: below, film: { ...below, top: below.top + row.height + gap }, phone: null };
}

const aspects: Record<Aspect, number> = { '16:9': 16 / 9, '9:16': 9 / 16, '1:1': 1, '4:5': 4 / 5 };

/**
 * Returns the visible part of a film cropped to another aspect ratio, in fractions of its frame. Returns `null` for the
 * film's own.
 */
export function cropBox(filmAspect: number, crop: Aspect): Box | null {
  const aspect = aspects[crop];
  if (Math.abs(aspect - filmAspect) < 0.01) return null;
  // Unit: the film's frame is 1 wide and 1 high.
  return fitInto({ left: 0, top: 0, width: 1, height: 1 }, aspect / filmAspect);
}

/** Returns whether a film fills the screen of a phone in portrait orientation. */
export const isUpright = (filmAspect: number) => Math.abs(filmAspect - 9 / 16) < 0.01;
