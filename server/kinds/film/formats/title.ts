import { z } from 'zod';
import { clip, clipped, emphasisOf, isName, partsOf, plain, splitText } from '../author/read/fill.ts';
import type { Block, Reading } from '../author/read/reading.ts';
import { spansOf } from '../author/read/reading.ts';
import { findPhones, findWhens } from '../author/read/values.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

export const entrances = ['rise', 'letters', 'words', 'typewriter', 'blur', 'particles', 'wipe'] as const;

const schema = z.object({
  text: line(80).describe('the words'),
  emphasis: z.array(line(40)).max(2).default([]).describe('phrases of the text, large and in the accent colour'),
  kicker: line(40).nullable().describe('small line above'),
  subtitle: line(90).nullable().describe('line below'),
  entrance: z.enum(entrances).nullable().describe('how it appears; null follows the style'),
  icons: z.array(z.string()).max(3).default([]).describe('drawings beside the text'),
});
type Props = z.infer<typeof schema>;

interface Card {
  readonly kicker?: string | null;
  readonly text: string;
  readonly subtitle?: string | null;
}

function matchTitle(reading: Reading): Match<Props>[] {
  const { blocks } = reading;
  return blocks.flatMap((block, index) => {
    if (!isCardLike(block)) return [];
    const next = blocks[index + 1];
    return [matchBlock(block, reading), ...(isCardLike(next) ? matchPair(block, next, reading) : [])];
  });
}

function sceneOf({ kicker = null, text, subtitle = null }: Card, reading: Reading): Props {
  const shown = clip(capitalised(edged(text).replace(joining, '')), 80);
  return {
    text: shown,
    emphasis: emphasisOf(shown, reading),
    kicker: clipped(kicker, 40),
    subtitle: clipped(subtitle === null ? null : edged(subtitle), 90),
    entrance: null,
    icons: [],
  };
}

const isCardLike = (block: Block | undefined): block is Block =>
  block?.kind === 'text' ||
  block?.kind === 'quote' ||
  (block?.kind === 'list' && (block.marks === 'lines' || block.marks === 'inline'));
const isHook = (block: Block) => block.kind === 'text' && (block.role === 'title' || block.isHeading);
const isSubtitle = (block: Block) => block.kind === 'text' && (block.role === 'subtitle' || block.role === 'caption');
const textsOf = (block: Block) => partsOf(block).map(({ text }) => plain(text));

function matchBlock(block: Block, reading: Reading): Match<Props> {
  const parts = textsOf(block);
  const [first = ''] = parts;
  const match = (score: number, cards: readonly Card[]) => ({
    score,
    scenes: cards.map((card) => sceneOf(card, reading)),
    spans: spansOf(block),
  });
  if (parts.length === 1) return match(isHook(block) ? 0.56 : 0.46, cardsOf(first));
  if (parts.length <= 3 && parts.every((part) => part.length <= 80)) return match(0.5, [cardOf(parts)]);
  return match(0.4, parts.flatMap(cardsOf));
}

/** Matches a short text together with the next block, on one card. */
function matchPair(block: Block, next: Block, reading: Reading): Match<Props>[] {
  const parts = textsOf(block);
  const followers = textsOf(next);
  if (parts.length !== 1 || (parts[0] ?? '').length > 60 || followers.length > 2 || next.kind === 'quote') return [];
  if (next.kind === 'text' && (next.role === 'end' || next.role === 'title' || next.role === 'button')) return [];
  if ([block, next].some((each) => each.kind === 'text' && /^(?:source|unit|author|brand)$/u.test(each.role ?? ''))) return [];
  if (next.paragraph !== block.paragraph && !isSubtitle(next)) return [];
  const both = [...parts, ...followers];
  const props = { ...sceneOf({ text: both[0] ?? '', subtitle: both[1] ?? null }, reading) };
  const spans = [...spansOf(block), ...spansOf(next)];
  if (isSubtitle(next)) return (both[1] ?? '').length > 90 ? [] : [{ score: 0.7, scenes: [props], spans }];
  const maxLength = isOneThought(reading.text, block, next) ? 130 : 56;
  if (followers.some((part) => part.length > 70 || isMainFact(part)) || both.join(' ').length > maxLength) return [];
  return [
    {
      score: next.paragraph === block.paragraph || isHook(block) ? 0.5 : 0.47,
      scenes: [sceneOf(cardOf(both), reading)],
      spans,
    },
  ];
}

/** A leading conjunction, which continues the sentence of the previous card. */
const joining = /^(?:and|und|et|y)\s+(?=\S+\s+\S)/u;
/** A version with its date, as in a changelog: “1.4.0 - 2025-03-01”. */
const version = /^(v?\d+(?:\.\d+)+\S*)\s+[-–—]\s+(\d{4}-\d\d-\d\d)$/u;

/** Removes separators at both ends of the text. */
const edged = (text: string) => plain(text).replace(/^[,;\s]+|[,;\s]+$/gu, '');

/** Returns whether the text contains a date, a time, a price or a phone number. Such facts must not be set in small type. */
const isMainFact = (text: string) => findWhens(text).length > 0 || findPhones(text).length > 0 || result.test(text);

