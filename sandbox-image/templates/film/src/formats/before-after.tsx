import { decimalsOf, figure } from '../drawing/figures.ts';
import { Lines } from '../drawing/lines.tsx';
import { Picture } from '../drawing/picture.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, isIdeographic, setText, type TextSet } from '../drawing/text.ts';
import { mix, readable } from '../kit/color.ts';
import type { Colors } from '../themes/colors.ts';
import type { Rect } from '../themes/theme.ts';

interface Side {
  readonly label: string;
  readonly value: number | null;
  readonly text: string | null;
  readonly picture: string | null;
}

interface BeforeAfterProps {
  readonly title: string | null;
  readonly prefix: string;
  readonly suffix: string;
  readonly before: Side;
  readonly after: Side;
}

interface SetSide {
  readonly x: number;
  readonly label: TextSet;
  readonly labelY: number;
  readonly value: TextSet | null;
  readonly valueY: number;
  readonly text: TextSet | null;
  readonly textY: number;
  readonly height: number;
}

interface Layout {
  /** Whether the line is vertical and moves horizontally. */
  readonly upright: boolean;
  /** Position of the line at rest, in design pixels. */
  readonly cut: number;
  readonly title: TextSet | null;
  readonly titleX: number;
  readonly titleY: number;
  readonly before: SetSide;
  readonly after: SetSide;
  /** Levels or bars that show the values; `null` if there are none. */
  readonly levels: { readonly before: Rect; readonly after: Rect } | null;
  /** Area of both pictures in the frame. */
  readonly picture: Rect;
  /** Position of the line's handle along the line. */
  readonly handle: number;
}

const handleRadius = 44;
const margin = 64;

function valueText(value: number, decimals: number, { prefix, suffix }: BeforeAfterProps, language: string): string {
  const digits = figure(value, decimals, language);
  const gap = /^\p{L}/u.test(suffix.trim()) ? ' ' : '';
  return `\u200e${prefix}${digits}${suffix.trim() === '' ? '' : gap + suffix.trim()}\u200e`;
}

function setLabel(side: Side, box: Rect, { theme, language }: LayoutSetting): TextSet {
  const hasValue = side.value !== null;
  const only = !hasValue && side.text === null;
  return setText({
    text: only ? cased(theme, side.label, language) : side.label,
    face: only ? theme.display : theme.strong,
    size: only ? 104 : 48,
    width: box.width,
    height: box.height * (hasValue ? 0.22 : 0.5),
    maxCharacters: 20,
  });
}

function setValue(
  value: number | null,
  box: Rect,
  props: BeforeAfterProps,
  grand: boolean,
  { theme, language }: LayoutSetting,
): TextSet | null {
  if (value === null) return null;
  return setText({
    text: valueText(value, decimalsOf([value]), props, language),
    face: theme.figures,
    size: Math.min(grand ? 216 : 180, box.height * 0.42),
    width: box.width,
    height: box.height * 0.42,
    lineHeight: 1.04,
    maxCharacters: 30,
  });
}

/** Sets a side's text, in display type if the side has no value. */
function setSideText(
  { text, value }: Side,
  box: Pick<Rect, 'width' | 'height'>,
  grand: boolean,
  { theme, language }: LayoutSetting,
): TextSet | null {
  if (text === null) return null;
  const style =
    value === null
      ? { text: cased(theme, text, language), face: theme.display, size: grand ? 190 : 104, maxCharacters: 16 }
      : { text, face: theme.text, size: 52, maxCharacters: 30 };
  return setText({ ...style, ...box, ...(isIdeographic(text) ? { lineHeight: 1.2 } : {}) });
}

/** Sets a side's label, value and text below each other in a box. */
function setSide(side: Side, box: Rect, props: BeforeAfterProps, grand: boolean, setting: LayoutSetting): SetSide {
  const label = setLabel(side, box, setting);
  const value = setValue(side.value, box, props, grand, setting);
  const used = label.height + (value === null ? 24 : value.height + 36);
  const text = setSideText(side, { width: box.width, height: Math.max(60, box.height - used) }, grand, setting);
  const valueY = box.y + label.height + 14;
  const textY = value === null ? valueY + 10 : valueY + value.height + 22;
  return {
    x: box.x,
    label,
    labelY: box.y,
    value,
    valueY,
    text,
    textY,
    height: textY + (text?.height ?? 0) - box.y,
  };
}

