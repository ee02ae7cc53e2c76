import { decimalsOf, figure } from '../drawing/figures.ts';
import { Heading } from '../drawing/heading.tsx';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import type { Motion } from '../drawing/motion.ts';
import { ranksAt, valueAt } from '../drawing/race-ranks.ts';
import { Box, type LayoutSetting, type SceneSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, leftToRight, measure, setOptional, setText, type TextRequest, type TextSet } from '../drawing/text.ts';
import { bezier, ease } from '../stage/easing.ts';
import type { Rect } from '../themes/theme.ts';

interface RaceProps {
  readonly title: string | null;
  readonly unit: string | null;
  readonly prefix: string;
  readonly suffix: string;
  readonly periods: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  readonly highlight: number | null;
}

/** Sizes of a lane that depend on its rank: the leader's lane is taller than the others. */
interface LaneSize {
  readonly height: number;
  readonly text: number;
}

interface Layout {
  readonly title: TextSet | null;
  readonly unit: (TextSet & Pick<Rect, 'x' | 'y'>) | null;
  readonly strip: Rect;
  readonly top: number;
  readonly lane: LaneSize;
  readonly lead: LaneSize;
  readonly names: readonly TextSet[];
  readonly decimals: number;
  readonly periods: readonly TextSet[];
  readonly periodBox: Rect;
  /** Whether the period is in the corner that short lanes leave free. */
  readonly isCornered: boolean;
}

/** Layout without the period, whose position depends on the lanes. */
type Stack = Omit<Layout, 'periods' | 'periodBox' | 'isCornered'>;

/** A lane at one time. */
interface Lane extends LaneSize {
  readonly y: number;
  readonly end: number;
  readonly nameWidth: number;
  readonly value: string;
  readonly valueX: number;
  readonly valueWidth: number;
}

const laneGap = 12;
const textGap = 26;
/** Height of the period beside the title. */
const periodHeight = 110;
const overtakeSeconds = 0.35;
const glide = bezier(0.65, 0, 0.35, 1);

/** Formats a value with all decimals of the data, at the scale of its lane. */
const valueText = (value: number, decimals: number, { prefix, suffix }: RaceProps, language: string) =>
  leftToRight(`${prefix}${figure(value, decimals, language)}${suffix}`);

/** Returns a size between those of the first rank (0) and of all others (1 and above). */
function sizeAt(rank: number, { lane, lead }: Pick<Layout, 'lane' | 'lead'>): LaneSize {
  const share = Math.min(1, Math.max(0, rank));
  return {
    height: lead.height + (lane.height - lead.height) * share,
    text: lead.text + (lane.text - lead.text) * share,
  };
}

/** Returns every lane at a time, in periods from the first one. `half` is half the duration of overtaking. */
function lanesAt(
  props: RaceProps,
  layout: Pick<Layout, 'lane' | 'lead' | 'top' | 'names' | 'decimals'>,
  { at, half }: { readonly at: number; readonly half: number },
  { frame, theme, language }: LayoutSetting,
): Lane[] {
  const { lane, lead, top } = layout;
  const values = props.series.map((one) => one.values);
  const ranks = ranksAt(values, at, half, (share) => ease(glide, share));
  const current = values.map((one) => valueAt(one, at));
  const largest = Math.max(1e-12, ...current);
  const right = frame.safe.x + frame.safe.width;
  return current.map((value, index): Lane => {
    const rank = ranks[index] ?? 0;
    const size = sizeAt(rank, layout);
    const end = (value / largest) * right;
    const text = valueText(value, layout.decimals, props, language);
    const nameWidth = emWidth(layout.names[index]) * size.text;
    const valueWidth = measure(theme.figures, text) * size.text;
    const nameEnd = frame.safe.x + nameWidth + textGap;
    const afterLane = theme.solidBars ? end + textGap : end - valueWidth;
    return {
      ...size,
      y: top + Math.min(1, rank) * (lead.height + laneGap) + Math.max(0, rank - 1) * (lane.height + laneGap),
      end,
      nameWidth,
      value: text,
      valueX: Math.max(nameEnd, Math.min(afterLane, right - valueWidth - (theme.solidBars ? textGap : 0))),
      valueWidth,
    };
  });
}

const emWidth = (set: TextSet | undefined) => (set === undefined ? 0 : set.width / set.size);

