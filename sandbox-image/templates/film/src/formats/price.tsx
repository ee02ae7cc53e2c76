import type { Point } from '../drawing/curve.ts';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, inkOf, leftToRight, measure, setText, type TextSet } from '../drawing/text.ts';
import { contrast } from '../kit/color.ts';
import type { Colors } from '../themes/colors.ts';
import type { Face, Rect } from '../themes/theme.ts';

interface PriceProps {
  readonly label: string | null;
  readonly was: string | null;
  readonly now: string;
  readonly percent: string | null;
  readonly until: string | null;
}

interface Placed {
  readonly set: TextSet;
  readonly x: number;
  readonly y: number;
}

/** A character of the price and its position, which is the left end of its ink on the baseline. */
interface Sign {
  readonly text: string;
  readonly size: number;
  readonly x: number;
  readonly baseline: number;
  readonly isCurrency: boolean;
}

interface Layout {
  /** Block with the label and the old price; `null` if there is neither. */
  readonly upper: Rect | null;
  readonly label: Placed | null;
  readonly was: Placed | null;
  /** Stroke through the old price, from the side of the frame. */
  readonly strike: readonly Point[];
  readonly stage: Rect;
  readonly face: Face;
  readonly signs: readonly Sign[];
  /** Bounding box of the new price. The signs are centred in it. */
  readonly box: Rect;
  readonly lower: Rect | null;
  readonly percent: Placed | null;
  readonly until: Placed | null;
}

