import type { Amount, Span, When } from './reading.ts';

const names = (options: Intl.DateTimeFormatOptions, count: number, step: (index: number) => Date) => {
  const found = new Set<string>();
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv']) {
    // One format for all dates, because creating it takes longer than using it, and delays the server's start.
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    for (let index = 0; index < count; index++) {
      // Some languages inflect the month in a date, so a whole date is formatted.
      const parts = format.formatToParts(step(index));
      const name = parts.find(({ type }) => type === 'month' || type === 'weekday')?.value.replace(/\.$/u, '') ?? '';
      if (/^\p{L}{3,}/u.test(name)) found.add(name.toLowerCase());
    }
  }
  return found;
};
const monthOf = (index: number) => new Date(Date.UTC(2024, index, 12));
const dayOf = (index: number) => new Date(Date.UTC(2024, 0, 7 + index));
const alternatives = (words: Iterable<string>) => [...words].sort((one, other) => other.length - one.length).join('|');

const months = alternatives([
  ...names({ month: 'long' }, 12, monthOf),
  ...names({ month: 'long', day: 'numeric' }, 12, monthOf),
  ...names({ month: 'short', day: 'numeric' }, 12, monthOf),
  'sept',
]);
const weekdays = alternatives([
  ...names({ weekday: 'long' }, 7, dayOf),
  ...names({ weekday: 'short' }, 7, dayOf),
  'tues',
  'thurs',
  'thur',
  'weds',
]);

/** Two-letter German weekdays are matched only with their full stop. */
const shortDay = '(?:mo|di|mi|do|fr|sa|so)\\.';

const word = (source: string) => `(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`;
const year = '(?:1[4-9]|20)\\d\\d';
const dayNumber = '(?:3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th|er|º|°|\\.)?';
/** Matches the words between day, month and year: “of”, or “de” in a Romance language. */
const of = '(?:\\s+(?:de|of|del))?\\s+';
const dash = '\\s*(?:-|–|—|to|bis|until|till|au|à|al|a|y|and|und|et|&)\\s*';
const clock =
  '(?:[01]?\\d|2[0-4])(?:[:.][0-5]\\d\\s*(?:[ap]\\.?m\\.?|uhr)|:[0-5]\\d(?:\\s*h\\b)?|\\s*h\\s*[0-5]\\d|\\s*(?:[ap]\\.?m\\b\\.?|uhr|h)(?![\\p{L}\\p{N}]))';
const clockPattern = `${clock}(?:${dash}${clock})?|(?:[01]?\\d|2[0-4])\\s*(?:-|–|bis|to|a)\\s*${clock}`;
/** Matches one or two days of a month: “12 May”, “May 12, 2025”, “24.–26. Juli”, “13 October to 15 October”. */
const monthDay = `(?:${dayNumber}(?:${dash}${dayNumber})?${of}(?:${months})\\.?|(?:${months})\\.?\\s+${dayNumber}(?!\\d|\\s+(?:${months})(?!\\p{L}))(?:${dash}${dayNumber})?)(?:(?:,|${of.slice(0, -3)})?\\s+${year})?`;
/** Matches a range of days in two months: “Dec 27 – Jan 4”, “28. Mai bis 3. Juni”. */
const dayRange = `${monthDay}\\s*(?:-|–|—|to|through|bis|until|till|au|al|a|do)\\s*(?:(?:zum|the|le|el)\\s+)?(?:(?:${shortDay}|(?:${weekdays})\\.?),?\\s+)?${monthDay}`;
const numeric = `(?:${year}-[01]?\\d-[0-3]?\\d|[0-3]?\\d[./][01]?\\d[./](?:${year}|\\d\\d)|[0-3]?\\d\\.[01]?\\d\\.(?!\\d))`;
const whenPattern = new RegExp(
  [
    word(`(?:(?:${shortDay}|(?:${weekdays})\\.?),?\\s+(?:the\\s+|den\\s+|le\\s+)?)?(?:${dayRange}|${monthDay}|${numeric})`),
    word(`(?:${months})\\s+(?:19|20)\\d\\d`),
    word(clockPattern),
    word(`(?:${alternatives(names({ weekday: 'long' }, 7, dayOf))})s?`),
    // A short weekday is matched only before a time, because “sat” and “mar” are also words.
    `(?<![\\p{L}])(?:${weekdays})\\.?(?=\\s+(?:${clockPattern}))`,
  ].join('|'),
  'giu',
);

