import type { Rect } from '../themes/theme.ts';
import type { Point } from './curve.ts';
import { figure, looksLikeYear } from './figures.ts';
import { faceStyle } from './lines.tsx';
import { Box, type LayoutSetting, useScene } from './setting.tsx';
import { capitalBounds, measure } from './text.ts';

/** Numbers that count up, and the gauges that fill with them. */

export interface Figure {
  readonly value: number;
  readonly from: number | null;
  readonly decimals: number;
  readonly prefix: string;
  readonly suffix: string;
  readonly label: string | null;
  readonly trend: string | null;
}

/** Letter suffixes are small; signs such as % are slightly smaller than the digits. */
const suffixScale = (suffix: string): number => (suffix.length <= 2 && !/\p{L}/u.test(suffix) ? 0.62 : 0.44);

export interface SetFigure {
  readonly figure: Figure;
  readonly size: number;
  readonly suffixSize: number;
  readonly width: number;
}

const smallestSuffix = 34;
const suffixGap = 0.12;

/** Returns the largest size at which all values of a counting figure fit. Tabular digits are as wide as a zero. */
export function fitFigure(
  item: Figure,
  { theme, language }: Pick<LayoutSetting, 'theme' | 'language'>,
  box: { width: number; height: number },
): SetFigure {
  const text = (item.prefix + figure(widest(item), item.decimals, language, isYear(item))).replace(/\p{Nd}/gu, '0');
  const digits = measure(theme.figures, text);
  const suffix = item.suffix === '' ? 0 : measure(theme.figures, item.suffix);
  for (let size = box.height; ; size *= 0.97) {
    const suffixSize = Math.max(smallestSuffix, size * suffixScale(item.suffix));
    const width = digits * size + (suffix === 0 ? 0 : (suffix + suffixGap) * suffixSize);
    if (width <= box.width * 0.985 || size < smallestSuffix) return { figure: item, size, suffixSize, width };
  }
}

/** Returns whether a figure is a year. All numbers on the way to it are written like it. */
const isYear = ({ value, prefix, suffix }: Figure): boolean => prefix === '' && suffix === '' && looksLikeYear(value);

const widest = ({ value, from }: Figure): number => (Math.abs(from ?? 0) > Math.abs(value) ? (from ?? 0) : value);

/**
 * Returns the current value while counting. It starts from 0, or from 92 % of a large value, so that the digits stay
 * readable.
 */
function counted({ value, from }: Figure, progress: number): number {
  const start = from ?? (Math.abs(value) >= 10_000 ? value * 0.92 : 0);
  return start + (value - start) * Math.min(1, progress);
}

export function FigureText({
  set,
  x,
  y,
  color,
  progress,
  centred = false,
}: {
  readonly set: SetFigure;
  readonly x: number;
  readonly y: number;
  readonly color: string;
  readonly progress: number;
  readonly centred?: boolean;
}) {
  const { theme, language, frame } = useScene();
  const { figure: item, size, suffixSize, width } = set;
  const side = frame.rightToLeft ? 'right' : 'left';
  return (
    <div
      className="line"
      style={{
        ...faceStyle(theme.figures, size),
        left: frame.left(x, width),
        top: y,
        width,
        height: size,
        lineHeight: `${size}px`,
        color,
        fontVariantNumeric: 'tabular-nums',
        textAlign: centred ? 'center' : side,
      }}
    >
      <bdi dir="ltr">
        {item.prefix}
        {figure(counted(item, progress), item.decimals, language, isYear(item))}
      </bdi>
      {item.suffix === '' ? null : (
        <span style={{ fontSize: suffixSize, marginInlineStart: `${suffixGap}em` }}>{item.suffix}</span>
      )}
    </div>
  );
}

/** Returns the part of a figure's line that its digits cover, with space for a comma below, in em. */
export function inkShare({ theme }: LayoutSetting): { readonly top: number; readonly height: number } {
  const { top, bottom } = capitalBounds(theme.figures);
  return { top, height: bottom - top + 0.13 };
}

export interface Ring {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly stroke: number;
}

export const ringIn = (x: number, y: number, diameter: number): Ring => {
  const stroke = Math.max(10, diameter * 0.052);
  return { x: x + diameter / 2, y: y + diameter / 2, radius: (diameter - stroke) / 2, stroke };
};

export function BarGauge({ bar, full, shown }: { readonly bar: Rect; readonly full: number; readonly shown: number }) {
  const { theme, colors } = useScene();
  const from = bar.width * full;
  const until = bar.width * shown;
  const track = bar.height * 0.36;
  return (
    <>
      {until <= from ? null : (
        <Box
          x={bar.x + from}
          y={bar.y + (bar.height - track) / 2}
          width={until - from}
          height={track}
          style={{ background: colors.faint, borderRadius: theme.radius === 0 ? 0 : track / 2 }}
        />
      )}
      {full <= 0 ? null : <theme.Bar {...bar} width={from} tone="accent" vertical={false} index={0} />}
    </>
  );
}

export function RingGauge({ ring, full, shown }: { readonly ring: Ring; readonly full: number; readonly shown: number }) {
  const { theme } = useScene();
  const points = Array.from({ length: 73 }, (_, index): Point => {
    const angle = (index / 72) * 2 * Math.PI;
    return [ring.x + ring.radius * Math.sin(angle), ring.y - ring.radius * Math.cos(angle)];
  });
  return (
    <>
      <theme.Path points={points} width={ring.stroke * 0.4} progress={shown} tone="plain" seed={3} />
      {full <= 0 ? null : <theme.Path points={points} width={ring.stroke} progress={full} tone="accent" seed={4} />}
    </>
  );
}