function lowered(side: SetSide, by: number): SetSide {
  return { ...side, labelY: side.labelY + by, valueY: side.valueY + by, textY: side.textY + by };
}

function layOut(props: BeforeAfterProps, setting: LayoutSetting): Layout {
  return setting.frame.shape === 'wide' ? upright(props, setting) : level(props, setting);
}

/** Returns lengths in the ratio of the values. The larger one is `most`. */
function lengthsOf({ before, after }: BeforeAfterProps, most: number): { before: number; after: number } | null {
  if (before.value === null || after.value === null) return null;
  const largest = Math.max(Math.abs(before.value), Math.abs(after.value)) || 1;
  return { before: (Math.abs(before.value) / largest) * most, after: (Math.abs(after.value) / largest) * most };
}

/** Lays out a vertical line: texts above, and below them pictures, or the values as two levels that meet at the line. */
function upright(props: BeforeAfterProps, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe, width, height } = frame;
  const cut = Math.round(width * 0.41);
  const hasPictures = props.before.picture !== null;
  const hasValues = props.before.value !== null;
  const textHeight = hasPictures ? safe.height * 0.42 : safe.height * (hasValues ? 0.64 : 1);
  const afterX = cut + margin + 8;
  const afterWidth = safe.x + safe.width - afterX;
  const title =
    props.title === null
      ? null
      : setText({
          text: cased(theme, props.title, language),
          face: theme.display,
          size: 84,
          minSize: 40,
          width: afterWidth,
          height: textHeight * 0.26,
          maxCharacters: 30,
        });
  const head = title === null ? 0 : title.height + 48;
  const sideBox = { y: safe.y + head, height: textHeight - head };
  const beforeWidth = cut - margin - safe.x;
  const past = setSide(props.before, { x: safe.x, width: beforeWidth, ...sideBox }, props, false, setting);
  const recent = setSide(props.after, { x: afterX, width: afterWidth, ...sideBox }, props, true, setting);
  const free = hasPictures || hasValues ? 0 : sideBox.height - Math.max(past.height, recent.height);
  const [before, after] = [lowered(past, free * 0.42), lowered(recent, free * 0.42)];
  const most = height - safe.y - textHeight - 56;
  const lengths = hasPictures ? null : lengthsOf(props, most);
  const picture = { x: 0, y: safe.y + textHeight + 24, width, height: height - safe.y - textHeight - 24 };
  const handleBelowTexts = hasValues ? height * 0.69 : safe.y + safe.height - handleRadius;
  return {
    upright: true,
    cut,
    title,
    titleX: afterX,
    titleY: safe.y,
    before,
    after,
    levels: lengths && {
      before: { x: 0, y: height - lengths.before, width, height: lengths.before },
      after: { x: 0, y: height - lengths.after, width, height: lengths.after },
    },
    picture,
    handle: hasPictures ? picture.y + picture.height / 2 : handleBelowTexts,
  };
}