function layOut(props: RaceProps, setting: LayoutSetting): Layout {
  const stacked = stack(props, setting, 0);
  const corner = freeCorner(props, stacked, setting);
  const inCorner = setPeriods(props, corner, setting);
  if ((inCorner[0]?.size ?? 0) >= 100) return { ...stacked, periods: inCorner, periodBox: corner, isCornered: true };
  // If no corner is free, the period goes to the end of the title's line.
  const { safe, shape } = setting.frame;
  const width = safe.width * (shape === 'wide' ? 0.22 : 0.3);
  const beside = stack(props, setting, width);
  const height = Math.max(periodHeight, beside.title?.height ?? 0);
  const periodBox = { x: safe.x + safe.width - width, y: safe.y - 8, width, height };
  return { ...beside, periods: setPeriods(props, periodBox, setting), periodBox, isCornered: false };
}

function setPeriods(props: RaceProps, { width, height }: Rect, { theme, language }: LayoutSetting): TextSet[] {
  const request = (text: string, size: number): TextRequest => ({
    text: cased(theme, text, language),
    face: theme.display,
    size,
    width,
    height: Math.max(60, height),
    maxCharacters: 12,
  });
  const size = Math.min(360, ...props.periods.map((text) => setText(request(text, 360)).size));
  return props.periods.map((text) => setText(request(text, size)));
}

/** Sets the title and the unit; `reserved` is the width that the period takes beside the title. */
function setHead(props: RaceProps, { frame, theme, language }: LayoutSetting, reserved: number) {
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const isUnitBeside = wide && reserved === 0;
  const unit = setOptional(props.unit, {
    face: theme.text,
    size: 42,
    width: safe.width * (isUnitBeside ? 0.26 : 0.66),
    height: 110,
    maxCharacters: 30,
  });
  const beside = reserved + (isUnitBeside ? (unit?.width ?? 0) : 0);
  const title = setOptional(props.title === null ? null : cased(theme, props.title, language), {
    face: theme.display,
    size: wide ? 88 : 116,
    width: safe.width - beside - (beside === 0 ? 0 : 48),
    height: wide ? 110 : safe.height * (frame.shape === 'square' ? 0.16 : 0.2),
    maxCharacters: wide ? 50 : 22,
  });
  return { title, ...placeUnit(unit, title?.height ?? 0, isUnitBeside, frame), minHeight: reserved === 0 ? 0 : periodHeight };
}

/** Positions the unit at the end of the title's line, or below the title. */
function placeUnit(unit: TextSet | null, titleHeight: number, isBeside: boolean, { safe }: LayoutSetting['frame']) {
  if (unit === null) return { unit, height: titleHeight };
  if (!isBeside) return { unit: { ...unit, x: safe.x, y: safe.y + titleHeight }, height: titleHeight + unit.height + 8 };
  const y = safe.y - 8 + Math.max(0, titleHeight - unit.height - 6);
  return { unit: { ...unit, x: safe.x + safe.width - unit.width, y }, height: Math.max(titleHeight, unit.height) };
}

/** Lays out title, period strip and lanes; `reserved` is the width that the period takes beside the title. */
function stack(props: RaceProps, setting: LayoutSetting, reserved: number): Stack {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const count = props.series.length;
  const { title, unit, ...head } = setHead(props, setting, reserved);
  const headHeight = Math.max(head.height, head.minHeight);
  const isEdge = frame.shape !== 'tall';
  const strip = isEdge
    ? { x: 0, y: 0, width: frame.width, height: 20 }
    : { x: safe.x, y: safe.y + headHeight + 28, width: safe.width, height: 18 };
  const top = isEdge ? safe.y + headHeight + (headHeight === 0 ? 0 : 34) : strip.y + strip.height + 44;
  const room = safe.y + safe.height - top - laneGap * (count - 1);
  const height = Math.min(count <= 3 ? 230 : 140, room / (count + 1));
  const leadHeight = Math.min(height * 2, room - height * (count - 1));
  const decimals = decimalsOf(props.series.flatMap(({ values }) => values));
  const names = props.series.map(({ name }) =>
    setText({ text: cased(theme, name, language), face: theme.display, size: 100, width: 9999, height: 999, maxCharacters: 99 }),
  );
  const longest = props.series.map(({ values }, index) => {
    const texts = values.map((value) => measure(theme.figures, valueText(value, decimals, props, language)));
    return emWidth(names[index]) + Math.max(...texts);
  });
  const limit = (safe.width - 2 * textGap - 8) / Math.max(...longest);
  const share = theme.solidBars ? 0.66 : 0.58;
  return {
    title,
    unit,
    strip,
    top,
    lane: { height, text: Math.min(height * share, limit) },
    lead: { height: leadHeight, text: Math.min(leadHeight * share, limit) },
    names,
    decimals,
  };
}

