import type { CSSProperties } from 'react';
import type { Frame } from '../drawing/frame.ts';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Picture } from '../drawing/picture.tsx';
import { Box, type LayoutSetting, type SceneSetting, useLayout, useScene } from '../drawing/setting.tsx';
import {
  cased,
  inkOf,
  isIdeographic,
  measure,
  runsOf,
  setOptional,
  setText,
  type TextSet,
  withOwnLine,
} from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import type { Face, Rect, ThemeDesign } from '../themes/theme.ts';

interface QuoteProps {
  readonly text: string;
  readonly emphasis: string | null;
  readonly author: string | null;
  readonly role: string | null;
  readonly portrait: string | null;
  readonly stars: number | null;
}

/** A word with the space after it, or a phrase in a script without spaces. */
interface Word {
  readonly text: string;
  readonly face: Face;
  readonly stressed: boolean;
}

interface Quotation {
  readonly set: TextSet;
  readonly lines: readonly (readonly Word[])[];
}

/** A quotation mark, positioned by its ink. */
interface Mark extends Rect {
  readonly sign: string;
  readonly size: number;
  /** Origin of the character on the baseline, relative to the corner of its ink. */
  readonly origin: { readonly x: number; readonly y: number };
}

interface Layout extends Quotation {
  readonly x: number;
  readonly y: number;
  readonly name: TextSet | null;
  readonly role: TextSet | null;
  readonly credit: { readonly x: number; readonly y: number; readonly width: number };
  readonly open: Mark;
  /** In the corner of the bracket, or `null` at the end of the last line. */
  readonly close: Mark | null;
  /** Rectangle with the two marks in opposite corners; `null` beside a portrait. */
  readonly bracket: Rect | null;
  readonly portrait: Rect | null;
  readonly starsY: number;
}

const roundelSize = 132;
const starSize = 54;
const starsInAll = 5;
const quotationMarks = /^[“”„"«»「『‘]+|[“”"«»」』’]+$/gu;

function marksOf(language: string): readonly [opening: string, closing: string] {
  if (/^(ja|zh-tw|zh-hk)\b/i.test(language)) return ['「', '」'];
  if (/^(ar|fa|fr|ru|uk|el)\b/.test(language)) return ['«', '»'];
  return /^(de|cs|sk|bg|sl|is)\b/.test(language) ? ['„', '“'] : ['“', '”'];
}

/** Splits the lines into words. If no phrase is emphasised, all words are. */
function wordsOf(lines: readonly string[], emphasis: string | null, theme: ThemeDesign, language: string): Word[][] {
  const segments = new Intl.Segmenter(language, { granularity: 'word' });
  return runsOf(lines, emphasis === null ? [] : [emphasis]).map((runs) =>
    runs.flatMap(({ text, emphasised }) => {
      const words: string[] = [];
      for (const { segment, isWordLike } of segments.segment(text)) {
        const last = words.at(-1);
        if (last !== undefined && (!isWordLike || /\p{P}$/u.test(last))) words[words.length - 1] = last + segment;
        else words.push(segment);
      }
      // Only these scripts have italics.
      const slants = /\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}/u.test(text);
      const face = slants && (emphasised || emphasis === null) ? theme.emphasis : theme.display;
      return words.map((word) => ({ text: word, face, stressed: emphasised }));
    }),
  );
}

/** Returns proportions: a short quotation is large and tight, a long one has longer lines and more leading. */
function proportionsFor(signs: number, { width, height }: { readonly width: number; readonly height: number }) {
  if (signs <= 26) return { size: Math.min(216, width / 4.4), maxCharacters: 14, air: 0 };
  if (signs <= 90) return { size: Math.min(172, width / 6.4), maxCharacters: 22, air: 0.02 };
  return { size: 116, maxCharacters: width > height * 1.5 ? 50 : 36, air: 0.1 };
}

/** Sets the quotation at the largest size at which both cuts of the typeface fit. */
function setQuotation(
  { text, emphasis }: { readonly text: string; readonly emphasis: string | null },
  box: { readonly width: number; readonly height: number },
  { theme, language }: LayoutSetting,
): Quotation {
  const { size, maxCharacters, air } = proportionsFor([...text].length, box);
  const lineHeight = theme.display.lineHeight + air + (isIdeographic(text) ? 0.26 : 0);
  const set = setText({
    text: withOwnLine(text, emphasis, { face: theme.emphasis, size, width: box.width }),
    face: theme.display,
    size,
    minSize: 40,
    maxCharacters,
    lineHeight: /\p{Script=Arabic}/u.test(text) ? 1.4 : lineHeight,
    ...box,
  });
  const lines = wordsOf(set.lines, emphasis, theme, language);
  const widest = Math.max(...lines.map((words) => words.reduce((sum, word) => sum + measure(word.face, word.text), 0)));
  const fitted = Math.min(set.size, (box.width * 0.985) / widest);
  const fit = fitted / set.size;
  return {
    lines,
    set: { ...set, size: fitted, lineStep: set.lineStep * fit, height: set.height * fit, width: widest * fitted },
  };
}

