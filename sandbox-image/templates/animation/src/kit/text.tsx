import { type CSSProperties, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import { type Ease, ease, easeOutBack, easeOutCubic, easeOutQuint } from '../stage/easing.ts';
import type { Style } from '../stage/film-definition.ts';
import { holdReady } from '../stage/loading.ts';
import type { Track } from '../stage/tracks.ts';
import { looks } from './look.ts';
import { isJoinedScript, layoutText, splitGraphemes, type TextLayout } from './text-layout.ts';
import { transform } from './transform.ts';
import './text.css';

/**
 * `reveal` runs from 0 to 1 while the parts of the text enter one after another, `wave` while they hop once more, each
 * on its turn; y is in % of the frame's height.
 */
export type TextChannel = 'reveal' | 'wave' | 'opacity' | 'y' | 'scale';
export type Entrance = 'rise' | 'pop' | 'letters' | 'fade' | 'typewriter' | 'slide';
export type TextLevel = 'title' | 'subtitle' | 'caption';

/** A part of the frame in per cent of its width and height, from the top left corner. */
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
  /** Font size in per cent of the frame's height; smaller when the text does not fit its box. */
  readonly size: number;
  readonly color: string;
  readonly entrance: Entrance;
  readonly level?: TextLevel;
  readonly align?: 'left' | 'center';
  /** A soft glow of this colour keeps the text readable on a busy ground. */
  readonly halo?: string;
}

/** No text of a film is smaller than this share of the frame's height, unless it could not fit otherwise. */
const smallestSize = 3.5;
const referencePixels = 200;

const settle: Readonly<Record<Style, Ease>> = { playful: easeOutBack, smooth: easeOutQuint, cinematic: easeOutCubic };

interface Part {
  readonly id: number;
  readonly text: string;
  /** Its turn: 0 enters first, 1 last. */
  readonly turn: number;
}

/** The animated parts of each line: letters, words, or the line as a whole. */
function splitLines(lines: readonly string[], entrance: Entrance): Part[][] {
  const byLetter = (entrance === 'letters' || entrance === 'typewriter') && !isJoinedScript(lines.join(''));
  const split = (line: string): string[] => {
    if (byLetter) return splitGraphemes(line);
    // Spaces stay between the words, so that a word that overshoots keeps its distance.
    return entrance === 'fade' || entrance === 'slide' ? [line] : line.split(/(?= )|(?<= )/u);
  };
  const parts = lines.map(split);
  const last = Math.max(1, parts.flat().length - 1);
  let index = 0;
  return parts.map((line) => line.map((text) => ({ id: index, text, turn: index++ / last })));
}

/** How high a part hops in the wave, in em: up and down on its turn, at rest before and after. */
function hop(wave: number, turn: number): number {
  const x = Math.min(1, Math.max(0, wave * 1.8 - turn * 0.8));
  return 0.16 * Math.sin(Math.PI * x) ** 2;
}

/** How a part looks when its entrance is `x` of the way (0…1). */
function pose(entrance: Entrance, style: Style, x: number, lift: number): { opacity: number; transform: string } {
  if (x >= 1 && lift > 0) return { opacity: 1, transform: transform({ y: `${-lift}em` }) };
  const settled = ease(settle[style], x);
  const opacity = Math.min(1, x * (style === 'cinematic' ? 1.2 : 2.5));
  switch (entrance) {
    case 'typewriter':
      return { opacity: x > 0 ? 1 : 0, transform: transform({}) };
    case 'rise':
      return { opacity, transform: transform({ y: `${(1 - settled) * 0.55}em` }) };
    case 'pop':
      return { opacity, transform: transform({ scale: 0.5 + 0.5 * settled }) };
    case 'letters':
      return { opacity, transform: transform({ y: `${(1 - settled) * 0.45}em`, scale: 0.7 + 0.3 * settled }) };
    case 'slide':
      return { opacity, transform: transform({ x: `${(1 - settled) * -0.9}em` }) };
    case 'fade':
      return { opacity: ease(easeOutCubic, x), transform: transform({ scale: 0.97 + 0.03 * settled }) };
  }
}

