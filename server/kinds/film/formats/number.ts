import { z } from 'zod';
import { pairIn } from '../author/read/changes.ts';
import { clip, clipped, highlighted, isNamed, isPriced, plain } from '../author/read/fill.ts';
import type { Amount, BlockOf, Item, Reading } from '../author/read/reading.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { findAmounts } from '../author/read/values.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  title: line(60).nullable().describe('heading'),
  numbers: z
    .array(
      z.object({
        value: z.number().min(-1e15).max(1e15).describe('value, which counts up'),
        from: z.number().min(-1e15).max(1e15).nullable().describe('counts from here; null from 0, or near a large value'),
        decimals: z.int().min(0).max(4).default(0).describe('decimals shown'),
        prefix: z.string().max(6).default('').describe('before it, such as “$”'),
        suffix: z.string().max(12).default('').describe('after it, such as “ %”'),
        label: line(44).nullable().describe('what it counts'),
        trend: line(16).nullable().describe('change with its sign, such as “+55 %”'),
      }),
    )
    .min(1)
    .max(6)
    .describe('key figures'),
  gauge: z.enum(['none', 'bar', 'ring', 'dots']).default('none').describe('of the first number; dots if it is the only one'),
  of: z.number().min(0).max(1e15).nullable().describe('full gauge; null is 100 %'),
  layout: z
    .enum(['first', 'cards'])
    .nullable()
    .optional()
    .describe('first fills the frame, or equal cards; null takes the first'),
});
type Props = z.infer<typeof schema>;

const figureOf = (
  { value, decimals, prefix, suffix }: Pick<Amount, 'value' | 'decimals' | 'prefix' | 'suffix'>,
  label: string | null,
  trend: string | null = null,
) => ({
  value,
  from: null,
  decimals,
  prefix: prefix.trim().slice(0, 6),
  suffix: suffix.slice(0, 12),
  label: clipped(label, 60),
  trend: trend !== null && trend.length <= 16 ? trend : null,
});

/** Matches a value that the sender does not have. */
const isUnknown = /^(?:n\/?a|n\.a\.|tbd|tba|none|unknown|k\.\s?a\.|[-–—?]+)$/iu;

/** Matches lists of key figures: labels with numbers of several kinds. */
function matchFigures(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'list').flatMap((block) => {
    const known = block.items.filter(({ value }) => value === null || !isUnknown.test(value));
    const figures = known.flatMap((item) => figureIn(item) ?? []);
    if (figures.length < known.length || figures.length < 2) return [];
    const score = scoreOfFigures(known) + (isNamed(reading, 'number') ? 0.15 : 0);
    const first = highlighted(
      reading,
      known.map(({ label }) => label),
    );
    // A figure that the user wants to emphasise has a scene of its own.
    const parts =
      first === null ? chunk(figures, 6) : [figures.slice(first, first + 1), ...chunk(figures.toSpliced(first, 1), 6)];
    const scenes = parts.map((numbers) => ({
      title: clipped(block.heading?.text, 60),
      numbers,
      gauge: 'none' as const,
      of: null,
      ...(numbers.length > 1 && !hasLead(numbers) ? { layout: 'cards' as const } : {}),
    }));
    return [{ score, scenes, spans: spansOf(block) }];
  });
}

/** Returns whether only the first figure has a change, so that the others explain it. */
const hasLead = ([first, ...rest]: Props['numbers']) => first?.trend != null && rest.every(({ trend }) => trend === null);

/** Returns an item's figure, or `null` if its value is more than a number. A short detail becomes the trend. */
function figureIn({ amount, value, label, detail }: Item): Props['numbers'][number] | null {
  if (amount === null || amount.suffix.length > 12) return null;
  if (value !== null && amount.text.length < value.length - 2) return null;
  const name = value === null ? label.replace(amount.text, '').trim() : label;
  // A label such as “Waiting time down to” is incomplete without its number.
  if (value === null && (openEnd.test(name) || /\d/u.test(name))) return null;
  if (detail === null) return figureOf(amount, name);
  return detail.length <= 16 ? figureOf(amount, name, detail) : figureOf(amount, `${name} (${detail})`);
}

