import type { Point } from '../drawing/curve.ts';
import { decimalsOf, figure } from '../drawing/figures.ts';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { capitalBounds, cased, measure, setText, setTexts, type TextSet } from '../drawing/text.ts';
import { contrast, mix, readable } from '../kit/color.ts';
import { isJoinedScript, splitGraphemes } from '../kit/text/layout.ts';
import type { Colors } from '../themes/colors.ts';
import { FrameSvg } from '../themes/plain.tsx';
import type { Face } from '../themes/theme.ts';

interface PieProps {
  readonly title: string | null;
  readonly prefix: string;
  readonly suffix: string;
  readonly slices: readonly { readonly label: string; readonly value: number }[];
  readonly highlight: number | null;
}

interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** A letter of a name that runs around the rim. Angles are clockwise from the top, in radians. */
interface Letter {
  readonly text: string;
  readonly angle: number;
  readonly width: number;
}

interface Name {
  readonly letters: readonly Letter[];
  /** Whether the name is in the lower half, where its letters are turned so that they are upright. */
  readonly isLower: boolean;
  readonly radius: number;
  readonly size: number;
}

interface Slice {
  readonly from: number;
  readonly until: number;
  /** Rank of the slice: 0 if it is highlighted, then by descending value. */
  readonly rank: number;
  readonly value: TextSet;
  readonly valueX: number;
  readonly valueY: number;
  readonly name: Name | null;
  readonly row: Row | null;
}

interface Row {
  readonly label: TextSet;
  readonly x: number;
  readonly y: number;
  readonly labelX: number;
  readonly swatch: number;
}

interface Layout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly disc: Disc;
  readonly slices: readonly Slice[];
}

const turn = 2 * Math.PI;
/** The first slice starts left of the top, so that its middle is in the upper right. */
const start = -0.06 * turn;
/** Distance by which the highlighted slice is pulled out, in design pixels. */
const pulled = 18;
/** Sizes of names around the rim, from the preferred one down. */
const nameSizes = [44, 40, 36] as const;
/** Minimum size of a value inside its slice. */
const smallestValue = 40;
const rimGap = 24;
const smallestShare = 0.08;
const letterFace = ({ text }: LayoutSetting['theme']): Face => ({ ...text, tracking: 0, weight: Math.max(500, text.weight) });

const pointAt = ({ x, y }: Disc, angle: number, radius: number) =>
  [x + Math.sin(angle) * radius, y - Math.cos(angle) * radius] as const;

function valueText(value: number, { prefix, suffix, slices }: PieProps, language: string): string {
  return `${prefix}${figure(value, decimalsOf(slices.map((slice) => slice.value)), language)}${suffix.trim()}`;
}

/** A percent sign is smaller than its digits. */
const signScale = 0.62;

/** Returns the width that the smaller percent sign saves. */
function signSaving({ lines: [text = ''], face, size }: TextSet): number {
  return text.endsWith('%') ? (measure(face, '%') * (1 - signScale) - 0.06 * signScale) * size : 0;
}

interface Wedge {
  readonly label: string;
  readonly value: number;
  readonly share: number;
  readonly from: number;
  readonly until: number;
  readonly rank: number;
}

function wedgesOf({ slices, highlight }: PieProps): Wedge[] {
  const sum = slices.reduce((total, { value }) => total + value, 0) || 1;
  const chosen = (index: number) => (index === highlight ? 1 : 0);
  const order = slices
    .map(({ value }, index) => ({ value, index }))
    .sort((one, other) => chosen(other.index) - chosen(one.index) || other.value - one.value);
  let from = start;
  return slices.map(({ label, value }, index) => {
    const share = value / sum;
    const wedge = { label, value, share, from, until: from + share * turn };
    from = wedge.until;
    return { ...wedge, rank: order.findIndex((each) => each.index === index) };
  });
}

function layOut(props: PieProps, setting: LayoutSetting): Layout {
  const wedges = wedgesOf(props);
  return around(props, wedges, setting) ?? listed(props, wedges, setting);
}

function setTitle(title: string | null, setting: LayoutSetting, width: number, height: number): TextSet | null {
  const { frame, theme, language } = setting;
  if (title === null) return null;
  return setText({
    text: cased(theme, title, language),
    face: theme.display,
    size: frame.shape === 'square' ? 92 : 124,
    minSize: 48,
    width,
    height,
    maxCharacters: frame.shape === 'square' ? 28 : 22,
  });
}

