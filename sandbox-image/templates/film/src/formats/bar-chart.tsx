import { decimalsOf, figure } from '../drawing/figures.ts';
import { Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { type Source, SourceLine, withSource } from '../drawing/source.tsx';
import { cased, setText, setTexts, type TextSet } from '../drawing/text.ts';
import type { Rect } from '../themes/theme.ts';

interface BarChartProps {
  readonly title: string | null;
  readonly unit: string | null;
  readonly source: string | null;
  readonly prefix: string;
  readonly suffix: string;
  readonly items: readonly { readonly label: string; readonly value: number }[];
  readonly highlight: number | null;
  readonly horizontal: boolean | null;
  readonly sorted: boolean;
}

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: TextSet;
  readonly labelX: number;
  readonly labelY: number;
  readonly value: TextSet;
  readonly valueX: number;
  readonly valueY: number;
  /** Whether the value is inside the bar. */
  readonly inside: boolean;
  readonly highlighted: boolean;
  readonly negative: boolean;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleX: number;
  readonly titleY: number;
  readonly unit: TextSet | null;
  readonly unitY: number;
  readonly vertical: boolean;
  readonly bars: readonly Bar[];
  readonly base: number;
  /** Line at the height of the highlighted column, across the lower columns beside it. */
  readonly level: { readonly from: number; readonly until: number; readonly y: number } | null;
  readonly source: Source | null;
}

type Chart = Omit<Layout, 'source'>;

const columnsAtMost = 7;
/** Minimum size of names and values in design pixels. */
const smallest = 34;

function layOut(props: BarChartProps, whole: LayoutSetting): Layout {
  const { source, setting } = withSource(props.source, whole);
  const items = props.items.map((item, index) => ({ ...item, highlighted: index === props.highlight }));
  if (props.sorted) items.sort((one, other) => other.value - one.value);
  const { frame, theme } = setting;
  const columnWidth = frame.safe.width / items.length;
  const labelsFit = setTexts(
    items.map(({ label }) => ({
      text: label,
      face: theme.text,
      size: 42,
      minSize: 36,
      width: columnWidth - 14,
      height: 110,
      maxCharacters: 30,
      lineHeight: 1.1,
    })),
  ).every(({ size }) => size >= 36);
  const vertical =
    props.horizontal === null
      ? items.length <= columnsAtMost && labelsFit && !(frame.shape === 'tall' && items.length > 4)
      : !props.horizontal;
  return { ...(vertical ? columns(items, props, setting) : rows(items, props, setting)), source };
}

type Item = { label: string; value: number; highlighted: boolean };

function valueText(value: number, items: readonly Item[], { prefix, suffix }: BarChartProps, language: string): string {
  return `${prefix}${figure(value, decimalsOf(items.map((item) => item.value)), language)}${suffix}`;
}

function heading(
  props: BarChartProps,
  { theme, frame, language }: LayoutSetting,
  width: number,
  size = frame.shape === 'wide' ? 112 : 104,
): { title: TextSet | null; unit: TextSet | null; height: number } {
  const title =
    props.title === null
      ? null
      : setText({
          text: cased(theme, props.title, language),
          face: theme.display,
          size,
          minSize: 50,
          width,
          height: size < 100 ? 200 : 270,
          maxCharacters: frame.shape === 'wide' ? 46 : 26,
        });
  const unit =
    props.unit === null ? null : setText({ text: props.unit, face: theme.text, size: 40, width, height: 60, maxCharacters: 60 });
  return { title, unit, height: (title?.height ?? 0) + (unit === null ? 0 : unit.height + 16) };
}

