import type { Aspect } from '#contract/film.ts';
import { frameSize } from '#contract/render.ts';

export interface Frame {
  readonly pixels: { readonly width: number; readonly height: number };
  readonly width: number;
  readonly height: number;
  readonly groundY: number;
}

const views: Readonly<Record<Aspect, Omit<Frame, 'pixels'>>> = {
  '16:9': { width: 16, height: 9, groundY: -2.79 },
  '1:1': { width: 10.5, height: 10.5, groundY: -2.94 },
  '4:5': { width: 9.6, height: 12, groundY: -3 },
  '9:16': { width: 8, height: 14.22, groundY: -3.413 },
};

export function frameOf(aspect: Aspect): Frame {
  return { ...views[aspect], pixels: frameSize(aspect, '1080p') };
}
