import colors from '../words/colors.json' with { type: 'json' };
import directions from '../words/directions.json' with { type: 'json' };
import formats from '../words/formats.json' with { type: 'json' };
import looks from '../words/looks.json' with { type: 'json' };
import mail from '../words/mail.json' with { type: 'json' };
import slots from '../words/slots.json' with { type: 'json' };
import type { Token } from './lexicon.ts';
import { Lexicon, tokensOf } from './lexicon.ts';

/** A word of a request, with the features that determine its label. */
export interface FeaturedWord extends Token {
  /** Rows of the features in the table of weights. */
  readonly features: readonly number[];
  /** Kind of separator between the previous word and this one. It determines the transition weights between labels. */
  readonly gap: string;
}

/** Class of each phrase in the word lists. The first list that contains a phrase determines its class. */
const classes = new Lexicon<string>();
for (const name of ['ask', 'make', 'order', 'medium', 'place', 'wish', 'look', 'material', 'mood', 'soft', 'only'] as const)
  classes.add(directions[name], name);
for (const [group, lists] of Object.entries({ mail, slot: slots, style: looks.styles, aspect: looks.aspects }))
  for (const [name, phrases] of Object.entries(lists as Record<string, string>))
    classes.add(phrases, group === 'style' || group === 'aspect' ? group : `${group}-${name}`);
for (const phrases of Object.values(colors)) classes.add(phrases, 'color');
for (const name of ['highlight', 'exclude', 'negative', 'drawn', 'audience'] as const) classes.add(directions[name], name);
for (const phrases of Object.values(formats)) classes.add(phrases, 'format');
classes.add(
  'my|our|ours|mine|mein|meine|meinen|meinem|unser|unsere|unseren|unserem|mon|ma|mes|notre|nos|mi|mis|nuestro|nuestra',
  'own',
);
classes.add('i|we|im|were|id|ive|ich|wir|je|nous|yo|nosotros|me|us|mir|uns|moi', 'self');
classes.add('you|your|yours|du|dein|deine|ihr|euer|eure|sie|tu|vous|votre|vos|tus|usted|ustedes', 'you');
classes.add('it|this|that|these|those|them|they|es|das|dies|diese|ca|cela|ils|elles|esto|eso|lo', 'it');
classes.add(directions.stop, 'stop');
for (const phrases of Object.values(looks.themes)) classes.add(phrases, 'theme');

/** Number of rows in the table of weights. Features are hashed to rows (Weinberger et al. 2009). */
export const rowCount = 2 ** 17;

/** Returns the row of a feature (FNV-1a hash). */
function rowOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < feature.length; index++) hash = Math.imul(hash ^ feature.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) & (rowCount - 1);
}

/** Maximum number of labelled words. The rest of a longer request is content. */
const maxWords = 900;

const shapeOf = (text: string): string => {
  if (/^\d/u.test(text)) return /\p{L}/u.test(text) ? 'mixed' : `digit${Math.min(4, text.length)}`;
  if (/\d/u.test(text)) return 'mixed';
  if (/^\p{Lu}{2,}$/u.test(text)) return 'caps';
  if (/^\p{Lu}$/u.test(text)) return 'initial';
  return /^\p{Lu}/u.test(text) ? 'name' : 'low';
};

/** Kinds of separator between two words. */
export const gapKinds = [
  'blank',
  'line',
  'stop',
  'dot',
  'quote',
  'open',
  'close',
  'dash',
  'colon',
  'ratio',
  'comma',
  'tight',
  'sign',
  'symbol',
  'emoji',
  'space',
  'mark',
];