/**
 * Returns whether two blocks belong together: the first is a short opening line, or a sentence continues from one to the other.
 */
const isOneThought = (text: string, block: Block, next: Block) =>
  isHook(block) || !/[.!?\n]/u.test(text.slice(block.end - 1, next.start));

/** Capitalises the first letter, unless the first word is a command or a name in lower case. */
function capitalised(text: string): string {
  return /^(?:npm|pip|cargo|git|docker|brew|npx|yarn|apt|curl|go|e|i)[A-Z -]|^\p{Ll}+[^\p{L}\s,.!?:;’'–-]|^\p{Ll}[^\s]*[\d_.=-]/u.test(
    text,
  )
    ? text
    : text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** Assigns up to three lines to a card. Of three, the second is large, unless the first or second line is too long for that. */
function cardOf([first = '', second, third]: readonly string[]): Card {
  // Names below a short line are the main text.
  if (third === undefined && second !== undefined && isNames(second) && !isNames(first)) return { kicker: first, text: second };
  // A result, a price or a time is the main text.
  if (third === undefined && second !== undefined && second.length <= 28 && result.test(second) && !/\d/u.test(first))
    return { kicker: first, text: second };
  if (third === undefined) return { text: first, subtitle: second ?? null };
  return first.length <= 40 && (second?.length ?? 0) <= 60
    ? { kicker: first, text: second ?? '', subtitle: third }
    : { text: first, subtitle: `${second} · ${third}` };
}

const result = /\d{1,2}:\d\d:\d\d|[€$£]\s?\d|\d\s?(?:[€$£%]|euros?\b|pounds?\b)|\d+[.,]\d+\s?\p{L}/u;
const isNames = (text: string) =>
  /[&+]|\b(?:and|und|et|y|e)\b/u.test(text) && text.split(/\s*(?:[&+]|\b(?:and|und|et|y|e)\b)\s*/u).every(isName);

/** Maximum characters that fit in large type on two lines. */
const maxLead = 60;

/** Splits text of any length into cards: a single line, a line with the rest below it, or several cards. */
function cardsOf(text: string): Card[] {
  const comma = text.length > 48 && !/[.!?]\s/u.test(text) ? /^(.{12,48}?)(?:[,:;]|\s[–—-])\s+(?=.{6,90}$)/u.exec(text) : null;
  if (
    comma !== null &&
    text.slice(comma[0].length).split(' ').length >= 3 &&
    /^[^(]*$/u.test(comma[1] ?? '') &&
    !/\d/u.test(text.slice(comma[0].length))
  )
    return [{ text: comma[1] ?? text, subtitle: text.slice(comma[0].length) }];
  const [, number, date] = version.exec(text) ?? [];
  if (number !== undefined && date !== undefined) return [{ text: number, subtitle: date }];
  if (text.length <= maxLead) return [{ text }];
  // Splits a longer sentence into a large line and a smaller rest, at a natural pause.
  const halves = [text.length * 0.62, maxLead, 76].map((max) => splitText(text, Math.min(78, Math.ceil(max))));
  const isHalved = ([head = '', tail = '', ...more]: readonly string[]) =>
    more.length === 0 && head.length >= 12 && tail.split(' ').length >= 3;
  const [head = text, tail = ''] =
    halves.find((parts) => isHalved(parts) && startsClause(parts)) ?? (text.length <= 80 ? [] : (halves.find(isHalved) ?? []));
  if (head.endsWith(':') && head.length <= 40 && tail.length <= 80) return [{ kicker: head.slice(0, -1), text: tail }];
  if (tail !== '' && !/\d/u.test(tail) && tail.length <= 90) return [{ text: head, subtitle: tail }];
  if (text.length <= 80) return [{ text }];
  return (tail === '' ? splitText(text, 76) : [head, tail]).map((part) => ({ text: part }));
}

/** Returns whether a split is at a natural pause: after punctuation or before a conjunction, and outside brackets. */
const startsClause = ([head = '', tail = '']: readonly string[]) =>
  head.split('(').length === head.split(')').length &&
  (/[.!?,:;–—)]$/u.test(head) ||
    /^(?:and|or|but|so|because|when|while|which|und|oder|aber|weil|et|ou|mais|y|o|pero)\s/iu.test(tail));

export const title = defineFormat({
  id: 'title',
  title: 'Title',
  use: 'A short sentence or a few words as kinetic type: a hook, a greeting, a chapter, a name.',
  avoid: 'More than 80 characters (use quote or list), or a call to action with an address (use end-card).',
  purposes: ['announce', 'story'],
  props: schema,
  seconds: ({ text, kicker, subtitle }) => 1.4 + readingSeconds(text, kicker, subtitle) + 0.6,
  outline: ({ text, subtitle }) => ({
    title: shorten(text, 60),
    description: `“${text}” as large type${subtitle === null ? '' : `, with “${subtitle}” below`}.`,
  }),
  match: (reading) => matchTitle(reading),
  example: {
    text: 'Why we still write by hand',
    emphasis: ['by hand'],
    kicker: 'Essay 7',
    subtitle: 'What a pen knows that a keyboard forgets',
    entrance: null,
    icons: [],
  },
});
