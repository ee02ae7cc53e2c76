import { useId } from 'react';
import { figure, looksLikeYear } from '../drawing/figures.ts';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { cased, inkOf, setText, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import { type Ease, ease, easeInOutCubic, easeOutCubic } from '../stage/easing.ts';
import { transparent } from '../stage/mode.ts';
import type { Face } from '../themes/theme.ts';

interface CountdownProps {
  readonly caption: string | null;
  readonly from: number;
  readonly to: number;
  readonly unit: string | null;
  readonly finalWord: string | null;
}

/** A number or the final word: lines of equal size, positioned by their ink. */
interface Sign {
  readonly face: Face;
  readonly size: number;
  readonly tracking: number;
  /** Lines with the start of their baseline, from the left edge of the frame. */
  readonly lines: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  readonly top: number;
  readonly bottom: number;
}

interface Layout {
  readonly numbers: readonly Sign[];
  readonly word: Sign | null;
  readonly caption: Note | null;
  readonly unit: Note | null;
}

interface Note {
  readonly set: TextSet;
  readonly x: number;
  readonly y: number;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const shareOfWidth = 0.84;

/** Centres a number's ink in a box, at the size shared by all numbers with the same number of digits. */
function signOf(text: string, peers: readonly string[], face: Face, box: Box): Sign {
  const inks = peers.map((peer) => inkOf(face, peer));
  const widest = Math.max(...inks.map(({ left, right }) => right - left));
  const highest = Math.max(...inks.map(({ ascent, descent }) => ascent + descent));
  const size = Math.min(box.width / widest, box.height / highest);
  const ink = inkOf(face, text);
  const baseline = box.y + (box.height + (ink.ascent - ink.descent) * size) / 2;
  return {
    face,
    size,
    tracking: face.tracking,
    lines: [{ text, x: box.x + box.width / 2 - ((ink.left + ink.right) / 2) * size, y: baseline }],
    top: baseline - ink.ascent * size,
    bottom: baseline + ink.descent * size,
  };
}

function wordOf(text: string, face: Face, box: Box): Sign {
  const set = setText({
    text,
    face,
    size: 700,
    minSize: 60,
    width: box.width,
    height: box.height,
    maxCharacters: 12,
    lineHeight: 1.05,
  });
  const inks = set.lines.map((line) => inkOf(face, line));
  const [first, last] = [inks[0], inks.at(-1)];
  const height = ((first?.ascent ?? 0) + (last?.descent ?? 0)) * set.size + (set.lines.length - 1) * set.lineStep;
  const top = box.y + (box.height - height) / 2;
  const lines = set.lines.map((line, index) => {
    const { left = 0, right = 0 } = inks[index] ?? {};
    return {
      text: line,
      x: box.x + box.width / 2 - ((left + right) / 2) * set.size,
      y: top + (first?.ascent ?? 0) * set.size + index * set.lineStep,
    };
  });
  return { face, size: set.size, tracking: set.tracking, lines, top, bottom: top + height };
}

/** Numbers fill the frame. Caption and unit are beside them if there is space, otherwise above and below. */
function layOut({ caption, from, to, unit, finalWord }: CountdownProps, { frame, theme, language }: LayoutSetting): Layout {
  const { safe } = frame;
  const step = from >= to ? -1 : 1;
  const areYears = looksLikeYear(from) && looksLikeYear(to);
  const texts = Array.from({ length: Math.abs(from - to) + 1 }, (_, index) => figure(from + index * step, 0, language, areYears));
  const face: Face = { ...theme.figures, tracking: Math.min(theme.figures.tracking, 0) };
  const inset = frame.width * ((1 - shareOfWidth) / 2);
  const full: Box = frame.story
    ? { x: inset, y: safe.y, width: frame.width * shareOfWidth, height: safe.height }
    : { x: inset, y: frame.height * 0.07, width: frame.width * shareOfWidth, height: frame.height * 0.86 };
  const numbersIn = (box: Box) =>
    texts.map((text) =>
      signOf(
        text,
        texts.filter((peer) => peer.length === text.length),
        face,
        box,
      ),
    );
  const note = (text: string, width: number, height: number) =>
    setText({ text, face: theme.strong, size: 56, width, height, maxCharacters: 20, lineHeight: 1.15 });

  const spread = numbersIn(full);
  const starts = Math.min(...spread.flatMap(({ lines }) => lines.map(({ x }) => x)));
  const margin = starts - safe.x - 70;
  const beside = frame.shape === 'wide' && margin > 180;
  const [captionSet, unitSet] = [caption, unit].map((text) =>
    text === null ? null : note(text, beside ? margin : safe.width, beside ? 260 : 140),
  );
  const fits = beside && [captionSet, unitSet].every((set) => set == null || set.size >= 46);
  const above = captionSet == null || fits ? 0 : captionSet.height + 40;
  const below = unitSet == null || fits ? 0 : unitSet.height + 30;
  const box = { ...full, y: Math.max(full.y, above === 0 ? 0 : safe.y + above), height: full.height };
  box.height = Math.min(full.y + full.height, below === 0 ? Number.POSITIVE_INFINITY : safe.y + safe.height - below) - box.y;
  return {
    numbers: fits ? spread : numbersIn(box),
    word:
      finalWord === null
        ? null
        : wordOf(cased(theme, finalWord, language), theme.display, {
            ...full,
            height: full.height * 0.92,
            y: full.y + full.height * 0.04,
          }),
    caption: captionSet == null ? null : { set: captionSet, x: safe.x, y: safe.y },
    unit:
      unitSet == null
        ? null
        : {
            set: unitSet,
            x: frame.shape === 'wide' ? safe.x + safe.width - unitSet.width : safe.x,
            y: safe.y + safe.height - unitSet.height,
          },
  };
}

/** The current number and the elapsed fraction of its beat. */
interface Beat {
  /** Index of the number; the final word comes after the last one. */
  readonly index: number;
  readonly passed: number;
  readonly seconds: number;
  /** False for numbers that pass too quickly to be counted. */
  readonly slow: boolean;
}

const firstBeat = 0.6;
const quickSeconds = 0.08;
const mostSlow = 12;

function beatAt(seconds: number, duration: number, numbers: number, finalWord: string | null): Beat {
  const slow = numbers > mostSlow ? 5 : numbers;
  const quick = numbers - slow;
  const words = finalWord === null ? 0 : finalWord.split(/\s+/u).length;
  const hold = finalWord === null ? 0.6 : Math.max(1.5, 0.5 + 0.3 * words);
  const length = Math.max(0.5, (duration - firstBeat - quick * quickSeconds - hold) / slow);
  const since = seconds - firstBeat;
  if (since < 0) return { index: 0, passed: 0, seconds: length, slow: quick === 0 };
  if (since < quick * quickSeconds)
    return { index: Math.floor(since / quickSeconds), passed: 0, seconds: quickSeconds, slow: false };
  const at = (since - quick * quickSeconds) / length;
  const index = Math.min(slow, Math.floor(at));
  return { index: quick + index, passed: index === slow ? at - slow : at - index, seconds: length, slow: true };
}

interface Shown extends Beat {
  readonly layout: Layout;
  /** The number or word. If there is no word, the last number stays. */
  readonly sign: Sign;
  readonly ended: boolean;
  readonly scale: readonly [x: number, y: number];
}

/**
 * Draws a number that is its own progress bar. On a dark background it drains and emits rings; on a light one the background
 * fills with colour. A transparent film has no background, so the number only drains.
 */
export function CountdownFormat(props: CountdownProps) {
  const { colors, motion, style } = useScene();
  const layout = useLayout(layOut, props);
  const beat = beatAt(motion.seconds, motion.duration, layout.numbers.length, props.finalWord);
  const ended = beat.index >= layout.numbers.length;
  const sign = (ended ? layout.word : layout.numbers[beat.index]) ?? (layout.numbers.at(-1) as Sign);
  const cut = beat.seconds * 0.14;
  const since = motion.seconds < firstBeat ? motion.seconds : beat.passed * beat.seconds;
  const back = 1 - ease(easeOutCubic, since / Math.max(cut, 0.12));
  const grown = { playful: 0, smooth: 0.02, cinematic: 0 }[style] * back;
  const squash = style === 'playful' && beat.slow ? back : 0;
  const scale = [1 + grown + 0.08 * squash, 1 + grown - 0.07 * squash] as const;
  const shown: Shown = { ...beat, layout, sign, ended, scale };
  return colors.dark || transparent ? <Rings {...shown} /> : <Flood {...shown} />;
}

function levelOf(passed: number, style: 'playful' | 'smooth' | 'cinematic'): number {
  const curve: Ease | null = style === 'cinematic' ? easeInOutCubic : null;
  return curve === null ? Math.min(1, passed) : ease(curve, Math.min(1, passed));
}

interface SignTextProps {
  readonly sign: Sign;
  readonly fill: string;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  readonly strokeOpacity?: number;
}

function SignText({ sign, ...paint }: SignTextProps) {
  return sign.lines.map(({ text, x, y }) => (
    <text
      key={y}
      x={x}
      y={y}
      direction="ltr"
      strokeLinejoin="round"
      style={{ ...faceStyle(sign.face, sign.size, sign.tracking), unicodeBidi: 'plaintext', direction: 'ltr' }}
      {...paint}
    >
      {text}
    </text>
  ));
}

function Notes({ layout, ended, color }: { readonly layout: Layout; readonly ended: boolean; readonly color: string }) {
  const { motion } = useScene();
  if (ended && layout.word !== null) return null;
  return [layout.caption, layout.unit].map((note, index) =>
    note === null ? null : (
      <Lines
        key={index === 0 ? 'caption' : 'unit'}
        {...note}
        color={color}
        entrance="fade"
        progress={() => motion.enter(index * 0.1, 0.4)}
        leave={motion.leave()}
      />
    ),
  );
}

function transformOf(sign: Sign, [x, y]: Shown['scale'], width: number): string {
  const middle = (sign.top + sign.bottom) / 2;
  return `translate(${width / 2} ${middle}) scale(${x} ${y}) translate(${-width / 2} ${-middle})`;
}

/**
 * Raises the other colour over the whole frame and inverts everything that it covers. Level and cut change in the same frame.
 */
function Flood(shown: Shown) {
  const { frame, colors, motion, style } = useScene();
  const { layout, sign, index, passed, ended, slow } = shown;
  const count = layout.numbers.length;
  // After the last number, the accent is the background.
  const accentRises = (count - Math.min(index, count - 1)) % 2 === 1;
  const level = ended ? 1 : levelOf(slow ? passed : 0, style);
  const y = frame.height * (1 - level);
  const paper = { ground: `linear-gradient(${colors.groundTop}, ${colors.groundBottom})`, sign: colors.ink };
  const flood = { ground: colors.accentFill, sign: colors.onAccent };
  const [below, above] = accentRises ? [flood, paper] : [paper, flood];
  const leave = motion.leave();
  const sheets = [
    { ...above, clip: `inset(0 0 ${frame.height - y}px 0)`, visible: level < 1, smaller: level > 0.5 },
    { ...below, clip: `inset(${y}px 0 0 0)`, visible: level > 0, smaller: level <= 0.5 },
  ];
  return (
    <div className="box" style={{ inset: 0, clipPath: `inset(${leave * 100}% 0 0 0)` }}>
      {sheets.map(({ ground, sign: ink, clip, visible, smaller }) =>
        visible ? (
          <div
            key={clip}
            className="box"
            aria-hidden={smaller || undefined}
            style={{ inset: 0, clipPath: clip, background: ground }}
          >
            <svg aria-hidden width={frame.width} height={frame.height} opacity={motion.enter(0, 0.3)}>
              <g transform={transformOf(sign, shown.scale, frame.width)}>
                <SignText sign={sign} fill={ink} />
              </g>
            </svg>
            <Notes layout={layout} ended={ended} color={ink} />
          </div>
        ) : null,
      )}
    </div>
  );
}

const ringCount = 10;
const ringOffset = (ring: number) => (ring < 0 ? 0 : 34 + ring * 47 + ring * ring * 3);
const ringOpacity = (ring: number) => (ring < 0 ? 0 : 0.95 * 0.8 ** ring);

/** Opacity of the lines across the lit part of a number, by the material of the theme's letters. */
const ruling = { flat: 0.14, gold: 0, glass: 0, neon: 0.22, chalk: 0.28 };

/** Drains the lit part from the top, while contours move outwards by one position per beat. */
function Rings(shown: Shown) {
  const { frame, theme, colors, motion, style } = useScene();
  const id = useId().replace(/\W/g, '');
  const { layout, sign, passed, ended, seconds, slow } = shown;
  const leave = motion.leave();
  const refilled = ended ? 1 - ease(easeOutCubic, (passed * seconds) / 0.25) : levelOf(slow ? passed : 0, style);
  const drained = Math.max(refilled, leave);
  const level = sign.top + (sign.bottom - sign.top) * drained;
  // After the last number, the rings pause, then continue.
  const travelled = ended ? Math.max(0, passed * seconds - 0.3) % 1 : Math.min(1, slow ? passed : 0);
  const count = style === 'cinematic' ? ringCount / 2 : ringCount;
  const rings = transparent ? [] : Array.from({ length: count + 1 }, (_, index) => count - 1 - index);
  const ruled = mix(colors.accent, colors.groundBottom, ruling[theme.material]);
  const line = Math.max(3, theme.stroke);
  const shade = mix(colors.groundTop, colors.groundBottom, 0.5);
  const hasNotes = !(ended && layout.word !== null);
  const notes = hasNotes && !transparent ? [layout.caption, layout.unit].flatMap((note) => (note === null ? [] : [note])) : [];
  return (
    <div className="box" style={{ inset: 0 }}>
      <svg aria-hidden width={frame.width} height={frame.height} opacity={motion.enter(0, 0.4)}>
        <defs>
          <linearGradient id={`${id}g`} gradientUnits="userSpaceOnUse" x1={0} y1={0} x2={0} y2={frame.height}>
            <stop offset={0} stopColor={colors.groundTop} />
            <stop offset={1} stopColor={colors.groundBottom} />
          </linearGradient>
          <pattern id={`${id}p`} width={12} height={12} patternUnits="userSpaceOnUse">
            <rect width={12} height={12} fill={colors.accentFill} />
            <rect y={9} width={12} height={3} fill={ruled} />
          </pattern>
        </defs>
        {transparent ? null : <rect width={frame.width} height={frame.height} fill={`url(#${id}g)`} opacity={1 - leave} />}
        {rings.map((ring) => {
          const offset = ringOffset(ring) + (ringOffset(ring + 1) - ringOffset(ring)) * travelled;
          const opacity = (ringOpacity(ring) + (ringOpacity(ring + 1) - ringOpacity(ring)) * travelled) * (1 - leave);
          return (
            <g key={ring} aria-hidden>
              <SignText
                sign={sign}
                fill="none"
                stroke={colors.accent}
                strokeOpacity={opacity}
                strokeWidth={2 * (offset + line)}
              />
              <SignText sign={sign} fill={`url(#${id}g)`} stroke={`url(#${id}g)`} strokeWidth={2 * offset} />
            </g>
          );
        })}
        {notes.map(({ set, x, y }) => (
          <rect
            key={y}
            x={frame.left(x, set.width) - 30}
            y={y - 18}
            width={set.width + 60}
            height={set.height + 36}
            fill={`url(#${id}g)`}
          />
        ))}
        <g aria-hidden transform={transformOf(sign, shown.scale, frame.width)}>
          <SignText sign={sign} fill={mix(colors.accent, shade, 0.8)} />
        </g>
      </svg>
      <svg
        aria-hidden
        width={frame.width}
        height={frame.height}
        style={{ clipPath: `inset(${level}px 0 0 0)` }}
        opacity={motion.enter(0, 0.4)}
      >
        <g transform={transformOf(sign, shown.scale, frame.width)}>
          <SignText sign={sign} fill={`url(#${id}p)`} />
        </g>
      </svg>
      {drained > 0 && drained < 1 ? (
        <theme.Rule x={0} y={level - theme.stroke / 2} length={frame.width} progress={1} tone="helper" />
      ) : null}
      <Notes layout={layout} ended={ended} color={colors.ink} />
    </div>
  );
}