function scoreOfFigures(items: readonly Item[]): number {
  if (isPriced(items)) return 0.5;
  return new Set(items.map(({ amount }) => amount?.suffix.trim() ?? '')).size > 1 ? 0.72 : 0.6;
}

const changing =
  '(?:goes|went|gone|ris(?:es|en)|rose|grow(?:s|n)|grew|climb(?:s|ed)|jump(?:s|ed)|increase[sd]?|expand(?:s|ed)|is up|steigt|stieg|wächst|wuchs|(?:est |sont |a |ha )?pass[ée]e?s?|augmente|sube|subió|pasa|pasó|crece|creció|wzros(?:ła|ło|ł))';
const changed = new RegExp(`(?:\\s+${changing})?\\s*(?:\\bfrom|\\bvon|\\bde|\\bdesde|\\bod|\\bz)\\s*$`, 'iu');
/** Words that distinguish a change from a range: “children from 6 to 12” is not growth. */
const growth = new RegExp(
  `(?:^|\\s)(?:${changing}|doubl(?:es|ed)|tripl(?:es|ed)|growth|count(?:er|s)?|zähl\\p{L}*|verdoppel\\p{L}*|gewachsen|gestiegen)(?:\\s|$)`,
  'iu',
);

interface Range {
  readonly props: Props;
  /** Words before the first value that the counting animation expresses, such as “went from”. */
  readonly told: string;
}

/** Reads a count with a start: “from 0 to 1 million downloads”, “Members: 1,200 → 3,400”. Returns `null` if there is none. */
function rangeIn(text: string, amounts: readonly Amount[], isAsked: boolean): Range | null {
  const pair = amounts.length === 2 ? pairIn(text, amounts) : null;
  if (pair === null || pair.link === 'dash' || pair.second.value === pair.first.value) return null;
  const { first, second } = pair;
  // A count shows a single unit, so the first value must have the second one's unit or none.
  const isOneUnit = (['prefix', 'suffix'] as const).every((key) => ['', second[key].trim()].includes(first[key].trim()));
  const noun = /^\s*(\p{L}+)\.?\s+\S+\s*$/u.exec(text.slice(first.end, second.start))?.[1];
  if (!isOneUnit || (noun !== undefined && !text.slice(second.end).trim().startsWith(noun))) return null;
  const lead = text.slice(0, first.start);
  const isChanging = pair.link === 'arrow' || ((first.value === 0 || isAsked || growth.test(lead)) && second.value > first.value);
  const before = lead
    .replace(changed, '')
    .replace(/[\s:–—-]+$/u, '')
    .trim();
  const after = text.slice(second.end).trim();
  if (!isChanging || before.length > 60 || after.length > 44) return null;
  const numbers = [{ ...figureOf(second, after), from: first.value }];
  return { props: { title: clipped(before, 60), numbers, gauge: 'none', of: null }, told: changed.exec(lead)?.[0].trim() ?? '' };
}

const isYearLike = ({ kind, decimals, value, text }: Amount) =>
  kind === 'count' && decimals === 0 && value >= 1400 && value <= 2100 && !/\D/u.test(text);

/** Matches the start of a heading such as “What 900 nurses told us”, which is one sentence. */
const isQuestion = /^(?:what|how|why|when|where|who|which|was|wie|warum|wo|wer|comment|pourquoi|qué|cómo|por qué|quién)\s/iu;

const hasOwnRole = ({ role }: BlockOf<'text'>) => role === 'end' || role === 'source' || role === 'unit';

/** Matches a sentence about one significant number: a price, a share, a count in the thousands, or part of a whole. */
function matchOne(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'text').flatMap((block) => {
    const text = plain(block.piece.text);
    if (text.length > 110 || hasOwnRole(block) || isQuestion.test(text)) return [];
    const all = findAmounts(text, reading.language);
    // A year next to another number is a date, not a second number.
    const rest = all.filter((amount) => !isYearLike(amount));
    const amounts = rest.length > 0 ? rest : all;
    const share = shareIn(text, isDotted(reading));
    if (share !== null) return [{ score: 0.82, scenes: [share], spans: spansOf(block), told: [block] }];
    const range = rangeIn(text, amounts, isNamed(reading, 'number'));
    if (range !== null) {
      const at = reading.text.indexOf(range.told, block.start);
      const told = at === -1 ? [] : [{ start: at, end: at + range.told.length }];
      return [{ score: 0.8, scenes: [range.props], spans: spansOf(block), told }];
    }
    const match = matchAmount(text, amounts, { isAsked: isNamed(reading, 'number'), isDots: isDotted(reading) });
    return match === null ? [] : [{ ...match, spans: spansOf(block) }];
  });
}