function markAt(
  sign: string,
  face: Face,
  wanted: number,
  place: (width: number, height: number) => { x: number; y: number },
): Mark {
  const { left, right, ascent, descent } = inkOf(face, sign);
  const ink = { left, ascent, width: right - left, height: ascent + descent };
  const size = wanted / Math.max(ink.width, ink.height);
  const [width, height] = [ink.width * size, ink.height * size];
  return { sign, size, width, height, ...place(width, height), origin: { x: -ink.left * size, y: ink.ascent * size } };
}

/** Returns the portrait's position: large beside or below a short quotation, otherwise round and next to the name. */
function placeOf(portrait: string | null, text: string, frame: Frame): 'none' | 'column' | 'foot' | 'roundel' {
  if (portrait === null) return 'none';
  if (text.length > 130 || frame.shape === 'square') return 'roundel';
  return frame.shape === 'wide' ? 'column' : 'foot';
}

function layOut(props: QuoteProps, setting: LayoutSetting): Layout {
  const { frame, theme, language } = setting;
  const { safe } = frame;
  const bare = (text: string) => cased(theme, text.trim().replace(quotationMarks, ''), language);
  const text = bare(props.text);
  const place = placeOf(props.portrait, text, frame);
  const bracketed = place === 'none' || place === 'roundel';
  const pad = frame.shape === 'wide' ? 100 : 76;
  const columnX = frame.width * 0.41;
  const area = {
    none: { x: safe.x + pad, y: safe.y + pad, width: safe.width - 2 * pad, height: safe.height - 2 * pad },
    roundel: { x: safe.x + pad, y: safe.y + pad, width: safe.width - 2 * pad, height: safe.height - 2 * pad },
    column: { ...safe, x: columnX, width: safe.x + safe.width - columnX },
    foot: { ...safe, height: frame.height * 0.56 - safe.y },
  }[place];

  const roundel = place === 'roundel' ? roundelSize + 36 : 0;
  const small = (value: string | null, face: Face, size: number) =>
    setOptional(value, { face, size, width: area.width - roundel, height: 160, maxCharacters: 62 });
  const name = small(props.author, theme.strong, 46);
  const role = small(props.role, theme.text, 38);
  const creditHeight = Math.max(place === 'roundel' ? roundelSize : 0, (name?.height ?? 0) + (role?.height ?? 0));
  const gap = creditHeight === 0 ? 0 : 60;
  const starSpace = props.stars === null ? 0 : starSize + 32;
  const quotation = setQuotation(
    { text, emphasis: props.emphasis === null ? null : bare(props.emphasis) },
    // Beside a portrait, the closing mark comes after the last word.
    { width: area.width - (bracketed ? 0 : 64), height: area.height - creditHeight - gap - starSpace },
    setting,
  );
  const { set } = quotation;
  const block = starSpace + set.height + gap + creditHeight;
  const height = bracketed ? Math.max(block, area.height * { wide: 0.9, square: 0.9, tall: 0.64 }[frame.shape]) : block;
  const top = area.y + Math.max(0, (area.height - height) * 0.46);
  const starsY = top + (height - block) * 0.42;
  const y = starsY + starSpace;
  const creditWidth = Math.max(name?.width ?? 0, role?.width ?? 0);
  const creditX = bracketed ? area.x + area.width - creditWidth : area.x;
  const creditY = bracketed ? top + height - creditHeight : y + set.height + gap;
  const bracket = bracketed ? { x: safe.x, y: top - pad, width: safe.width, height: height + 2 * pad } : null;

  const [opening, closing] = marksOf(language);
  const large = {
    column: { x: 0, y: 0, width: frame.width * 0.335, height: frame.height },
    foot: { x: 0, y: frame.height * 0.61, width: frame.width, height: frame.height * 0.39 },
  };
  const besideText = () => ({
    open: markAt(opening, theme.display, set.size * 0.32, (width) => ({
      x: area.x - width - set.size * 0.09,
      y: y + set.lineStep / 2 - set.size * 0.38,
    })),
    close: null,
  });
  const inCorners = ({ x, y: top, width: across, height: tall }: Rect) => ({
    open: markAt(opening, theme.display, 84, () => ({ x: x - 10, y: top - 12 })),
    close: markAt(closing, theme.display, 84, (width, inkHeight) => ({
      x: x + across + 10 - width,
      y: top + tall + 12 - inkHeight,
    })),
  });
  const marks = bracket ? inCorners(bracket) : besideText();
  return {
    ...quotation,
    ...marks,
    x: area.x,
    y,
    name,
    role,
    credit: { x: creditX, y: creditY + (creditHeight - (name?.height ?? 0) - (role?.height ?? 0)) / 2, width: creditWidth },
    bracket,
    starsY,
    portrait: {
      none: null,
      ...large,
      roundel: { x: creditX - roundel, y: creditY + (creditHeight - roundelSize) / 2, width: roundelSize, height: roundelSize },
    }[place],
  };
}

