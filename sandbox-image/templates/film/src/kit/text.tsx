import { type CSSProperties, type Ref, useContext, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { SettingContext } from '../drawing/setting.tsx';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import { holdReady } from '../stage/loading.ts';
import type { Track } from '../stage/tracks.ts';
import { luminance } from './color.ts';
import { type Face, faces, looks } from './look.ts';
import { type SetText, TextDust } from './text/dust.tsx';
import { layoutText, type TextLayout } from './text/layout.ts';
import { fineness, type Part, partsOf } from './text/parts.ts';
import {
  counted,
  disturbed,
  type Emphasis,
  emphasised,
  hop,
  isDust,
  ofPart,
  type Pose,
  type PoseContext,
  type Side,
  scrambled,
  type TextParts,
  type TextProgram,
  textPrograms,
} from './text/programs.ts';
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

/** Area of the frame in per cent of its width and height, from the top-left corner. */
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

/** Minimum font size in per cent of the frame's height, unless the text could not fit otherwise. */
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

/** Loads the text's fonts and lays it out. Returns `null` until they are loaded. */
function useTextLayout(
  { text, box, size, level = 'title' }: TextProps,
  face: TypeFace,
): (TextLayout & { measure: (run: string) => number; fitted: number | null }) | null {
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
    // One unit is one per cent of the frame's height in both directions, minus a margin for overhanging letters.
    const fullWidth = box.width * (view.width / view.height) * 0.985;
    const set = layoutText({
      text,
      measure,
      size,
      minSize: Math.min(size, smallestSize),
      boxWidth: fullWidth,
      boxHeight: box.height,
      lineHeight: lineHeights[level],
      maxCharacters: level === 'title' ? 24 : 46,
    });
    // The check reports text that was shrunk or wrapped to fit its box.
    const isWrapped = set.lines.length > 1 && !text.includes('\n') && measure(text) * size <= fullWidth;
    const fitted = set.size < size ? set.size / size : null;
    return { ...set, measure, fitted: fitted ?? (isWrapped ? 1 : null) };
  }, [loadedFont, font, face, text, size, box.width, box.height, level, view]);
}

const lineHeights: Readonly<Record<TextLevel, number>> = { title: 1.12, subtitle: 1.3, caption: 1.35 };

const shadowOf = (...shadows: (string | null)[]): string => shadows.filter((one) => one !== null).join(', ');

const glow = (color: string, amount: number): string =>
  `0 0 ${0.05 * amount}em ${color}, 0 0 ${0.16 * amount}em ${color}, 0 0 ${0.5 * amount}em ${color}`;

const edge = (open: number): string =>
  open >= 1 ? 'none' : `linear-gradient(94deg, #000 ${open * 104 - 4}%, transparent ${open * 104}%)`;

const pen = (written: number): string =>
  written >= 1 ? 'none' : `linear-gradient(98deg, #000 ${written * 112 - 12}%, transparent ${written * 112}%)`;

const isMark = (emphasis: Emphasis | undefined): boolean =>
  emphasis === 'underline' || emphasis === 'strike' || emphasis === 'mark';

const entered = ({ reveal = 1, leave = 0 }: TextProps['track']['now']): number => (leave > 0 ? 1 : reveal);

interface MarkProps {
  readonly emphasis: Emphasis | undefined;
  readonly parts: readonly Part[];
  readonly accent: string;
  readonly ref: Ref<HTMLElement>;
}

function Mark({ emphasis, parts, accent, ref }: MarkProps) {
  return (
    <i
      className={`text-mark ${emphasis}`}
      style={{ background: accent, color: luminance(accent) > 0.18 ? '#101014' : '#ffffff' }}
      ref={ref}
    >
      {emphasis === 'mark' ? parts.map((part) => part.text).join('') : null}
    </i>
  );
}

interface ShineProps {
  readonly lines: readonly (readonly Part[])[];
  readonly accent: string;
  readonly ref: Ref<HTMLDivElement>;
}

function Shine({ lines, accent, ref }: ShineProps) {
  return (
    <div ref={ref} aria-hidden className="text-shine" style={{ color: accent }}>
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
  );
}

function useFace({ face: name, level = 'title' }: TextProps): TypeFace {
  const { style } = useFilm().theme;
  const theme = useContext(SettingContext)?.theme;
  return useMemo(() => {
    if (name !== undefined) return faces[name];
    if (theme !== undefined) {
      const { family, weight, tracking } = level === 'title' ? theme.display : theme.text;
      return { fontFamily: family, weight, tracking };
    }
    const { fontFamily, titleWeight, titleTracking, textWeight, captionTracking } = looks[style];
    return level === 'title'
      ? { fontFamily, weight: titleWeight, tracking: titleTracking }
      : { fontFamily, weight: textWeight, tracking: captionTracking };
  }, [name, style, theme, level]);
}