/** Lays out a horizontal line: “before” above it, “after” below, and the values as two bars that meet at the line. */
function level(props: BeforeAfterProps, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe, width, height } = frame;
  const cut = Math.round(safe.y + safe.height * (props.title === null ? 0.5 : 0.55));
  const hasPictures = props.before.picture !== null;
  const barHeight = frame.shape === 'square' ? 56 : safe.height * 0.085;
  const lengths = hasPictures ? null : lengthsOf(props, safe.x + safe.width);
  const bar = lengths === null ? 0 : barHeight;
  const title =
    props.title === null
      ? null
      : setText({
          text: cased(theme, props.title, language),
          face: theme.display,
          size: frame.shape === 'square' ? 76 : 104,
          minSize: 44,
          width: safe.width,
          height: (cut - safe.y) * (frame.shape === 'square' ? 0.19 : 0.28),
          maxCharacters: frame.shape === 'square' ? 40 : 24,
        });
  const head = title === null ? 0 : title.height + 28;
  const beforeY = safe.y + head;
  const inner = hasPictures ? safe.width * 0.5 : safe.width;
  const upperBox = { x: safe.x, y: beforeY, width: inner, height: cut - 32 - bar - beforeY };
  const past = setSide(props.before, upperBox, props, false, setting);
  const before = lowered(past, Math.max(0, upperBox.height - past.height) * (title === null ? 0.5 : 0.3));
  const afterY = cut + bar + 44;
  const lowerBox = { x: safe.x, y: afterY, width: inner, height: safe.y + safe.height - afterY };
  const recent = setSide(props.after, lowerBox, props, true, setting);
  const after = lowered(recent, Math.max(0, lowerBox.height - recent.height) * 0.35);
  const pictureX = safe.x + inner + 40;
  return {
    upright: false,
    cut,
    title,
    titleX: safe.x,
    titleY: safe.y,
    before,
    after,
    levels: lengths && {
      before: { x: 0, y: cut - bar, width: lengths.before, height: bar },
      after: { x: 0, y: cut, width: lengths.after, height: bar },
    },
    picture: { x: pictureX, y: beforeY, width: width - pictureX, height: height - beforeY },
    handle: safe.x + safe.width - handleRadius,
  };
}

/** Returns the colours for the earlier time: another background than the later one, and muted marks. */
function pastColors({ groundTop, groundBottom, ink, muted, dark }: Colors) {
  const ground = mix(mix(groundTop, groundBottom, 0.5), ink, dark ? 0.1 : 0.09);
  return { ground, text: readable(muted, ground), ink: readable(ink, ground), mark: mix(ground, ink, 0.26) };
}

/**
 * Shows two times on either side of a line. Once the earlier time has been read, the line moves in and uncovers the later one.
 */
export function BeforeAfterFormat(props: BeforeAfterProps) {
  const { frame, colors, motion, style, language } = useScene();
  const layout = useLayout(layOut, props);
  const { before, after, levels, picture, cut } = layout;
  const along = layout.upright ? frame.width : frame.height;
  const letters = ({ label, text }: Side) => label.length + (text?.length ?? 0) + 12;
  const reading = letters(props.before) / (letters(props.before) + letters(props.after));
  const startAt = motion.when(Math.max(0.8, Math.min(motion.duration * 0.45, 0.6 + (motion.duration - 3.2) * reading * 0.85)));
  const seconds = style === 'cinematic' ? 1.5 : 1.1;
  const moved = motion.draw(startAt, seconds);
  const swing = style === 'playful' ? Math.sin(motion.linear(startAt + seconds, 0.5) * Math.PI) * -0.02 : 0;
  const drift = Math.sin(motion.drift(12) * 1.6) * 0.004 * moved;
  const leave = motion.leave(0.12);
  const position = (along + 60 - (along + 60 - cut) * moved + (swing + drift) * along) * (1 - leave);
  const past = pastColors(colors);
  const afterAt = startAt + seconds - 0.15;
  const counted = motion.draw(afterAt, 0.7);
  const shown = motion.enter(0, 0.5);
  const value =
    props.before.value === null || props.after.value === null
      ? null
      : props.before.value + (props.after.value - props.before.value) * counted;
  return (
    <>
      <div className="box" style={{ inset: 0, opacity: 1 - motion.leave() }}>
        {levels === null ? null : <Box {...levels.after} style={{ background: colors.accentFill }} />}
        {props.after.picture === null ? null : <Shot src={props.after.picture} box={picture} />}
      </div>
      <div className="box" style={{ inset: 0, opacity: shown, clipPath: clipBefore(position, layout.upright, frame) }}>
        <Box x={0} y={0} width={frame.width} height={frame.height} style={{ background: past.ground }} />
        {levels === null ? null : <Grown rect={levels.before} upright={layout.upright} color={past.mark} />}
        {props.before.picture === null ? null : <Shot src={props.before.picture} box={picture} />}
      </div>
      <Line layout={layout} position={position} />
      {layout.title === null ? null : (
        <Lines
          set={layout.title}
          x={layout.titleX}
          y={layout.titleY}
          color={layout.upright ? colors.ink : past.ink}
          progress={(line) => motion.enter(0.15 + line * 0.08, 0.5)}
          leave={motion.leave(0.1)}
        />
      )}
      <SideText side={before} at={0.3} color={past.ink} marked={past.text} counted={null} leave={motion.leave(0.15)} />
      <SideText
        side={after}
        at={afterAt}
        color={colors.ink}
        marked={colors.accent}
        counted={value === null ? null : valueText(value, decimalsOf([props.after.value ?? 0]), props, language)}
        leave={motion.leave()}
      />
    </>
  );
}

