import { heightAt, monotoneCurve, type Point, straightPath } from '../drawing/curve.ts';
import { decimalsOf, figure, roundValues } from '../drawing/figures.ts';
import { Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { type Source, SourceLine, withSource } from '../drawing/source.tsx';
import { cased, setText, setTexts, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import { FrameSvg } from '../themes/plain.tsx';
import type { Rect } from '../themes/theme.ts';

interface LineChartProps {
  readonly title: string | null;
  readonly unit: string | null;
  readonly source: string | null;
  readonly prefix: string;
  readonly suffix: string;
  readonly labels: readonly string[];
  readonly series: readonly { readonly name: string; readonly points: readonly number[] }[];
  readonly highlight: number;
  readonly annotation: { readonly index: number; readonly text: string } | null;
}

interface EndLabel {
  readonly value: TextSet;
  readonly name: TextSet;
  readonly y: number;
}

interface Line {
  /** Design pixels from the start edge of the frame. */
  readonly curve: readonly Point[];
  readonly points: readonly Point[];
  readonly end: Point;
  readonly label: EndLabel;
}

interface Note {
  readonly at: Point;
  readonly box: Rect;
  readonly heading: TextSet | null;
  readonly text: TextSet;
  /** Whether the note can only be placed on one of the chart's lines. */
  readonly crowded: boolean;
}

interface Layout {
  readonly title: TextSet | null;
  readonly unit: TextSet | null;
  readonly source: Source | null;
  readonly plot: Rect;
  readonly lines: readonly Line[];
  readonly main: number;
  readonly axis: number;
  readonly dates: readonly { readonly set: TextSet; readonly x: number; readonly textX: number }[];
  readonly grid: readonly { readonly y: number; readonly label: TextSet | null }[];
  /** Whether names and values form two columns, as in a table. */
  readonly table: boolean;
  readonly labelX: number;
  readonly labelWidth: number;
  readonly note: Note | null;
  /** Whether the area below the main line is filled, which requires an axis that starts at zero. */
  readonly filled: boolean;
}

const labelGap = 52;
const dateSpace = 74;

function valueText(value: number, decimals: number, { prefix, suffix }: LineChartProps, language: string): string {
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 2 });
  const text = Math.abs(value) >= 1e7 ? compact.format(value).replace('-', '−') : figure(value, decimals, language);
  return `${prefix}${text}${suffix}`;
}

