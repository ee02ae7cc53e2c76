import pictures from '../words/drawing.json' with { type: 'json' };
import rules from '../words/rules.json' with { type: 'json' };
import words from '../words/story.json' with { type: 'json' };
import { moversIn, nounsIn } from './icons.ts';
import type { Lexicon, Token } from './lexicon.ts';
import { lexiconOf, tokensOf } from './lexicon.ts';
import { colorOf, formatNames, isStop } from './looks.ts';
import { findWhens } from './values.ts';

const acts = lexiconOf(words.acts);
const places = lexiconOf(words.places);
const shapes = lexiconOf(words.shapes);
const motions = lexiconOf(words.motions);
const counts = lexiconOf(words.counts);
const sides = lexiconOf(words.sides);
const froms = lexiconOf({ from: words.from });
/** What figures do in requests and no format draws. */
const undrawn = lexiconOf({ undrawn: words.undrawn });
const drawn = lexiconOf({ drawn: rules.drawn });
const scenery = lexiconOf({ scenery: pictures.scenery });
const moving = lexiconOf({ moving: pictures.moving });
const articles = lexiconOf({ article: pictures.article });
const relatives = lexiconOf({ relative: pictures.relative });
const draws = lexiconOf({ draw: pictures.draw });
const notDrawn = lexiconOf({ notDrawn: pictures.notDrawn });
const noText = lexiconOf({ noText: pictures.noText });
const asks = lexiconOf({ ask: rules.ask });
const physical = lexiconOf({ physical: pictures.physical });
const us = lexiconOf({ us: pictures.us });
const media = lexiconOf({ medium: rules.medium, make: rules.make, ask: rules.ask });

export type Act = keyof typeof words.acts;
export type Place = keyof typeof words.places | 'none';

type Side = keyof typeof words.sides;

export interface Story {
  readonly actors: { icon: string; count: number; color: string | null }[];
  readonly place: Place;
  readonly beats: { actor: number; act: Act; target: number | null; side?: Side }[];
}

export interface ShapeScene {
  readonly bodies: { shape: keyof typeof words.shapes; count: number; color: string | null }[];
  readonly motion: keyof typeof words.motions;
  readonly times: number | null;
}

/** Words of other languages that mean something different in English: “lit”, “court”, “chat”. */
const notEnglish = new Set([...words.notEnglish.split('|'), ...pictures.notEnglish.split('|')]);

interface Found<Value> {
  readonly value: Value;
  readonly at: number;
  readonly count: number;
  readonly phrase: string;
}

const find = <Value extends string>(
  lexicon: Pick<Lexicon<Value>, 'find'>,
  tokens: readonly Token[],
  language: string,
): Found<Value>[] => lexicon.find(tokens).filter(({ phrase }) => language !== 'en' || !notEnglish.has(phrase));

/** Returns the count and the colour that the words around a noun give it, and marks these words as known. */
function qualify(tokens: readonly Token[], { at, count }: { at: number; count: number }, known: Set<number>) {
  let [number, color]: [number, string | null] = [1, null];
  for (let index = Math.max(0, at - 3); index <= Math.min(tokens.length - 1, at + count); index++) {
    const word = tokens[index]?.word ?? '';
    const hex = colorOf(word);
    const amount = Number(counts.get(word) ?? (/^\d{1,2}$/u.test(word) ? word : Number.NaN));
    if (hex !== null) color = hex;
    else if (amount > 1 && index < at) number = amount;
    else continue;
    known.add(index);
  }
  return { count: number, color };
}

const indexesOf = ({ at, count }: { at: number; count: number }) => Array.from({ length: count }, (_, index) => at + index);

/** Returns whether all words that mean something are known, so that a drawing shows what the text says. */
const isWhole = (tokens: readonly Token[], known: ReadonlySet<number>) =>
  tokens.every((token, at) => known.has(at) || isStop(token));

/** Reads a text about moving shapes: “a red ball bounces three times”. Returns `null` unless the drawing shows all of it. */
export function shapesIn(text: string): ShapeScene | null {
  const tokens = tokensOf(text);
  const found = shapes.find(tokens);
  const [motion] = motions.find(tokens);
  if (found.length === 0 || motion === undefined || tokens.length > 30) return null;
  const known = new Set([...found, motion].flatMap(indexesOf));
  const bodies = found.slice(0, 3).map((one) => {
    const { count, color } = qualify(tokens, one, known);
    return { shape: one.value, count: Math.min(12, count), color };
  });
  const repeat =
    /\b(\w+|\d{1,2})\s*(?:times|mal|fois|veces|volte|vezes|keer)\b|\b(twice|zweimal|dreimal|viermal|fünfmal)\b/iu.exec(text);
  const word = (repeat?.[1] ?? repeat?.[2] ?? '').toLowerCase();
  const times = Number(counts.get(word) ?? (word === '' ? Number.NaN : word));
  if (repeat !== null)
    for (const [index, { start, end }] of tokens.entries())
      if (start >= repeat.index && end <= repeat.index + repeat[0].length) known.add(index);
  if (!isWhole(tokens, known)) return null;
  const single = bodies.filter(({ shape }, index) => bodies.findIndex((other) => other.shape === shape) === index);
  return { bodies: single, motion: motion.value, times: times >= 1 && times <= 12 ? times : null };
}

