import { isJoinedScript, layoutText } from '../kit/text/layout.ts';
import type { Face, ThemeDesign } from '../themes/theme.ts';

const referencePixels = 200;

function fontOf({ family, weight, italic }: Face, pixels: number): string {
  return `${italic ? 'italic ' : ''}${weight} ${pixels}px ${family}`;
}

const faceKeys = ['display', 'emphasis', 'text', 'strong', 'figures', 'mono'] as const;

const sampleOf = (letters: string): string => `${letters}${letters.toUpperCase()} 0123456789.,%+−–…“”`;

/** Loads the subsets of a theme's fonts that contain these letters, so that text can be measured. */
export async function loadFaces(theme: ThemeDesign, letters: string): Promise<void> {
  const sample = sampleOf(letters);
  await Promise.all(faceKeys.map((key) => document.fonts.load(fontOf(theme[key], referencePixels), sample)));
}

/** Returns whether `loadFaces` has nothing left to load. */
export function facesLoaded(theme: ThemeDesign, letters: string): boolean {
  const sample = sampleOf(letters);
  return faceKeys.every((key) => document.fonts.check(fontOf(theme[key], referencePixels), sample));
}

let context: CanvasRenderingContext2D | null = null;

/** Returns the width of a run in em. The font must be loaded. */
export function measure(face: Face, run: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('This browser has no 2D canvas.');
  context.font = fontOf(face, referencePixels);
  context.fontStretch = face.stretch ?? 'normal';
  context.letterSpacing = `${trackingFor(face, run) * referencePixels}px`;
  return context.measureText(run).width / referencePixels;
}

/**
 * Returns the top and bottom of capitals and lining figures, in em from the top of a line of 1 em. The font must be loaded.
 */
export function capitalBounds(face: Face): { readonly top: number; readonly bottom: number } {
  measure(face, 'H');
  const metrics = context?.measureText('H');
  if (metrics === undefined) return { top: 0.14, bottom: 0.86 };
  const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent, actualBoundingBoxAscent: height } = metrics;
  const baseline = (1 - (ascent + descent) / referencePixels) / 2 + ascent / referencePixels;
  return { top: baseline - height / referencePixels, bottom: baseline };
}

export interface Ink {
  readonly left: number;
  readonly right: number;
  readonly ascent: number;
  readonly descent: number;
}

/** Returns a run's ink, which is narrower and lower than its line. The font must be loaded. */
export function inkOf(face: Face, run: string): Ink {
  if (/^\d+$/.test(run) && canvasInk(face, '3').descent > 0.08) return liningInk(face, run);
  return canvasInk(face, run);
}

function canvasInk(face: Face, run: string): Ink {
  measure(face, run);
  const { actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } = (
    context as CanvasRenderingContext2D
  ).measureText(run);
  return {
    left: -actualBoundingBoxLeft / referencePixels,
    right: actualBoundingBoxRight / referencePixels,
    ascent: actualBoundingBoxAscent / referencePixels,
    descent: actualBoundingBoxDescent / referencePixels,
  };
}

/** Canvas measures only a font's old-style digits, but the frame uses lining ones, which are as high as capitals. */
function liningInk(face: Face, run: string): Ink {
  const probe = document.createElement('span');
  probe.textContent = run;
  Object.assign(probe.style, {
    position: 'absolute',
    visibility: 'hidden',
    font: fontOf(face, referencePixels),
    fontFeatureSettings: '"lnum" 1',
    letterSpacing: `${face.tracking}em`,
  });
  document.body.append(probe);
  const width = probe.getBoundingClientRect().width / referencePixels - face.tracking;
  probe.remove();
  return { left: 0.03, right: width - 0.03, ascent: canvasInk(face, 'H').ascent + 0.015, descent: 0.015 };
}

/** Letter spacing would break the connections in joined scripts. */
function trackingFor(face: Face, text: string): number {
  return isJoinedScript(text) ? 0 : face.tracking;
}

/** Chinese and Japanese characters fill their boxes, so large lines need space between them. */
export function isIdeographic(text: string): boolean {
  return /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text);
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu;

/** Returns the width of a string in Latin characters. */
export const columnsOf = (text: string): number => [...text].length + (text.match(wide)?.length ?? 0);

/** Arabic and Indic letters have larger ascenders and descenders. */
function lineHeightFor(face: Face, text: string): number {
  if (isJoinedScript(text)) return Math.max(1.35, face.lineHeight * 1.2);
  // Accents on capitals extend into the line above.
  return /[À-ÖØ-ÞŐŰ]/u.test(text) ? Math.max(1.22, face.lineHeight) : face.lineHeight;
}

const slantable = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{S}\p{Z}\p{M}]*$/u;