function layOut(props: LineChartProps, whole: LayoutSetting): Layout {
  const { source, setting } = withSource(props.source, whole);
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const main = Math.min(props.highlight, props.series.length - 1);
  const title =
    props.title === null
      ? null
      : setText({
          text: cased(theme, props.title, language),
          face: theme.display,
          size: frame.shape === 'wide' ? 108 : 104,
          minSize: 54,
          width: safe.width,
          height: { wide: 220, square: 200, tall: 320 }[frame.shape],
          maxCharacters: frame.shape === 'wide' ? 34 : 20,
        });
  const unit =
    props.unit === null
      ? null
      : setText({ text: props.unit, face: theme.text, size: 42, width: safe.width, height: 60, maxCharacters: 60 });
  const head = (title?.height ?? 0) + (unit === null ? 0 : unit.height + 14);
  const top = safe.y + head + (head === 0 ? 30 : 72);
  const room = Math.min(safe.y + safe.height - dateSpace - top, safe.width * 1.15);
  const names = endNames(props, main, room, setting);
  const plotWidth = safe.width - names.width - labelGap;
  const dates = setDates(props.labels, plotWidth, setting);
  const secondLine = Math.max(...dates.map((set) => set.height - set.lineStep));
  const plot = { x: safe.x, y: top, width: plotWidth, height: room - secondLine };

  const values = props.series.flatMap(({ points }) => points);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const bottom = low >= 0 && low <= high * 0.5 ? 0 : low - (high - low) * 0.08;
  const range = high - bottom || 1;
  const heightOf = (value: number) => plot.y + plot.height * (1 - (value - bottom) / range);
  const last = Math.max(props.labels.length, ...props.series.map(({ points }) => points.length)) - 1;
  const positionOf = (index: number) => plot.x + (plot.width * index) / last;

  const raw = props.series.map(({ points }) => points.map((value, index): Point => [positionOf(index), heightOf(value)]));
  const ends = raw.map((points) => points.at(-1) as Point);
  const labelYs = pushApart(
    ends.map(([, y], index) => ({ y: y - anchorOf(names, index), height: names.labels[index]?.height ?? 0 })),
    names.table ? 10 : 22,
    { from: Math.min(plot.y, plot.y - 20), until: plot.y + plot.height + 40 },
  );
  const lines = raw.map((points, index): Line => {
    const label = names.labels[index] as Names['labels'][number];
    return {
      points,
      curve: monotoneCurve(points, Math.max(3, Math.round(120 / last))),
      end: ends[index] as Point,
      label: { value: label.value, name: label.name, y: labelYs[index] ?? 0 },
    };
  });
  const steps = props.series.length > 3 ? [] : roundValues(bottom, high, 3.6).filter((value) => value > bottom + range * 0.04);
  const decimals = decimalsOf(steps);
  const grid = steps.map((value, index) => {
    const y = heightOf(value);
    const text =
      index === steps.length - 1
        ? valueText(value, decimals, props, language)
        : valueText(value, decimals, { ...props, prefix: '', suffix: '' }, language);
    const set = setText({ text, face: theme.text, size: 36, width: plot.width * 0.4, height: 60, maxCharacters: 30 });
    const box = { x: plot.x, y: y - set.lineStep - 2, width: set.width + 16, height: set.lineStep };
    return { y, label: lines.some(({ curve }) => crosses(curve, box, 8)) ? null : set };
  });
  return {
    title,
    unit,
    source,
    plot,
    lines,
    main,
    axis: low < 0 && high > 0 ? heightOf(0) : plot.y + plot.height,
    dates: placeDates(dates, positionOf),
    grid,
    table: names.table,
    labelX: plot.x + plot.width + labelGap,
    labelWidth: names.width,
    note: noteOf(props, main, { plot, lines, grid: grid.map(({ y }) => y) }, setting),
    filled: bottom === 0 && props.series.length <= 2,
  };
}

interface Names {
  readonly table: boolean;
  readonly width: number;
  readonly labels: readonly { readonly value: TextSet; readonly name: TextSet; readonly height: number }[];
}

/** Sets the names and last values at the ends of the lines, in the narrowest column in which they fit above each other. */
function endNames(props: LineChartProps, main: number, height: number, { frame, theme, language }: LayoutSetting): Names {
  const { series } = props;
  const lasts = series.map(({ points }) => points.at(-1) ?? 0);
  const texts = lasts.map((value) => valueText(value, decimalsOf(lasts), props, language));
  const crowd = series.length > 3;
  const attempt = (limit: number, table: boolean): Names => {
    const values = setTexts(
      texts.map((text) => ({
        text,
        face: theme.figures,
        size: crowd ? 44 : 84,
        width: limit * (table ? 0.45 : 1),
        height: crowd ? 60 : 110,
        maxCharacters: 30,
      })),
    );
    const valueWidth = table ? Math.max(...values.map(({ width }) => width)) + 36 : 0;
    const names = series.map(({ name }, index) =>
      setText({
        text: name,
        face: index === main ? theme.strong : theme.text,
        size: 40,
        width: limit - valueWidth,
        height: table ? 60 : 180,
        maxCharacters: 24,
        lineHeight: 1.15,
      }),
    );
    const labels = names.map((name, index) => {
      const value = values[index] as TextSet;
      return { name, value, height: table ? Math.max(name.lineStep, value.lineStep) + 8 : name.height + value.lineStep };
    });
    const widths = labels.map(({ name, value }) => (table ? name.width + valueWidth : Math.max(name.width, value.width)));
    return { table, labels, width: Math.max(...widths) };
  };
  const shares = frame.shape === 'wide' ? [0.2, 0.28, 0.36, 0.44] : [0.26, 0.36, 0.44, 0.52, 0.6];
  for (const share of shares) {
    const limit = frame.safe.width * share;
    for (const table of crowd ? [true, false] : [false]) {
      const names = attempt(limit, table);
      const total = names.labels.reduce((sum, label) => sum + label.height + (table ? 10 : 22), 0);
      const broken = names.labels.some(
        ({ name, value }) => name.lines.length > (table ? 1 : 2) || value.lines.length > 1 || name.size < 36,
      );
      if (total <= height + 40 && !broken) return names;
    }
  }
  return attempt(frame.safe.width * 0.6, false);
}