/** Loads the faces that this text needs and lays it out; null until they are there. */
function useTextLayout(
  { text, box, size, level = 'title' }: TextProps,
  family: string,
  weight: number,
  tracking: number,
): TextLayout | null {
  const { view } = useFilm();
  const [loadedFont, setLoadedFont] = useState<string | null>(null);
  const font = `${weight} ${referencePixels}px ${family}`;
  useLayoutEffect(() => {
    let current = true;
    void holdReady(document.fonts.load(font, text).then(() => current && setLoadedFont(font + text)));
    return () => {
      current = false;
    };
  }, [font, text]);
  return useMemo(() => {
    if (loadedFont !== font + text) return null;
    const context = document.createElement('canvas').getContext('2d');
    if (!context) throw new Error('This browser has no 2D canvas.');
    context.font = font;
    context.letterSpacing = `${tracking * referencePixels}px`;
    return layoutText({
      text,
      measure: (run) => context.measureText(run).width / referencePixels,
      size,
      minSize: Math.min(size, smallestSize),
      // One unit = one per cent of the frame's height, in both directions; a little air for overhanging letters.
      boxWidth: box.width * (view.width / view.height) * 0.985,
      boxHeight: box.height,
      lineHeight: lineHeights[level],
      maxCharacters: level === 'title' ? 24 : 46,
    });
  }, [loadedFont, font, text, tracking, size, box.width, box.height, level, view]);
}

const lineHeights: Readonly<Record<TextLevel, number>> = { title: 1.12, subtitle: 1.3, caption: 1.35 };

/** Text of any length and script, fitted into its box and brought in part by part. */
export function Text(props: TextProps) {
  const { track, box, color, entrance, level = 'title', align = 'center', halo } = props;
  const { style } = useFilm().theme;
  const look = looks[style];
  const weight = level === 'title' ? look.titleWeight : look.textWeight;
  const tracking = level === 'title' ? look.titleTracking : look.captionTracking;
  const layout = useTextLayout(props, look.fontFamily, weight, tracking);
  const lines = useMemo(() => splitLines(layout?.lines ?? [], entrance), [layout, entrance]);
  const block = useRef<HTMLDivElement>(null);
  const elements = useRef(new Map<Part, HTMLSpanElement>());

  useMoment(() => {
    if (!block.current) return;
    const { reveal = 1, wave = 0, opacity = 1, y = 0, scale = 1 } = track.now;
    block.current.style.opacity = String(opacity);
    block.current.style.transform = transform({ y: `${y}cqh`, scale });
    // Half of the time is for the first part's own entrance, the other half for the others to follow.
    const share = entrance === 'typewriter' ? 0.001 : 0.5;
    for (const [part, element] of elements.current) {
      const x = Math.min(1, Math.max(0, (reveal - part.turn * (1 - share)) / share));
      const posed = pose(entrance, style, x, hop(wave, part.turn));
      element.style.opacity = String(posed.opacity);
      element.style.transform = posed.transform;
    }
  }, 'overlay');

  const place: CSSProperties = {
    left: `${box.x}cqw`,
    top: `${box.y}cqh`,
    width: `${box.width}cqw`,
    height: `${box.height}cqh`,
    justifyContent: align === 'left' ? 'flex-start' : 'center',
  };
  const type: CSSProperties = {
    fontFamily: look.fontFamily,
    fontWeight: weight,
    fontSize: `${layout?.size ?? props.size}cqh`,
    lineHeight: lineHeights[level],
    letterSpacing: `${tracking}em`,
    textAlign: align,
    color,
    ...(halo ? { textShadow: `0 0 0.5em ${halo}, 0 0 0.18em ${halo}` } : {}),
  };
  return (
    <div className="text-box" style={place}>
      <div ref={block} className="text-block" style={type} dir="auto">
        {lines.map((parts) => (
          <div key={parts[0]?.id ?? -1} className="text-line">
            {parts.map((part) => (
              <span
                key={part.id}
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
          </div>
        ))}
      </div>
    </div>
  );
}
