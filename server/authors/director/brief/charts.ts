import { fold } from './fold.ts';
import type { BarValue, Meaning } from './lexemes.ts';
import { lookUp } from './lexicon.ts';
import { type Language, languages } from './sense.ts';
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
/** Days, months, quarters and years, as short and as long as calendars have them: they name a figure by themselves. */
function namesOfPeriods(): ReadonlySet<string> {
  return new Set(
    languages
      .flatMap((language) =>
        (['short', 'long'] as const).flatMap((length) => {
          const weekday = new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' });
          const month = new Intl.DateTimeFormat(language, { month: length, timeZone: 'UTC' });
          return [
            ...Array.from({ length: 7 }, (_, day) => fold(weekday.format(Date.UTC(2024, 0, day + 1)))),
            ...Array.from({ length: 12 }, (_, at) => fold(month.format(Date.UTC(2024, at, 1)))),
          ];
        }),
      )
      .map((name) => name.replace(/\.$/, '')),
  );
}
let periodNames: ReadonlySet<string> | null = null;
/** Asked of the calendars at the first sentence: a server that starts would wait for them. */
function isPeriodName(word: string): boolean {
  periodNames ??= namesOfPeriods();
  return periodNames.has(word);
}
const isPeriod = (token: Token | undefined): boolean =>
  isYear(token) || (token?.type === 'word' && (isPeriodName(token.key) || /^q[1-4]$/.test(token.key)));

/** "Week 1 2 cm": a period with its number. */
const counted = /^(?:weeks?|days?|months?|years?|rounds?|woche|tag|monat|jahr|runde|semaine|jour|mois|annee|semana|dia|mes|ano)$/;
/** Between a figure and its period, and between one such pair and the next. */
const inPeriod = new Set(['in', 'im', 'on', 'for', 'en', 'au', 'am']);
const onwards = new Set(['to', 'then', 'auf', 'dann', 'a', 'puis', 'luego', 'hasta', 'but']);
/** "120 [new visitors] in March". */
const mostCounted = 2;

/** "42 in 2021 to 57 in 2022", "week 1 2 cm, week 2 5 cm": figures that a sentence gives to periods. */
function told(tokens: readonly Token[], start: number): ChartSpan | null {
  const bars: BarValue[] = [];
  let [end, unit] = [start, ''];
  const numberAt = (i: number) => {
    const token = tokens[i];
    return token?.type === 'number' ? token : null;
  };
  for (let at = start; bars.length < maxBars; ) {
    const word = tokens[at];
    const value = numberAt(at);
    const numbered = word?.type === 'word' && counted.test(word.key) ? numberAt(at + 1) : null;
    const figure = numbered === null ? null : numberAt(isLink(tokens[at + 2]) ? at + 3 : at + 2);
    if (word?.type === 'word' && numbered !== null && figure !== null) {
      const last = tokens.indexOf(figure, at);
      const measure = tokens[last + 1];
      const measured = measure?.type === 'word' && measure.key.length <= 3 && !isJoint(measure);
      unit = unit === '' ? (measured ? ` ${measure.text}` : unitOf(figure)) : unit;
      bars.push({ label: `${word.text} ${numbered.text}`, value: figure.value });
      end = last + (measured ? 2 : 1);
    } else if (value !== null && !isPeriod(value)) {
      let next = at + 1;
      while (next - at <= mostCounted && tokens[next]?.type === 'word' && !inPeriod.has(keyAt(tokens, next))) next += 1;
      const label = tokens[next + 1];
      if (!inPeriod.has(keyAt(tokens, next)) || label === undefined || !isPeriod(label)) break;
      unit = unit === '' ? unitOf(value) : unit;
      bars.push({ label: labelText(label), value: value.value });
      end = next + 2;
    } else break;
    at = end;
    while (isJoint(tokens[at]) || onwards.has(keyAt(tokens, at))) at += 1;
  }
  return bars.length < 2 ? null : spanOf(start, { bars, end, unit });
}