/** Returns the distance from a label's upper edge to the end of its line. */
const anchorOf = ({ labels, table }: Names, index: number): number => {
  const label = labels[index];
  if (label === undefined) return 0;
  return table ? label.height / 2 : label.value.lineStep * 0.5;
};

/** Separates overlapping labels with minimal movement. */
function pushApart(
  labels: readonly { readonly y: number; readonly height: number }[],
  gap: number,
  { from, until }: { readonly from: number; readonly until: number },
): number[] {
  const order = labels.map((_, index) => index).sort((one, other) => (labels[one]?.y ?? 0) - (labels[other]?.y ?? 0));
  const ys = labels.map(({ y }) => y);
  let edge = from;
  for (const index of order) {
    ys[index] = Math.max(ys[index] ?? 0, edge);
    edge = (ys[index] ?? 0) + (labels[index]?.height ?? 0) + gap;
  }
  let floor = until;
  for (const index of order.toReversed()) {
    const height = labels[index]?.height ?? 0;
    ys[index] = Math.min(ys[index] ?? 0, floor - height);
    floor = (ys[index] ?? 0) - gap;
  }
  return ys;
}

function setDates(labels: readonly string[], plotWidth: number, { theme }: LayoutSetting): TextSet[] {
  return setTexts(
    labels.map((text) => ({ text, face: theme.text, size: 38, width: plotWidth * 0.45, height: 104, maxCharacters: 30 })),
  );
}

function placeDates(sets: readonly TextSet[], positionOf: (index: number) => number): Layout['dates'] {
  const last = sets.length - 1;
  const widest = Math.max(...sets.map(({ width }) => width));
  const steps = Array.from({ length: last }, (_, index) => index + 1).filter((step) => last % step === 0);
  const step = steps.find((count) => last / count <= 5 && positionOf(count) - positionOf(0) > widest * 1.5 + 28) ?? last;
  return sets.flatMap((set, index) => {
    if (index % step !== 0) return [];
    const x = positionOf(index);
    const shift = index === 0 ? 0 : set.width * (index === last ? 1 : 0.5);
    return [{ set, x, textX: x - shift }];
  });
}

/** Returns whether a curve is within `margin` of a box. */
function crosses(curve: readonly Point[], { x, y, width, height }: Rect, margin: number): boolean {
  return curve.some(
    ([pointX, pointY]) =>
      pointX > x - margin && pointX < x + width + margin && pointY > y - margin && pointY < y + height + margin,
  );
}

