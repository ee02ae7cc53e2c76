import type { BarValue, Meaning } from './lexemes.ts';
import { lookUp } from './lexicon.ts';
import type { Language } from './sense.ts';
import type { Token } from './tokens.ts';

export interface ChartSpan {
  readonly start: number;
  readonly end: number;
  readonly meaning: Extract<Meaning, { kind: 'bars' }>;
}

/** More bars than this stop being readable on a phone. */
const maxBars = 12;
const notLabels = new Set([
  'scene',
  'shot',
  'step',
  'part',
  'number',
  'slide',
  'szene',
  'escena',
  'version',
  'from',
  'to',
  'and',
  'of',
  'in',
  'for',
  'by',
  'with',
  'is',
  'at',
  'than',
  'times',
  'top',
  'und',
  'et',
  'y',
  'von',
  'bis',
  'de',
  'count',
  'after',
  'duration',
  'length',
  'fps',
]);

const isJoint = (token: Token | undefined): boolean =>
  token !== undefined &&
  ((token.type === 'mark' && ['comma', 'semicolon', 'newline', 'item', 'bracket'].includes(token.mark)) ||
    (token.type === 'word' && ['and', 'und', 'et', 'y'].includes(token.key)));
const isLink = (token: Token | undefined): boolean =>
  token !== undefined &&
  ((token.type === 'mark' && ['colon', 'equals', 'dash', 'bracket'].includes(token.mark)) ||
    (token.type === 'word' && ['is', 'at', 'with'].includes(token.key)));

/** "2021 12, 2022 30": a year in front of a figure names it. */
function isYear(token: Token | undefined): token is Extract<Token, { type: 'number' }> {
  return token?.type === 'number' && /^(?:19|20)\d\d$/.test(token.text);
}

function isLabel(token: Token | undefined, language: Language, strict: boolean): boolean {
  if (token?.type === 'quote' || isYear(token)) return true;
  if (token?.type !== 'word' || notLabels.has(token.key)) return false;
  const kind = lookUp(token.key, language)[0]?.kind;
  return kind === undefined || kind === 'filler' || (!strict && !['unit', 'scale', 'times', 'article'].includes(kind));
}

const labelText = (token: Token): string => (token.type === 'word' || token.type === 'quote' || isYear(token) ? token.text : '');
const isUnit = (token: Token | undefined, language: Language): boolean =>
  token?.type === 'word' && ['unit', 'times', 'fps', 'degrees', 'scale'].includes(lookUp(token.key, language)[0]?.kind ?? '');

interface Chain {
  readonly bars: BarValue[];
  readonly end: number;
  readonly unit: string;
}

/** Reads `item (joint item)*` from `start`; an item reader answers the bar and where it ends. */
function chain(
  tokens: readonly Token[],
  start: number,
  item: (at: number) => { bar: BarValue; end: number; unit: string } | null,
): Chain {
  const bars: BarValue[] = [];
  let end = start;
  let unit = '';
  let at = start;
  for (let found = item(at); found !== null && bars.length < maxBars; found = item(at)) {
    bars.push(found.bar);
    unit = unit === '' ? found.unit : unit;
    end = found.end;
    at = end;
    while (isJoint(tokens[at])) at += 1;
  }
  return { bars, end, unit };
}

const unitOf = (token: Extract<Token, { type: 'number' }>): string => token.suffix || token.prefix;

/**
 * Finds values for a bar chart: "Q1 20, Q2 35, Q3 50", "sales 10, 40, 80", "20 apples, 35 pears" (only next to
 * a word for a chart). Without such a word two pairs could be anything, so three are asked for.
 */
export function findCharts(tokens: readonly Token[], language: Language): ChartSpan[] {
  const chartWord = tokens.some(
    (token, i) =>
      token.type === 'word' && (namesChart(token.key, language) || namesChart(`${token.key} ${nextKey(tokens, i)}`, language)),
  );
  const least = chartWord ? 2 : 3;
  const spans: ChartSpan[] = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const span = pairs(tokens, i, { language, least, chartWord }) ?? values(tokens, i, { language, least });
    if (span === null) continue;
    spans.push(span);
    i = span.end - 1;
  }
  return spans;
}