/** Lays out columns on a common baseline. The title goes into the empty corner above short columns, if there is one. */
function columns(items: readonly Item[], props: BarChartProps, setting: LayoutSetting): Chart {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const pitch = safe.width / items.length;
  const barWidth = Math.min(pitch * 0.86, safe.width * 0.28);
  const labels = setTexts(
    items.map(({ label }) => ({
      text: label,
      face: theme.text,
      size: 42,
      minSize: 30,
      width: pitch - 14,
      height: 110,
      maxCharacters: 30,
      lineHeight: 1.1,
    })),
  );
  const labelHeight = Math.max(...labels.map(({ height }) => height));
  const values = setTexts(
    items.map(({ value }) => ({
      text: valueText(value, items, props, language),
      face: theme.figures,
      size: 62,
      minSize: 30,
      width: barWidth - 16,
      height: 80,
      maxCharacters: 20,
    })),
  );
  const top = Math.max(0, ...items.map(({ value }) => value));
  const bottom = Math.min(0, ...items.map(({ value }) => value));
  const range = top - bottom || 1;
  const plotBottom = safe.y + safe.height - labelHeight - 26;

  const isCornered = frame.shape === 'wide' && bottom === 0 && (props.title !== null || props.unit !== null);
  const corner = isCornered ? freeCorner(items, props, { pitch, height: plotBottom - safe.y }, setting) : null;
  const cornered = corner !== null;
  const head = cornered ? corner.head : heading(props, setting, safe.width);
  const plotTop = cornered ? safe.y + 6 : safe.y + (props.title === null && props.unit === null ? 80 : head.height + 110);
  const scale = (plotBottom - plotTop) / range;
  const base = plotTop + top * scale;
  const bars = items.map((item, index): Bar => {
    const height = Math.max(4, Math.abs(item.value) * scale);
    const x = safe.x + index * pitch + (items.length <= 3 ? (pitch - barWidth) / 2 : 0);
    const negative = item.value < 0;
    const y = negative ? base : base - height;
    const value = values[index] as TextSet;
    const label = labels[index] as TextSet;
    const inside = theme.solidBars && height > value.size * 1.7 && !negative;
    const outsideY = negative ? y + height + 8 : y - value.size * 1.15;
    return {
      x,
      y,
      width: barWidth,
      height,
      label,
      labelX: x,
      labelY: plotBottom + 22,
      value,
      valueX: x + (inside ? 24 : 4),
      valueY: inside ? y + 20 : outsideY,
      inside,
      highlighted: item.highlighted,
      negative,
    };
  });
  return {
    ...head,
    titleX: safe.x + (corner?.from ?? 0) * pitch,
    titleY: safe.y - 8,
    unitY: safe.y + (head.title?.height ?? 0) + 8,
    vertical: true,
    bars,
    base,
    level: levelOf(bars),
  };
}

/** Returns the first column from which all columns are low enough for the title, or `null` if there is no such corner. */
function freeCorner(
  items: readonly Item[],
  props: BarChartProps,
  { pitch, height }: { readonly pitch: number; readonly height: number },
  setting: LayoutSetting,
): { readonly from: number; readonly head: ReturnType<typeof heading> } | null {
  const top = Math.max(0, ...items.map(({ value }) => value));
  for (let from = 1; from <= items.length * 0.4; from += 1) {
    const head = heading(props, setting, (items.length - from) * pitch, 94);
    const tallest = Math.max(...items.slice(from).map(({ value }) => value));
    const isLarge = head.title === null || head.title.size >= 76;
    if (isLarge && height * (1 - tallest / top) >= head.height + (setting.theme.solidBars ? 54 : 110)) return { from, head };
  }
  return null;
}

/**
 * Returns the line from the highlighted column across all columns after it, or before it, that are lower including their
 * values.
 */
function levelOf(bars: readonly Bar[]): Layout['level'] {
  const at = bars.findIndex(({ highlighted }) => highlighted);
  const own = bars[at];
  if (own === undefined || own.negative) return null;
  const isLower = (bar: Bar) => Math.min(bar.y, bar.valueY) > own.y + 10;
  const [after, before] = [bars.slice(at + 1), bars.slice(0, at)];
  const end = bars.at(-1) ?? own;
  if (after.length > 0 && after.every(isLower)) return { from: own.x + own.width, until: end.x + end.width, y: own.y };
  const start = bars[0] ?? own;
  return before.length > 0 && before.every(isLower) ? { from: start.x, until: own.x, y: own.y } : null;
}

/** Lays out rows from the start edge, with the names in a separate column. */
function rows(items: readonly Item[], props: BarChartProps, setting: LayoutSetting): Chart {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const head = items.length > 6 ? heading(props, setting, safe.width, 82) : heading(props, setting, safe.width);
  const plotTop = safe.y + (head.height === 0 ? 0 : head.height + (items.length > 6 ? 24 : 48));
  const pitch = Math.min(130, (safe.y + safe.height - plotTop) / items.length);
  const stacked = frame.shape === 'tall' && pitch > 100;
  const nameWidth = stacked ? safe.width : safe.width * (frame.shape === 'wide' ? 0.36 : 0.62);
  const size = Math.max(smallest, Math.min(46, pitch * (stacked ? 0.38 : 0.58)));
  const labels = setTexts(
    items.map(({ label }) => ({
      text: label,
      face: theme.text,
      size,
      minSize: 30,
      width: nameWidth,
      height: pitch * (stacked ? 0.5 : 0.98),
      maxCharacters: 40,
      lineHeight: 1.05,
    })),
  );
  const widestName = Math.max(...labels.map(({ width }) => width));
  const values = setTexts(
    items.map(({ value }) => ({
      text: valueText(value, items, props, language),
      face: theme.figures,
      size,
      minSize: 30,
      width: safe.width * 0.24,
      height: pitch * 1.2,
      maxCharacters: 20,
    })),
  );
  const widestValue = Math.max(...values.map(({ width }) => width));
  const from = stacked ? safe.x : safe.x + Math.min(nameWidth, widestName + 34);
  const length = safe.x + safe.width - from - widestValue - 24;
  const largest = Math.max(1e-12, ...items.map(({ value }) => Math.abs(value)));
  const thickness = stacked ? pitch * 0.34 : Math.min(pitch * 0.62, 64);
  const free = Math.max(0, safe.y + safe.height - plotTop - pitch * items.length);
  const shift = free * 0.4;
  const bars = items.map((item, index): Bar => {
    const label = labels[index] as TextSet;
    const value = values[index] as TextSet;
    const rowY = plotTop + shift + index * pitch;
    const width = Math.max(4, (Math.abs(item.value) / largest) * length);
    const y = stacked ? rowY + label.lineStep + 8 : rowY + (pitch - thickness) / 2;
    return {
      x: from,
      y,
      width,
      height: thickness,
      label,
      labelX: safe.x,
      labelY: stacked ? rowY : rowY + (pitch - label.height) / 2,
      value,
      valueX: from + width + 20,
      valueY: y + (thickness - value.lineStep) / 2,
      inside: false,
      highlighted: item.highlighted,
      negative: item.value < 0,
    };
  });
  return {
    ...head,
    titleX: safe.x,
    titleY: safe.y + shift * 0.5 - 8,
    unitY: safe.y + shift * 0.5 + (head.title?.height ?? 0) + 8,
    vertical: false,
    bars,
    base: from,
    level: null,
  };
}

