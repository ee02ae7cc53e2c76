import { type CSSProperties, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import { holdReady } from '../stage/loading.ts';
import type { Track } from '../stage/tracks.ts';
import { luminance } from './color.ts';
import { type Face, faces, looks } from './look.ts';
import { type SetText, TextDust } from './text-dust.tsx';
import { layoutText, type TextLayout } from './text-layout.ts';
import { fineness, type Part, partsOf } from './text-parts.ts';
import {
  counted,
  disturbed,
  type Emphasis,
  emphasised,
  hop,
  isDust,
  ofPart,
  type Side,
  scrambled,
  type TextParts,
  type TextProgram,
  textPrograms,
} from './text-programs.ts';
import { transform } from './transform.ts';
import './text.css';

/**
 * All but the last channels are a progress from 0 to 1: `reveal` (entrance of the parts), `leave` (exit), `emphasis`, `count`
 * (its numbers), `wave` (a hop of the parts), `sweep` (a light across the text). x and y are in % of the frame's width and
 * height.
 */
export type TextChannel = 'reveal' | 'leave' | 'emphasis' | 'count' | 'wave' | 'sweep' | 'opacity' | 'x' | 'y' | 'scale';
export type Entrance = TextProgram;
export type TextLevel = 'title' | 'subtitle' | 'caption';

/** An area of the frame in per cent of its width and height, from the top left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TextProps {
  readonly text: string;
  readonly track: Track<TextChannel>;
  readonly box: Box;
  /** Font size in per cent of the frame's height, reduced if the text does not fit its box. */
  readonly size: number;
  readonly color: string;
  readonly entrance: TextProgram;
  /** Granularity of the entrance; the default depends on the program. */
  readonly by?: TextParts;
  /** Side of the frame from which it slides in. */
  readonly from?: Side;
  readonly exit?: TextProgram;
  readonly emphasis?: Emphasis;
  /** Number of blinks or swells. */
  readonly times?: number;
  /** Colour of marks, caret, glow and sweep; by default the text colour. */
  readonly accent?: string;
  readonly face?: Face;
  readonly level?: TextLevel;
  readonly align?: 'left' | 'center';
  /** Colour of a soft glow that keeps the text readable on a busy background. */
  readonly halo?: string;
}

/** Minimum font size as a share of the frame's height, unless the text could not fit otherwise. */
const smallestSize = 3.5;
const referencePixels = 200;

interface TypeFace {
  readonly fontFamily: string;
  readonly weight: number;
  readonly tracking: number;
}

const fontOf = ({ fontFamily, weight }: TypeFace, pixels: number): string => `${weight} ${pixels}px ${fontFamily}`;

function measurer(face: TypeFace): (run: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas.');
  context.font = fontOf(face, referencePixels);
  context.letterSpacing = `${face.tracking * referencePixels}px`;
  return (run) => context.measureText(run).width / referencePixels;
}

/** Loads the fonts of the text and lays it out. Returns `null` until they are loaded. */
function useTextLayout(
  { text, box, size, level = 'title' }: TextProps,
  face: TypeFace,
): (TextLayout & { measure: (run: string) => number }) | null {
  const { view } = useFilm();
  const [loadedFont, setLoadedFont] = useState<string | null>(null);
  const font = fontOf(face, referencePixels);
  useLayoutEffect(() => {
    let current = true;
    void holdReady(document.fonts.load(font, text).then(() => current && setLoadedFont(font + text)));
    return () => {
      current = false;
    };
  }, [font, text]);
  return useMemo(() => {
    if (loadedFont !== font + text) return null;
    const measure = measurer(face);
    const set = layoutText({
      text,
      measure,
      size,
      minSize: Math.min(size, smallestSize),
      // One unit is one per cent of the frame's height in both directions, minus a margin for overhanging letters.
      boxWidth: box.width * (view.width / view.height) * 0.985,
      boxHeight: box.height,
      lineHeight: lineHeights[level],
      maxCharacters: level === 'title' ? 24 : 46,
    });
    return { ...set, measure };
  }, [loadedFont, font, face, text, size, box.width, box.height, level, view]);
}

const lineHeights: Readonly<Record<TextLevel, number>> = { title: 1.12, subtitle: 1.3, caption: 1.35 };

const shadowOf = (...shadows: (string | null)[]): string => shadows.filter((one) => one !== null).join(', ');

/** Returns the glow around letters, `amount` 0 to 1. */
const glow = (color: string, amount: number): string =>
  `0 0 ${0.05 * amount}em ${color}, 0 0 ${0.16 * amount}em ${color}, 0 0 ${0.5 * amount}em ${color}`;

/** Returns the mask behind a moving edge, such as a wipe or an eraser. */
const edge = (open: number): string =>
  open >= 1 ? 'none' : `linear-gradient(94deg, #000 ${open * 104 - 4}%, transparent ${open * 104}%)`;