/** Splits a price such as “€1,290.50” into currency, whole digits and cents. A price without digits is treated as a word. */
function partsOf(price: string) {
  const [, before = '', digits = price, after = ''] = /^(\D*?)\s*(\d[\d.,'’\s]*\d|\d)\s*(\D*)$/u.exec(price) ?? [];
  const [, whole = digits, cents = ''] = /^(.*\d)[.,](\d\d)$/u.exec(digits) ?? [];
  return { before, whole, cents, after };
}

const centScale = 0.4;
const currencyScale = 0.3;

/** Sets the price as large as its box: digits with the cents raised and the currency below the end of the digits. */
function setPrice(price: string, box: Rect, { theme }: LayoutSetting): Pick<Layout, 'signs' | 'face' | 'box'> {
  const face: Face = { ...theme.display, tracking: -0.02 };
  const { before, whole, cents, after } = partsOf(price);
  // The ascent is measured without separators, because only pure digits are measured as lining figures.
  const ink = { ...inkOf(face, whole), ascent: inkOf(face, whole.replace(/\D/gu, '') || whole).ascent };
  const run = (text: string) => (text === '' ? 0 : inkOf(face, text).right - inkOf(face, text).left);
  const gap = 0.07;
  const lead = before === '' ? 0 : run(before) * currencyScale + gap;
  const tail = Math.max(run(cents) * centScale, run(after) * currencyScale);
  const width = lead + (ink.right - ink.left) + (tail === 0 ? 0 : tail + gap);
  const size = Math.min(box.width / width, box.height / (ink.ascent + Math.max(0, ink.descent)));
  const x = box.x + (box.width - width * size) / 2;
  const baseline = box.y + (box.height + (ink.ascent - Math.max(0, ink.descent)) * size) / 2;
  const digitsX = x + lead * size;
  const tailX = digitsX + (ink.right - ink.left + gap) * size;
  const raised = (text: string, scale: number) => baseline - (ink.ascent - inkOf(face, text).ascent * scale) * size;
  let from = digitsX - ink.left * size;
  const digits = [...whole].map((text): Sign => {
    const sign = { text, size, x: from, baseline, isCurrency: false };
    from += measure(face, text) * size;
    return sign;
  });
  const signs: Sign[] = [
    ...(before === ''
      ? []
      : [{ text: before, size: size * currencyScale, x, baseline: raised(before, currencyScale), isCurrency: true }]),
    ...digits,
    ...(cents === ''
      ? []
      : [{ text: cents, size: size * centScale, x: tailX, baseline: raised(cents, centScale), isCurrency: false }]),
    ...(after === '' ? [] : [{ text: after, size: size * currencyScale, x: tailX, baseline, isCurrency: true }]),
  ];
  return { signs, face, box };
}

function layOut(props: PriceProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  return frame.shape === 'wide' ? sideBySide(props, setting) : stacked(props, setting);
}

type TextBox = Pick<Rect, 'width' | 'height'>;

function set(text: string | null, face: Face, size: number, box: TextBox, maxCharacters = 18): TextSet | null {
  return text === null ? null : setText({ text, face, size, ...box, maxCharacters });
}

function setLabel(label: string | null, { theme, language }: LayoutSetting, box: TextBox): TextSet | null {
  return set(label === null ? null : cased(theme, label, language), theme.display, 120, box);
}

function setWas(was: string | null, size: number, { theme }: LayoutSetting, box: TextBox): TextSet | null {
  return set(was === null ? null : leftToRight(was.replaceAll(' ', '\u00a0')), theme.display, size, box);
}

/** Returns the heights of the blocks above and below the new price; 0 for a block without content. */
function blockHeights({ label, was, percent, until }: PriceProps, { safe, story }: LayoutSetting['frame']) {
  const shares = story ? { upper: 0.17, lower: 0.12 } : { upper: 0.19, lower: 0.15 };
  return {
    upperHeight: label === null && was === null ? 0 : safe.height * shares.upper,
    lowerHeight: percent === null && until === null ? 0 : safe.height * shares.lower,
  };
}

/** Stacks the blocks: label and old price, new price, discount and end. */
function stacked(props: PriceProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  const { safe, width, height } = frame;
  const both = props.label !== null && props.was !== null;
  const { upperHeight, lowerHeight } = blockHeights(props, frame);
  const label = setLabel(props.label, setting, {
    width: safe.width * (both ? 0.57 : 1),
    height: upperHeight,
  });
  const was = setWas(props.was, 220, setting, {
    width: safe.width * (both ? 0.38 : 1),
    height: upperHeight * 0.96,
  });
  const upper = upperHeight === 0 ? null : { x: 0, y: 0, width, height: safe.y + upperHeight + 28 };
  const bottom = safe.y + safe.height;
  const lowerY = bottom - lowerHeight - 28;
  const lower = lowerHeight === 0 ? null : { x: 0, y: lowerY, width, height: height - lowerY };
  const stage = {
    x: 0,
    y: upper?.height ?? 0,
    width,
    height: (lower === null ? height : lowerY) - (upper?.height ?? 0),
  };
  const from = upper === null ? safe.y : stage.y + 44;
  const until = lower === null ? bottom : lowerY - 44;
  const middle = safe.y + upperHeight / 2;
  const wasX = safe.x + safe.width - (was?.width ?? 0);
  return {
    upper,
    label: label && { set: label, x: safe.x, y: middle - label.height / 2 },
    was: was && { set: was, x: both ? wasX : safe.x, y: middle - was.height / 2 },
    strike: was === null ? [] : strikeThrough(was, both ? wasX : safe.x, middle, width),
    stage,
    ...setPrice(props.now, { x: safe.x, y: from, width: safe.width, height: until - from }, setting),
    lower,
    ...foot(props, { x: safe.x, y: bottom - lowerHeight, width: safe.width, height: lowerHeight }, setting),
  };
}

/** Places the old price in a block of full height, the new one beside it, and a strip below. */
function sideBySide(props: PriceProps, setting: LayoutSetting): Layout {
  const { frame } = setting;
  const { safe, width, height } = frame;
  const hasSide = props.label !== null || props.was !== null;
  const side = hasSide ? width * 0.36 : 0;
  const inner = side - safe.x - 56;
  const label = setLabel(props.label, setting, {
    width: inner,
    height: safe.height * 0.5,
  });
  const was = setWas(props.was, 280, setting, {
    width: inner,
    height: safe.height * 0.4,
  });
  const stripHeight = props.percent === null && props.until === null ? 0 : 168;
  const strip = height - safe.y - stripHeight - 8;
  const stage = { x: side, y: 0, width: width - side, height: stripHeight === 0 ? height : strip };
  const x = hasSide ? side + 84 : safe.x;
  const wasY = safe.y + safe.height - (was?.height ?? 0);
  return {
    upper: hasSide ? { x: 0, y: 0, width: side, height } : null,
    label: label && { set: label, x: safe.x, y: was === null ? safe.y + (safe.height - label.height) / 2 : safe.y },
    was: was && { set: was, x: safe.x, y: label === null ? safe.y + (safe.height - was.height) / 2 : wasY },
    strike:
      was === null ? [] : strikeThrough(was, safe.x, label === null ? safe.y + safe.height / 2 : wasY + was.height / 2, side),
    stage,
    ...setPrice(
      props.now,
      {
        x,
        y: safe.y,
        width: safe.x + safe.width - x,
        height: stripHeight === 0 ? safe.height : strip - safe.y - 64,
      },
      setting,
    ),
    lower: stripHeight === 0 ? null : { x: side, y: strip, width: width - side, height: height - strip },
    ...foot(props, { x, y: strip + 24, width: safe.x + safe.width - x, height: stripHeight - 48 }, setting),
  };
}

/**
 * Returns a stroke that rises by 11 degrees through the lower half of the digits, where it cannot be mistaken for part of a
 * digit.
 */
function strikeThrough(was: TextSet, x: number, middle: number, edge: number): Point[] {
  const slope = Math.tan((11 * Math.PI) / 180);
  const centre = x + was.width / 2;
  const y = middle + was.size * 0.12;
  return [edge, x - was.size * 0.12].map((at): Point => [at, y - (at - centre) * slope]);
}

function foot({ percent, until }: PriceProps, box: Rect, { theme, language }: LayoutSetting): Pick<Layout, 'percent' | 'until'> {
  const both = percent !== null && until !== null;
  const big = set(percent === null ? null : leftToRight(cased(theme, percent, language)), theme.display, 132, {
    width: box.width * (both ? 0.46 : 1),
    height: box.height,
  });
  const space = big === null ? 0 : big.width + 56;
  const small = set(
    until,
    theme.strong,
    both ? 58 : 64,
    { width: box.width - space, height: box.height },
    box.width > 1000 ? 40 : 22,
  );
  const untilX = both ? Math.min(Math.max(space, box.width * 0.5), box.width - (small?.width ?? 0)) : 0;
  const at = (one: TextSet | null, x: number) => one && { set: one, x, y: box.y + (box.height - one.height) / 2 };
  return { percent: at(big, box.x), until: at(small, box.x + untilX) };
}

/** Returns the colour of a stroke that is visible on text and on the fill below it. */
function strikeColor(fill: string, text: string, { ink, groundTop, helperFill }: Colors): string {
  const worst = (color: string) => Math.min(contrast(color, fill), contrast(color, text));
  return [ink, groundTop, helperFill].toSorted((one, other) => worst(other) - worst(one))[0] ?? ink;
}

/** Shows the new price as large as a poster. The old one is crossed out in the block before it. */
export function PriceFormat(props: PriceProps) {
  const { theme, colors, motion, frame } = useScene();
  const layout = useLayout(layOut, props);
  const { upper, label, was, strike, lower, percent, until } = layout;
  const wide = frame.shape === 'wide';
  const opened = motion.enter(0, 0.45) - motion.leave(0);
  const first = was === null ? 0.35 : 0.8;
  const knock = Math.sin(Math.PI * motion.linear(0.71, 0.2)) * (frame.rightToLeft ? 10 : -10);
  return (
    <>
      <Price layout={layout} first={first} />
      {upper === null ? null : (
        <Box
          {...upper}
          transform={blockShift(wide ? [frame.rightToLeft ? 1 : -1, 0] : [0, -1], upper, opened)}
          style={{ background: colors.accentFill }}
        />
      )}
      {label === null ? null : <Text placed={label} color={colors.onAccent} at={0.15} />}
      {was === null ? null : (
        <>
          <div className="box" style={{ inset: 0, transform: `translateX(${knock}px)` }}>
            <Text placed={was} color={colors.onAccent} at={0.2} />
          </div>
          <div className="box" style={{ inset: 0, opacity: 1 - motion.leave(0.25) }}>
            <theme.Path
              points={strike}
              width={Math.max(16, was.set.size * 0.11)}
              progress={motion.linear(0.58, 0.16)}
              color={strikeColor(colors.accentFill, colors.onAccent, colors)}
              seed={5}
            />
          </div>
        </>
      )}
      {lower === null ? null : (
        <Box
          {...lower}
          transform={blockShift([0, 1], lower, motion.enter(first + 0.45, 0.4) - motion.leave(0.05))}
          style={{ background: colors.helperFill }}
        />
      )}
      {percent === null ? null : <Text placed={percent} color={colors.onHelper} at={first + 0.6} />}
      {until === null ? null : <Text placed={until} color={colors.onHelper} at={first + 0.7} />}
    </>
  );
}

/** Moves a block out of the frame by the part that is not open. */
function blockShift([x, y]: readonly [number, number], { width, height }: Rect, opened: number): string {
  const closed = 1 - Math.max(0, opened);
  return `translate(${x * closed * width}px, ${y * closed * height}px)`;
}

function Text({ placed, color, at }: { readonly placed: Placed; readonly color: string; readonly at: number }) {
  const { motion } = useScene();
  return (
    <Lines
      {...placed}
      color={color}
      entrance="fade"
      progress={(line) => motion.enter(at + line * 0.06, 0.35)}
      // The text leaves before its block, because it is readable only on the block's colour.
      leave={motion.leave(0.25)}
    />
  );
}

/** Draws digits that fall into place from behind the upper block, then grow a little. */
function Price({ layout, first }: { readonly layout: Layout; readonly first: number }) {
  const { frame, motion } = useScene();
  const { stage, signs, face, box } = layout;
  const shift = frame.left(box.x, box.width) - box.x;
  const leave = motion.leave();
  const grown = 1 + 0.012 * (motion.drift(2) / motion.duration);
  const left = frame.left(stage.x, stage.width);
  const move = `translate(${left + stage.width / 2} ${stage.y + stage.height / 2})`;
  return (
    <div
      className="box"
      style={{
        inset: 0,
        clipPath: `inset(${stage.y}px ${frame.width - left - stage.width}px ${frame.height - stage.y - stage.height}px ${left}px)`,
        opacity: 1 - leave,
      }}
    >
      <svg aria-hidden width={frame.width} height={frame.height}>
        <g
          className="line"
          transform={`${move} scale(${grown}) translate(${-left - stage.width / 2} ${-stage.y - stage.height / 2})`}
        >
          {signs
            .filter(({ isCurrency }) => isCurrency)
            .map((sign) => (
              <Currency key={sign.text} sign={sign} face={face} shift={shift} at={first + 0.15} />
            ))}
          <Digits signs={signs.filter(({ isCurrency }) => !isCurrency)} face={face} shift={shift} first={first} />
        </g>
      </svg>
    </div>
  );
}

interface SignsProps {
  readonly face: Face;
  readonly shift: number;
}

function Digits({ signs, face, shift, first }: SignsProps & { readonly signs: readonly Sign[]; readonly first: number }) {
  const { colors, motion, style } = useScene();
  return (
    <text fill={colors.ink} style={{ ...faceStyle(face, 0), direction: 'ltr' }}>
      {signs.map(({ text, size, x, baseline }, index) => {
        const entered = motion.spring(first + index * 0.06, 0.55);
        const fallen = (1 - entered) * size * (style === 'smooth' ? 1.1 : -1.1);
        const isStill = style === 'cinematic';
        return (
          <tspan
            key={x}
            x={x + shift}
            y={baseline + (isStill ? 0 : fallen)}
            opacity={isStill ? entered : 1}
            style={{ fontSize: size }}
          >
            {text}
          </tspan>
        );
      })}
    </text>
  );
}

function Currency({ sign, face, shift, at }: SignsProps & { readonly sign: Sign; readonly at: number }) {
  const { colors, motion } = useScene();
  const entered = motion.spring(at, 0.4);
  return (
    <text
      transform={`translate(${sign.x + shift} ${sign.baseline}) scale(${entered})`}
      fill={colors.accent}
      opacity={Math.min(1, entered)}
      style={{ ...faceStyle(face, sign.size), direction: 'ltr' }}
    >
      {sign.text}
    </text>
  );
}