/** Returns the kind of separator between two words. If there are several, the strongest counts. */
function gapOf(gap: string): string {
  if (/\n\s*\n/u.test(gap)) return 'blank';
  if (gap.includes('\n')) return 'line';
  if (/[.!?…]/u.test(gap)) return /\s/u.test(gap) ? 'stop' : 'dot';
  if (/["“”„«»‘]/u.test(gap)) return 'quote';
  if (gap.includes('(') || gap.includes('[')) return 'open';
  if (gap.includes(')') || gap.includes(']')) return 'close';
  if (/\s[-–—]+\s|—|–/u.test(gap)) return 'dash';
  if (gap.includes(':')) return /\s/u.test(gap) ? 'colon' : 'ratio';
  if (/[,;]/u.test(gap)) return /\s/u.test(gap) ? 'comma' : 'tight';
  if (/[€$£%#@]/u.test(gap)) return 'sign';
  if (/[/|→=+&<>*_`{}]/u.test(gap)) return 'symbol';
  if (/\p{Extended_Pictographic}/u.test(gap)) return 'emoji';
  return gap.trim() === '' ? 'space' : 'mark';
}

function bucket(count: number): number {
  if (count < 3) return count;
  if (count < 6) return 4;
  return count < 12 ? 8 : 16;
}

/** Returns for each word the bounds of its run: the index of the first word, and that of the word after the last. */
function runsOf(count: number, breaks: (index: number) => boolean): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && !breaks(to)) to++;
    const run = { from, to };
    for (let index = from; index < to; index++) runs.push(run);
    from = to;
  }
  return runs;
}

/** Returns for each word the number of its run, counted from the start. */
function numbersOf(runs: readonly { from: number }[]): number[] {
  let number = -1;
  return runs.map(({ from }, index) => (from === index ? ++number : number));
}

const sentenceGaps = new Set(['stop', 'line', 'blank']);
const clauseGaps = new Set([...sentenceGaps, 'comma', 'dash', 'colon', 'open', 'close', 'quote', 'emoji']);
const lineGaps = new Set(['line', 'blank']);

/**
 * Returns the words of the text with their features, which describe the word, its neighbours, its clause, its sentence and its
 * line.
 */
export function featuredWords(text: string): FeaturedWord[] {
  const tokens = tokensOf(text).slice(0, maxWords);
  const count = tokens.length;
  const gaps = tokens.map(({ start }, index) => (index === 0 ? 'blank' : gapOf(text.slice(tokens[index - 1]?.end, start))));
  const kinds = new Array<string>(count).fill('other');
  for (const { value, at, count: length } of classes.find(tokens)) kinds.fill(value, at, at + length);
  const words = tokens.map(({ word }) => word.replace(/\d/gu, '0'));
  const shapes = tokens.map((token) => shapeOf(token.text));
  const has = (set: ReadonlySet<string>) => (index: number) => set.has(gaps[index] ?? '');
  const clauses = runsOf(count, has(clauseGaps));
  const sentences = runsOf(count, has(sentenceGaps));
  const lines = runsOf(count, has(lineGaps));
  const paragraphs = runsOf(count, (index) => gaps[index] === 'blank');
  const sentenceNumbers = numbersOf(sentences);
  const lineNumbers = numbersOf(lines);
  const [lastSentence = 0, lastLine = 0] = [sentenceNumbers.at(-1), lineNumbers.at(-1)];
  const summaries = new Map<{ from: number; to: number }, readonly number[]>();
  const summaryOf = (run: { from: number; to: number }, name: string): readonly number[] => {
    const known = summaries.get(run);
    if (known !== undefined) return known;
    const inside = new Set(kinds.slice(run.from, run.to));
    inside.delete('other');
    inside.delete('stop');
    inside.delete('theme');
    const found = [...inside].map((kind) => `${name}k=${kind}`);
    found.push(`${name}n=${bucket(run.to - run.from)}`, `${name}kz=${kinds[run.from]}_${kinds[run.to - 1]}`);
    found.push(`${name}1=${words[run.from]}`);
    if (run.to - run.from > 1) found.push(`${name}k2=${kinds[run.from]}_${kinds[run.from + 1]}`);
    if (name === 'c') found.push(`cz=${words[run.to - 1]}`);
    if (inside.size === 0) found.push(`${name}plain`);
    const forms = shapes.slice(run.from, run.to);
    if (forms.some((shape) => shape.startsWith('digit') || shape === 'mixed')) found.push(`${name}digit`);
    if (forms.slice(1).some((shape) => shape === 'name')) found.push(`${name}name`);
    found.push(`${name}form=${forms[0]}_${forms.at(-1)}_${gaps[run.to] ?? '$'}`);
    if (name === 'c')
      for (const word of new Set(words.slice(run.from, Math.min(run.to, run.from + 12)))) found.push(`cw=${word}`);
    const start = tokens[run.from]?.start ?? 0;
    const lead = text.slice(text.lastIndexOf('\n', start) + 1, start).trim();
    if (name === 'l')
      found.push(
        `lead=${lead.slice(0, 4)}`,
        `lmarks=${bucket((text.slice(start, tokens[run.to - 1]?.end).match(/[,;|\t]/gu) ?? []).length)}`,
      );
    const rows = found.map(rowOf);
    summaries.set(run, rows);
    return rows;
  };
  const besides = new Map<string, readonly number[]>();
  /** Returns the features of the clause before or after the one with a word. */
  const besideOf = (run: { from: number; to: number }, name: string): readonly number[] => {
    const key = `${name}${run.from}`;
    const known = besides.get(key);
    if (known !== undefined) return known;
    const inside = new Set(kinds.slice(run.from, run.to));
    for (const kind of ['other', 'stop', 'theme']) inside.delete(kind);
    const rows = [...inside, `1${words[run.from]}`, `s${shapes[run.from]}`].map((each) => rowOf(`${name}~${each}`));
    besides.set(key, rows);
    return rows;
  };
  const quoted = inPairs(text, /["“„«][^"“”„«»\n]{1,400}["”“»]/gu);
  const bracketed = inPairs(text, /[([][^()[\]\n]{1,300}[)\]]/gu);
  const [isQuoted, isBracketed] = [within(tokens, quoted), within(tokens, bracketed)];
  const at = (values: readonly string[], index: number) => values[index] ?? '^';
  return tokens.map((token, index) => {
    const word = words[index] ?? '';
    const [clause, sentence, line, paragraph] = [clauses[index], sentences[index], lines[index], paragraphs[index]];
    const [kind, shape, gap, after] = [at(kinds, index), at(shapes, index), at(gaps, index), at(gaps, index + 1)];
    const sentenceNumber = sentenceNumbers[index] ?? 0;
    const own = [
      'bias',
      `w=${word}`,
      `w-1=${at(words, index - 1)}`,
      `w-2=${at(words, index - 2)}`,
      `w+1=${at(words, index + 1)}`,
      `w+2=${at(words, index + 2)}`,
      `v=${at(words, index - 1)}_${word}`,
      `u=${word}_${at(words, index + 1)}`,
      `k=${kind}`,
      `k-1=${at(kinds, index - 1)}`,
      `k-2=${at(kinds, index - 2)}`,
      `k+1=${at(kinds, index + 1)}`,
      `k+2=${at(kinds, index + 2)}`,
      `kk-=${at(kinds, index - 1)}_${kind}`,
      `kk+=${kind}_${at(kinds, index + 1)}`,
      `wk=${at(words, index - 1)}_${kind}`,
      `s=${shape}`,
      `s-1=${at(shapes, index - 1)}`,
      `s+1=${at(shapes, index + 1)}`,
      `sg=${shape}_${gap}_${after}`,
      `ks=${kind}_${shape}`,
      `g=${gap}`,
      `ga=${after}`,
      `gw=${gap}_${word}`,
      `gk=${gap}_${kind}`,
      `gv=${gap}_${at(words, index - 1)}`,
      `p=${word.slice(0, 4)}`,
      `e=${word.slice(-3)}`,
      `q=${isQuoted[index]}`,
      `b=${isBracketed[index]}`,
      `n=${Math.min(4, sentenceNumber)}`,
      `m=${Math.min(3, lastSentence - sentenceNumber)}`,
      `nl=${Math.min(3, lineNumbers[index] ?? 0)}_${Math.min(3, lastLine)}`,
      `ml=${Math.min(2, lastLine - (lineNumbers[index] ?? 0))}_${Math.min(2, lastSentence - sentenceNumber)}`,
      `all=${bucket(count)}_${Math.min(3, lastSentence)}`,
      `i=${Math.min(4, index - (clause?.from ?? 0))}`,
      `pl=${bucket((lineNumbers[(paragraph?.to ?? 1) - 1] ?? 0) - (lineNumbers[paragraph?.from ?? 0] ?? 0))}_${shape}`,
    ];
    own.push(`cb=${at(kinds, (clause?.from ?? 0) - 1)}`, `cg=${at(gaps, clause?.from ?? 0)}_${at(gaps, clause?.to ?? 0)}`);
    const features = own.map(rowOf);
    if (clause !== undefined) {
      features.push(...summaryOf(clause, 'c'));
      const [previous, next] = [clauses[clause.from - 1], clauses[clause.to]];
      if (previous !== undefined) features.push(...besideOf(previous, 'p'));
      if (next !== undefined) features.push(...besideOf(next, 'f'));
    }
    if (sentence !== undefined) features.push(...summaryOf(sentence, 's'));
    if (line !== undefined) features.push(...summaryOf(line, 'l'));
    return { ...token, features, gap };
  });
}

/** Returns the spans that are enclosed in quotation marks or brackets. */
const inPairs = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));

function within(tokens: readonly Token[], spans: readonly { start: number; end: number }[]): boolean[] {
  let next = 0;
  return tokens.map(({ start }) => {
    while (next < spans.length && (spans[next]?.end ?? 0) <= start) next++;
    return (spans[next]?.start ?? Number.POSITIVE_INFINITY) <= start;
  });
}