/** Places the title and a disc with `rim` design pixels of text around it: side by side, or one above the other. */
function arrange(title: string | null, rim: number, setting: LayoutSetting): Pick<Layout, 'title' | 'titleY' | 'disc'> {
  const { safe, shape, width } = setting.frame;
  if (shape === 'wide') {
    const radius = Math.min(safe.height / 2 - rim, 410);
    const set = setTitle(title, setting, safe.width - 2 * (radius + rim) - 70, safe.height * 0.46);
    const x = set === null ? width / 2 : safe.x + safe.width - radius - rim;
    const y = safe.y + safe.height / 2;
    return { title: set, titleY: y - (set?.height ?? 0) / 2, disc: { x, y, radius } };
  }
  const set = setTitle(title, setting, safe.width, safe.height * (shape === 'square' ? 0.24 : 0.3));
  const head = set === null ? 0 : set.height + 56;
  const radius = Math.min(safe.width / 2, (safe.height - head) / 2, 470) - rim;
  const top = safe.y + (safe.height - head - 2 * (radius + rim)) * 0.45;
  return { title: set, titleY: top, disc: { x: width / 2, y: top + head + radius + rim, radius } };
}

/** Lays out names around the rim and values inside the slices; `null` if one of them does not fit there. */
function around(props: PieProps, wedges: readonly Wedge[], setting: LayoutSetting): Layout | null {
  const { frame, theme, language } = setting;
  const isPlain = wedges.every(({ label, share }) => share >= smallestShare && !isJoinedScript(label));
  if (frame.rightToLeft || !isPlain) return null;
  const { title, titleY, disc } = arrange(props.title, nameSizes[0] + rimGap + pulled, setting);
  const names = nameSizes.map((size) => wedges.map((wedge) => nameOf(wedge, size, disc, setting)));
  const fitting = names.find((all) => all.every((name) => name !== null));
  if (fitting === undefined) return null;
  const slices = wedges.map((wedge, index): Slice | null => {
    const middle = (wedge.from + wedge.until) / 2;
    const distance = disc.radius * (wedge.share > 0.75 ? 0 : 0.62);
    const room = Math.min(disc.radius * 0.72, 2 * distance * Math.sin(Math.min(Math.PI, wedge.share * turn) / 2) * 0.86);
    const value = setText({
      text: valueText(wedge.value, props, language),
      face: theme.figures,
      size: Math.min(170, Math.max(smallestValue, 250 * Math.sqrt(wedge.share) * (disc.radius / 370))),
      minSize: 20,
      width: distance === 0 ? disc.radius : room,
      height: 200,
      lineHeight: 1,
      maxCharacters: 30,
    });
    if (value.size < smallestValue) return null;
    const [x, y] = pointAt(disc, middle, distance);
    const width = value.width - signSaving(value);
    const capitals = capitalBounds(value.face);
    return {
      ...wedge,
      value,
      valueX: x - width / 2,
      valueY: y - ((capitals.top + capitals.bottom) / 2) * value.size,
      name: fitting[index] ?? null,
      row: null,
    };
  });
  return slices.every((slice) => slice !== null) ? { title, titleY, disc, slices } : null;
}

/** Sets a name along the arc of its slice. */
function nameOf({ label, share, from, until }: Wedge, size: number, disc: Disc, { theme }: LayoutSetting): Name | null {
  const face = letterFace(theme);
  const middle = ((((from + until) / 2) % turn) + turn) % turn;
  const isLower = middle > turn * 0.27 && middle < turn * 0.73;
  const { top, bottom } = capitalBounds(face);
  const radius = disc.radius + rimGap + (isLower ? (bottom - top) * size : 0);
  const whole = measure(face, label) * size;
  if (whole > share * turn * disc.radius - 20) return null;
  let before = '';
  const letters = splitGraphemes(label).map((text): Letter => {
    const left = measure(face, before) * size;
    before += text;
    const width = measure(face, before) * size - left;
    const offset = (left + width / 2 - whole / 2) / radius;
    return { text, width, angle: isLower ? middle - offset : middle + offset };
  });
  return { letters, isLower, radius, size };
}

