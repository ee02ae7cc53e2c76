import words from '../words/story.json' with { type: 'json' };
import { colorOf, isInstructing } from './directions.ts';
import { moversIn, nounsIn } from './icons.ts';
import type { Lexicon, Token } from './lexicon.ts';
import { lexiconOf, tokensOf } from './lexicon.ts';
import type { Block, Reading, Span } from './reading.ts';
import { findAmounts } from './values.ts';

const acts = lexiconOf(words.acts);
const places = lexiconOf(words.places);
const shapes = lexiconOf(words.shapes);
const motions = lexiconOf(words.motions);
const counts = lexiconOf(words.counts);

export type Act = keyof typeof words.acts;
export type Place = keyof typeof words.places | 'none';
export type Shape = keyof typeof words.shapes;
export type Motion = keyof typeof words.motions;

interface Found {
  /** Blocks that the scene expresses. */
  readonly blocks: readonly Block[];
  /** Words that the scene expresses without showing them. */
  readonly told: readonly Span[];
  /** Share of the content words that the scene expresses, 0 to 1. */
  readonly share: number;
}
export interface Story extends Found {
  readonly actors: { icon: string; count: number; color: string | null }[];
  readonly place: Place;
  readonly beats: { actor: number; act: Act; target: number | null }[];
}
export interface ShapeScene extends Found {
  readonly bodies: { shape: Shape; count: number; color: string | null }[];
  readonly motion: Motion;
  readonly times: number | null;
}

/** Words of other languages that mean something different in English: “lit”, “court”, “chat”. */
const notEnglish = new Set(words.notEnglish.split('|'));
const isForeign = (phrase: string, language: string) => language === 'en' && notEnglish.has(phrase);

const pronoun = /^(?:it|he|she|they|er|sie|es|il|elle|ils|elles)$/u;
const maxBlocks = 8;

/** Returns runs of consecutive blocks that may tell a story: plain sentences without dates, numbers or roles. */
function sceneBlocks(reading: Reading): Block[][] {
  const runs: Block[][] = [[]];
  for (const block of reading.blocks) {
    const text = reading.text.slice(block.start, block.end);
    const isPlain =
      (block.kind === 'text' && block.role === null) ||
      (block.kind === 'list' && (block.marks === 'inline' || block.marks === 'number') && block.heading === null);
    const isTold = isPlain && text.length <= 400 && findAmounts(text, reading.language).length === 0;
    if (isTold) runs.at(-1)?.push(block);
    else runs.push([]);
  }
  return runs.filter(({ length }) => length > 0).map((run) => run.slice(0, maxBlocks));
}

/** Returns the count and the colour that the words around a noun give it. */
function qualify(tokens: readonly Token[], at: number): { count: number; color: string | null; spans: Token[] } {
  let [count, color]: [number, string | null] = [1, null];
  const spans: Token[] = [];
  for (const token of [...tokens.slice(Math.max(0, at - 3), at), ...tokens.slice(at + 1, at + 2)]) {
    const hex = colorOf(token.word);
    const number = Number(counts.get(token.word) ?? (/^\d{1,2}$/u.test(token.word) ? token.word : Number.NaN));
    if (hex !== null) color = hex;
    else if (number > 1 && token.end <= (tokens[at]?.start ?? 0)) count = number;
    else continue;
    spans.push(token);
  }
  return { count, color, spans };
}

/** Returns the share of the content words that is understood, and the spans of these words. */
function understood(tokens: readonly Token[], known: ReadonlySet<number>): { told: Span[]; share: number } {
  const content = tokens.flatMap(({ word }, index) => (known.has(index) || !isInstructing(word) ? [index] : []));
  const told = tokens.filter((_, index) => known.has(index));
  return { told, share: content.length === 0 ? 0 : content.filter((index) => known.has(index)).length / content.length };
}

const indexes = (found: { at: number; count: number }) => Array.from({ length: found.count }, (_, index) => found.at + index);
const first = <Name extends string>(lexicon: Lexicon<Name>, tokens: readonly Token[]) => lexicon.find(tokens)[0] ?? null;

/**
 * Reads a scene of moving shapes, such as balls. Returns `null` if the request has none, or also mentions other drawable
 * things.
 */
export function shapesIn(reading: Reading): ShapeScene | null {
  for (const blocks of sceneBlocks(reading)) {
    const tokens = blocks.flatMap((block) => tokensOf(reading.text.slice(block.start, block.end), block.start));
    const found = shapes.find(tokens);
    const motion = first(motions, tokens);
    if (found.length === 0 || motion === null || moversIn(tokens).length > 0) continue;
    const known = new Set([...indexes(motion), ...found.flatMap(indexes)]);
    const bodies = found.slice(0, 3).map(({ value, at }) => {
      const { count, color, spans } = qualify(tokens, at);
      for (const span of spans) known.add(tokens.indexOf(span));
      return { shape: value, count: Math.min(12, count), color };
    });
    const single = bodies.filter(({ shape }, index) => bodies.findIndex((other) => other.shape === shape) === index);
    const repeat = /\b(\w+|\d{1,2})\s*(?:times|mal|fois|veces)\b|\b(twice|zweimal|dreimal|viermal|fünfmal)\b/iu.exec(
      reading.text,
    );
    const word = (repeat?.[1] ?? repeat?.[2] ?? '').toLowerCase();
    const times = Number(counts.get(word) ?? (word === '' ? Number.NaN : word));
    if (repeat !== null)
      for (const [index, { start, end }] of tokens.entries())
        if (start >= repeat.index && end <= repeat.index + repeat[0].length) known.add(index);
    return {
      blocks,
      bodies: single,
      motion: motion.value,
      times: times >= 1 && times <= 12 ? times : null,
      ...understood(tokens, known),
    };
  }
  return null;
}