/** Returns the current program, and its parts' granularity and time fraction. `pieces` is the number of elements. */
function runningProgram({ track, entrance, exit, by }: TextProps, cut: TextParts, pieces: number) {
  const { reveal = 1, leave = 0 } = track.now;
  const [program, progress] = exit !== undefined && leave > 0 ? [exit, 1 - leave] : [entrance, reveal];
  const { parts: ownParts, share: ownShare, pose } = textPrograms[program];
  const chosenParts = program === entrance ? (by ?? ownParts) : ownParts;
  const parts = program === 'write' ? cut : chosenParts;
  const usualShare = parts === cut || ownParts === parts ? ownShare : 0.4;
  const share = program === entrance && by === 'words' ? Math.min(0.5, 2.4 / Math.max(1, pieces)) : usualShare;
  return { program, progress, parts, share, pose };
}

function partTransform(pose: Pose, lift: number): string {
  const moved = transform({ x: pose.x ?? '0', y: lift > 0 ? `${-lift}em` : (pose.y ?? '0'), scale: pose.scale ?? 1 });
  if (pose.flip) return `perspective(6em) ${moved} rotateX(${pose.flip}deg)`;
  return pose.turn ? `${moved} rotate(${pose.turn}deg)` : moved;
}

function blockTransform({ track, emphasis, times }: TextProps): string {
  const { x = 0, y = 0, scale = 1, emphasis: stressed = 0 } = track.now;
  const stand = emphasised(emphasis, stressed, times);
  const moved = transform({ x: x === 0 ? `${stand.x}em` : `${x}cqw`, y: `${y}cqh`, scale: scale * stand.scale });
  return `${moved} rotate(${stand.turn}deg)${stand.width === 1 ? '' : ` scaleX(${stand.width})`}`;
}

function blockShadow({ track, entrance, emphasis, color, accent = color, halo }: TextProps, burst: number): string {
  const glowing = emphasis === 'glow' ? Math.min(1, track.now.emphasis ?? 0) : 0;
  const lit = entrance === 'flicker' ? 1 : glowing;
  return shadowOf(
    burst > 0 ? `${-0.05 * burst}em 0 #ff2d6f, ${0.05 * burst}em 0 #19e3ff` : null,
    lit > 0 ? glow(accent, lit) : null,
    halo === undefined ? null : `0 0 0.5em ${halo}, 0 0 0.18em ${halo}`,
  );
}

function moveMarks(
  marks: ReadonlyMap<number, HTMLElement>,
  lineCount: number,
  { emphasis = 0, leave = 0 }: TextProps['track']['now'],
) {
  for (const [index, mark] of marks) {
    const drawn = ofPart(emphasis, index / Math.max(1, lineCount - 1), lineCount > 1 ? 0.6 : 1);
    mark.style.clipPath = `inset(-0.2em ${(1 - drawn) * 100}% -0.2em 0)`;
    mark.style.opacity = emphasis > 0 ? String(1 - leave) : '0';
  }
}

/** Moves the caret behind the last visible part, or in front of the first part. */
function moveCaret(caret: HTMLElement, last: HTMLElement | null, first: HTMLElement | undefined, rightToLeft: boolean) {
  const spot = last ?? first;
  if (spot)
    caret.style.transform = `translate(${spot.offsetLeft + (last && !rightToLeft ? spot.offsetWidth : 0)}px, ${spot.offsetTop}px)`;
}

function isCaretVisible({ reveal = 1, leave = 0 }: TextProps['track']['now'], seconds: number): boolean {
  // The caret is steady while the text is being written, and blinks afterwards.
  const isWriting = (reveal > 0 && reveal < 1) || (leave > 0 && leave < 1);
  return isWriting || seconds % 1.06 < 0.6;
}

function moveShine(shine: HTMLElement, sweep: number) {
  const way = sweep * 150 - 25;
  shine.style.visibility = sweep > 0 && sweep < 1 ? 'visible' : 'hidden';
  shine.style.maskImage = `linear-gradient(105deg, transparent ${way - 22}%, #000 ${way}%, transparent ${way + 22}%)`;
}