/** Returns the upright face for scripts without italics. */
function uprightFor(face: Face, text: string): Face {
  return face.italic && !slantable.test(text) ? { ...face, italic: false } : face;
}

export interface TextRequest {
  readonly text: string;
  readonly face: Face;
  /** Maximum font size in design pixels. */
  readonly size: number;
  /** Minimum font size; by default 34, the smallest size that is readable on a phone. */
  readonly minSize?: number;
  readonly width: number;
  readonly height: number;
  /** Maximum characters per line; by default 24, as for titles. */
  readonly maxCharacters?: number;
  readonly lineHeight?: number;
}

export interface TextSet {
  readonly face: Face;
  readonly lines: readonly string[];
  readonly size: number;
  readonly lineStep: number;
  readonly width: number;
  readonly height: number;
  readonly tracking: number;
}

const smallest = 34;

/** Breaks text into lines at the largest size that fits its box. Shrinks text that does not fit, and never truncates it. */
export function setText(request: TextRequest): TextSet {
  const { text, size, width, height, maxCharacters = 24, minSize = smallest } = request;
  const face = uprightFor(request.face, text);
  const lineHeight = request.lineHeight ?? lineHeightFor(face, text);
  const { lines, size: fitted } = layoutText({
    text,
    measure: (run) => measure(face, run),
    size,
    minSize: Math.min(size, minSize),
    // Optical sizes are measured at one size only, and overhanging letters need a margin.
    boxWidth: width * 0.985,
    boxHeight: height,
    lineHeight,
    maxCharacters,
  });
  const widest = Math.max(0, ...lines.map((line) => measure(face, line)));
  return {
    face,
    lines,
    size: fitted,
    lineStep: fitted * lineHeight,
    width: widest * fitted,
    height: fitted * lineHeight * lines.length,
    tracking: trackingFor(face, text),
  };
}

export function setOptional(text: string | null, request: Omit<TextRequest, 'text'>): TextSet | null {
  return text === null ? null : setText({ ...request, text });
}

/** Sets several texts at the largest size at which all of them fit their boxes. */
export function setTexts(requests: readonly TextRequest[]): TextSet[] {
  const sets = requests.map(setText);
  const size = Math.min(...sets.map((set) => set.size));
  return requests.map((request, index) => {
    const set = sets[index];
    return set !== undefined && set.size === size ? set : setText({ ...request, size });
  });
}

/** Part of a line, inside or outside an emphasised phrase. */
export interface Run {
  readonly text: string;
  readonly emphasised: boolean;
}

/** Finds the phrases across line breaks, ignoring case and spaces, because not all scripts have a space at a break. */
export function runsOf(lines: readonly string[], phrases: readonly string[]): Run[][] {
  const whole = lines.join(' ');
  const marked = new Array<boolean>(whole.length).fill(false);
  const letters = Array.from(whole.matchAll(/\S/g), ({ index }) => index);
  const bare = (text: string) => text.replace(/\s+/gu, '').toLowerCase();
  for (const phrase of phrases.map(bare)) {
    const at = phrase === '' ? -1 : bare(whole).indexOf(phrase);
    if (at >= 0) marked.fill(true, letters[at], (letters[at + phrase.length - 1] ?? 0) + 1);
  }
  let start = 0;
  return lines.map((line) => {
    const runs: Run[] = [];
    for (let index = 0; index < line.length; index += 1) {
      const emphasised = marked[start + index] ?? false;
      const last = runs.at(-1);
      if (last !== undefined && last.emphasised === emphasised)
        runs[runs.length - 1] = { text: last.text + line[index], emphasised };
      else runs.push({ text: line[index] ?? '', emphasised });
    }
    start += line.length + 1;
    return runs;
  });
}

/** Breaks the line before a phrase at the end of the text, if the phrase has a suitable length for a separate line. */
export function withOwnLine(
  text: string,
  phrase: string | null,
  { face, size, width }: Pick<TextRequest, 'face' | 'size' | 'width'>,
): string {
  const from = phrase === null ? -1 : text.toLowerCase().lastIndexOf(phrase.toLowerCase());
  if (phrase === null || from <= 0 || phrase.length < 8) return text;
  const ends = /^\p{P}*$/u.test(text.slice(from + phrase.length));
  return ends && measure(face, phrase) * size < width * 0.985 ? `${text.slice(0, from).trimEnd()}\n${text.slice(from)}` : text;
}

/** Returns the text in the case of the theme's display face. */
export function cased(theme: ThemeDesign, text: string, language: string): string {
  return theme.capitals ? text.toLocaleUpperCase(language) : text;
}

/** Keeps the signs at both ends of a number or an address in place in right-to-left films. */
export const leftToRight = (text: string): string => `\u200e${text}\u200e`;