/** Lays out values and names as rows beside or below the disc, in the order of the slices. */
function listed(props: PieProps, wedges: readonly Wedge[], setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const wide = frame.shape === 'wide';
  const count = wedges.length;
  const pitch = Math.min({ wide: 104, square: 82, tall: 96 }[frame.shape], (safe.height * (wide ? 0.62 : 0.41)) / count);
  const rowsHeight = pitch * count;
  const title = setTitle(props.title, setting, wide ? safe.width * 0.52 : safe.width, safe.height * (wide ? 0.34 : 0.16));
  const head = title === null ? 0 : title.height + 44;
  const hasLong = wedges.some(({ label }) => measure(theme.text, label) > 9);
  const radiusBeside = hasLong ? 340 : safe.height / 2 - pulled;
  const radiusAbove = Math.min(safe.width / 2, (safe.height - head - rowsHeight - 44) / 2) - pulled;
  const radius = wide ? radiusBeside : radiusAbove;
  const block = wide ? head + rowsHeight : head + 2 * (radius + pulled) + 44 + rowsHeight;
  const top = safe.y + (safe.height - block) * 0.45;
  const disc = wide
    ? { x: safe.x + safe.width - radius - pulled, y: safe.y + safe.height / 2, radius }
    : { x: frame.width / 2, y: top + head + radius + pulled, radius };
  const rowsY = wide ? top + head : top + block - rowsHeight;
  const rowsWidth = wide ? safe.width - 2 * (radius + pulled) - 90 : safe.width;
  const values = setTexts(
    wedges.map(({ value }) => ({
      text: valueText(value, props, language),
      face: theme.figures,
      size: Math.min(64, pitch * 0.72),
      width: rowsWidth * 0.38,
      height: pitch,
      lineHeight: 1,
      maxCharacters: 30,
    })),
  );
  const swatch = Math.min(34, pitch * 0.4);
  const valueX = safe.x + swatch + 24;
  const valueWidth = Math.max(...values.map((value) => value.width - signSaving(value)));
  const labelX = valueX + valueWidth + 28;
  const labels = setTexts(
    wedges.map(({ label }) => ({
      text: label,
      face: theme.text,
      size: Math.min(48, pitch * 0.56),
      minSize: 33,
      width: safe.x + rowsWidth - labelX,
      height: pitch * 0.9,
      lineHeight: isJoinedScript(label) ? 1.3 : 1.08,
      maxCharacters: 40,
    })),
  );
  return {
    title,
    titleY: top,
    disc,
    slices: wedges.map((wedge, index): Slice => {
      const value = values[index] as TextSet;
      const label = labels[index] as TextSet;
      const middle = rowsY + (index + 0.5) * pitch;
      return {
        ...wedge,
        value,
        valueX: valueX + valueWidth - value.width + signSaving(value),
        valueY: middle - value.height / 2,
        name: null,
        row: { label, x: safe.x, y: middle, labelX, swatch },
      };
    }),
  };
}

/** Returns a shade of one hue: the highlighted slice at full strength, the others paler by descending value. */
function fillAt(rank: number, count: number, colors: Colors): string {
  if (rank === 0) return colors.accentFill;
  const middle = mix(colors.groundTop, colors.groundBottom, 0.5);
  const weakest = colors.dark ? 0.16 : 0.14;
  const strongest = colors.dark ? 0.5 : 0.46;
  return mix(middle, colors.accentFill, strongest + (weakest - strongest) * ((rank - 1) / Math.max(1, count - 2)));
}

function inkOnSlice(fill: string, { ink, groundTop }: Colors): string {
  return readable(contrast(ink, fill) > contrast(groundTop, fill) ? ink : groundTop, fill);
}

/** Parts of a whole as a disc with the names around its rim, or one percentage as a ring of fifty strokes. */
export function PieFormat(props: PieProps) {
  return props.slices.length === 1 ? <Ring {...props} /> : <Disc {...props} />;
}

function Title({ set, y }: { readonly set: TextSet | null; readonly y: number }) {
  const { frame, colors, motion } = useScene();
  if (set === null) return null;
  return (
    <Lines
      set={set}
      x={frame.safe.x}
      y={y}
      color={colors.ink}
      progress={(line) => motion.enter(line * 0.08, 0.5)}
      leave={motion.leave()}
    />
  );
}