/** Maximum number of words between an actor and its act. */
const maxGap = 4;

/**
 * Reads a story: drawn things that do something. Returns `null` unless the request has at least one actor with an act near it.
 */
export function storyIn(reading: Reading): Story | null {
  for (const run of sceneBlocks(reading)) {
    const told = run.filter((block) => {
      const tokens = tokensOf(reading.text.slice(block.start, block.end));
      return acts.find(tokens).length > 0 || moversIn(tokens).length > 0;
    });
    const blocks = run.slice(run.indexOf(told[0] as Block), run.indexOf(told.at(-1) as Block) + 1);
    if (told.length === 0) continue;
    const tokens = blocks.flatMap((block) => tokensOf(reading.text.slice(block.start, block.end), block.start));
    const isOwn = ({ phrase }: { phrase: string }) => !isForeign(phrase, reading.language);
    const found = acts.find(tokens).filter(isOwn);
    const movers = new Set(
      moversIn(tokens)
        .filter(isOwn)
        .map(({ at }) => at),
    );
    // Even an inanimate thing is an actor if it does something: “the sun rises”. A noun inside the name of a place is not: a bus
    // stop is not a bus.
    const sites = places.find(tokens).filter(({ count }) => count > 1);
    const isFree = (at: number) => !sites.some((site) => at >= site.at && at < site.at + site.count);
    const nouns = nounsIn(tokens).filter(
      ({ at, count, phrase }) =>
        !isForeign(phrase, reading.language) && isFree(at) && (movers.has(at) || found.some((act) => act.at === at + count)),
    );
    const names = [...new Set(nouns.map(({ value }) => value))].slice(0, 3);
    if (names.length === 0 || found.length === 0) continue;
    const known = new Set<number>();
    const actors = names.map((icon) => {
      const noun = nouns.find(({ value }) => value === icon);
      const { count, color, spans } = qualify(tokens, noun?.at ?? 0);
      for (const span of spans) known.add(tokens.indexOf(span));
      return { icon, count: Math.min(5, count), color };
    });
    for (const noun of nouns) if (names.includes(noun.value)) for (const index of indexes(noun)) known.add(index);
    const indexOf = (noun: { value: string } | undefined) => (noun === undefined ? -1 : names.indexOf(noun.value));
    const isSameClause = (from: number, to: number) =>
      !/[.,;!?\n]/u.test(reading.text.slice(tokens[from]?.end, tokens[to]?.start));
    // “A cat walks” and “walks a cat” describe an action, but “flying cars” is only a name.
    const isTold = found.some((act) =>
      nouns.some(({ at, count }) => {
        // “Autumn leaves falling” has no article, so it is a name.
        const isNamed = at === 0 && /ing$/u.test(act.phrase);
        const isBefore = !isNamed && at + count <= act.at && act.at - at - count < maxGap;
        const isAfter = at > act.at && at - act.at - act.count < maxGap && !/(?:ing|ant|ando|endo|end)$/u.test(act.phrase);
        return (isBefore || isAfter) && isSameClause(Math.min(at, act.at), Math.max(at, act.at));
      }),
    );
    if (!isTold) continue;
    let last = 0;
    const beats: Story['beats'] = [];
    for (const act of found.slice(0, 6)) {
      const before = nouns.filter(({ at }) => at < act.at && isSameClause(at, act.at)).at(0);
      const after = nouns.find(({ at }) => at >= act.at + act.count && at <= act.at + act.count + 4 && isSameClause(act.at, at));
      const isPronoun = tokens.slice(Math.max(0, act.at - 2), act.at).some(({ word }) => pronoun.test(word));
      const nearest = isPronoun ? undefined : [before, after].map(indexOf).find((index) => index >= 0);
      const subject: number = nearest ?? last;
      const object = before === undefined && !isPronoun ? -1 : indexOf(after);
      const partner = nouns
        .filter(({ at }) => at < act.at && isSameClause(at, act.at))
        .map(indexOf)
        .find((index) => index !== subject && index >= 0);
      let target: number | null = null;
      if (object >= 0 && object !== subject) target = object;
      else if (act.value === 'meet') target = partner ?? null;
      beats.push({ actor: subject, act: act.value, target });
      last = subject;
      for (const index of indexes(act)) known.add(index);
    }
    // An actor without an act of its own enters first.
    for (const index of names.keys())
      if (beats.length < 6 && !beats.some(({ actor, target }) => actor === index || target === index))
        beats.unshift({ actor: index, act: 'enter', target: null });
    const all = places.find(tokens).filter((place) => !indexes(place).some((index) => known.has(index)));
    const place = all.find(({ value }) => value !== 'night') ?? all[0];
    for (const each of all)
      if (each.value === place?.value || each.value === 'night') for (const index of indexes(each)) known.add(index);
    return { blocks, actors, place: place?.value ?? 'none', beats, ...understood(tokens, known) };
  }
  return null;
}
