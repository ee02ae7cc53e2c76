import { readable } from '../kit/color.ts';
import { FrameSvg } from '../themes/plain.tsx';
import type { Rect } from '../themes/theme.ts';
import { type Figure, FigureText, fitFigure, inkShare, type SetFigure } from './counting.tsx';
import { Lines } from './lines.tsx';
import { type LayoutSetting, useLayout, useScene } from './setting.tsx';
import { cased, leftToRight, setOptional, type TextSet } from './text.ts';

/** One number as a field of dots, of which that many are filled. */

interface DotGaugeProps {
  readonly title: string | null;
  readonly number: Figure;
  /** The number of dots; `null` for a percentage. */
  readonly of: number | null;
}

interface Field {
  readonly x: number;
  readonly y: number;
  readonly cell: number;
  readonly columns: number;
  readonly count: number;
  /** Dots to fill; the last one in part. */
  readonly filled: number;
}

interface Placed {
  readonly set: TextSet;
  readonly y: number;
}

interface Layout {
  readonly title: Placed | null;
  readonly figure: { readonly set: SetFigure; readonly y: number };
  readonly label: Placed | null;
  readonly trend: Placed | null;
  readonly field: Field;
}

const mostDots = 1000;
const dotShare = 0.72;
const gap = 30;

/** Returns how many dots there are, and how many of them are filled. A percentage has a dot for each percent or tenth of one. */
function dotsOf({ value }: Figure, of: number | null): { readonly count: number; readonly filled: number } {
  const whole = of === null || of === 0 ? 100 : of;
  const tenths = of === null && !Number.isInteger(value);
  const isCountable = Number.isInteger(whole) && whole > 1 && whole <= mostDots;
  const count = tenths || !isCountable ? mostDots : whole;
  return { count, filled: Math.min(count, Math.max(0, (value / whole) * count)) };
}

const maxCell = 180;

/** Returns the columns that give the largest dots, with full rows if they are not much smaller. */
function columnsFor(count: number, { width, height }: Pick<Rect, 'width' | 'height'>): { columns: number; cell: number } {
  const candidates = Array.from({ length: count }, (_, index) => {
    const columns = index + 1;
    const cell = Math.min(maxCell, width / columns, height / Math.ceil(count / columns));
    return { columns, cell, worth: cell * (count % columns === 0 ? 1 : 0.75) };
  });
  return candidates.reduce((best, one) => (one.worth >= best.worth ? one : best));
}

/** Lays out the texts beside the dots in a wide frame, and above them in the others. */
function layOut({ title, number, of }: DotGaugeProps, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const { count, filled } = dotsOf(number, of);
  const width = wide ? safe.width * 0.4 : safe.width;
  const heading = setOptional(title === null ? null : cased(theme, title, language), {
    face: theme.display,
    ...{ size: wide ? 68 : 76, minSize: 44, width, height: safe.height * (wide ? 0.32 : 0.14), maxCharacters: 26 },
  });
  const foot = { size: wide ? 54 : 60, width, height: safe.height * (wide ? 0.28 : 0.13), maxCharacters: 30 };
  const label = setOptional(number.label, { ...foot, face: theme.text });
  const trend = setOptional(number.trend === null ? null : leftToRight(number.trend), { ...foot, face: theme.strong });
  const ink = inkShare(setting);
  const set = fitFigure(number, setting, {
    width,
    height: Math.min(wide ? 330 : 260, safe.height * (wide ? 0.36 : 0.18)) / ink.height,
  });
  const digits = set.size * ink.height;
  const block = [heading, label, trend].reduce((sum, one) => sum + (one === null ? 0 : one.height + gap), digits);

  const room = wide
    ? { width: safe.width - width - 110, height: safe.height }
    : { width: safe.width, height: safe.height - block - gap * 1.5 };
  const { columns, cell } = columnsFor(count, room);
  const size = { width: cell * (columns - 1 + dotShare), height: cell * (Math.ceil(count / columns) - 1 + dotShare) };
  const top = safe.y + (safe.height - (wide ? block : block + gap * 1.5 + size.height)) * 0.48;

  let y = top;
  const place = (one: TextSet | null): Placed | null => {
    if (one === null) return null;
    const placed = { set: one, y };
    y += one.height + gap;
    return placed;
  };
  const placedTitle = place(heading);
  const figure = { set, y: y - ink.top * set.size };
  y += digits + gap;
  return {
    ...{ title: placedTitle, figure, label: place(label), trend: place(trend) },
    field: {
      ...{ cell, columns, count, filled },
      x: wide ? safe.x + safe.width - size.width : safe.x,
      y: wide ? safe.y + (safe.height - size.height) / 2 : y + gap / 2,
    },
  };
}

/** Shows a number as dots that fill one after another while it counts up. */
export function DotGauge(props: DotGaugeProps) {
  const { frame, colors, motion } = useScene();
  const { title, figure, label, trend, field } = useLayout(layOut, props);
  const leave = motion.leave();
  const { x } = frame.safe;
  return (
    <div className="box" style={{ inset: 0, opacity: 1 - leave, transform: `translateY(${leave * -30}px)` }}>
      {title === null ? null : <Lines {...title} x={x} color={colors.ink} progress={(line) => motion.enter(line * 0.08)} />}
      <div className="box" style={{ inset: 0, opacity: motion.enter(0.1, 0.4) }}>
        <FigureText
          set={figure.set}
          x={x - figure.set.size * 0.03}
          y={figure.y}
          color={colors.accent}
          progress={motion.draw(0.5, 1.5)}
        />
      </div>
      {label === null ? null : (
        <Lines {...label} x={x} color={colors.ink} entrance="fade" progress={() => motion.enter(0.5, 0.5)} />
      )}
      {trend === null ? null : (
        <Lines
          {...trend}
          x={x}
          color={readable(colors.helper, colors.dark ? colors.groundTop : colors.groundBottom)}
          entrance="fade"
          progress={() => motion.enter(0.7, 0.5)}
        />
      )}
      <Dots field={field} />
    </div>
  );
}

/** Draws all dots as two paths, because a thousand elements take too long for each frame. */
function Dots({ field }: { readonly field: Field }) {
  const { theme, colors, motion } = useScene();
  const { cell, columns, count, filled } = field;
  const radius = (cell * dotShare) / 2;
  // Few dots among many are larger, so that the eye finds them.
  const emphasis = filled < count * 0.05 ? 1.22 : 1;
  const spread = Math.max(1, filled * 0.08);
  const reached = motion.draw(0.5, 1.5) * (filled + spread);
  const rows = Math.ceil(count / columns);
  const dot = (index: number, size: number): string => {
    const x = field.x + radius + (index % columns) * cell;
    const y = field.y + radius + Math.floor(index / columns) * cell;
    if (theme.radius === 0) return `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`;
    return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0z`;
  };
  const empty: string[] = [];
  const full: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const row = Math.floor(index / columns) / Math.max(1, rows);
    const shown = motion.enter(0.1 + row * 0.4, 0.5);
    if (shown > 0) empty.push(dot(index, radius * shown));
    const share = Math.min(1, Math.max(0, filled - index));
    const popped = Math.min(1, Math.max(0, (reached - index) / spread));
    if (share > 0 && popped > 0) full.push(dot(index, radius * emphasis * Math.sqrt(share) * (0.3 + 0.7 * popped)));
  }
  return (
    <FrameSvg>
      <path d={empty.join('')} fill={colors.faint} />
      <path d={full.join('')} fill={colors.accentFill} />
    </FrameSvg>
  );
}