/** Returns the clip of the earlier time: everything before the line, from the reading side or from the top. */
function clipBefore(position: number, upright: boolean, { width, height, rightToLeft }: LayoutSetting['frame']): string {
  if (!upright) return `inset(0 0 ${Math.max(0, height - position)}px 0)`;
  const hidden = Math.max(0, width - position);
  return rightToLeft ? `inset(0 0 0 ${hidden}px)` : `inset(0 ${hidden}px 0 0)`;
}

/** Draws the earlier value: a level that rises, or a bar that grows from the start edge. */
function Grown({ rect, upright, color }: { readonly rect: Rect; readonly upright: boolean; readonly color: string }) {
  const { motion } = useScene();
  const grown = motion.enter(0.15, 0.7);
  const size = upright
    ? { ...rect, y: rect.y + rect.height * (1 - grown), height: rect.height * grown }
    : { ...rect, width: rect.width * grown };
  return <Box {...size} style={{ background: color }} />;
}

function Shot({ src, box }: { readonly src: string; readonly box: Rect }) {
  return (
    <Box {...box}>
      <Picture src={src} style={{ width: box.width, height: box.height, objectFit: 'cover' }} />
    </Box>
  );
}

function Line({ layout, position }: { readonly layout: Layout; readonly position: number }) {
  const { frame, theme, colors, motion, style } = useScene();
  const { upright, handle } = layout;
  const width = theme.stroke + 3;
  const place = upright
    ? { x: position - width / 2, y: 0, width, height: frame.height }
    : { x: 0, y: position - width / 2, width: frame.width, height: width };
  const centre = upright ? { x: position, y: handle } : { x: handle, y: position };
  const size = 2 * handleRadius;
  return (
    <div className="box" style={{ inset: 0, opacity: 1 - motion.leave() }}>
      <Box {...place} style={{ background: colors.ink }} />
      {style === 'cinematic' ? null : (
        <Box
          x={centre.x - handleRadius}
          y={centre.y - handleRadius}
          width={size}
          height={size}
          style={{ background: colors.ink, borderRadius: theme.radius === 0 ? 0 : '50%' }}
        >
          <svg aria-hidden width={size} height={size} viewBox="-44 -44 88 88">
            <path
              d="M-13 -15L-28 0L-13 15M13 -15L28 0L13 15"
              transform={upright ? undefined : 'rotate(90)'}
              fill="none"
              stroke={colors.onInk}
              strokeWidth={6}
              strokeLinecap={theme.radius === 0 ? 'butt' : 'round'}
              strokeLinejoin={theme.radius === 0 ? 'miter' : 'round'}
            />
          </svg>
        </Box>
      )}
    </div>
  );
}

function SideText({
  side,
  at,
  color,
  marked,
  counted,
  leave,
}: {
  readonly side: SetSide;
  readonly at: number;
  readonly color: string;
  /** Colour of the label and the value. */
  readonly marked: string;
  /** Value to show while counting up; `null` shows the final value. */
  readonly counted: string | null;
  readonly leave: number;
}) {
  const { motion } = useScene();
  const { x, label, value, text } = side;
  const line = (offset: number) => (index: number) => motion.enter(at + offset + index * 0.06, 0.45);
  const shown = { x, entrance: 'fade' as const, leave };
  return (
    <>
      <Lines {...shown} set={label} y={side.labelY} color={marked} progress={line(0)} />
      {value === null ? null : (
        <Lines
          {...shown}
          set={counted === null ? value : { ...value, lines: [counted] }}
          y={side.valueY}
          color={marked}
          progress={line(0.06)}
        />
      )}
      {text === null ? null : <Lines {...shown} set={text} y={side.textY} color={color} progress={line(0.12)} />}
    </>
  );
}
