import { z } from 'zod';
import { clip, clipped, emphasisOf, isNamed, plain } from '../author/read/fill.ts';
import { tokensOf } from '../author/read/lexicon.ts';
import type { BlockOf, Reading } from '../author/read/reading.ts';
import { blocksOf, fold, spansOf } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten, wordCount } from './define-format.ts';

const schema = z.object({
  outlet: line(30).nullable().describe('newspaper, magazine or website'),
  date: line(30).nullable().describe('date of the issue'),
  headline: line(90).describe('headline of the article'),
  passage: line(180).nullable().describe('one or two sentences of the article'),
  emphasis: line(60).nullable().describe('phrase of the passage or headline that is marked'),
});
type Props = z.infer<typeof schema>;
type Text = BlockOf<'text'>;

const marks =
  /^(?:highlight|mark|emphasi[sz]e|stress|underline|markiere|hebe hervor|surligne[rz]?|souligne[rz]?|resalta|destaca|subraya)\s+[“"„«']?(.+?)[”"“»']?$/iu;
const links = /^(?:from|in|by|of|published in|aus|von|in der|im|de|dans|du|en)\s+/iu;

/** Returns the outlet and date if a short line consists of them, otherwise `null`. */
function creditIn(block: Text, reading: Reading): Pick<Props, 'outlet' | 'date'> | null {
  const { text } = block.piece;
  const when = reading.whens.find(({ start, end }) => start >= block.start && end <= block.end);
  const isCredit = block.role === 'source' || block.role === 'author' || links.test(text) || when !== undefined;
  const outlet = text
    .replace(when?.text ?? '', ' ')
    .replace(links, '')
    .replace(/^[\s,;:–—-]+|[\s,;:–—-]+$/gu, '');
  if (!isCredit || outlet.length > 30) return null;
  return { outlet: clipped(outlet, 30), date: clipped(when?.text, 30) };
}

/** Returns the phrase from the first to the last word that the user wants to emphasise. */
function phraseIn(text: string, reading: Reading): string | null {
  const wanted = tokensOf(text).filter(({ word }) => reading.instructions.highlight.includes(word));
  const [first, last] = [wanted[0], wanted.at(-1)];
  const phrase = first === undefined || last === undefined ? null : text.slice(first.start, last.end);
  return phrase === null || phrase.length > 60 ? (emphasisOf(text, reading)[0] ?? null) : phrase;
}

/** A phrase to highlight, and the block of the request that asks for it. */
interface Asked {
  readonly block: Text;
  readonly phrase: string;
}

/**
 * Returns the first block that asks for a highlight: “highlight ‘three in four’”, or a block that repeats a phrase of another
 * block.
 */
function askedMark(blocks: readonly Text[]): Asked | null {
  const found = blocks.flatMap((block): Asked[] => {
    const phrase = marks.exec(block.piece.text)?.[1] ?? (block.role === 'text' ? block.piece.text : null);
    if (phrase === null || phrase.length > 60) return [];
    const isPart = blocks.some((other) => other !== block && fold(other.piece.text).includes(fold(phrase)));
    return isPart ? [{ block, phrase }] : [];
  });
  return found[0] ?? null;
}

/** Returns the text of the blocks as written, including the full stops between and after them. */
function asWritten(blocks: readonly Text[], { text }: Reading): string | null {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return null;
  return plain(text.slice(first.start, last.end)) + (/^[.!?]/u.exec(text.slice(last.end))?.[0] ?? '');
}

/** Matches the texts of a request that asks for a headline or a newspaper article. */
function matchArticle(reading: Reading): Match<Props>[] {
  if (!isNamed(reading, 'headline')) return [];
  const texts = blocksOf(reading, 'text').filter(({ role }) => role !== 'end');
  const credits = texts.map((block) => (block.role === 'title' ? null : creditIn(block, reading)));
  const credit = credits.findIndex((found) => found !== null);
  const content = texts.filter((_, index) => index !== credit);
  const first = content.find(({ role }) => role === 'title') ?? content[0];
  if (first === undefined || first.piece.text.length > 90) return [];
  const asked = askedMark(content);
  const passage = asWritten(
    content.filter((block) => block !== first && block !== asked?.block),
    reading,
  );
  if (passage !== null && passage.length > 180) return [];
  const text = plain(first.piece.text);
  const scene = {
    ...(credits[credit] ?? { outlet: null, date: null }),
    headline: clip(text, 90),
    passage,
    emphasis: clipped(asked?.phrase ?? phraseIn(passage ?? text, reading), 60),
  };
  return [{ score: 0.95, scenes: [scene], spans: texts.flatMap(spansOf) }];
}

export const headline = defineFormat({
  id: 'headline',
  title: 'Headline',
  use: 'A newspaper page: the headline, a passage of the article, and a phrase that a marker highlights.',
  avoid: 'A person’s statement (use quote), or a title without a source (use title).',
  purposes: ['explain', 'story'],
  props: schema,
  seconds: ({ headline: text, passage, emphasis, outlet, date }) =>
    0.8 +
    readingSeconds(text, outlet, date) +
    (passage === null ? 0 : 0.25 * wordCount(passage)) +
    (emphasis === null ? 0 : 0.25 + readingSeconds(emphasis)) +
    0.8,
  outline: ({ headline: text, outlet, emphasis }) => ({
    title: shorten(text, 60),
    description: shorten(
      `A page${outlet === null ? '' : ` of ${outlet}`}: “${text}”${emphasis === null ? '' : `, marked: “${emphasis}”`}.`,
      900,
    ),
  }),
  match: matchArticle,
  example: {
    outlet: 'The Harbour Post',
    date: 'Tuesday 9 February 2027',
    headline: 'City libraries drop late fees after 61 years',
    passage:
      'The council expected empty shelves. Instead, in the first month, three in four long-overdue books came home, some of them older than the staff.',
    emphasis: 'three in four long-overdue books came home',
  },
});