const keyAt = (tokens: readonly Token[], at: number): string => {
  const token = tokens[at];
  return token?.type === 'word' ? token.key : '';
};

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
  const named = tokens.some(
    (token, i) =>
      token.type === 'word' && (namesChart(token.key, language) || namesChart(`${token.key} ${nextKey(tokens, i)}`, language)),
  );
  const spans: ChartSpan[] = [];
  for (let i = 0; i < tokens.length; i += 1) {
    // Without a word for a chart two pairs could be anything, unless their labels are of a calendar or stand before a colon.
    const said = isPeriod(tokens[i]) || (isLink(tokens[i + 1]) && tokens[i + 1]?.type === 'mark');
    const chartWord = named || said || makesWhole(tokens, i);
    const span =
      told(tokens, i) ??
      pairs(tokens, i, { language, least: isShare(tokens[i]) && named ? 1 : chartWord ? 2 : 3, chartWord }) ??
      values(tokens, i, { language, least: named ? 2 : 3, named });
    if (span === null) continue;
    spans.push(span);
    i = span.end - 1;
  }
  return spans;
}

const isShare = (token: Token | undefined): boolean => token?.type === 'number' && token.suffix.endsWith('%');

/** "30% tea and 70% coffee": shares that make a whole. */
function makesWhole(tokens: readonly Token[], start: number): boolean {
  if (!isShare(tokens[start])) return false;
  const near = tokens.slice(start, start + 4 * maxBars);
  const shares = near.flatMap((token) => (token.type === 'number' && isShare(token) ? [token.value] : []));
  return shares.length > 1 && Math.abs(shares.reduce((sum, value) => sum + value, 0) - 100) < 1.5;
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
    const scale = scaleOf(tokens[valueAt + 1], language);
    if (value?.type !== 'number' || (scale === '' && isUnit(tokens[valueAt + 1], language))) return null;
    if (!isPeriod(label) && isYear(value)) return null;
    return {
      bar: { label: labelText(label), value: value.value },
      end: valueAt + (scale === '' ? 1 : 2),
      unit: scale === '' ? unitOf(value) : ` ${scale}`,
    };
  });
  if (labelFirst.bars.length >= Math.max(2, least)) return spanOf(start, labelFirst);
  if (!chartWord) return null;
  const valueFirst = chain(tokens, start, (at) => {
    const value = tokens[at];
    const labelAt = ['of', 'for', 'von', 'fuer', 'de', 'pour', 'para'].includes(nextKey(tokens, at)) ? at + 2 : at + 1;
    const label = tokens[labelAt];
    if (value?.type !== 'number' || label?.type !== 'word' || !isLabel(label, language, !isShare(value))) return null;
    return { bar: { label: label.text, value: value.value }, end: labelAt + 1, unit: unitOf(value) };
  });
  return valueFirst.bars.length >= least ? spanOf(start, valueFirst) : null;
}

/** Shares of a whole are a pie unless a word names another chart. */
function spanOf(start: number, { bars, end, unit }: Chain): ChartSpan {
  const whole = unit === '%' && Math.abs(bars.reduce((sum, { value }) => sum + value, 0) - 100) < 1.5;
  return { start, end, meaning: { kind: 'bars', bars, unit, heading: null, ...(whole ? { chart: 'pie' as const } : {}) } };
}

/** "4 million": the word behind a figure that makes it larger. */
const scaleOf = (token: Token | undefined, language: Language): string =>
  token?.type === 'word' && lookUp(token.key, language)[0]?.kind === 'scale' ? token.text : '';

function values(
  tokens: readonly Token[],
  start: number,
  { language, least, named: isNamed }: { language: Language; least: number; named: boolean },
): ChartSpan | null {
  const list = chain(tokens, start, (at) => {
    const value = tokens[at];
    return value?.type === 'number' && !isUnit(tokens[at + 1], language)
      ? { bar: { label: '', value: value.value }, end: at + 1, unit: unitOf(value) }
      : null;
  });
  const joined = list.end - start >= list.bars.length * 2 - 1;
  if (list.bars.length < least || !joined || (!isNamed && isCountdown(list.bars.map(({ value }) => value)))) return null;
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

/** "3, 2, 1": from number to number down to one or nothing. */
export const isCountdown = (values: readonly number[]): boolean =>
  values.length > 2 && (values.at(-1) ?? 2) <= 1 && values.every((value, i) => i === 0 || value === (values[i - 1] ?? 0) - 1);

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