function matchAmount(
  text: string,
  amounts: readonly Amount[],
  { isAsked, isDots }: { isAsked: boolean; isDots: boolean },
): Omit<Match<Props>, 'spans'> | null {
  const [first] = amounts;
  if (first === undefined || isYearLike(first)) return null;
  const goal = goalIn(text, amounts);
  if (goal === null && (amounts.length > 1 || (!isBig(first) && !isAsked))) return null;
  const { before, after } = wordsAround(text, first);
  if (goal === null && !isOwnPoint(text, first, isAsked)) return null;
  // A telephone number or extension is not an amount.
  if (before.length > 60 || after.length > 60 || /\b(?:tel|ext|extension|phone|call|durchwahl)\b\W*$/iu.test(before)) return null;
  const gauge = goal === null ? gaugeFor(first, isAsked, isDots) : 'bar';
  const score = goal === null ? scoreOfOne(first, before) + (isAsked ? 0.2 : 0) : 0.75;
  return { score, scenes: [{ title: clipped(before, 60), numbers: [figureOf(first, clip(after, 60))], gauge, of: goal }] };
}

/** Maximum length, in words, of a text that is mainly about its number. */
const maxPointWords = 7;
const openEnd =
  /(?:^|\s)(?:for|of|at|to|in|on|from|by|about|than|only|just|is|are|für|von|ab|bis|um|nur|zu|ist|sind|pour|de|à|dès|para|por|desde|de|a|es)$/iu;

/** Returns whether the text is a label with a number, or a number with a short noun phrase: “5,000 stars on GitHub”. */
function isOwnPoint(text: string, amount: Amount, isAsked: boolean): boolean {
  const { before, after } = wordsAround(text, amount);
  const others = `${text.slice(0, amount.start)} ${text.slice(amount.end)}`;
  if (/[\d=]/u.test(others) || (after === '' && openEnd.test(before))) return false;
  if (isAsked && !openEnd.test(before) && !/^(?:of|von|de|di)\s/iu.test(after)) return true;
  const words = `${before} ${after}`.split(/\s+/u).filter((part) => part !== '').length + 1;
  const isClosed = /^(?:[.!?\s)]*$|\.\s)/u.test(text.slice(amount.end)) || before === '';
  return words <= maxPointWords && isClosed && !openEnd.test(before) && !others.includes('/');
}

/** Returns the whole in “raised 30 of 100”, or `null` if there is none. */
function goalIn(text: string, [first, second]: readonly Amount[]): number | null {
  if (first === undefined || second === undefined || second.kind !== first.kind || second.value <= first.value) return null;
  const isGoal = /^\W*(?:raised\s+)?(?:of|out of|von|sur|de|di|\/)(?:\s+(?:our|a|the|unserem|notre|nuestro))?\W*$/iu;
  return isGoal.test(text.slice(first.end, second.start)) ? second.value : null;
}

const isBig = ({ kind, value }: Amount) => kind === 'money' || kind === 'percent' || kind === 'unit' || value >= 1000;

function wordsAround(text: string, { start, end }: Amount) {
  return {
    before: text
      .slice(0, start)
      .replace(/[\s:–—(-]+$/u, '')
      .trim(),
    after: text
      .slice(end)
      .replace(/^[\s,.;:–—)-]+/u, '')
      .replace(/^\(([^()]*)\)$/u, '$1')
      .trim(),
  };
}

function gaugeFor({ kind, value }: Amount, isAsked: boolean, isDots: boolean): Props['gauge'] {
  if (kind !== 'percent' || value < 0 || value > 100 || !isAsked) return 'none';
  return isDots ? 'dots' : 'ring';
}