/** A quotation that appears at speaking pace: beside the speaker, or in a frame with the quotation marks in its corners. */
export function QuoteFormat(props: QuoteProps) {
  const { colors, motion, style } = useScene();
  const layout = useLayout(layOut, props);
  const { bracket, open, close, credit } = layout;
  const leave = motion.leave();
  const count = layout.lines.reduce((sum, words) => sum + words.length, 0);
  const beat = Math.min(0.16, 2.4 / count);
  const spoken = 0.4 + (style === 'cinematic' ? layout.lines.length * 0.35 : (count + 1) * beat);
  const hang = motion.enter(0.15, 0.4);
  return (
    <>
      {layout.portrait === null || props.portrait === null ? null : (
        <Portrait src={props.portrait} box={layout.portrait} round={bracket !== null} />
      )}
      {bracket === null || close === null ? null : <Bracket box={bracket} open={open} close={close} />}
      <MarkSign mark={open} opacity={hang * (1 - leave)} shift={(1 - hang) * -20} />
      {close === null ? null : <MarkSign mark={close} opacity={motion.enter(0.85, 0.4) * (1 - leave)} shift={0} />}
      {props.stars === null ? null : <Stars filled={props.stars} x={layout.x} y={layout.starsY} />}
      <Words layout={layout} beat={beat} />
      {[layout.name, layout.role].map((set, index) =>
        set === null ? null : (
          <Lines
            key={index === 0 ? 'name' : 'role'}
            set={set}
            x={credit.x}
            width={credit.width}
            align={bracket === null || props.portrait !== null ? 'start' : 'end'}
            y={credit.y + (index === 0 ? 0 : (layout.name?.height ?? 0))}
            color={index === 0 ? colors.ink : colors.muted}
            entrance="fade"
            progress={() => motion.enter(spoken + 0.25 + index * 0.08, 0.5)}
            leave={leave}
          />
        ),
      )}
    </>
  );
}

const starPoints = Array.from({ length: 10 }, (_, index) => {
  const angle = (index * Math.PI) / 5;
  const radius = index % 2 === 0 ? 46 : 20;
  return `${(50 + radius * Math.sin(angle)).toFixed(1)},${(52 - radius * Math.cos(angle)).toFixed(1)}`;
}).join(' ');

function Stars({ filled, x, y }: { readonly filled: number; readonly x: number; readonly y: number }) {
  const { colors, motion } = useScene();
  const step = starSize * 1.18;
  return Array.from({ length: starsInAll }, (_, index) => {
    const shown = motion.spring(0.2 + index * 0.07, 0.5);
    const isFilled = index < filled;
    return (
      <Box
        // biome-ignore lint/suspicious/noArrayIndexKey: stars are places.
        key={index}
        x={x + index * step}
        y={y}
        width={starSize}
        height={starSize}
        opacity={Math.min(1, shown * 1.5) * (1 - motion.leave())}
        transform={`scale(${shown}) rotate(${(1 - shown) * -20}deg)`}
      >
        <svg aria-hidden width={starSize} height={starSize} viewBox="0 0 100 100">
          <polygon
            points={starPoints}
            fill={isFilled ? colors.accent : 'none'}
            stroke={isFilled ? colors.accent : colors.muted}
            strokeWidth={isFilled ? 8 : 5}
            strokeLinejoin="round"
          />
        </svg>
      </Box>
    );
  });
}