/** Returns the largest box at the lower end of the lanes that no lane and no value ever enters. */
function freeCorner(props: RaceProps, stacked: Stack, setting: LayoutSetting): Rect {
  const { safe } = setting.frame;
  const steps = (props.periods.length - 1) * 10;
  const moments = Array.from({ length: steps + 1 }, (_, step) =>
    lanesAt(props, stacked, { at: step / 10, half: 0.25 }, setting),
  ).flat();
  const right = safe.x + safe.width;
  const floor = stacked.top + stacked.lead.height + (props.series.length - 1) * (stacked.lane.height + laneGap);
  // In tall frames, the corner extends into the space below the lanes.
  const bottom = Math.max(floor, setting.frame.shape === 'tall' ? Math.min(safe.y + safe.height, floor + 260) : floor);
  const boxes = props.series.map((_, count): Rect => {
    const y = floor - count * (stacked.lane.height + laneGap) + (count === 0 ? laneGap * 2 : 0);
    const ends = moments
      .filter((lane) => lane.y + lane.height > y + 1)
      .map(({ end, valueX, valueWidth }) => Math.max(end, valueX + valueWidth));
    const x = Math.max(safe.x, ...ends.map((end) => end + 56));
    return { x, y: y + 16, width: right - x, height: bottom - y - 16 };
  });
  const worth = ({ width, height }: Rect) => Math.min(width / 2.4, height);
  return boxes.reduce((best, box) => (worth(box) > worth(best) ? box : best));
}

/** Returns the current time of the race, in periods, and half the duration of overtaking. */
function momentOf({ seconds, duration }: Motion, periods: number) {
  const start = Math.min(0.9, duration * 0.15);
  const end = Math.min(2.6, duration * 0.4);
  const beat = Math.max(0.05, (duration - start - end) / (periods - 1));
  return { at: (seconds - start) / beat, half: overtakeSeconds / 2 / beat, finish: start + beat * (periods - 1) };
}

/**
 * Shows lanes that start outside the frame and overtake each other, while the period counts up in the corner that they leave
 * free.
 */
export function RaceFormat(props: RaceProps) {
  const setting = useScene();
  const { frame, colors, motion } = setting;
  const layout = useLayout(layOut, props);
  const { at, half, finish } = momentOf(motion, props.periods.length);
  const last = props.periods.length - 1;
  const lanes = lanesAt(props, layout, { at, half }, setting);
  const winner = ranksAt(
    props.series.map(({ values }) => values),
    last + 1,
    0.1,
    (share) => share,
  ).findIndex((rank) => rank < 0.5);
  const accent = props.highlight ?? winner;
  const wiped = props.highlight === null ? motion.draw(motion.when(finish + 0.1), 0.4) : 1;
  const period = Math.min(last, Math.max(0, Math.floor(at)));
  const label = layout.periods[period];
  const { periodBox } = layout;
  // A rising lane passes in front of the lane that it overtakes.
  const order = props.series
    .map(({ values }, index) => ({ index, soon: valueAt(values, at + half) }))
    .sort((one, other) => one.soon - other.soon);
  return (
    <>
      <Strip layout={layout} count={props.periods.length} at={at} />
      <Heading set={layout.title} y={frame.safe.y - 8} />
      {layout.unit === null ? null : (
        <Lines
          set={layout.unit}
          x={layout.unit.x}
          y={layout.unit.y}
          color={colors.muted}
          entrance="fade"
          progress={() => motion.enter(0.2, 0.5)}
          leave={motion.leave()}
        />
      )}
      {label === undefined ? null : (
        <Lines
          set={label}
          x={periodBox.x}
          width={periodBox.width}
          align="end"
          y={periodBox.y + (periodBox.height - label.height)}
          color={layout.isCornered ? colors.helper : colors.ink}
          entrance="fade"
          progress={() => motion.enter(0.3, 0.4)}
          leave={motion.leave()}
        />
      )}
      {order.map(({ index }) => {
        const lane = lanes[index];
        const name = layout.names[index];
        return lane === undefined || name === undefined ? null : (
          <LaneAt
            key={index}
            lane={lane}
            name={name}
            index={index}
            accentEnd={index === accent ? lane.end * wiped : 0}
            setting={setting}
          />
        );
      })}
    </>
  );
}