const isDotted = ({ instructions }: Reading) =>
  instructions.words.some((word) => /^(?:dots?|punkten?|points|puntos)$/u.test(word));

const numberWords: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, hundred: 100, thousand: 1000 },
  ...{ einer: 1, eine: 1, einem: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, zehn: 10, hundert: 100, tausend: 1000 },
};
const numberWord = `(?:\\d{1,4}|\\d{1,3}[.,\u202f ]\\d{3}|${Object.keys(numberWords).join('|')})`;
const groupShare = new RegExp(
  `^(${numberWord})\\s+((in|out of|of|von|sur|de|di|z|na)\\s+(?:(?:a|every)\\s+)?(${numberWord}))\\s+(?=\\p{L})`,
  'iu',
);
/** Words after a duration or a distance, such as “5 in 30 minutes”. */
const measured =
  /^(?:min(?:ute)?s?|minuten|sec(?:ond)?s?|sekunden?|hours?|days?|weeks?|months?|years?|stunden?|tagen?|wochen?|monaten?|jahren?|heures?|jours?|mois|ans?|km|kg|m|cm)(?!\p{L})/iu;
const numberIn = (text: string) => numberWords[text.toLowerCase()] ?? Number(text.replace(/\D/gu, ''));

/** Reads a share of a group: “one in ten adults”, “3 of 1,000 people”. Returns `null` if there is none. */
function shareIn(text: string, isDots: boolean): Props | null {
  const [whole = '', count = '', group = '', link = '', all = ''] = groupShare.exec(text) ?? [];
  const [value, of] = [numberIn(count), numberIn(all)];
  const label = text.slice(whole.length).replace(/\.$/u, '').trim();
  const isRound = [10, 100, 1000].includes(of);
  if (whole === '' || value >= of || of > 1000 || measured.test(label) || label.length > 44 || /\d/u.test(label)) return null;
  if (!/^(?:in|out of)$/iu.test(link) && !isRound && !isDots) return null;
  const amount = figureOf({ value, decimals: 0, prefix: '', suffix: ` ${group}` }, label);
  return group.length > 11 ? null : { title: null, numbers: [amount], gauge: 'dots', of };
}

function scoreOfOne({ kind }: Amount, before: string): number {
  if (before === '' && kind === 'money') return 0.66;
  return kind === 'count' || kind === 'unit' ? 0.52 : 0.48;
}

export const number = defineFormat({
  id: 'number',
  title: 'Number',
  use: 'One big number that counts up, or up to six key figures with labels.',
  avoid: 'Values that should be compared by size (use bar-chart), or a series over time (use line-chart).',
  purposes: ['numbers'],
  props: schema,
  seconds: ({ title: heading, numbers }) =>
    1.8 + readingSeconds(heading, ...numbers.map(({ label }) => label)) + 0.5 * numbers.length + 0.5,
  outline: ({ title: heading, numbers }) => {
    const all = numbers.map(
      ({ prefix, value, suffix, label }) =>
        `${prefix}${value.toLocaleString('en', { maximumFractionDigits: 3 })}${suffix}${label === null ? '' : ` ${label}`}`,
    );
    return { title: shorten(heading ?? all[0] ?? 'Number', 60), description: shorten(`Counts up to ${all.join('; ')}.`, 900) };
  },
  match: (reading) => [...matchFigures(reading), ...matchOne(reading)],
  example: {
    title: 'Passengers who slept on board this season',
    numbers: [
      { value: 412_068, from: null, decimals: 0, prefix: '', suffix: '', label: '265,000 last season', trend: '+55 %' },
      { value: 94, from: null, decimals: 0, prefix: '', suffix: '%', label: 'left on time', trend: null },
      { value: 31, from: null, decimals: 0, prefix: '', suffix: '', label: 'cities, Oslo to Bari', trend: '+9' },
      { value: 2.6, from: null, decimals: 1, prefix: '', suffix: 'kg', label: 'of CO₂ a passenger', trend: '−0.8' },
    ],
    gauge: 'bar',
    of: 500_000,
    layout: null,
  },
});