/** Animates the words in reading order. The last line leaves first. */
function Words({ layout, beat }: { readonly layout: Layout; readonly beat: number }) {
  const { colors, frame, motion, style, language } = useScene();
  const { set, lines } = layout;
  let spoken = 0;
  return lines.map((words, line) => (
    <div
      key={words.map(({ text }) => text).join('')}
      className="line"
      style={{
        left: frame.left(layout.x, set.width),
        top: layout.y + line * set.lineStep,
        width: set.width,
        lineHeight: `${set.lineStep}px`,
        textAlign: frame.rightToLeft ? 'right' : 'left',
        opacity: 1 - motion.leave((lines.length - line) * -0.04 + lines.length * 0.04),
      }}
    >
      {words.map(({ text, face, stressed }, index) => {
        const at = 0.3 + (style === 'cinematic' ? line * 0.35 : (spoken + (stressed ? 1 : 0)) * beat);
        spoken += 1;
        const last = line === lines.length - 1 && index === words.length - 1;
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: words are places in a line.
            key={index}
            style={{
              ...faceStyle(face, set.size, set.tracking === 0 ? 0 : face.tracking),
              display: 'inline-block',
              ...entranceOf({ at, index, stressed }, { style, motion, colors }),
            }}
          >
            {text}
            {last && layout.close === null ? <span style={{ color: colors.accent }}>{marksOf(language)[1]}</span> : null}
          </span>
        );
      })}
    </div>
  ));
}

function entranceOf(
  { at, index, stressed }: { readonly at: number; readonly index: number; readonly stressed: boolean },
  { style, motion, colors }: Pick<SceneSetting, 'style' | 'motion' | 'colors'>,
): CSSProperties {
  const ghost = 0.12 * motion.enter(0.1, 0.5);
  const heard = motion.enter(at, style === 'cinematic' ? 0.8 : 0.3);
  const rest = 1 - (style === 'playful' ? motion.spring(at, 0.5) : 1);
  const tilt = index % 2 === 0 ? 2 : -2;
  return {
    color: stressed ? mix(colors.ink, colors.accent, motion.enter(at + 0.2, 0.3)) : colors.ink,
    opacity: ghost + (1 - ghost) * heard,
    transform: rest === 0 ? undefined : `translateY(${rest * 24}px) rotate(${rest * tilt}deg)`,
  };
}

function MarkSign({ mark, opacity, shift }: { readonly mark: Mark; readonly opacity: number; readonly shift: number }) {
  const { theme, colors, rightToLeft } = useScene();
  return (
    <Box {...mark} opacity={opacity} transform={`translateX(${rightToLeft ? -shift : shift}px)`}>
      <svg aria-hidden width={mark.width} height={mark.height}>
        <text
          x={mark.origin.x}
          y={mark.origin.y}
          textAnchor={rightToLeft ? 'end' : 'start'}
          fill={colors.accent}
          style={faceStyle(theme.display, mark.size, 0)}
        >
          {mark.sign}
        </text>
      </svg>
    </Box>
  );
}

/** Draws two lines from the opening mark, each around a corner, that stop short of the closing mark. */
function Bracket({ box, open, close }: { readonly box: Rect; readonly open: Mark; readonly close: Mark }) {
  const { theme, motion } = useScene();
  const left = 1 - motion.leave();
  const [first, second] = [motion.draw(0, 0.55), motion.draw(0.4, 0.55)];
  const gapX = Math.max(open.width, close.width) + 40;
  const gapY = Math.max(open.height, close.height) + 44;
  return (
    <>
      <theme.Rule x={box.x + gapX} y={box.y} length={(box.width - gapX) * left} progress={first} tone="accent" seed={1} />
      <theme.Rule
        x={box.x}
        y={box.y + gapY}
        length={(box.height - gapY) * left}
        progress={first}
        tone="accent"
        vertical
        seed={2}
      />
      <theme.Rule x={box.x} y={box.y + box.height} length={(box.width - gapX) * left} progress={second} tone="accent" seed={3} />
      <theme.Rule
        x={box.x + box.width}
        y={box.y}
        length={(box.height - gapY) * left}
        progress={second}
        tone="accent"
        vertical
        seed={4}
      />
    </>
  );
}

/** Draws a photograph that is wiped in from below, then drifts a little. */
function Portrait({ src, box, round }: { readonly src: string; readonly box: Rect; readonly round: boolean }) {
  const { motion } = useScene();
  const shown = motion.enter(0, 0.7);
  const zoom = 1.02 + 0.04 * (1 - shown) + 0.02 * (motion.drift(4) / motion.duration);
  return (
    <Box
      {...box}
      opacity={1 - motion.leave()}
      style={{
        overflow: 'hidden',
        borderRadius: round ? '50%' : 0,
        clipPath: `inset(${(1 - shown) * 100}% 0 0 0 ${round ? 'round 50%' : ''})`,
      }}
    >
      <Picture
        src={src}
        style={{
          width: box.width,
          height: box.height,
          objectFit: 'cover',
          objectPosition: '50% 20%',
          transform: `scale(${zoom})`,
        }}
      />
    </Box>
  );
}