/** Positions the note above or below its point, where it covers neither a line nor a rule. */
function noteOf(
  { annotation, labels }: LineChartProps,
  main: number,
  { plot, lines, grid }: { readonly plot: Rect; readonly lines: readonly Line[]; readonly grid: readonly number[] },
  { frame, theme }: LayoutSetting,
): Note | null {
  const line = lines[main];
  const at = annotation === null ? undefined : line?.points[annotation.index];
  if (annotation === null || at === undefined) return null;
  const limit = frame.shape === 'wide' ? 620 : Math.min(480, plot.width * 0.7);
  const text = setText({ text: annotation.text, face: theme.text, size: 42, width: limit, height: 170, maxCharacters: 28 });
  const date = labels[annotation.index];
  const heading =
    date === undefined
      ? null
      : setText({ text: date, face: theme.strong, size: 46, width: limit, height: 70, maxCharacters: 30 });
  const width = Math.max(text.width, heading?.width ?? 0);
  const height = text.height + (heading?.height ?? 0);
  const candidates = [-1, 1].flatMap((side) =>
    Array.from({ length: 16 }, (_, step) => 62 + step * 24).flatMap((stem) =>
      [0, 0.5, 1].map((share) => {
        const x = Math.min(plot.x + plot.width - width, Math.max(plot.x, at[0] - width * share));
        const box = { x, y: side < 0 ? at[1] - stem - height : at[1] + stem, width, height };
        const outside = box.y < plot.y - 24 || box.y + height > plot.y + plot.height - 12;
        const covered = lines.filter(({ curve }) => crosses(curve, box, 18)).length;
        const ruled = grid.filter((y) => y > box.y + 4 && y < box.y + height - 4).length;
        return {
          box,
          covered,
          cost: (outside ? 9 : 0) + covered * 3 + ruled * 0.6 + stem / 400 + (side > 0 ? 0.4 : 0) + share * 0.1,
        };
      }),
    ),
  );
  const best = candidates.reduce((one, other) => (other.cost < one.cost ? other : one));
  return { at, box: best.box, heading, text, crowded: best.covered > 0 };
}

/** Lines that end in their names and values, with a note at the turning point. */
export function LineChartFormat(props: LineChartProps) {
  const { frame, theme, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const { safe } = frame;
  const { plot } = layout;
  const leave = motion.leave();
  const drawn = motion.draw(0.35, 1.5);
  const quiet = mix(colors.ink, colors.groundBottom, 0.52);
  const colorOf = (index: number) => {
    if (index === layout.main) return colors.accent;
    return layout.lines.length === 2 ? colors.helper : quiet;
  };
  const inkOf = (index: number) => (index === layout.main || layout.lines.length === 2 ? colorOf(index) : colors.muted);
  return (
    <>
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={safe.x}
          y={safe.y - 6}
          color={colors.ink}
          progress={(line) => motion.enter(line * 0.08)}
          leave={leave}
        />
      )}
      {layout.unit === null ? null : (
        <Lines
          set={layout.unit}
          x={safe.x + 2}
          y={safe.y + (layout.title?.height ?? 0) + 8}
          color={colors.muted}
          entrance="fade"
          progress={() => motion.enter(0.12)}
          leave={leave}
        />
      )}
      <div className="box" style={{ inset: 0, opacity: 1 - leave }}>
        {layout.grid.map(({ y, label }) => (
          <div key={y}>
            <Box x={plot.x} y={y} width={plot.width * drawn} height={2} style={{ background: colors.faint, opacity: 0.7 }} />
            {label === null ? null : (
              <Lines
                set={label}
                x={plot.x}
                y={y - label.lineStep - 2}
                color={colors.muted}
                entrance="fade"
                progress={() => motion.enter(0.3, 0.4)}
              />
            )}
          </div>
        ))}
        {layout.dates.map(({ set, x, textX }, index) => (
          <div key={x}>
            <theme.Rule
              x={x - theme.stroke / 2}
              y={layout.axis}
              length={16}
              vertical
              progress={motion.draw(0.2 + index * 0.08, 0.3)}
              tone="ink"
            />
            <Lines
              set={set}
              x={textX}
              y={plot.y + plot.height + 24}
              color={colors.muted}
              entrance="fade"
              progress={() => motion.enter(0.2 + index * 0.1, 0.4)}
            />
          </div>
        ))}
      </div>
      <theme.Rule x={plot.x} y={layout.axis} length={plot.width * (1 - leave)} progress={motion.draw(0, 0.6)} tone="ink" />
      <Curves layout={layout} colorOf={colorOf} drawn={drawn} />
      {layout.lines.map((line, index) => (
        <EndOfLine key={line.label.y} layout={layout} line={line} index={index} color={inkOf(index)} />
      ))}
      {layout.source === null ? null : <SourceLine source={layout.source} />}
      {layout.note === null ? null : <NoteAt note={layout.note} plot={plot} />}
    </>
  );
}