/** Acts in which a figure that comes from a side enters the picture. */
const entries: ReadonlySet<Act> = new Set(['enter', 'walk']);

/**
 * Reads the side to which an act leads, or from which a figure enters: “walks in from the left”, “runs to the right”. Adds the
 * words to `known`. `isFirst`: whether this is the figure's first act.
 */
function movedBy(
  act: Found<Act>,
  { tokens, until, isFirst, known }: { tokens: readonly Token[]; until: number; isFirst: boolean; known: Set<number> },
): { act: Act; side?: Side } {
  const named = sides.find(tokens.slice(act.at, until)).map(({ value, at }) => {
    const index = act.at + at;
    known.add(index);
    const isOrigin = [1, 2].some((count) => index >= count && froms.get(wordsAt(tokens, index - count, count)) !== undefined);
    if (isOrigin) for (const back of [1, 2]) known.add(index - back);
    return { value, isOrigin };
  });
  const to = named.find(({ isOrigin }) => !isOrigin)?.value;
  if (to !== undefined) return { act: act.value, side: to };
  const from = named[0]?.value;
  if (from === undefined) return { act: act.value };
  if (isFirst && entries.has(act.value)) return { act: 'enter', side: from };
  return { act: act.value, side: from === 'left' ? 'right' : 'left' };
}

const wordsAt = (tokens: readonly Token[], at: number, count: number) =>
  tokens
    .slice(at, at + count)
    .map(({ word }) => word)
    .join(' ');

/** Reads a text about drawn figures: “a cat walks through a city at night”. Returns `null` unless the drawing shows all of it. */
export function storyIn(text: string, language: string): Story | null {
  const tokens = tokensOf(text);
  if (tokens.length > 40) return null;
  const found = find(acts, tokens, language);
  const movers = new Set(find({ find: moversIn }, tokens, language).map(({ at }) => at));
  const nouns = find({ find: nounsIn }, tokens, language).filter(({ at }) => movers.has(at));
  const names = [...new Set(nouns.map(({ value }) => value))].slice(0, 3);
  if (names.length === 0 || found.length === 0 || found.length > 6) return null;
  const known = new Set([...found, ...nouns].flatMap(indexesOf));
  const actors = names.map((icon) => {
    const noun = nouns.find(({ value }) => value === icon) ?? { at: 0, count: 1 };
    const { count, color } = qualify(tokens, noun, known);
    return { icon, count: Math.min(5, count), color };
  });
  const indexOf = (noun: Found<string> | undefined) => (noun === undefined ? -1 : names.indexOf(noun.value));
  const isSameClause = (from: number, to: number) => !/[.,;!?\n]/u.test(text.slice(tokens[from]?.end, tokens[to]?.start));
  let last = 0;
  const seen = new Set<number>();
  const beats = found.map((act, index) => {
    const before = nouns.find(({ at }) => at < act.at && isSameClause(at, act.at));
    const after = nouns.find(({ at }) => at >= act.at + act.count && at <= act.at + act.count + 4 && isSameClause(act.at, at));
    const actor: number = before === undefined ? last : indexOf(before);
    last = actor;
    const object = before === undefined ? -1 : indexOf(after);
    const until = found[index + 1]?.at ?? tokens.length;
    const moved = movedBy(act, { tokens, until, isFirst: !seen.has(actor), known });
    seen.add(actor);
    return { actor, target: object >= 0 && object !== actor ? object : null, ...moved };
  });
  const sites = places.find(tokens).filter((place) => !indexesOf(place).some((index) => known.has(index)));
  const place = sites.find(({ value }) => value !== 'night') ?? sites[0];
  for (const site of sites)
    if (site.value === place?.value || site.value === 'night') for (const index of indexesOf(site)) known.add(index);
  return isWhole(tokens, known) ? { actors, place: place?.value ?? 'none', beats } : null;
}

/** Formats whose names are also plain words of a story: “a cat makes a list”. The names of the others choose them. */
const vague: ReadonlySet<string> = new Set([
  'event',
  'list',
  'features',
  'steps',
  'number',
  'code',
  'quote',
  'comparison',
  'table',
  'icon-story',
  'shapes',
]);

/** Returns whether a request wants a picture without words: “no text at all”. */
export const isWordless = (text: string) => {
  const tokens = tokensOf(text);
  return noText.find(tokens).length > 0 && formatNames(tokens).length === 0;
};