export function BarChartFormat(props: BarChartProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const leave = motion.leave();
  const step = motion.stagger(layout.bars.length);
  const { safe } = frame;
  const some = layout.bars.some(({ highlighted }) => highlighted);
  return (
    <>
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={layout.titleX}
          y={layout.titleY}
          color={colors.ink}
          progress={(line) => motion.enter(line * 0.08)}
          leave={leave}
        />
      )}
      {layout.unit === null ? null : (
        <Lines
          set={layout.unit}
          x={layout.titleX + 4}
          y={layout.unitY}
          color={colors.muted}
          entrance="fade"
          progress={() => motion.enter(0.3)}
          leave={leave}
        />
      )}
      <div className="box" style={{ inset: 0, opacity: 1 - leave }}>
        {layout.bars.map((bar, index) => (
          <LabelledBar
            key={`${bar.x} ${bar.y} ${bar.label.lines.join()}`}
            bar={bar}
            tone={toneOf(bar, some)}
            vertical={layout.vertical}
            index={index}
            at={0.35 + index * step}
          />
        ))}
      </div>
      {layout.level === null ? null : <Level level={layout.level} />}
      {layout.source === null ? null : <SourceLine source={layout.source} />}
      {layout.vertical ? (
        <theme.Rule x={safe.x} y={layout.base} length={safe.width * (1 - leave)} progress={motion.draw(0.1, 0.6)} tone="ink" />
      ) : null}
    </>
  );
}

function toneOf({ negative, highlighted }: Bar, isAnyHighlighted: boolean) {
  if (negative) return 'helper';
  return highlighted || !isAnyHighlighted ? 'accent' : 'plain';
}

function grownPart({ x, y, width, height, negative }: Bar, vertical: boolean, grown: number): Rect {
  if (!vertical) return { x, y, height, width: width * grown };
  return { x, width, height: height * grown, y: negative ? y : y + height * (1 - grown) };
}

interface LabelledBarProps {
  readonly bar: Bar;
  readonly tone: ReturnType<typeof toneOf>;
  readonly vertical: boolean;
  readonly index: number;
  readonly at: number;
}

function LabelledBar({ bar, tone, vertical, index, at }: LabelledBarProps) {
  const { theme, colors, motion } = useScene();
  const grown = motion.enter(at, 0.8) * (1 - motion.leave());
  const shown = motion.enter(at + 0.45, 0.4);
  const ink = bar.highlighted ? colors.accent : colors.ink;
  return (
    <div>
      <theme.Bar {...grownPart(bar, vertical, grown)} tone={tone} vertical={vertical} index={index} />
      <Lines set={bar.label} x={bar.labelX} y={bar.labelY} color={ink} entrance="fade" progress={() => motion.enter(at)} />
      <Lines
        set={bar.value}
        x={bar.valueX}
        y={bar.valueY}
        color={bar.inside ? theme.barInk(colors, tone) : ink}
        entrance="fade"
        progress={() => shown}
        leave={motion.leave(0.15)}
      />
    </div>
  );
}

function Level({ level }: { readonly level: NonNullable<Layout['level']> }) {
  const { colors, motion, rightToLeft } = useScene();
  const { from, until, y } = level;
  return (
    <Box
      x={from}
      y={y - 1}
      width={(until - from) * motion.draw(1.3, 0.5)}
      height={5}
      opacity={1 - motion.leave()}
      style={{
        backgroundImage: `radial-gradient(circle, ${colors.accent} 2px, transparent 2.6px)`,
        backgroundSize: '11px 5px',
        backgroundPosition: rightToLeft ? 'right' : 'left',
      }}
    />
  );
}