const longWeekday = new RegExp(alternatives(names({ weekday: 'long' }, 7, dayOf)), 'iu');
const weekdayPattern = new RegExp(word(`${shortDay}|${weekdays}`), 'iu');
const monthPattern = new RegExp(`(${months})\\.?(?:[\\s,]+(?:de\\s+|del\\s+)?(${year}))?`, 'iu');
const onlyClock = new RegExp(`^(?:${clockPattern})$`, 'iu');
const onlyDayRange = new RegExp(`^(?:(?:${shortDay}|(?:${weekdays})\\.?),?\\s+)?${dayRange}$`, 'iu');
const yearAtEnd = new RegExp(`${year}$`, 'u');

const onlyWeekday = new RegExp(`^(?:${weekdays})s?\\.?$`, 'iu');
export const isWeekday = (text: string) => onlyWeekday.test(text);

/** Weekdays of two letters, which are words of other meanings outside a column of days. */
const twoLetters = /^(?:mo|di|mi|do|fr|sa|so|lu|ma|me|je|ve|ju|vi|sá|pn|wt|śr|cz|pt|sb|nd)\.?$/iu;

/** Returns whether a cell of a column of days is a weekday or a range of weekdays: “Mo”, “Tue–Fri”. */
export const isDayCell = (text: string) => text.split(/\s*[-–—]\s*/u).every((day) => isWeekday(day) || twoLetters.test(day));

/** Returns the month in a date, with the year if there is one. */
function monthIn(date: string, month: RegExpExecArray): string {
  const yearAfter = month[2] === undefined ? yearAtEnd.exec(date)?.[0] : undefined;
  return yearAfter === undefined ? month[0] : `${month[1]} ${yearAfter}`;
}

/** Finds the dates and times in the text. */
export function findWhens(text: string, offset = 0): readonly When[] {
  if (offset > 0) return findWhens(text).map((when) => ({ ...when, start: when.start + offset, end: when.end + offset }));
  const known = foundWhens.get(text);
  if (known !== undefined) return known;
  const whens = !/\d/u.test(text) && !longWeekday.test(text) ? [] : matchWhens(text);
  if (foundWhens.size >= maxFoundWhens) foundWhens.clear();
  foundWhens.set(text, whens);
  return whens;
}

/** The formats ask for the dates of the same texts many times, and the pattern is slow. */
const foundWhens = new Map<string, readonly When[]>();
const maxFoundWhens = 500;

function matchWhens(text: string): When[] {
  return [...text.matchAll(whenPattern)].map((match) => {
    const found = /(?:\d|[ap]\.\s?m)\.$/iu.test(match[0]) ? match[0].trim() : match[0].trim().replace(/\.$/u, '');
    const month = monthPattern.exec(found);
    const time = onlyClock.test(found) ? found : null;
    // A time, or a range over two months, has no single day, so it is shown as written.
    const isWhole = time !== null || (month !== null && onlyDayRange.test(found));
    const weekday = weekdayPattern.exec(found)?.[0] ?? null;
    const rest = month === null ? '' : found.replace(month[0], ' ').replace(weekday ?? '', ' ');
    const day =
      /\d{1,2}(?:(?:st|nd|rd|th|\.)?\s*(?:-|–|—|to|bis|until|till|au|al|a|à|do|and|und|et|y|&)\s*\d{1,2})?/u.exec(rest)?.[0] ??
      null;
    // For “13.09.2025”, the day is shown as written (“13.09.”) and the year separately.
    const digits =
      month === null && time === null ? /(\d{1,2}\.\d{1,2}\.|\d{1,2}\/\d{1,2}(?=\/))\/?(\d{2,4})?$/u.exec(found) : null;
    return {
      text: found,
      start: match.index,
      end: match.index + found.length,
      day: isWhole ? null : (day ?? digits?.[1] ?? null),
      weekday: isWhole ? null : weekday,
      month: digits?.[2] ?? (month === null || time !== null ? null : monthIn(found, month)),
      time,
    };
  });
}