const pen = (written: number): string =>
  written >= 1 ? 'none' : `linear-gradient(98deg, #000 ${written * 112 - 12}%, transparent ${written * 112}%)`;

/** Returns whether the emphasis draws marks on the lines of the text, from their left ends. */
const isMark = (emphasis: Emphasis | undefined): boolean =>
  emphasis === 'underline' || emphasis === 'strike' || emphasis === 'mark';

/** Draws a text of any length and script, fitted into its box. It enters part by part, and may be emphasised and leave. */
export function Text(props: TextProps) {
  const { text, track, box, color, entrance, by, from, exit, emphasis, times, level = 'title', align = 'center', halo } = props;
  const { style, seed } = useFilm().theme;
  const { accent = color, face: faceName } = props;
  const look = looks[style];
  const face: TypeFace = useMemo(
    () =>
      faceName === undefined
        ? {
            fontFamily: look.fontFamily,
            weight: level === 'title' ? look.titleWeight : look.textWeight,
            tracking: level === 'title' ? look.titleTracking : look.captionTracking,
          }
        : faces[faceName],
    [faceName, look, level],
  );
  const counts = track.now.count !== undefined;
  const layout = useTextLayout(props, face);
  const cut = fineness(
    text,
    [{ program: entrance, by }, ...(exit === undefined ? [] : [{ program: exit, by: undefined }])],
    counts,
  );
  const lines = useMemo(() => partsOf(layout?.lines ?? [], cut), [layout, cut]);
  const block = useRef<HTMLDivElement>(null);
  const caret = useRef<HTMLSpanElement>(null);
  const shine = useRef<HTMLDivElement>(null);
  const marks = useRef(new Map<number, HTMLElement>());
  const elements = useRef(new Map<Part, HTMLSpanElement>());
  const types = entrance === 'typewriter';
  const masks = [entrance, exit].some((program) => program === 'write' || program === 'wipe');

  useMoment((seconds) => {
    if (!block.current) return;
    const { reveal = 1, leave = 0, wave = 0, opacity = 1, y = 0, scale = 1, x = 0, sweep = 0, count = 1 } = track.now;
    const stressed = track.now.emphasis ?? 0;
    const [program, progress] = exit !== undefined && leave > 0 ? [exit, 1 - leave] : [entrance, reveal];
    const { parts: own, share: whole, pose } = textPrograms[program];
    const parts = program === 'write' ? cut : program === entrance ? (by ?? own) : own;
    const pieces = Math.max(1, elements.current.size);
    const share =
      program === entrance && by === 'words' ? Math.min(0.5, 2.4 / pieces) : parts === cut || own === parts ? whole : 0.4;
    const stand = emphasised(emphasis, stressed, times);
    block.current.style.opacity = String(opacity * stand.opacity);
    block.current.style.transform = `${transform({ x: x === 0 ? `${stand.x}em` : `${x}cqw`, y: `${y}cqh`, scale: scale * stand.scale })} rotate(${stand.turn}deg)${stand.width === 1 ? '' : ` scaleX(${stand.width})`}`;
    const hopping = emphasis === 'wave' ? stressed : wave;
    let last: HTMLSpanElement | null = null;
    for (const [part, element] of elements.current) {
      const turn = part.turn[parts];
      const posed = pose({ style, x: ofPart(progress, turn, share), part: part.id, side: from });
      const lift = hop(hopping, part.turn.letters);
      const at = transform({ x: posed.x ?? '0', y: lift > 0 ? `${-lift}em` : (posed.y ?? '0'), scale: posed.scale ?? 1 });
      element.style.opacity = String(posed.opacity);
      element.style.transform = posed.flip
        ? `perspective(6em) ${at} rotateX(${posed.flip}deg)`
        : posed.turn
          ? `${at} rotate(${posed.turn}deg)`
          : at;
      if (masks) element.style.maskImage = posed.open === undefined ? pen(posed.written ?? 1) : edge(posed.open);
      const noise = program === 'decode' ? (posed.noise ?? 0) : 0;
      if (entrance === 'decode' || exit === 'decode') element.textContent = scrambled(part.text, noise, part.id, seconds);
      else if (counts) element.textContent = counted(part.text, count);
      if (posed.opacity > 0) last = element;
    }
    const bursts =
      program === 'glitch' ? disturbed(progress, seconds, seed) : disturbed(emphasis === 'glitch' ? stressed : 0, seconds, seed);
    if (bursts.jump !== 0) block.current.style.transform += ` translateX(${bursts.jump}em) skewX(${bursts.jump * 60}deg)`;
    const lit = entrance === 'flicker' ? 1 : emphasis === 'glow' ? Math.min(1, stressed) : 0;
    block.current.style.textShadow = shadowOf(
      bursts.strength > 0 ? `${-0.05 * bursts.strength}em 0 #ff2d6f, ${0.05 * bursts.strength}em 0 #19e3ff` : null,
      lit > 0 ? glow(accent, lit) : null,
      halo === undefined ? null : `0 0 0.5em ${halo}, 0 0 0.18em ${halo}`,
    );
    for (const [index, mark] of marks.current) {
      const drawn = ofPart(stressed, index / Math.max(1, lines.length - 1), lines.length > 1 ? 0.6 : 1);
      mark.style.clipPath = `inset(-0.2em ${(1 - drawn) * 100}% -0.2em 0)`;
      mark.style.opacity = stressed > 0 ? String(1 - leave) : '0';
    }
    if (caret.current) {
      // The caret is steady while the text is written, and blinks afterwards.
      const writes = (reveal > 0 && reveal < 1) || (leave > 0 && leave < 1);
      caret.current.style.opacity = writes || seconds % 1.06 < 0.6 ? '1' : '0';
      const spot = last ?? [...elements.current.values()][0];
      const rightToLeft = getComputedStyle(block.current).direction === 'rtl';
      if (spot)
        caret.current.style.transform = `translate(${spot.offsetLeft + (last && !rightToLeft ? spot.offsetWidth : 0)}px, ${spot.offsetTop}px)`;
    }
    if (shine.current) {
      const way = sweep * 150 - 25;
      shine.current.style.visibility = sweep > 0 && sweep < 1 ? 'visible' : 'hidden';
      shine.current.style.maskImage = `linear-gradient(105deg, transparent ${way - 22}%, #000 ${way}%, transparent ${way + 22}%)`;
    }
  }, 'overlay');

  const place: CSSProperties = {
    left: `${box.x}cqw`,
    top: `${box.y}cqh`,
    width: `${box.width}cqw`,
    height: `${box.height}cqh`,
    justifyContent: align === 'left' ? 'flex-start' : 'center',
  };
  const size = layout?.size ?? props.size;
  const type: CSSProperties = {
    fontFamily: face.fontFamily,
    fontWeight: face.weight,
    fontSize: `${size}cqh`,
    lineHeight: lineHeights[level],
    letterSpacing: `${face.tracking}em`,
    textAlign: align,
    color,
  };
  const pins = counts || entrance === 'decode' || exit === 'decode';
  const widthOf = (part: string): CSSProperties =>
    pins && layout ? { width: `${layout.measure(part)}em`, textAlign: 'center' } : {};
  const set = useMemo(
    (): SetText => ({
      lines: layout?.lines ?? [],
      font: (pixels) => fontOf(face, pixels),
      tracking: face.tracking,
      lineHeight: lineHeights[level],
      align,
    }),
    [layout, face, level, align],
  );
  const framed = entrance === 'stamp' && lines.length === 1;
  const dust = [isDust(entrance) ? entrance : null, isDust(exit) ? exit : null];
  return (
    <>
      <div className="text-box" style={place}>
        <div ref={block} className="text-block" style={type} dir="auto">
          {lines.map((parts, line) => (
            <div key={parts[0]?.id ?? -1} className="text-line">
              <span className="text-run">
                {parts.map((part) => (
                  <span
                    key={part.id}
                    className={framed ? 'text-part framed' : 'text-part'}
                    style={widthOf(part.text)}
                    ref={(element) => {
                      if (!element) return;
                      elements.current.set(part, element);
                      return () => {
                        elements.current.delete(part);
                      };
                    }}
                  >
                    {part.text}
                  </span>
                ))}
                {isMark(emphasis) ? (
                  <i
                    className={`text-mark ${emphasis}`}
                    style={{ background: accent, color: luminance(accent) > 0.18 ? '#101014' : '#ffffff' }}
                    ref={(element) => {
                      if (!element) return;
                      marks.current.set(line, element);
                      return () => {
                        marks.current.delete(line);
                      };
                    }}
                  >
                    {emphasis === 'mark' ? parts.map((part) => part.text).join('') : null}
                  </i>
                ) : null}
              </span>
            </div>
          ))}
          {types ? <span ref={caret} className="text-caret" style={{ background: accent }} /> : null}
          {track.now.sweep === undefined ? null : (
            <div ref={shine} aria-hidden className="text-shine" style={{ color: accent }}>
              {lines.map((parts) => (
                <div key={parts[0]?.id ?? -1} className="text-line">
                  {parts.map((part) => (
                    <span key={part.id} className="text-part">
                      {part.text}
                    </span>
                  ))}
                </div>
              ))}
            </div>
          )}
        </div>
      </div>
      {dust.map((kind, index) =>
        kind === null || layout === null ? null : (
          <TextDust
            key={index === 0 ? 'in' : 'out'}
            text={set}
            kind={kind}
            color={color}
            anchor={{
              x: align === 'left' ? box.x : box.x + box.width / 2,
              y: box.y + box.height / 2,
              size: layout.size,
            }}
            presence={() => {
              const { reveal = 1, leave = 0 } = track.now;
              return index === 0 ? (leave > 0 ? 1 : reveal) : 1 - leave;
            }}
            seed={seed}
          />
        ),
      )}
    </>
  );
}