/** Draws the lines so that all of them reach each date at the same time. */
function Curves({
  layout,
  colorOf,
  drawn,
}: {
  readonly layout: Layout;
  readonly colorOf: (index: number) => string;
  readonly drawn: number;
}) {
  const { frame, theme, colors, motion, rightToLeft, style } = useScene();
  const { plot, lines, main } = layout;
  const width = 6 + theme.stroke * 1.3;
  const head = plot.x + plot.width * drawn;
  const from = plot.x + plot.width * motion.leave();
  const order = lines.map((_, index) => index).sort((one, other) => Number(one === main) - Number(other === main));
  const mainLine = lines[main];
  const breath = 1 + 0.15 * Math.sin((motion.drift(1) / 2.4) * 2 * Math.PI);
  const marked = style === 'playful' && (mainLine?.points.length ?? 0) <= 16;
  const hidden = { start: from <= plot.x ? 0 : from, end: drawn >= 1 ? 0 : frame.width - head };
  const [left, right] = rightToLeft ? [hidden.end, hidden.start] : [hidden.start, hidden.end];
  return (
    <>
      <div className="box" style={{ inset: 0, clipPath: `inset(0 ${right}px 0 ${left}px)` }}>
        {layout.filled && mainLine !== undefined ? (
          <div
            className="box"
            style={{
              inset: 0,
              clipPath: `path('${straightPath([[plot.x, plot.y + plot.height], ...mainLine.curve, [mainLine.end[0], plot.y + plot.height]])}Z')`,
              transform: rightToLeft ? 'scaleX(-1)' : undefined,
              background: `linear-gradient(transparent ${plot.y - 80}px, ${colors.accent}66 ${plot.y}px, ${colors.accent}0a ${plot.y + plot.height}px)`,
            }}
          />
        ) : null}
        {order.map((index) => {
          const line = lines[index] as Line;
          const isMain = index === main;
          return (
            <div key={index} className="box" style={{ inset: 0 }}>
              {isMain && lines.length > 2 ? (
                <FrameSvg>
                  <path
                    d={straightPath(line.curve)}
                    fill="none"
                    stroke={mix(colors.groundTop, colors.groundBottom, 0.5)}
                    strokeWidth={width + 14}
                  />
                </FrameSvg>
              ) : null}
              <theme.Path
                points={line.curve}
                width={isMain ? width : width * 0.58}
                color={colorOf(index)}
                progress={1}
                seed={index + 11}
              />
            </div>
          );
        })}
      </div>
      {drawn <= 0 || (drawn >= 1 && motion.leave() > 0) ? null : (
        <FrameSvg>
          {order.map((index) => {
            const line = lines[index] as Line;
            const x = Math.min(head, line.end[0]);
            const y = heightAt(line.curve, x);
            const isMain = index === main;
            return (
              <g key={index} fill={colorOf(index)}>
                {isMain ? <circle cx={x} cy={y} r={width * 4.2} opacity={0.2 * breath} /> : null}
                <circle cx={x} cy={y} r={width * (isMain ? 1.25 : 0.8)} />
              </g>
            );
          })}
          {marked
            ? mainLine?.points.map(([x, y]) => (
                <circle key={x} cx={x} cy={y} r={width * 0.95 * Math.min(1, Math.max(0, (head - x) / 60))} fill={colors.accent} />
              ))
            : null}
        </FrameSvg>
      )}
    </>
  );
}