function Disc(props: PieProps) {
  const { frame, colors, motion, style } = useScene();
  const layout = useLayout(layOut, props);
  const { disc, slices } = layout;
  const leave = motion.leave();
  const popped = style === 'playful';
  const sweepSeconds = style === 'cinematic' ? 1.4 : 0.9;
  const swept = motion.draw(0.3, sweepSeconds);
  const grown = motion.enter(0.05, 0.5);
  const breath = 1 + Math.sin(motion.drift(6) * 1.6) * 0.14;
  const pull = pulled * breath * motion.spring(1.3, 0.5) * (1 - motion.leave(0.15));
  const pose = (slice: Slice, index: number) => {
    const middle = (slice.from + slice.until) / 2;
    const shift = slice.rank === 0 ? pull : 0;
    const shown = popped
      ? motion.spring(0.3 + index * motion.stagger(slices.length) * 1.4, 0.6)
      : motion.enter(0.3 + sweepSeconds * (0.2 + (0.6 * (middle - start)) / turn), 0.35);
    return { middle, shown, x: Math.sin(middle) * shift, y: -Math.cos(middle) * shift };
  };
  return (
    <>
      <Title set={layout.title} y={layout.titleY} />
      <div
        className="box"
        style={{
          inset: 0,
          opacity: 1 - leave,
          transform: `scale(${1 - leave * 0.06})`,
          transformOrigin: `${frame.left(disc.x, 0)}px ${disc.y}px`,
        }}
      >
        <FrameSvg>
          <circle cx={disc.x} cy={disc.y} r={disc.radius * grown} fill={colors.faint} fillOpacity={0.5} />
          {slices.map((slice, index) => {
            const { shown, x, y } = pose(slice, index);
            const until = popped ? slice.until : Math.min(slice.until, start + swept * turn);
            return until <= slice.from ? null : (
              <path
                key={slice.from}
                transform={`translate(${x + disc.x} ${y + disc.y}) scale(${popped ? Math.max(0, shown) : 1})`}
                d={wedgePath(slice.from, until, disc.radius)}
                fill={fillAt(slice.rank, slices.length, colors)}
                stroke={mix(colors.groundTop, colors.groundBottom, 0.5)}
                strokeWidth={6}
                strokeLinejoin="round"
              />
            );
          })}
        </FrameSvg>
        {slices.map((slice, index) => {
          const { shown, x, y } = pose(slice, index);
          const { value, name, row } = slice;
          const fill = fillAt(slice.rank, slices.length, colors);
          const rowInk = slice.rank === 0 ? colors.accent : colors.ink;
          const enteredAt = 0.9 + index * motion.stagger(slices.length);
          const seen = row === null ? shown : motion.enter(enteredAt - 0.5, 0.5);
          return (
            <div key={slice.from}>
              {row === null ? null : <Legend row={row} fill={fill} progress={seen} />}
              <Box
                x={slice.valueX}
                y={slice.valueY}
                width={value.width - signSaving(value)}
                height={value.height}
                // Text at a fractional position would jump by whole pixels; a transformed box does not.
                transform={`${row === null ? `translate(${frame.rightToLeft ? -x : x}px, ${y}px) ` : ''}scale(${0.8 + 0.2 * seen})`}
              >
                <div
                  className="line"
                  style={{
                    ...faceStyle(value.face, value.size, value.tracking),
                    lineHeight: `${value.lineStep}px`,
                    color: row === null ? inkOnSlice(fill, colors) : rowInk,
                    opacity: Math.min(1, Math.max(0, seen)),
                  }}
                >
                  <ValueText text={value.lines[0] ?? ''} />
                </div>
              </Box>
              {name === null ? null : <RimName name={name} disc={disc} shift={[x, y]} at={enteredAt} strong={slice.rank === 0} />}
            </div>
          );
        })}
      </div>
    </>
  );
}

function ValueText({ text }: { readonly text: string }) {
  const digits = text.replace(/%$/u, '');
  return (
    <bdi dir="ltr">
      {digits}
      {digits === text ? null : <span style={{ fontSize: `${signScale}em`, marginInlineStart: '0.06em' }}>%</span>}
    </bdi>
  );
}

