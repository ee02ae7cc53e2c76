import type { Aspect } from '../../../contract/film.ts';
import { frameSize } from '../../../contract/render.ts';

/**
 * The frame of a film in world units and the parts of it that may be used, in per cent of the frame from
 * its top left corner. On vertical formats the players of the platforms cover the top and the bottom.
 */
export interface Frame {
  readonly pixels: { readonly width: number; readonly height: number };
  readonly width: number;
  readonly height: number;
  readonly groundY: number;
  readonly portrait: boolean;
  /** Where text may stand. */
  readonly text: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  /** Where the floor line lies on screen when no text stands below it. */
  readonly groundPercent: number;
  /** Font sizes by role in per cent of the height. */
  readonly sizes: { readonly title: number; readonly subtitle: number; readonly caption: number };
}

type Measures = Omit<Frame, 'pixels' | 'groundY' | 'portrait'>;

const measures: Readonly<Record<Aspect, Measures>> = {
  '16:9': {
    width: 16,
    height: 9,
    text: { left: 9, right: 91, top: 9, bottom: 92 },
    groundPercent: 81,
    sizes: { title: 10.5, subtitle: 4.6, caption: 4.2 },
  },
  '1:1': {
    width: 10.5,
    height: 10.5,
    text: { left: 9, right: 91, top: 9, bottom: 91 },
    groundPercent: 78,
    sizes: { title: 8.6, subtitle: 4.2, caption: 3.8 },
  },
  '4:5': {
    width: 9.6,
    height: 12,
    text: { left: 9, right: 91, top: 12, bottom: 82 },
    groundPercent: 75,
    sizes: { title: 7.6, subtitle: 3.9, caption: 3.5 },
  },
  '9:16': {
    width: 8,
    height: 14.22,
    text: { left: 9, right: 91, top: 14, bottom: 79 },
    groundPercent: 74,
    sizes: { title: 7, subtitle: 3.7, caption: 3.5 },
  },
};

export function frameOf(aspect: Aspect): Frame {
  const measure = measures[aspect];
  return {
    ...measure,
    pixels: frameSize(aspect, '1080p'),
    groundY: round(measure.height * (0.5 - measure.groundPercent / 100)),
    portrait: measure.height > measure.width * 1.1,
  };
}

/** World height of a line on screen, as the camera sees it when it looks at `cameraY`. */
export function worldY(frame: Frame, percent: number, cameraY: number): number {
  return frame.height * (0.5 - percent / 100) + cameraY;
}

export function worldX(frame: Frame, percent: number): number {
  return frame.width * (percent / 100 - 0.5);
}

/** Numbers in emitted code have at most three decimals. */
export function round(value: number, decimals = 3): number {
  const factor = 10 ** decimals;
  const rounded = Math.round(value * factor) / factor;
  return Object.is(rounded, -0) ? 0 : rounded;
}