const opening = new RegExp(
  `^(?:${[
    `(?:(?:${shortDay}|(?:${weekdays})\\.?),?\\s+)?(?:${dayRange}|${monthDay}|${numeric})`,
    `(?:${weekdays})\\.?\\s+(?:${clockPattern})`,
    clockPattern,
    `(?:${months})\\.?\\s+(?:19|20)\\d\\d`,
    `${year}(?:\\s*[-–]\\s*${year})?`,
    `q[1-4](?:\\s+${year})?`,
    `(?:week|woche|semaine|semana|day|tag|jour|día|kw|wk)\\s+\\d{1,2}`,
    `\\d{1,2}[.:]\\d\\d(?:\\s*[-–]\\s*\\d{1,2}[.:]\\d\\d)?(?=\\s{2,}|\\s*[-–|]\\s|\\s+\\p{L})`,
    `(?:${alternatives(names({ weekday: 'long' }, 7, dayOf))})(?=\\s*[:–-])`,
    `(?:${months})\\.?(?=\\s*[:–-]\\s)`,
  ].join('|')})(?![\\p{L}\\p{N}%])`,
  'iu',
);

/** Returns the date, year or time at the start of the text, or `null` if there is none. */
export function leadOf(text: string): string | null {
  return opening.exec(text)?.[0] ?? null;
}

/** Matches the number of a week, day, year or sprint: “W31”, “KW 7”, “Day 3”. */
const numberedPeriod = /^(?:w|kw|wk|week|woche|semaine|semana|sprint|day|tag|jour|día|year|jahr|année|año)\s?\d{1,3}$/iu;

/** Returns whether the text consists only of a date, a time, a year, or the name of a month or weekday. */
export function isPeriod(text: string): boolean {
  const trimmed = text.trim();
  return (
    leadOf(trimmed) === trimmed ||
    numberedPeriod.test(trimmed) ||
    new RegExp(`^(?:(?:${months})|(?:${weekdays}))\\.?(?:\\s+\\d{2,4})?$`, 'iu').test(trimmed)
  );
}

const currency = '(?:R\\$|US\\$|A\\$|C\\$|[$€£¥₹₺₩₽]|CHF|EUR|USD|GBP|SEK|NOK|DKK|PLN|zł|kr|Kč|Fr\\.)';
const units =
  '(?:%|‰|°[CF]?|(?:mio|mrd)\\.?|millions?|millionen|billions?|milliarden|milliards?|millones|[kmb](?:n|m|g)?\\b|ms|s|min|h|km/h|km|kg|g|mg|cm|mm|t|l|ml|gb|mb|tb|kwh|mwh|gw|mw|kw|hz|fps|m²|m2|sqm|ft|px|x|×)(?:/(?:s|sec|min|h|mo|user|day|yr|year))*';
