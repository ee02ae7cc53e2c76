import { z } from 'zod';
import { isNamed, partsOf, plain, urlIn } from '../author/read/fill.ts';
import type { Reading, Span } from '../author/read/reading.ts';
import { spansOf } from '../author/read/reading.ts';
import { findAmounts } from '../author/read/values.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  label: line(36).nullable().describe('product or service'),
  was: line(12).nullable().describe('old price with its currency, crossed out'),
  now: line(12).describe('new price with its currency, such as “€57”'),
  percent: line(10).nullable().describe('discount, such as “−40%”'),
  until: line(40).nullable().describe('until when, such as “until Saturday”'),
});
type Props = z.infer<typeof schema>;

const old =
  /(?:\b(?:was|were|instead of|down from|regular(?:ly)?|usually|normally|rrp|statt|anstatt|früher|vorher|uvp|bisher|au lieu de|avant|antes|en vez de|en lugar de|prima|invece di)[\s:]*)$/iu;
const recent =
  /(?:\b(?:is now|now only|now just|now|only|just|for only|for|jetzt nur|jetzt|nur noch|nur|für|maintenant|seulement|plus que|ahora|solo|sólo|por|ora|adesso)[\s:]*|(?:→|->)\s*)$/iu;
const discount =
  /(?:(?:save|spare|sparen sie|économisez|ahorra)\s+)?[-−–]?\s?\d{1,2}\s?%(?:\s+(?:off|discount|rabatt|reduziert|günstiger|de réduction|de remise|de descuento|di sconto))?/iu;
const isDiscount =
  /^[-−–]|off|discount|rabatt|reduziert|günstiger|réduction|remise|descuento|sconto|save|spare|économisez|ahorra/iu;
const ending =
  /\b(?:only )?(?:until|till|through|ends|(?:nur )?bis|jusqu['’](?:au|à)|hasta|fino al?)\b(?:\d{1,2}\.|[^.;!()\n])*/iu;

interface Offer {
  readonly props: Props;
  /** Words that the scene expresses without showing them, such as “instead of”. */
  readonly told: readonly Span[];
}

function percentIn(text: string): string | null {
  const off = discount.exec(text);
  return off !== null && isDiscount.test(off[0]) ? off[0] : null;
}

/** Removes the used parts from the text and joins the remaining lines. Returns `''` if nothing remains. */
function labelOf(text: string, used: readonly (string | null)[]): string {
  return used
    .reduce<string>((rest, part) => (part === null ? rest : rest.replace(part, ' ')), text)
    .split('\n')
    .map((part) => plain(part.replace(/\(\s*\)/gu, ' ').replace(/[\s,;:.!|–—-]+(?=[\s,;:.!|–—-]|$)|^[\s,;:.!|–—-]+/gu, ' ')))
    .filter((part) => part !== '')
    .join(' · ');
}

/** Reads an offer from the text. Returns `null` unless it has two prices, or one price and a discount. */
function offerIn(text: string, language: string): Offer | null {
  const prices = findAmounts(text, language).filter(({ kind }) => kind === 'money');
  const [first, second] = prices;
  if (first === undefined || prices.length > 2) return null;
  const cueOf = ({ start }: Span): Span => {
    const before = text.slice(0, start);
    return { start: start - ((old.exec(before) ?? recent.exec(before))?.[0].length ?? 0), end: start };
  };
  const isOld = ({ start }: Span) => old.test(text.slice(0, start));
  const isLowered = second !== undefined && recent.test(text.slice(0, second.start)) && second.value < first.value;
  const was = prices.find(isOld) ?? (isLowered ? first : null);
  const now = second === undefined ? first : prices.find((amount) => amount !== was);
  const percent = percentIn(text);
  if (now === undefined || now === was || (was === null && (percent === null || second !== undefined))) return null;
  if (was !== null && was.value <= now.value) return null;
  const until =
    ending
      .exec(text)?.[0]
      .trim()
      .replace(/[,\s]+$/u, '') ?? null;
  const amounts = was === null ? [now] : [now, was];
  const used = amounts.map((amount) => text.slice(cueOf(amount).start, amount.end));
  const label = labelOf(text, [percent, until, ...used]);
  // Another “A → B” in the text is data, so the rest cannot be the offer's name.
  if (urlIn(label) !== null || /→|->|=>/u.test(label)) return null;
  const { data: props } = schema.safeParse({
    label: label === '' ? null : label,
    was: was?.text ?? null,
    now: now.text,
    percent: percent === null ? null : percent.replace(/^-\s?/u, '−'),
    until,
  });
  return props === undefined ? null : { props, told: amounts.map(cueOf) };
}

/** Matches offers in up to four consecutive blocks. */
function matchOffers(reading: Reading): Match<Props>[] {
  const score = isNamed(reading, 'price') ? 0.95 : 0.84;
  return reading.blocks.flatMap((first, from) =>
    [1, 2, 3, 4].flatMap((count) => {
      const window = reading.blocks.slice(from, from + count);
      const isShort = window.every((block) => partsOf(block).length > 0 && !(block.kind === 'text' && block.role === 'end'));
      if (window.length < count || !isShort) return [];
      const start = Math.min(first.start, first.heading?.start ?? first.start);
      const offer = offerIn(reading.text.slice(start, window.at(-1)?.end), reading.language);
      if (offer === null) return [];
      const told = offer.told.map((span) => ({ start: start + span.start, end: start + span.end }));
      return [{ score, scenes: [offer.props], spans: window.flatMap(spansOf), told }];
    }),
  );
}

export const price = defineFormat({
  id: 'price',
  title: 'Price',
  use: 'An offer: the new price fills the frame, with the old price, the discount and the end of the offer.',
  avoid: 'A price list (use list), or a number that is not an offer (use number).',
  purposes: ['announce'],
  props: schema,
  seconds: ({ label, was, percent, until }) => 1.4 + (was === null ? 0 : 0.6) + readingSeconds(label, was, percent, until) + 1.6,
  outline: ({ label, was, now, until }) => ({
    title: shorten(label ?? now, 60),
    description: shorten(
      `${[label, was === null ? now : `${now} instead of ${was}`, until].filter((part) => part !== null).join(', ')}.`,
      900,
    ),
  }),
  match: matchOffers,
  example: { label: 'Full bike service', was: '€95', now: '€57', percent: '−40%', until: 'until Saturday, 14 June' },
});