/** Returns whether a sentence asks to draw a thing: “Draw a coffee cup”, and not “Draw the route as a line”. */
function isDrawingAsked(tokens: readonly Token[]): boolean {
  const skip = asks.find(tokens.slice(0, 4)).find(({ at }) => at === 0)?.count ?? 0;
  const found = draws.find(tokens.slice(skip, skip + 4)).find(({ at }) => at === 0);
  if (found === undefined) return false;
  const object = tokens.slice(skip + found.count, skip + found.count + 5);
  const isOther =
    formatNames(object).length > 0 || [notDrawn, media].some((lexicon) => (lexicon as Lexicon<string>).find(object).length > 0);
  const isThing = articles.find(object.slice(0, 2)).length > 0 || scenery.find(object).length > 0 || moversIn(object).length > 0;
  return isThing && !isOther;
}

/** Returns whether a sentence describes a scene: a thing that can be pictured, and what it does. */
function isScene(text: string, tokens: readonly Token[], language: string): boolean {
  const things: Found<string>[] = [
    ...find<string>(scenery, tokens, language),
    ...find({ find: moversIn }, tokens, language),
    ...find<string>(shapes, tokens, language),
  ];
  const acting = new Set(
    [
      ...find<string>(moving, tokens, language),
      ...find<string>(acts, tokens, language),
      ...find<string>(undrawn, tokens, language),
    ].map(({ at }) => at),
  );
  const isIn = (from: number, to: number) =>
    from < to && to < tokens.length && !/[.!?\n:]/u.test(text.slice(tokens[from]?.start, tokens[to]?.start));
  const has = (lexicon: { get(phrase: string): string | undefined }, at: number) =>
    lexicon.get(tokens[at]?.word ?? '') !== undefined;
  const isSome = (at: number) => [1, 2, 3].some((back) => has(articles, at - back));
  const isFirst = (at: number) => tokens.slice(0, at).every((token, index) => index < 3 && !isStop(token));
  // “A snail crawls over a leaf”: nothing but its form says that the noun can be pictured.
  const leap = find<string>(physical, tokens, language).find(({ at }) => at >= 2 && at <= 4);
  if (leap !== undefined && has(articles, 0) && isIn(0, leap.at) && tokens.length > leap.at + 2) return true;
  for (const { at, count } of things) {
    const next = at + count;
    const isIndefinite = isSome(at);
    // “a seed in the ground that becomes a tree”, “eine Katze, die sich setzt”
    for (let step = next; step <= next + 4 && isIndefinite; step++)
      if (has(relatives, step) && isIn(at, step) && (step === next || [1, 2, 3, 4].some((more) => acting.has(step + more))))
        return true;
    const isPictured = isIndefinite || isFirst(at) || things.length > 1;
    for (let step = next; step <= next + 4; step++) if (acting.has(step) && isIn(at, step) && isPictured) return true;
    // “a stick figure doing push-ups”
    if (isIndefinite && isIn(at, next) && /(?:ing|ando|endo|indo|ant)$/u.test(tokens[next]?.word ?? '')) return true;
  }
  return false;
}

/**
 * Returns whether a text describes something to draw: a figure that does something, a scene, or words such as “illustration”.
 * `drawn`: a format draws all of it.
 */
export function drawingIn(text: string, language: string): 'drawn' | 'undrawn' | null {
  const tokens = tokensOf(text);
  const asked = asks.find(tokens).reduce((sum, { count }) => sum + count, 0);
  if (tokens.length - asked < 3 || tokens.length > 60 || /[€$£%@]|https?:/u.test(text) || findWhens(text).length > 0) return null;
  if (us.find(tokens.slice(0, 1)).length > 0 && !asks.find(tokens).some(({ at }) => at === 0)) return null;
  const isAsked = drawn.find(tokens).length > 0 && media.find(tokens).length > 0;
  if (!isAsked && formatNames(tokens.slice(0, 6)).some(({ value }) => !vague.has(value))) return null;
  // Buses and shops stop too, so this act alone is no story.
  const found = [...find<string>(acts, tokens, language), ...find<string>(undrawn, tokens, language)].filter(
    ({ value }) => value !== 'stop',
  );
  const isNear = (one: number, other: number) =>
    Math.abs(one - other) <= 5 &&
    !/[.!?\n]/u.test(text.slice(tokens[Math.min(one, other)]?.end, tokens[Math.max(one, other)]?.start));
  const isStory = find({ find: moversIn }, tokens, language).some(({ at }) => found.some((act) => isNear(at, act.at)));
  const isShape = shapes.find(tokens).some(({ at }) => motions.find(tokens).some((motion) => isNear(at, motion.at)));
  if (!isStory && !isShape && !isAsked && !isDrawingAsked(tokens) && !isScene(text, tokens, language)) return null;
  return storyIn(text, language) !== null || shapesIn(text) !== null ? 'drawn' : 'undrawn';
}