const digits = "\\d{1,3}(?:[.,'’\\u00a0\\u202f ]\\d{3})+(?![\\d])(?:[.,]\\d{1,4})?|\\d+(?:[.,]\\d+)?";
const amountPattern = new RegExp(
  `(?<![\\p{L}\\p{N}.,/:#_-]|\\d )(${currency}\\s?)?([-−–+±]?(?:${digits}))(?![\\p{N}])(\\s?(?:(?:[kmb]|mio\\.?|mrd\\.?)?\\s?${currency}|${units})(?![\\p{L}\\p{N}]))?(/[a-z]+)*`,
  'giu',
);
const phone =
  /(?<![\p{L}\p{N}.,])(?:\+\d[\d ()/.-]{6,}\d|\(?0\d[\d ()/.-]{5,}\d|\d{3}[ .-]\d{4}|\d{3}[ .-]\d{3}[ .-]\d{3,4})(?![\p{L}\p{N}])/gu;

/** Finds the phone numbers in the text. */
export function findPhones(text: string, offset = 0): Span[] {
  return [...text.matchAll(phone)]
    .filter(({ 0: found }) => found.replace(/\D/gu, '').length >= 7)
    .map(({ 0: found, index }) => ({ start: offset + index, end: offset + index + found.length }));
}

/** Languages with a decimal comma: “1.240,50”. */
const commaDecimal = new Set(['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'ru', 'tr']);

/**
 * Returns the decimal mark of a number, or `null` if its form does not show it. “1.250” is ambiguous, because groups have three
 * digits.
 */
function decimalMarkOf(digits: string): string | null {
  const marks: readonly string[] = digits.match(/[.,]/gu) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return null;
  const other = last === ',' ? '.' : ',';
  if (marks.includes(other)) return last;
  if (marks.length > 1) return other;
  const [whole, tail = ''] = digits.split(last);
  return tail.length !== 3 || whole === '0' ? last : null;
}

/**
 * Returns a language with the notation that the numbers of a column use: “7,40” shows that “1.250” has no decimals. If no
 * number is conclusive, returns the language of the film.
 */
export function notationOf(texts: readonly string[], language: string): string {
  const all = texts.flatMap((text) => text.match(/\d[\d.,]*\d/gu) ?? []);
  const marks = new Set<string>(all.flatMap((digits) => decimalMarkOf(digits) ?? []));
  // Next to a plain three-digit number such as “980”, “3.200” has no decimals either.
  if (marks.size === 0 && all.some((digits) => /^\d{3}$/u.test(digits)))
    for (const digits of all) for (const group of digits.match(/[.,]/gu) ?? []) marks.add(group === ',' ? '.' : ',');
  const [mark] = marks;
  if (mark === undefined || marks.size > 1 || (mark === ',') === commaDecimal.has(language)) return language;
  return mark === ',' ? 'de' : 'en';
}

/** Parses digits with separators. Returns the value and its number of decimals. Money never has three decimals. */
export function parseDigits(raw: string, language: string, isMoney = false): { value: number; decimals: number } {
  const sign = /^[-−–]/u.test(raw) ? -1 : 1;
  const plain = raw.replace(/^[-−–+±]/u, '').replace(/['’\s\u00a0\u202f]/gu, '');
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','));
  const mark = last === -1 ? '' : (plain[last] ?? '');
  const tail = last === -1 ? '' : plain.slice(last + 1);
  const isRepeated = mark !== '' && plain.split(mark).length > 2;
  const hasBoth = plain.includes('.') && plain.includes(',');
  const groups =
    tail.length === 3 && plain[0] !== '0' && !hasBoth && (isRepeated || isMoney || (mark === ',') !== commaDecimal.has(language));
  const isDecimal = mark !== '' && !isRepeated && !groups;
  const whole = (isDecimal ? plain.slice(0, last) : plain).replace(/[.,]/gu, '');
  const value = sign * Number(isDecimal ? `${whole}.${tail}` : whole);
  return { value, decimals: isDecimal ? Math.min(4, tail.length) : 0 };
}

const suffixless = (after: string) => after.trim() === '';

function kindOf(suffix: string): 'percent' | 'count' | 'unit' {
  if (suffix.includes('%')) return 'percent';
  return suffix === '' ? 'count' : 'unit';
}

/** Finds the numbers in the text with their units. Dates and phone numbers are not included. */
export function findAmounts(text: string, language: string, offset = 0): Amount[] {
  const taken = [...findWhens(text), ...findPhones(text)];
  return [...text.matchAll(amountPattern)].flatMap((match) => {
    const [all, before = '', raw = '', after = '', per = ''] = match;
    const start = match.index;
    const end = start + all.length;
    if (taken.some((span) => start < span.end && end > span.start)) return [];
    const isMoney = new RegExp(currency, 'u').test(before + after);
    const { value, decimals } = parseDigits(raw, language, isMoney && per === '' && !after.includes('/'));
    if (!Number.isFinite(value) || Math.abs(value) > 1e15) return [];
    // A number with attached letters that are not a unit is an ordinal: “70th”.
    if (suffixless(after) && /^\p{L}/u.test(text.slice(end))) return [];
    // In “under 14s” and “year 7s”, the “s” is a plural, not seconds.
    if (/\ds$/u.test(all) && (/^\s+\p{L}/u.test(text.slice(end)) || /\b(?:year|grade|class)\s$/iu.test(text.slice(0, start))))
      return [];
    const suffix = `${after}${per}`;
    return [
      {
        text: all.trim(),
        start: offset + start,
        end: offset + end,
        value,
        decimals,
        prefix: `${before}${/^[+±]/u.test(raw) ? raw[0] : ''}`,
        suffix,
        kind: isMoney ? 'money' : kindOf(suffix),
      } as const,
    ];
  });
}