/** Returns the outline of a slice around the origin. Angles are clockwise from the top. */
function wedgePath(from: number, until: number, radius: number): string {
  const at = (angle: number) => `${(Math.sin(angle) * radius).toFixed(2)} ${(-Math.cos(angle) * radius).toFixed(2)}`;
  const middle = (from + until) / 2;
  const arc = `A${radius} ${radius} 0 0 1 `;
  return `M0 0L${at(from)}${arc}${at(middle)}${arc}${at(until)}Z`;
}

function Legend({ row, fill, progress }: { readonly row: Row; readonly fill: string; readonly progress: number }) {
  const { theme, colors } = useScene();
  return (
    <>
      <Box
        x={row.x}
        y={row.y - row.swatch / 2}
        width={row.swatch}
        height={row.swatch}
        opacity={progress}
        transform={`scale(${progress})`}
        style={{ background: fill, borderRadius: theme.radius === 0 ? 0 : '50%' }}
      />
      <Lines
        set={row.label}
        x={row.labelX}
        y={row.y - row.label.height / 2}
        color={colors.ink}
        entrance="fade"
        progress={() => progress}
      />
    </>
  );
}

/** A name along the rim, whose letters appear from the middle outwards. */
function RimName({
  name,
  disc,
  shift,
  at,
  strong,
}: {
  readonly name: Name;
  readonly disc: Disc;
  readonly shift: Point;
  readonly at: number;
  readonly strong: boolean;
}) {
  const { theme, colors, motion } = useScene();
  const { letters, isLower, radius, size } = name;
  const face = letterFace(theme);
  const lineHeight = size * 1.3;
  const baseline = lineHeight / 2 + (capitalBounds(face).bottom - 0.5) * size;
  return (
    <div
      className="line"
      style={{
        ...faceStyle(face, size, 0),
        lineHeight: `${lineHeight}px`,
        left: 0,
        top: 0,
        transform: `translate(${shift[0]}px, ${shift[1]}px)`,
      }}
    >
      {letters.map(({ text, angle, width }, index) => {
        const [x, y] = pointAt(disc, angle, radius);
        const shown = motion.enter(at + Math.abs(index - (letters.length - 1) / 2) * 0.02, 0.4);
        return (
          <span
            key={angle}
            style={{
              position: 'absolute',
              left: x - width / 2,
              top: y - baseline,
              color: strong ? colors.accent : colors.ink,
              opacity: shown,
              transform: `rotate(${isLower ? angle - Math.PI : angle}rad)`,
              transformOrigin: `${width / 2}px ${baseline}px`,
            }}
          >
            {text}
          </span>
        );
      })}
    </div>
  );
}

const strokes = 50;

interface RingLayout {
  readonly title: TextSet | null;
  readonly titleY: number;
  readonly disc: Disc;
  readonly value: TextSet;
  readonly valueY: number;
  readonly suffix: TextSet | null;
  readonly label: TextSet;
  readonly labelY: number;
}

function layOutRing(props: PieProps, setting: LayoutSetting): RingLayout {
  const { theme, language } = setting;
  const { title, titleY, disc } = arrange(props.title, 0, setting);
  const [slice] = props.slices;
  const inner = disc.radius * 1.28;
  const scale = disc.radius / 450;
  const sign = props.suffix.trim();
  const digits = props.prefix + figure(slice?.value ?? 0, decimalsOf([slice?.value ?? 0]), language);
  const value = setText({
    text: digits,
    face: theme.figures,
    size: 330 * scale,
    width: inner * (sign === '' ? 1 : 0.94 - 0.11 * sign.length),
    height: 330 * scale,
    lineHeight: 1,
  });
  const suffix =
    sign === ''
      ? null
      : setText({
          text: sign,
          face: theme.figures,
          size: value.size * 0.52,
          width: inner * 0.4,
          height: value.size,
          lineHeight: 1,
        });
  const label = setText({
    text: slice?.label ?? '',
    face: theme.text,
    size: 62 * Math.max(0.8, scale),
    width: inner * 0.94,
    height: disc.radius * 0.56,
    maxCharacters: 22,
    lineHeight: isJoinedScript(slice?.label ?? '') ? undefined : 1.14,
  });
  const capitals = capitalBounds(value.face);
  const figureHeight = (capitals.bottom - capitals.top) * value.size;
  const gap = 34 * scale + 10;
  const top = disc.y - (figureHeight + gap + label.height) / 2 - disc.radius * 0.03;
  return {
    title,
    titleY,
    disc,
    value,
    valueY: top - capitals.top * value.size,
    suffix,
    label,
    labelY: top + figureHeight + gap,
  };
}

