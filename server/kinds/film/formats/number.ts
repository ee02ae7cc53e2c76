import { z } from 'zod';
import type { Match } from '../define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from '../define-format.ts';
import { clip, clipped, isNamed, isPriced, plain } from '../read/fill.ts';
import type { Amount, Reading } from '../read/reading.ts';
import { blocksOf, chunk, spansOf } from '../read/reading.ts';
import { findAmounts } from '../read/values.ts';

const schema = z.object({
  title: line(60).nullable(),
  numbers: z
    .array(
      z.object({
        value: z.number().min(-1e15).max(1e15),
        /** Start of the count; `null` counts from 0, or from 92 % of a large value. */
        from: z.number().min(-1e15).max(1e15).nullable(),
        /** Number of decimals. */
        decimals: z.int().min(0).max(4),
        prefix: z.string().max(6),
        suffix: z.string().max(12),
        label: line(44).nullable(),
        /** A change such as “+55 %”, shown beside the number. */
        trend: line(16).nullable(),
      }),
    )
    .min(1)
    .max(6),
  /** Gauge of the first number, for a percentage or a part of a whole. */
  gauge: z.enum(['none', 'bar', 'ring']),
  /** Value of a full gauge; `null` if the first number is a percentage. */
  of: z.number().min(0).max(1e15).nullable(),
});
type Props = z.infer<typeof schema>;

const figureOf = ({ value, decimals, prefix, suffix }: Amount, label: string | null, trend: string | null = null) => ({
  value,
  from: null,
  decimals,
  prefix: prefix.trim().slice(0, 6),
  suffix: suffix.slice(0, 12),
  label: clipped(label, 60),
  trend: trend !== null && trend.length <= 16 ? trend : null,
});

/** A list of labels with numbers of several kinds: key figures. */
function matchFigures(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'list').flatMap((block) => {
    const figures = block.items.flatMap(({ amount, value, label, detail }) => {
      if (amount === null || amount.suffix.length > 12) return [];
      const isWhole = value === null || amount.text.length >= value.length - 2;
      const name = value === null ? label.replace(amount.text, '').trim() : label;
      const isTrend = detail !== null && detail.length <= 16;
      return isWhole
        ? [figureOf(amount, isTrend || detail === null ? name : `${name} (${detail})`, isTrend ? detail : null)]
        : [];
    });
    if (figures.length < block.items.length || figures.length < 2) return [];
    const kinds = new Set(block.items.map(({ amount }) => amount?.suffix.trim() ?? ''));
    const isMoney = isPriced(block.items);
    const score = (isMoney ? 0.5 : kinds.size > 1 ? 0.72 : 0.6) + (isNamed(reading, 'number') ? 0.15 : 0);
    const scenes = chunk(figures, 6).map((numbers) => ({
      title: clipped(block.heading?.text, 60),
      numbers,
      gauge: 'none' as const,
      of: null,
    }));
    return [{ score, scenes, spans: spansOf(block) }];
  });
}

/** “from 0 to 1 million downloads”: a count that starts somewhere. */
function rangeIn(text: string, [first, second, ...more]: readonly Amount[]): Props | null {
  if (first === undefined || second === undefined || more.length > 0 || second.value === first.value) return null;
  const isRange = /^\s*(?:to|bis|auf|à|a|hasta|→|->)\s*$/iu.test(text.slice(first.end, second.start));
  const before = text
    .slice(0, first.start)
    .replace(
      /(?:\s+(?:goes|went|rises|rose|grows|grew|climbs|climbed|jumps|jumped|is up|steigt|stieg|passe|sube|pasa))?\s*(?:from|von|de|desde)\s*$/iu,
      '',
    )
    .trim();
  const after = text.slice(second.end).trim();
  if (!isRange || before.length > 60 || after.length > 60 || second.value < first.value) return null;
  return { title: clipped(before, 60), numbers: [{ ...figureOf(second, after), from: first.value }], gauge: 'none', of: null };
}

const isYearLike = ({ kind, decimals, value, text }: Amount) =>
  kind === 'count' && decimals === 0 && value >= 1400 && value <= 2100 && !/\D/u.test(text);

/** A sentence around one number that matters: a price, a share, a count with thousands; or a part of a whole. */
function matchOne(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'text').flatMap((block) => {
    const text = plain(block.piece.text);
    const all = findAmounts(text, reading.language);
    // A year beside a number says when, and is no second number.
    const rest = all.filter((amount) => !isYearLike(amount));
    const amounts = rest.length > 0 ? rest : all;
    const [first, second] = amounts;
    if (first === undefined || text.length > 110 || block.role === 'end' || block.role === 'source' || block.role === 'unit')
      return [];
    const isGoal =
      second !== undefined &&
      second.kind === first.kind &&
      second.value > first.value &&
      /^\W*(?:raised\s+)?(?:of|out of|von|sur|de|di|\/)(?:\s+(?:our|a|the|unserem|notre|nuestro))?\W*$/iu.test(
        text.slice(first.end, second.start),
      );
    const range = rangeIn(text, amounts);
    if (range !== null) return [{ score: 0.8, scenes: [range], spans: spansOf(block) }];
    if (isYearLike(first)) return [];
    const isBig = first.kind === 'money' || first.kind === 'percent' || first.value >= 1000 || first.kind === 'unit';
    if (!isGoal && (amounts.length > 1 || (!isBig && !isNamed(reading, 'number')))) return [];
    const before = text
      .slice(0, first.start)
      .replace(/[\s:–—(-]+$/u, '')
      .trim();
    const after = text
      .slice(first.end)
      .replace(/^[\s,.;:–—)-]+/u, '')
      .replace(/^\(([^()]*)\)$/u, '$1')
      .trim();
    // An extension or a phone number is no amount.
    if (before.length > 60 || after.length > 60 || /\b(?:tel|ext|extension|phone|call|durchwahl)\b\W*$/iu.test(before)) return [];
    const gauge = isGoal
      ? ('bar' as const)
      : first.kind === 'percent' && first.value >= 0 && first.value <= 100 && isNamed(reading, 'number')
        ? ('ring' as const)
        : ('none' as const);
    return [
      {
        score: isGoal
          ? 0.75
          : (before === '' && first.kind === 'money' ? 0.66 : first.kind === 'count' || first.kind === 'unit' ? 0.52 : 0.48) +
            (isNamed(reading, 'number') ? 0.2 : 0),
        scenes: [
          { title: clipped(before, 60), numbers: [figureOf(first, clip(after, 60))], gauge, of: isGoal ? second.value : null },
        ],
        spans: spansOf(block),
      },
    ];
  });
}

export const number = defineFormat({
  id: 'number',
  title: 'Number',
  use: 'One big number that counts up, or up to six key figures with their labels.',
  avoid: 'Values that should be compared by size (use bar-chart), or a series over time (use line-chart).',
  purposes: ['numbers'],
  props: schema,
  seconds: ({ title: heading, numbers }) =>
    1.8 + readingSeconds(heading, ...numbers.map(({ label }) => label)) + 0.5 * numbers.length + 0.5,
  outline: ({ title: heading, numbers }) => {
    const all = numbers.map(
      ({ prefix, value, suffix, label }) => `${prefix}${value}${suffix}${label === null ? '' : ` ${label}`}`,
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
  },
});