/** Draws one block per period. Those of past periods are filled. */
function Strip({ layout, count, at }: { readonly layout: Layout; readonly count: number; readonly at: number }) {
  const { theme, colors, motion, frame } = useScene();
  const { x, y, width, height } = layout.strip;
  const gap = Math.min(10, (width / count) * 0.2);
  const block = (width - gap * (count - 1)) / count;
  const filled = Math.min(count, Math.max(0, at + 1));
  const hidden = frame.width * (1 - motion.enter(0, 0.5));
  return (
    <div
      className="box"
      style={{
        inset: 0,
        opacity: 1 - motion.leave(),
        clipPath: frame.rightToLeft ? `inset(0 0 0 ${hidden}px)` : `inset(0 ${hidden}px 0 0)`,
      }}
    >
      {Array.from({ length: count }, (_, index) => {
        const rect = { x: x + index * (block + gap), y, height };
        const share = Math.min(1, filled - index);
        const radius = Math.min(theme.radius, height / 2);
        return (
          <div key={rect.x}>
            <Box {...rect} width={block} style={{ background: colors.faint, borderRadius: y === 0 ? 0 : radius }} />
            {share <= 0 ? null : (
              <Box {...rect} width={block * share} style={{ background: colors.ink, borderRadius: y === 0 ? 0 : radius }} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface LaneAtProps {
  readonly lane: Lane;
  readonly name: TextSet;
  readonly index: number;
  /** End of the accent's fill, which wipes over the winner's lane. */
  readonly accentEnd: number;
  readonly setting: SceneSetting;
}

function LaneAt({ lane, name, index, accentEnd, setting }: LaneAtProps) {
  const { frame, theme, colors, motion, rightToLeft } = setting;
  const { y, height, end, text } = lane;
  // Lanes enter from the first to the last, and leave in the opposite order.
  const place = Math.min(1, y / frame.height);
  const shift = (1 - motion.enter(0.05 + place * 0.3, 0.45) + motion.leave(place * 0.16)) * -frame.width;
  const thin = !theme.solidBars;
  const bar = { y: thin ? y + height * 0.74 : y, height: thin ? height * 0.22 : height, vertical: false, index };
  const beyond = 40;
  const middle = thin ? y + height * 0.36 : y + height / 2;
  const inks: Ink[] = thin
    ? [{ from: 0, until: frame.width, color: accentEnd > 0 ? colors.accent : colors.ink }]
    : [
        { from: 0, until: accentEnd, color: theme.barInk(colors, 'accent') },
        { from: accentEnd, until: end, color: theme.barInk(colors, 'plain') },
        { from: end, until: frame.width, color: colors.ink },
      ];
  return (
    <div className="box" style={{ inset: 0, transform: `translateX(${rightToLeft ? -shift : shift}px)` }}>
      <theme.Bar {...bar} x={-beyond} width={end + beyond} tone="plain" />
      {accentEnd <= 0 ? null : <theme.Bar {...bar} x={-beyond} width={accentEnd + beyond} tone="accent" />}
      <InkedText
        text={name.lines[0] ?? ''}
        set={name}
        size={text}
        x={frame.safe.x}
        width={lane.nameWidth}
        middle={middle}
        inks={inks}
      />
      <InkedText
        text={lane.value}
        set={{ ...name, face: theme.figures, tracking: theme.figures.tracking }}
        size={text}
        x={lane.valueX}
        width={lane.valueWidth}
        middle={middle}
        inks={inks}
      />
    </div>
  );
}

/** Text colour between two positions on a line. */
interface Ink {
  readonly from: number;
  readonly until: number;
  readonly color: string;
}

interface InkedTextProps {
  readonly text: string;
  readonly set: TextSet;
  readonly size: number;
  readonly x: number;
  readonly width: number;
  readonly middle: number;
  readonly inks: readonly Ink[];
}

/** Draws text that changes colour where the lane below it ends. */
function InkedText({ text, set, size, x, width, middle, inks }: InkedTextProps) {
  const { frame, rightToLeft } = useScene();
  const lineHeight = size * Math.max(1.2, set.lineStep / set.size);
  const parts = inks
    .map(({ from, until, color }) => ({ color, start: Math.max(0, from - x), end: Math.max(0, x + width - until) }))
    .filter(({ start, end }) => start + end < width);
  const main = parts.reduce((best, part) => (part.start + part.end < best.start + best.end ? part : best), parts[0] ?? noPart);
  return (
    <div
      className="line"
      style={{
        ...faceStyle(set.face, size, set.tracking),
        left: frame.left(x, width),
        top: middle - lineHeight / 2,
        width,
        height: lineHeight,
        lineHeight: `${lineHeight}px`,
      }}
    >
      {parts.map((part) => {
        const [left, right] = rightToLeft ? [part.end, part.start] : [part.start, part.end];
        const clip = `inset(-20% ${right === 0 ? -40 : right}px -20% ${left === 0 ? -40 : left}px)`;
        return (
          <span
            key={part.color}
            aria-hidden={part === main ? undefined : true}
            style={{ position: 'absolute', inset: 0, color: part.color, clipPath: parts.length === 1 ? undefined : clip }}
          >
            {text}
          </span>
        );
      })}
    </div>
  );
}

const noPart = { color: '', start: 0, end: 0 };
