import { z } from 'zod';
import type { Purpose } from '#kinds/film/contract/format-list.ts';
import type { Reading, Span } from '../author/read/reading.ts';

/** A format's proposal to show a request or part of it. */
export interface Match<Props> {
  /** Confidence that the user wants this format, 0 to 1. The structure of the request counts more than its keywords. */
  readonly score: number;
  readonly scenes: readonly Props[];
  /** Parts of the request that the scenes show. */
  readonly spans: readonly Span[];
  /** Words that the scenes express without displaying them, such as a story's nouns and verbs. */
  readonly told?: readonly Span[];
}

/** A predesigned scene type with typed fields. Its component in the film template has the same id. */
export interface Format<Props = unknown> {
  /** Also the component's file name: `src/formats/bar-chart.tsx` draws `bar-chart`. */
  readonly id: string;
  readonly title: string;
  /** When to use it, in one sentence for people, language models and MCP clients. */
  readonly use: string;
  /** When not to use it, and which format to use instead. */
  readonly avoid: string;
  readonly purposes: readonly [Purpose, ...Purpose[]];
  /** Schema of the fields. Every valid value renders unclipped in every style, theme, aspect ratio and script. */
  readonly props: z.ZodType<Props>;
  /** Returns the scene's length in seconds in the smooth style: entrance, reading time and exit. */
  seconds(props: Props): number;
  /** Returns a short title and a one-sentence description for the plan. */
  outline(props: Props): { title: string; description: string };
  /** Returns the format's proposals for a request, best first; empty if it cannot show any of it. */
  match(reading: Reading): readonly Match<Props>[];
  readonly example: Props;
}

export function defineFormat<Props>(format: Format<Props>): Format<Props> {
  return format;
}

/** Scripts whose characters are twice as wide as Latin ones. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu;

/** Returns the width of a string in Latin characters. Length limits use this unit, because width determines what fits. */
export function columnsOf(text: string): number {
  return [...text].length + (text.match(wide)?.length ?? 0);
}

/** Text of at most `max` Latin characters, or half as many full-width ones. May wrap. */
export const paragraph = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => columnsOf(text) <= max, `must have at most ${max} letters, or half as many wide ones`);

export const line = (max: number) => paragraph(max).regex(/^[^\r\n]*$/, 'must be a single line');

/** Name of a drawing: `lucide:coffee` is a single-colour line drawing, `fluent:dog-face` a coloured emoji. */
export const icon = z
  .string()
  .regex(/^(lucide|fluent):[a-z0-9]+(-[a-z0-9]+)*$/, 'must be the name of an icon, such as lucide:coffee')
  .meta({ format: 'icon' });

/** URL of an uploaded image in the film page: `/assets/logo.png`. */
export const image = z
  .string()
  .regex(/^\/assets\/[^/]{1,200}$/, 'must be the path of an upload, such as /assets/logo.png')
  .meta({ format: 'image' });

export const hexColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #2563eb')
  .meta({ format: 'color' });

/** Scripts without spaces between words. Counts about 2.5 characters as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

export function wordCount(text: string): number {
  const characters = text.match(unspaced)?.length ?? 0;
  const words = text.replace(unspaced, ' ').split(/\s+/u).filter(Boolean).length;
  return words + Math.ceil(characters / 2.5);
}

/** Returns the reading time for the texts: 0.5 s plus 0.3 s per word, at least 1.2 s. */
export function readingSeconds(...texts: readonly (string | null | undefined)[]): number {
  const words = texts.reduce((sum, text) => sum + wordCount(text ?? ''), 0);
  return Math.max(1.2, 0.5 + 0.3 * words);
}

/** Shortens a string that is wider than `max` Latin characters: cuts it between words and adds an ellipsis. */
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