/** Poses a text's parts and returns the last visible one. */
function poseParts(
  elements: ReadonlyMap<Part, HTMLElement>,
  props: TextProps,
  { program, progress, parts, share, pose }: ReturnType<typeof runningProgram>,
  { style, counts, seconds }: { readonly style: PoseContext['style']; readonly counts: boolean; readonly seconds: number },
): HTMLElement | null {
  const { track, entrance, exit, emphasis, from } = props;
  const { wave = 0, count = 1, emphasis: stressed = 0 } = track.now;
  const programs = [entrance, exit];
  const isMasked = programs.includes('write') || programs.includes('wipe');
  const hopping = emphasis === 'wave' ? stressed : wave;
  let last: HTMLElement | null = null;
  for (const [part, element] of elements) {
    const posed = pose({ style, x: ofPart(progress, part.turn[parts], share), part: part.id, side: from });
    element.style.opacity = String(posed.opacity);
    element.style.transform = partTransform(posed, hop(hopping, part.turn.letters));
    if (isMasked) element.style.maskImage = posed.open === undefined ? pen(posed.written ?? 1) : edge(posed.open);
    const noise = program === 'decode' ? (posed.noise ?? 0) : 0;
    if (programs.includes('decode')) element.textContent = scrambled(part.text, noise, part.id, seconds);
    else if (counts) element.textContent = counted(part.text, count);
    if (posed.opacity > 0) last = element;
  }
  return last;
}

/** Sets a title in the case of the theme's display face. */
function useCased(props: TextProps): TextProps {
  const setting = useContext(SettingContext);
  const { text, level = 'title', face } = props;
  const isCapital = setting?.theme.capitals === true && level === 'title' && face === undefined;
  return isCapital ? { ...props, text: text.toLocaleUpperCase(setting.language) } : props;
}

/** Draws a text of any length and script, fitted into its box. It enters part by part, and may be emphasised and leave. */
export function Text(given: TextProps) {
  const props = useCased(given);
  const { text, track, box, color, entrance, by, exit, emphasis, times, level = 'title', align = 'center' } = props;
  const { style, seed } = useFilm().theme;
  const { accent = color } = props;
  const face = useFace(props);
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

  useMoment((seconds) => {
    if (!block.current) return;
    const { opacity = 1, sweep = 0, emphasis: stressed = 0 } = track.now;
    block.current.style.opacity = String(opacity * emphasised(emphasis, stressed, times).opacity);
    block.current.style.transform = blockTransform(props);
    const running = runningProgram(props, cut, elements.current.size);
    const last = poseParts(elements.current, props, running, { style, counts, seconds });
    const glitching = emphasis === 'glitch' ? stressed : 0;
    const bursts = disturbed(running.program === 'glitch' ? running.progress : glitching, seconds, seed);
    if (bursts.jump !== 0) block.current.style.transform += ` translateX(${bursts.jump}em) skewX(${bursts.jump * 60}deg)`;
    block.current.style.textShadow = blockShadow(props, bursts.strength);
    moveMarks(marks.current, lines.length, track.now);
    if (caret.current) {
      caret.current.style.opacity = isCaretVisible(track.now, seconds) ? '1' : '0';
      const [first] = elements.current.values();
      moveCaret(caret.current, last, first, getComputedStyle(block.current).direction === 'rtl');
    }
    if (shine.current) moveShine(shine.current, sweep);
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
    ...(counts ? { fontVariantNumeric: 'tabular-nums lining-nums' } : {}),
  };
  const pins = counts || entrance === 'decode' || exit === 'decode';
  const widthOf = (part: string): CSSProperties =>
    pins && layout ? { width: `${layout.measure(part)}em`, textAlign: counts ? align : 'center' } : {};
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
        <div ref={block} className="text-block" style={type} dir="auto" data-fitted={layout?.fitted ?? undefined}>
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
                  <Mark
                    emphasis={emphasis}
                    parts={parts}
                    accent={accent}
                    ref={(element) => {
                      if (!element) return;
                      marks.current.set(line, element);
                      return () => {
                        marks.current.delete(line);
                      };
                    }}
                  />
                ) : null}
              </span>
            </div>
          ))}
          {entrance === 'typewriter' ? <span ref={caret} className="text-caret" style={{ background: accent }} /> : null}
          {track.now.sweep === undefined ? null : <Shine ref={shine} lines={lines} accent={accent} />}
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
            presence={index === 0 ? () => entered(track.now) : () => 1 - (track.now.leave ?? 0)}
            seed={seed}
          />
        ),
      )}
    </>
  );
}