const nextKey = (tokens: readonly Token[], i: number): string => {
  const next = tokens[i + 1];
  return next?.type === 'word' ? next.key : '';
};
const namesChart = (key: string, language: Language): boolean =>
  lookUp(key, language).some((sense) => sense.kind === 'subject' && sense.ref.kind === 'bars');

function pairs(
  tokens: readonly Token[],
  start: number,
  { language, least, chartWord }: { language: Language; least: number; chartWord: boolean },
): ChartSpan | null {
  const labelFirst = chain(tokens, start, (at) => {
    const label = tokens[at];
    if (label === undefined || !isLabel(label, language, !chartWord)) return null;
    const valueAt = isLink(tokens[at + 1]) ? at + 2 : at + 1;
    const value = tokens[valueAt];
    if (value?.type !== 'number' || isUnit(tokens[valueAt + 1], language)) return null;
    return { bar: { label: labelText(label), value: value.value }, end: valueAt + 1, unit: unitOf(value) };
  });
  if (labelFirst.bars.length >= least)
    return { start, end: labelFirst.end, meaning: { kind: 'bars', bars: labelFirst.bars, unit: labelFirst.unit, heading: null } };
  if (!chartWord) return null;
  const valueFirst = chain(tokens, start, (at) => {
    const value = tokens[at];
    const label = tokens[at + 1];
    if (value?.type !== 'number' || label?.type !== 'word' || !isLabel(label, language, true)) return null;
    return { bar: { label: label.text, value: value.value }, end: at + 2, unit: unitOf(value) };
  });
  return valueFirst.bars.length >= least
    ? { start, end: valueFirst.end, meaning: { kind: 'bars', bars: valueFirst.bars, unit: valueFirst.unit, heading: null } }
    : null;
}

function values(
  tokens: readonly Token[],
  start: number,
  { language, least }: { language: Language; least: number },
): ChartSpan | null {
  const list = chain(tokens, start, (at) => {
    const value = tokens[at];
    return value?.type === 'number' && !isUnit(tokens[at + 1], language)
      ? { bar: { label: '', value: value.value }, end: at + 1, unit: unitOf(value) }
      : null;
  });
  const joined = list.end - start >= list.bars.length * 2 - 1;
  if (list.bars.length < least || !joined) return null;
  const heading: string[] = [];
  for (let before = tokens[start - 1]; before?.type === 'word' && heading.length < maxHeadingWords; ) {
    if (!isLabel(before, language, true) || lookUp(before.key, language).length > 0) break;
    heading.unshift(before.text);
    before = tokens[start - heading.length - 1];
  }
  // "Countdown: 3, 2, 1" is no chart.
  if (countsDown(tokens[start - heading.length - 1], tokens[start - heading.length - 2], language)) return null;
  return {
    start: start - heading.length,
    end: list.end,
    meaning: {
      kind: 'bars',
      bars: named(list.bars, tokens),
      unit: list.unit,
      heading: heading.length === 0 ? null : heading.join(' '),
    },
  };
}

/** "Average quarterly sales 12, 18": the words right in front of the figures say what they are. */
const maxHeadingWords = 3;

const countsDown = (last: Token | undefined, before: Token | undefined, language: Language): boolean =>
  [last, before].some(
    (token, i) =>
      token?.type === 'word' &&
      (i === 0 || last?.type === 'mark') &&
      lookUp(token.key, language).some(({ kind }) => kind === 'countdown'),
  );

const periods: readonly { readonly words: RegExp; readonly labels: readonly string[] }[] = [
  {
    words: /^(?:quarter|quarters|quarterly|quartal|quartale|trimestre|trimestres|trimestriel)$/,
    labels: ['Q1', 'Q2', 'Q3', 'Q4'],
  },
  {
    words: /^(?:month|months|monthly)$/,
    labels: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  },
];

/** Figures of quarters or months have their names below them. */
function named(bars: readonly BarValue[], tokens: readonly Token[]): readonly BarValue[] {
  const period = periods.find(({ words }) => tokens.some((token) => token.type === 'word' && words.test(token.key)));
  if (period === undefined || bars.length > period.labels.length) return bars;
  return bars.map((bar, i) => ({ ...bar, label: period.labels[i] ?? '' }));
}