function EndOfLine({
  layout,
  line,
  index,
  color,
}: {
  readonly layout: Layout;
  readonly line: Line;
  readonly index: number;
  readonly color: string;
}) {
  const { frame, motion, rightToLeft } = useScene();
  const { labelX, labelWidth, main, table } = layout;
  const { value, name, y } = line.label;
  const entered = motion.enter(1.65 + (index === main ? 0 : 0.1 + index * 0.05), 0.45);
  const shift = (1 - entered) * -16;
  const anchor = y + (table ? Math.max(name.lineStep, value.lineStep) / 2 + 4 : value.lineStep / 2);
  const [endX, endY] = line.end;
  const from = endX + 22;
  const until = labelX - 10;
  const middle = (from + until) / 2;
  const hooked = table || Math.abs(anchor - endY) > 24;
  const nameY = table ? y + (Math.max(name.lineStep, value.lineStep) - name.lineStep) / 2 + 4 : y + value.lineStep;
  const valueX = table ? labelX + labelWidth - value.width : labelX;
  const shown = { entrance: 'fade' as const, color, progress: () => entered, leave: motion.leave(0.1) };
  return (
    <>
      {hooked ? (
        <Box
          x={0}
          y={0}
          width={frame.width}
          height={frame.height}
          opacity={entered * (1 - motion.leave(0.1))}
          transform={rightToLeft ? 'scaleX(-1)' : 'none'}
        >
          <svg aria-hidden width={frame.width} height={frame.height}>
            <path
              d={`M${from} ${endY}C${middle} ${endY} ${middle} ${anchor} ${until} ${anchor}`}
              fill="none"
              stroke={color}
              strokeWidth={2.5}
              strokeDasharray="1 7"
              strokeLinecap="round"
            />
          </svg>
        </Box>
      ) : null}
      <Lines set={value} x={valueX + shift} y={table ? y + 4 : y} {...shown} />
      <Lines set={name} x={labelX + shift} y={nameY} {...shown} />
    </>
  );
}

/** Draws the note once the line has passed its point. */
function NoteAt({ note, plot }: { readonly note: Note; readonly plot: Rect }) {
  const { colors, motion } = useScene();
  const { at, box, heading, text } = note;
  const share = (at[0] - plot.x) / plot.width;
  const passed = 0.35 + 1.5 * (share < 0.5 ? Math.cbrt(share / 4) : 1 - Math.cbrt((1 - share) / 4));
  const ground = mix(colors.groundTop, colors.groundBottom, 0.5);
  const ring = 20 * motion.spring(passed, 0.5);
  const above = box.y < at[1];
  const stem = above ? at[1] - box.y - box.height - 30 : box.y - at[1] - 30;
  const drawn = stem * motion.draw(passed + 0.1, 0.25);
  const halo = note.crowded ? { WebkitTextStroke: `16px ${ground}`, paintOrder: 'stroke fill' } : {};
  const shown = { color: colors.ink, entrance: 'fade' as const, progress: () => motion.enter(passed + 0.15, 0.4) };
  return (
    <div className="box" style={{ inset: 0, opacity: 1 - motion.leave(0.1) }}>
      {ring <= 0 ? null : (
        <Box
          x={at[0] - ring}
          y={at[1] - ring}
          width={ring * 2}
          height={ring * 2}
          style={{ borderRadius: '50%', background: ground, border: `4px solid ${colors.ink}` }}
        />
      )}
      <Box
        x={at[0] - 1.5}
        y={above ? at[1] - 22 - drawn : at[1] + 22}
        width={3}
        height={drawn}
        style={{ background: colors.ink }}
      />
      <div className="box" style={{ inset: 0, ...halo }}>
        {heading === null ? null : <Lines set={heading} x={box.x} y={box.y} {...shown} />}
        <Lines set={text} x={box.x} y={box.y + (heading?.height ?? 0)} {...shown} />
      </div>
    </div>
  );
}