/** Shows a single percentage as a ring: each stroke stands for 2%, and the remainder is drawn as dots. */
function Ring(props: PieProps) {
  const { frame, theme, colors, motion, language } = useScene();
  const layout = useLayout(layOutRing, props);
  const { disc, value, suffix, label } = layout;
  const share = (props.slices[0]?.value ?? 0) / 100;
  const leave = motion.leave();
  const counted = motion.draw(0.2, 1.4);
  const tip = share * counted * strokes;
  const last = Math.max(1, Math.round(share * strokes));
  const pulse = share === 1 ? Math.sin(Math.PI * motion.linear(1.6, 0.4)) * 0.03 : 0;
  const length = disc.radius * 0.15;
  const thickness = (disc.radius * turn * 0.44) / strokes;
  const figureText =
    props.prefix + figure((props.slices[0]?.value ?? 0) * counted, decimalsOf([props.slices[0]?.value ?? 0]), language);
  const width = value.width + (suffix === null ? 0 : suffix.width + value.size * 0.06);
  const entered = motion.enter(0.1, 0.5);
  return (
    <>
      <Title set={layout.title} y={layout.titleY} />
      <div
        className="box"
        style={{
          inset: 0,
          opacity: 1 - leave,
          transform: `rotate(${leave * (frame.rightToLeft ? -6 : 6)}deg) scale(${1 + pulse})`,
          transformOrigin: `${frame.left(disc.x, 0)}px ${disc.y}px`,
        }}
      >
        <FrameSvg>
          {Array.from({ length: strokes }, (_, index) => {
            const isTip = index === last - 1;
            const opened = isTip
              ? motion.spring(1.35, 0.5)
              : motion.spring(openedAt(index / Math.max(1e-9, share * strokes)), 0.35);
            const isFilled = index < last && (index < tip || isTip);
            const grown = isFilled ? Math.max(0, opened) : 0;
            const sway = Math.sin(motion.drift(2) * 2.1 + index * 0.7) * 0.02 * grown;
            const bud = thickness * 0.62;
            const tall = bud + (length * (isTip ? 1.16 : 1) - bud) * grown;
            const thick = bud + (thickness - bud) * Math.min(1, grown);
            const seen = motion.enter(0.02 + index * 0.006, 0.3);
            return (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: strokes are places on the ring.
                key={index}
                x={-thick / 2}
                y={-disc.radius}
                width={thick}
                height={tall}
                rx={theme.radius === 0 ? 0 : thick / 2}
                fill={strokeFill(isTip, grown, colors)}
                opacity={seen}
                transform={`translate(${disc.x} ${disc.y}) rotate(${((index + 0.5) / strokes + sway / strokes) * 360})`}
              />
            );
          })}
        </FrameSvg>
      </div>
      <div
        className="line"
        style={{
          ...faceStyle(value.face, value.size, value.tracking),
          left: frame.left(disc.x - width / 2, width),
          top: layout.valueY,
          width,
          lineHeight: `${value.lineStep}px`,
          textAlign: 'center',
          color: colors.ink,
          fontVariantNumeric: 'tabular-nums',
          opacity: entered * (1 - leave),
        }}
      >
        <bdi dir="ltr">
          {figureText}
          {suffix === null ? null : (
            <span style={{ fontSize: suffix.size, marginInlineStart: value.size * 0.06, color: colors.accent }}>
              {suffix.lines[0]}
            </span>
          )}
        </bdi>
      </div>
      <Lines
        set={label}
        x={disc.x - label.width / 2}
        align="center"
        y={layout.labelY}
        color={colors.ink}
        entrance="fade"
        progress={(line) => motion.enter(0.5 + line * 0.08, 0.5)}
        leave={leave}
      />
    </>
  );
}

/** Returns the time at which the count passes this fraction of its range. Approximately inverts the curve of the count. */
const openedAt = (share: number): number => 0.35 + share * 0.95;

function strokeFill(isTip: boolean, grown: number, colors: Colors): string {
  if (grown <= 0) return colors.muted;
  return isTip ? colors.helperFill : colors.accentFill;
}
