import { z } from 'zod';
import type { Purpose } from '#contract/format-list.ts';
import type { Reading, Span } from './read/reading.ts';

/** How a format would show a request, or a part of it. */
export interface Match<Props> {
  /** 0 to 1: how sure the format is that this is what the user wants. Structure weighs more than cue words. */
  readonly score: number;
  /** One scene each; more than one where the content is too long for a single scene. */
  readonly scenes: readonly Props[];
  /** The parts of the request that the scenes show. */
  readonly spans: readonly Span[];
  /** Words that the scenes tell without showing them: the nouns and verbs of a story. */
  readonly told?: readonly Span[];
}

/** A designed kind of scene with typed fields. Its component is in the film template under the same id. */
export interface Format<Props = unknown> {
  /** Also the name of the component's file: `bar-chart` is drawn by `src/formats/bar-chart.tsx`. */
  readonly id: string;
  readonly title: string;
  /** When to use it, in one sentence. Read by people, language models and MCP clients. */
  readonly use: string;
  /** When not to use it, and what to use instead. */
  readonly avoid: string;
  /** One to three, the main one first. */
  readonly purposes: readonly [Purpose, ...Purpose[]];
  /** The fields. A value that passes renders unclipped in every style, theme, aspect and script. */
  readonly props: z.ZodType<Props>;
  /** Length of the scene in seconds in the smooth style: entrance, reading time and exit. */
  seconds(props: Props): number;
  /** A short title and a one-sentence description of the scene for the plan. */
  outline(props: Props): { title: string; description: string };
  /** What the format makes of a request, best first; empty if it has no use for it. */
  match(reading: Reading): readonly Match<Props>[];
  /** Fields that show the format at its best. */
  readonly example: Props;
}

/** Declares a format; its functions are typed by its schema. */
export function defineFormat<Props>(format: Format<Props>): Format<Props> {
  return format;
}

/** Scripts whose letters are as wide as two Latin ones. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu;

/** Width of a text in Latin letters: bounds count these, since what fits depends on the width. */
export function columnsOf(text: string): number {
  return [...text].length + (text.match(wide)?.length ?? 0);
}

/** A text of at most `max` Latin letters, or half as many wide ones, which may wrap. */
export const paragraph = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => columnsOf(text) <= max, `must have at most ${max} letters, or half as many wide ones`);

/** The same on one line. */
export const line = (max: number) => paragraph(max).regex(/^[^\r\n]*$/, 'must be a single line');

/** The name of a drawing: `lucide:coffee` is drawn with lines in one colour, `fluent:dog-face` is a coloured emoji. */
export const icon = z
  .string()
  .regex(/^(lucide|fluent):[a-z0-9]+(-[a-z0-9]+)*$/)
  .meta({ format: 'icon' });

/** An uploaded image, as the page serves it: `/assets/logo.png`. */
export const image = z
  .string()
  .regex(/^\/assets\/[^/]{1,200}$/)
  .meta({ format: 'image' });

export const hexColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/)
  .meta({ format: 'color' });

/** Scripts without spaces between words, in which a word has about 2.5 characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Number of words in a text. */
export function wordCount(text: string): number {
  const characters = text.match(unspaced)?.length ?? 0;
  const words = text.replace(unspaced, ' ').split(/\s+/u).filter(Boolean).length;
  return words + Math.ceil(characters / 2.5);
}

/** Seconds that a viewer needs to read the texts: 0.5 s and 0.3 s a word, at least 1.2 s (`craft.md`). */
export function readingSeconds(...texts: readonly (string | null | undefined)[]): number {
  const words = texts.reduce((sum, text) => sum + wordCount(text ?? ''), 0);
  return Math.max(1.2, 0.5 + 0.3 * words);
}

/** The text, cut at a word and marked with an ellipsis if it is wider than `max` Latin letters. */
export function shorten(text: string, max: number): string {
  const flat = text.replace(/\s+/gu, ' ').trim();
  if (columnsOf(flat) <= max) return flat;
  let cut = '';
  for (const character of flat) {
    if (columnsOf(cut + character) > max - 1) break;
    cut += character;
  }
  const atWord = cut.replace(/\s+\S*$/u, '');
  return `${atWord.length > max / 2 ? atWord : cut}…`;
}
