import type { FormatFilm } from '../../server/kinds/film/author/plan-film.ts';
import { fold } from '../../server/kinds/film/author/read/reading.ts';

export type Fact =
  | { readonly see: string }
  | { readonly not: string }
  | { readonly pair: readonly [string, string] }
  | { readonly aspect: string }
  | { readonly seconds: number }
  | { readonly colour: string }
  | { readonly other: string };

export interface Request {
  readonly id: string;
  readonly language: string;
  readonly kind: string;
  readonly request: string;
  readonly facts: readonly Fact[];
}

/** Returns the strings in a value as viewers read them. A record with a number is one string. */
export function textsOf(value: unknown, language: string): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each, language));
  if (typeof value !== 'object' || value === null) return [];
  const record = value as Record<string, unknown>;
  const texts = Object.entries(record)
    .filter(([key]) => !['entrance', 'icon', 'icons', 'side', 'frame', 'emphasis', 'gauge', 'language'].includes(key))
    .flatMap(([, each]) => textsOf(each, language));
  if (typeof record['value'] === 'number') {
    const {
      value: number,
      decimals,
      prefix = '',
      suffix = '',
      label = '',
    } = record as { value: number; decimals?: number; prefix?: string; suffix?: string; label?: string };
    const format = new Intl.NumberFormat(
      language,
      decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals },
    );
    return [`${label} ${prefix}${format.format(number)}${suffix}`, ...texts];
  }
  const joined = ['weekday', 'day', 'month', 'time'].map((key) => record[key]).filter((part) => typeof part === 'string');
  return joined.length > 1 ? [joined.join(' '), ...texts] : texts;
}

/** Returns groups of strings that belong together: a list entry, a bar with its label, a scene. */
function groupsOf(film: FormatFilm): string[] {
  return film.scenes.flatMap(({ props }) => {
    const { title, numbers } = props as { title?: unknown; numbers?: unknown };
    // A number between a title and a label reads as one sentence.
    const sentence = Array.isArray(numbers)
      ? `${title ?? ''} ${numbers.map((each) => `${textsOf({ ...each, label: '' }, film.language)[0]} ${each.label ?? ''}`).join(' ')}`
      : '';
    const whole = `${numbersInto(props, film.language)} ${sentence}`;
    const inner = Object.values(props as Record<string, unknown>).flatMap((value) =>
      Array.isArray(value)
        ? value.map((each) => numbersInto({ ...(props as object), items: [], numbers: [], each }, film.language))
        : [],
    );
    return [...inner, whole];
  });
}

const numbersInto = (props: unknown, language: string) => {
  const record = props as Record<string, unknown>;
  const extra = [record['prefix'], record['suffix']].filter((part) => typeof part === 'string').join(' ');
  return `${textsOf(props, language).join(' | ')} | ${
    JSON.stringify({ ...record, start: undefined })
      .match(/-?\d+(?:\.\d+)?/gu)
      ?.map((raw) => `${raw}${extra} ${new Intl.NumberFormat(language).format(Number(raw))}${extra}`)
      .join(' ') ?? ''
  }`;
};

const squeeze = (text: string) => fold(text).replace(/\s+/gu, '');

/** Returns whether a film satisfies a fact, or `null` if that cannot be checked automatically. */
export function meets(film: FormatFilm, fact: Fact): boolean | null {
  const seen = squeeze(groupsOf(film).join(' '));
  if ('see' in fact) return seen.includes(squeeze(fact.see));
  if ('not' in fact) {
    const shown = film.scenes.map(({ props }) => ` ${fold(textsOf(props, film.language).join(' | '))} `).join(' ');
    const exact = film.scenes.map(({ props }) => textsOf(props, film.language).join(' | ')).join(' | ');
    return fold(fact.not) === '' ? !exact.includes(fact.not) : !shown.includes(` ${fold(fact.not)} `);
  }
  if ('pair' in fact) {
    const [one, other] = fact.pair;
    const words = fold(`${one} ${other}`).split(' ');
    return groupsOf(film).some((group) => {
      const folded = squeeze(group);
      return words.every((word) => folded.includes(word));
    });
  }
  if ('aspect' in fact) return film.aspect === fact.aspect;
  if ('seconds' in fact) {
    const sum = film.scenes.reduce((total, { seconds }) => total + seconds, 0);
    return Math.abs(sum - fact.seconds) <= Math.max(1.5, fact.seconds * 0.15);
  }
  return null;
}
