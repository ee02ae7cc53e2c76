import type { Ease, FontName, Part, Property, Tween, Wave } from './film.ts';

/** Elements and movements that the films have in common. */

export interface Type {
  readonly font: FontName;
  readonly weight: number;
  readonly size: number;
  readonly lineHeight: number;
  /** Letter spacing in em. */
  readonly tracking: number;
  readonly color: string;
  readonly extra?: Part['style'];
}

export function typeStyle({ font, weight, size, lineHeight, tracking, color, extra }: Type): Part['style'] {
  return {
    fontFamily: `"Film ${font}", sans-serif`,
    fontWeight: weight,
    fontSize: size,
    lineHeight: `${lineHeight}px`,
    letterSpacing: `${tracking}em`,
    color,
    whiteSpace: 'pre',
    ...extra,
  };
}

export function tween(
  property: Property,
  [from, to]: readonly [number, number],
  at: number,
  seconds = 0.6,
  ease: Ease = 'out',
): Tween {
  return { property, from, to, at, seconds, ease };
}

interface Place {
  readonly x: number;
  readonly y: number;
  /** Width of a line that is aligned to its end. */
  readonly width?: number;
}

function placed({ x, y, width }: Place, align: 'left' | 'right' = 'left'): Part['style'] {
  return { left: x, top: y, ...(width === undefined ? {} : { width, textAlign: align }) };
}

/** A line that fades in while it rises a little. */
export function fadingLine(text: string, type: Type, place: Place & { readonly at: number; readonly seconds?: number }): Part {
  const { at, seconds = 0.6 } = place;
  return {
    style: { ...typeStyle(type), ...placed(place, 'right') },
    text,
    tweens: [tween('opacity', [0, 1], at, seconds), tween('y', [24, 0], at, seconds)],
  };
}

/** A line that rises into view inside its own clip. */
export function risingLine(
  text: string,
  type: Type,
  place: Place & { readonly at: number; readonly seconds?: number; readonly room?: number },
): Part {
  const { at, seconds = 0.6, room = 0.25 } = place;
  const pad = type.size * room;
  return {
    // Remotion's page counts the padding as part of the height otherwise.
    style: {
      ...{ left: place.x - pad, top: place.y - pad, height: type.lineHeight, padding: pad },
      boxSizing: 'content-box',
      overflow: 'hidden',
    },
    children: [
      {
        style: { ...typeStyle(type), position: 'relative' },
        text,
        tweens: [tween('y', [type.lineHeight + pad, 0], at, seconds)],
      },
    ],
  };
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function box({ x, y, width, height }: Rectangle, style: Part['style'], tweens: readonly Tween[] = []): Part {
  return { style: { left: x, top: y, width, height, ...style }, tweens };
}

/** A box that grows from its left edge, its top or its foot. */
export function growing(
  rectangle: Rectangle,
  color: string,
  motion: { at: number; seconds: number; from?: 'left' | 'top' | 'foot'; ease?: Ease; radius?: number },
): Part {
  const { at, seconds, from = 'left', ease = 'inOut', radius = 0 } = motion;
  return box(rectangle, { background: color, borderRadius: radius, transformOrigin: from === 'foot' ? '0 100%' : '0 0' }, [
    tween(from === 'left' ? 'scaleX' : 'scaleY', [0, 1], at, seconds, ease),
  ]);
}

/** The opaque background of a film. */
export function ground(background: string, children: readonly Part[] = []): Part {
  return { style: { left: 0, top: 0, width: 1920, height: 1080, background, overflow: 'hidden' }, children };
}

export const wave = (property: Property, centre: number, amplitude: number, periodSeconds: number, phase = 0): Wave => ({
  property,
  centre,
  amplitude,
  periodSeconds,
  phase,
});
