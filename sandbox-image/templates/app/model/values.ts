import type { Field } from './document.ts';
import { recordIdSchema, type Value } from './record.ts';

/** The result of reading a text: a value as it is stored, or a sentence that says what is wrong. */
export type Parsed = { readonly value: Value } | { readonly problem: string };

/** The value of a field that nobody has filled in. */
export function emptyValue(field: Field): Value {
  if (field.type === 'choices') return [];
  return field.type === 'relation' && field.many === true ? [] : null;
}

/** Whether a value counts as not filled in. */
export function isEmpty(value: Value | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

// Numbers

const currencyDigitsByCode = new Map<string, number>();

/** Number of decimal places of a currency: 2 for GBP, 0 for JPY. */
export function currencyDigits(currency: string): number {
  let digits = currencyDigitsByCode.get(currency);
  if (digits === undefined) {
    digits = new Intl.NumberFormat('en-GB', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    currencyDigitsByCode.set(currency, digits);
  }
  return digits;
}

/** Amount in minor units, rounded half away from zero. `Number('1.005e2')` has no error of a binary fraction. */
export function toMinorUnits(amount: number, currency: string): number {
  const plain = amount * 10 ** currencyDigits(currency);
  // Most amounts are whole minor units but for the error of binary fractions.
  if (Math.abs(plain) < 1e9 && Math.abs(plain - Math.round(plain)) < 1e-6) return Math.round(plain) + 0;
  const scaled = Number(`${Number(Math.abs(amount).toPrecision(15)).toFixed(6)}e${currencyDigits(currency)}`);
  return Math.sign(amount) * Math.round(scaled) + 0;
}

export function fromMinorUnits(minor: number, currency: string): number {
  return minor / 10 ** currencyDigits(currency);
}

const currencySymbols: Readonly<Record<string, string>> = { '£': 'GBP', '€': 'EUR', '¥': 'JPY', '₹': 'INR', '₩': 'KRW' };
const currencyMark = /[£€$¥₹₩]|\b(?:GBP|EUR|USD|CHF|JPY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK)\b/gi;

/** Currency that a text names, as `GBP`. “$” alone stands for the dollars of any country, and returns `$`. */
export function currencyIn(text: string): string | null {
  const mark = text.match(currencyMark)?.[0]?.toUpperCase();
  return mark === undefined ? null : (currencySymbols[mark] ?? mark);
}

const grouped = { ',': /^\d{1,3}(?:,\d{3})+$/, '.': /^\d{1,3}(?:\.\d{3})+$/ } as const;

/**
 * Reads digits with separators: “1,5”, “1.5”, “1,234.50”, “1.234,50”, “1 234”. A single comma before exactly three digits separates
 * thousands, unless `decimal` says that the comma is the decimal sign of the whole column.
 */
function readDigits(text: string, decimal: ',' | '.' | undefined): number | null {
  let digits = text;
  if (/[\s'’]/.test(digits)) {
    if (!/^\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?$/.test(digits)) return null;
    digits = digits.replaceAll(/[\s'’]/g, '');
  }
  const sign = decimal ?? decimalSignOf(digits);
  const thousands = sign === ',' ? '.' : ',';
  const at = digits.lastIndexOf(sign);
  const whole = at === -1 ? digits : digits.slice(0, at);
  const fraction = at === -1 ? '' : digits.slice(at + 1);
  if (whole.includes(thousands) && !grouped[thousands].test(whole)) return null;
  const plain = whole.replaceAll(thousands, '');
  if (!/^\d*$/.test(plain) || !/^\d*$/.test(fraction) || plain + fraction === '') return null;
  return Number(`${plain}.${fraction}0`);
}

function decimalSignOf(digits: string): ',' | '.' {
  const comma = digits.lastIndexOf(',');
  const point = digits.lastIndexOf('.');
  if (comma === -1) return grouped['.'].test(digits) && digits.split('.').length > 2 ? ',' : '.';
  if (point !== -1) return comma > point ? ',' : '.';
  return grouped[','].test(digits) && !digits.startsWith('0') ? '.' : ',';
}

const digitsPattern = /^(?:\d[\d.,]*(?:[\s'’]\d{3}(?!\d)[\d.,]*)*|[.,]\d+)/;

/** Reads `2+3*4` with brackets. Advances over its text; `null` stands for a text that is no sum. */
class SumReader {
  private rest: string;
  private readonly decimal: ',' | '.' | undefined;

  constructor(text: string, decimal: ',' | '.' | undefined) {
    this.rest = text;
    this.decimal = decimal;
  }

  read(): number | null {
    const value = this.terms(0);
    return this.rest.trim() === '' ? value : null;
  }

  private take(pattern: RegExp): string | undefined {
    this.rest = this.rest.trimStart();
    const found = this.rest.match(pattern)?.[0];
    if (found !== undefined) this.rest = this.rest.slice(found.length);
    return found;
  }

  private terms(depth: number): number | null {
    let value = this.factors(depth);
    for (let sign = this.take(/^[+\-−–]/); sign !== undefined && value !== null; sign = this.take(/^[+\-−–]/)) {
      const next = this.factors(depth);
      if (next === null) return null;
      value = sign === '+' ? value + next : value - next;
    }
    return value;
  }

  private factors(depth: number): number | null {
    let value = this.operand(depth);
    for (let sign = this.take(/^[*×/÷]/); sign !== undefined && value !== null; sign = this.take(/^[*×/÷]/)) {
      const next = this.operand(depth);
      if (next === null) return null;
      value = sign === '*' || sign === '×' ? value * next : value / next;
    }
    return value;
  }

  private operand(depth: number): number | null {
    if (depth > 20) return null;
    const sign = this.take(/^[+\-−–]/);
    if (sign !== undefined) {
      const value = this.operand(depth + 1);
      return value === null || sign === '+' ? value : -value;
    }
    if (this.take(/^\(/) !== undefined) {
      const value = this.terms(depth + 1);
      return this.take(/^\)/) === undefined ? null : value;
    }
    const digits = this.take(digitsPattern);
    return digits === undefined ? null : readDigits(digits, this.decimal);
  }
}

export interface NumberOptions {
  /** Whether “2+3*4” is a number. In a table it is not, because “3/2/2027” is a date. */
  readonly sums?: boolean;
  /** Decimal sign, if the column shows which one it is. */
  readonly decimal?: ',' | '.' | undefined;
}

/** Reads a number with or without a currency. A single number in brackets is negative, as in accounts. Returns `null` for other texts. */
export function parseNumber(text: string, { sums = false, decimal }: NumberOptions = {}): number | null {
  if (text.length > 200) return null;
  // Most cells of a table need nothing of the rest.
  if (/^-?\d{1,15}$/.test(text) || (decimal !== ',' && /^-?\d{1,15}\.\d{1,2}$/.test(text))) return Number(text) + 0;
  if (!/\d/.test(text)) return null;
  const value = readMarked(text, decimal);
  if (value !== null || !sums) return value;
  const sum = new SumReader(text.replaceAll(currencyMark, '').trim(), decimal).read();
  return sum === null || !Number.isFinite(sum) ? null : Number(sum.toPrecision(12));
}

/** A number that is no sum, with a currency, a sign or brackets. */
function readMarked(text: string, decimal: ',' | '.' | undefined): number | null {
  const bare = text.replaceAll(currencyMark, '').trim();
  const plain = bare.match(/^(\(?)([+\-−–]?)\s*([\d.,][\d.,\s'’]*)(\)?)$/);
  if (plain !== null && (plain[1] === '(') === (plain[4] === ')')) {
    const value = readDigits((plain[3] ?? '').trim(), decimal);
    const negative = plain[1] === '(' || /[-−–]/.test(plain[2] ?? '');
    if (value !== null) return negative && value !== 0 ? -value : value;
  }
  if (/^[+-]?\d+(?:\.\d+)?e[+-]?\d{1,3}$/i.test(bare)) {
    const value = Number(bare);
    return Number.isFinite(value) ? value : null;
  }
  return null;
}

// Dates and times

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const longMonthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const dayMs = 86_400_000;

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** `null` for a day that the calendar does not have, such as 30 February. */
function isoDate(year: number, month: number, day: number): string | null {
  if (year < 1000 || year > 9999 || month < 1 || month > 12 || day < 1) return null;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

/** The date a number of days after an ISO date. */
export function addDays(iso: string, days: number): string {
  return new Date(Date.parse(`${iso}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Days from the first ISO date to the second one, negative if the second one is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
}

/** Whether a text is a day of the calendar as `yyyy-mm-dd`. */
export function isIsoDate(text: string): boolean {
  const parts = text.match(/^(\d{4})-(\d{2})-(\d{2})$/);
  return parts !== null && isoDate(Number(parts[1]), Number(parts[2]), Number(parts[3])) !== null;
}

function monthOf(name: string): number {
  const lower = name.toLowerCase().replace(/\.$/, '');
  const known = longMonthNames.indexOf(lower);
  return 1 + (known === -1 ? monthNames.indexOf(lower === 'sept' ? 'sep' : lower) : known);
}

function yearOf(text: string | undefined, todayIso: string): number {
  if (text === undefined) return Number(todayIso.slice(0, 4));
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

function relativeDate(text: string, todayIso: string): string | null {
  const words: Readonly<Record<string, number>> = { today: 0, tomorrow: 1, yesterday: -1 };
  if (Object.hasOwn(words, text)) return addDays(todayIso, words[text] ?? 0);
  const days = text.match(/^([+-])(\d{1,4})$/);
  if (days !== null) return addDays(todayIso, Number(`${days[1]}${days[2]}`));
  if (!/^[a-z]{3,9}$/.test(text)) return null;
  const day = dayNames.findIndex((name) => name === text || (name.startsWith(text) && text.length <= 5));
  if (day === -1) return null;
  return addDays(todayIso, (day - new Date(`${todayIso}T00:00:00Z`).getUTCDay() + 7) % 7);
}

export interface DateOptions {
  /** Today as `yyyy-mm-dd`, from which “fri”, “+3” and dates without a year count. */
  readonly todayIso: string;
  /** Whether “3/2/2027” is 2 March. */
  readonly monthFirst?: boolean;
  /** Whether words such as “fri” and numbers without a year such as “3/2” are dates, which they are not in a table. */
  readonly words?: boolean;
}

/** Reads a date: ISO, “3 Feb 2027”, “3/2/2027” day first unless impossible, “fri”, “+3”, “today”. “fri” is today on a Friday. */
export function parseDate(text: string, { todayIso, monthFirst = false, words = true }: DateOptions): string | null {
  if (text.length > 60) return null;
  const trimmed = text
    .trim()
    .replace(/^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)[a-z]*[.,]?\s+(?=\S)/i, '')
    .replace(/[T ]00:00(?::00(?:\.0+)?)?Z?$/, '');
  const iso = trimmed.match(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/);
  if (iso !== null) return isoDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numeric = trimmed.match(/^(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}|\d{2}))?\.?$/);
  if (numeric !== null && (words || numeric[4] !== undefined)) {
    const [first, second, year] = [Number(numeric[1]), Number(numeric[3]), yearOf(numeric[4], todayIso)];
    const [day, month] = monthFirst ? [second, first] : [first, second];
    return isoDate(year, month, day) ?? isoDate(year, day, month);
  }
  const dayFirst = trimmed.match(/^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]*(?:of\s+)?([a-z]{3,9}\.?)(?:[\s,-]*(\d{4}|\d{2}))?$/i);
  if (dayFirst !== null) return isoDate(yearOf(dayFirst[3], todayIso), monthOf(dayFirst[2] ?? ''), Number(dayFirst[1]));
  const named = trimmed.match(/^([a-z]{3,9}\.?)\s*(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?$/i);
  if (named !== null) return isoDate(yearOf(named[3], todayIso), monthOf(named[1] ?? ''), Number(named[2]));
  return words ? relativeDate(trimmed.toLowerCase(), todayIso) : null;
}

/** Reads a time of day as `hh:mm`: “13:30”, “1.30 pm”, “9am”, “1330”. A single number is an hour. */
export function parseTime(text: string): string | null {
  const parts = text
    .trim()
    .toLowerCase()
    .match(/^(\d{1,2})(?:[:.h](\d{2})(?::\d{2})?|(\d{2}))?\s*(?:(a|p)\.?m\.?)?$/);
  if (parts === null) return null;
  let hour = Number(parts[1]);
  const minute = Number(parts[2] ?? parts[3] ?? 0);
  if (parts[4] !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (parts[4] === 'p' ? 12 : 0);
  }
  return hour > 23 || minute > 59 ? null : `${pad(hour)}:${pad(minute)}`;
}

// Other types

const yesWords = new Set(['yes', 'y', 'true', '1', 'x', 'on', 'done', '✓', '✔', '✔️', '✅', '☑', '☑️', '[x]']);
const noWords = new Set(['no', 'n', 'false', '0', 'off', '✗', '✘', '❌', '☐', '[ ]', '[]']);

/** Reads yes or no in words, ticks and digits. */
export function parseYesNo(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (yesWords.has(word)) return true;
  return noWords.has(word) ? false : null;
}

function parseRating(text: string): number | null {
  const stars = text.match(/^([★⭐]️?)*[☆]*$/u);
  if (stars !== null) return [...text].filter((sign) => sign === '★' || sign === '⭐').length;
  const number = text.match(/^([0-5])(?:[.,]0)?(?:\s*\/\s*5|\s*(?:stars?|of 5))?$/i);
  return number === null ? null : Number(number[1]);
}

/** Adds the protocol to an address without one. Other texts stay as they are, and `valueProblem` refuses them. */
function withProtocol(text: string): string {
  return /^[\w-]+(?:\.[\w-]+)+(?:[:/?#]\S*)?$/u.test(text) ? `https://${text}` : text;
}

function findChoice(field: Extract<Field, { type: 'choice' | 'choices' }>, text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  const named = field.choices.find(({ name }) => name.trim().toLowerCase() === lower);
  return (named ?? field.choices.find(({ id }) => id === lower))?.id;
}

function parseChoices(field: Extract<Field, { type: 'choices' }>, text: string): Parsed {
  const whole = findChoice(field, text);
  if (whole !== undefined) return { value: [whole] };
  const ids: string[] = [];
  for (const part of text.split(/[,;|\n]/)) {
    if (part.trim() === '') continue;
    const id = findChoice(field, part);
    if (id === undefined) return { problem: noSuchChoice(field.name, part) };
    if (!ids.includes(id)) ids.push(id);
  }
  return { value: ids };
}

function noSuchChoice(name: string, text: string): string {
  return `${name} has no choice “${text.trim().slice(0, 60)}”.`;
}

function parseMoney(field: { readonly name: string; readonly currency: string }, text: string): Parsed {
  const named = currencyIn(text);
  const dollars = named === '$' && (/D$/.test(field.currency) || field.currency === 'MXN');
  if (named !== null && named !== field.currency && !dollars) {
    return { problem: `${field.name} is in ${field.currency}, and this amount is in ${named === '$' ? 'dollars' : named}.` };
  }
  const amount = parseNumber(text, { sums: true });
  return amount === null ? { problem: 'Money needs a number.' } : { value: toMinorUnits(amount, field.currency) };
}

function parseNumberField(field: Extract<Field, { type: 'number' }>, text: string): Parsed {
  const { unit } = field;
  const bare = unit !== undefined && text.toLowerCase().endsWith(unit.toLowerCase()) ? text.slice(0, -unit.length) : text;
  const value = parseNumber(bare, { sums: true });
  return value === null ? { problem: numberNeeded } : { value };
}

const numberNeeded = 'A number is needed here, such as 12 or 1.5.';
const dateNeeded = 'A date is needed here, such as 3 Feb 2027, 3/2/2027 or fri.';
const timeNeeded = 'A time is needed here, such as 13:30 or 9am.';
const yesNoNeeded = 'This needs yes or no.';
const ratingNeeded = 'A rating is 1 to 5.';

function or(value: Value, problem: string): Parsed {
  return value === null ? { problem } : { value };
}

function parseFilled(field: Field, text: string, todayIso: string): Parsed {
  switch (field.type) {
    case 'number':
      return parseNumberField(field, text);
    case 'money':
      return parseMoney(field, text);
    case 'date':
      return or(parseDate(text, { todayIso }), dateNeeded);
    case 'time':
      return or(parseTime(text), timeNeeded);
    case 'yesno':
      return or(parseYesNo(text), yesNoNeeded);
    case 'rating': {
      const stars = parseRating(text);
      return stars === 0 ? { value: null } : or(stars, ratingNeeded);
    }
    case 'choice':
      return or(findChoice(field, text) ?? null, noSuchChoice(field.name, text));
    case 'choices':
      return parseChoices(field, text);
    case 'link':
      return { value: withProtocol(text) };
    case 'relation':
      return { problem: `${field.name} takes records of another list. Choose one from its menu.` };
    case 'image':
      return { problem: `${field.name} takes a picture. Drop or choose a file.` };
    case 'computed':
      return { problem: `${field.name} is computed, and takes no value.` };
    default:
      return { value: text };
  }
}

/**
 * Reads what a person types or a cell of a table holds into the stored value of a field, and checks it. An empty text is no value.
 * `todayIso` is today as `yyyy-mm-dd`.
 */
export function parseText(field: Field, text: string, { todayIso }: { readonly todayIso: string }): Parsed {
  const trimmed = text.trim();
  const parsed = trimmed === '' ? { value: emptyValue(field) } : parseFilled(field, trimmed, todayIso);
  if ('problem' in parsed) return parsed;
  const problem = valueProblem(field, parsed.value);
  return problem === null ? parsed : { problem };
}

// Checks

function rangeProblem(field: Extract<Field, { type: 'number' | 'money' }>, value: number): string | null {
  if (field.min !== undefined && value < field.min) return `${field.name} is at least ${showValue(field, field.min)}.`;
  if (field.max !== undefined && value > field.max) return `${field.name} is at most ${showValue(field, field.max)}.`;
  return null;
}

function numberProblem(field: Extract<Field, { type: 'number' | 'money' }>, value: Value): string | null {
  if (field.type === 'money' && !Number.isSafeInteger(value)) return 'Money needs a number.';
  return Number.isFinite(value) ? rangeProblem(field, Number(value)) : numberNeeded;
}

function lengthProblem(name: string, value: Value, most: number): string | null {
  if (typeof value !== 'string') return `${name} needs a text.`;
  return value.length > most ? `${name} has at most ${most.toLocaleString('en-GB')} characters.` : null;
}

function emailProblem(value: string): string | null {
  if (!value.includes('@')) return 'An e-mail address has an @ in it.';
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value) ? null : 'An e-mail address looks like ana@example.com.';
}

function linkProblem(value: string): string | null {
  return /^https?:\/\/[^\s/?#]+[^\s]*$/i.test(value) ? null : 'A link looks like https://example.com, without spaces.';
}

function phoneProblem(value: string): string | null {
  const digits = value.replaceAll(/\D/g, '').length;
  const signs = /^[+\d(][\d\s()./-]*$/.test(value);
  return signs && digits >= 3 && digits <= 15 ? null : 'A phone number has 3 to 15 digits, and may have +, spaces and hyphens.';
}

function relationProblem(field: Extract<Field, { type: 'relation' }>, value: Value): string | null {
  if (Array.isArray(value) !== (field.many === true))
    return `${field.name} needs ${field.many === true ? 'records' : 'one record'}.`;
  const ids = Array.isArray(value) ? value : [value];
  return ids.every((id) => recordIdSchema.safeParse(id).success) ? null : `${field.name} names a record that cannot exist.`;
}

function choicesProblem(field: Extract<Field, { type: 'choices' }>, value: Value): string | null {
  if (!Array.isArray(value)) return `${field.name} needs choices.`;
  const unknown = value.find((id) => !field.choices.some((choice) => choice.id === id));
  if (unknown !== undefined) return noSuchChoice(field.name, unknown);
  if (field.most !== undefined && value.length > field.most) return `${field.name} takes at most ${field.most} choices.`;
  return null;
}

function matches(value: Value, test: (text: string) => boolean): boolean {
  return typeof value === 'string' && test(value);
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

function isRating(value: Value): boolean {
  return [1, 2, 3, 4, 5].some((stars) => stars === value);
}

function isFileId(text: string): boolean {
  return /^[a-z0-9][\w.-]{0,79}$/i.test(text);
}

function filledProblem(field: Field, value: Value): string | null {
  switch (field.type) {
    case 'text':
      return lengthProblem(field.name, value, field.maxLength ?? 1000);
    case 'longtext':
      return lengthProblem(field.name, value, 20_000);
    case 'number':
    case 'money':
      return numberProblem(field, value);
    case 'date':
      return matches(value, isIsoDate) ? null : dateNeeded;
    case 'time':
      return matches(value, isTime) ? null : timeNeeded;
    case 'choice':
      return field.choices.some(({ id }) => id === value) ? null : noSuchChoice(field.name, String(value));
    case 'choices':
      return choicesProblem(field, value);
    case 'rating':
      return isRating(value) ? null : ratingNeeded;
    case 'yesno':
      return typeof value === 'boolean' ? null : yesNoNeeded;
    case 'image':
      return matches(value, isFileId) ? null : `${field.name} needs a picture.`;
    case 'link':
      return lengthProblem(field.name, value, 2000) ?? linkProblem(String(value));
    case 'email':
      return lengthProblem(field.name, value, 254) ?? emailProblem(String(value));
    case 'phone':
      return lengthProblem(field.name, value, 40) ?? phoneProblem(String(value));
    case 'relation':
      return relationProblem(field, value);
    case 'computed':
      return `${field.name} is computed, and takes no value.`;
  }
}

/** What is wrong with a stored value, as a sentence for the user, or `null`. Whether a related record exists is not checked. */
export function valueProblem(field: Field, value: Value): string | null {
  if (isEmpty(value)) return field.needed === true && field.type !== 'computed' ? `${field.name} is needed.` : null;
  return filledProblem(field, value);
}

// Showing

const formatters = new Map<string, Intl.NumberFormat>();

/** Formatters are slow to make. `style` names what the options are. */
function formatter(style: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  let known = formatters.get(style);
  if (known === undefined) {
    known = new Intl.NumberFormat('en-GB', options);
    formatters.set(style, known);
  }
  return known;
}

/** Shows an amount of minor units: “£1,180” if it is whole, and “£1,180.00” if `long`. */
export function showMoney(minor: number, currency: string, long = false): string {
  const digits = currencyDigits(currency);
  const whole = !long && minor % 10 ** digits === 0;
  const shown = whole ? 0 : digits;
  const fraction = { minimumFractionDigits: shown, maximumFractionDigits: shown };
  return formatter(`${currency}${shown}`, { style: 'currency', currency, ...fraction }).format(minor / 10 ** digits);
}

function showNumber(value: number, decimals: number | undefined, unit: string | undefined): string {
  const fraction = { minimumFractionDigits: decimals ?? 0, maximumFractionDigits: decimals ?? 6 };
  const shown = formatter(`number${decimals ?? ''}`, fraction).format(value);
  if (unit === undefined || unit === '') return shown;
  return unit === '%' ? `${shown}%` : `${shown} ${unit}`;
}

/** A year is no amount, and has no comma. */
function showNumberField(field: Extract<Field, { type: 'number' }>, value: number): string {
  const isYear = /\byear\b/i.test(field.name) && Number.isInteger(value) && value >= 1000 && value < 3000;
  // A decimal place that somebody has entered is shown, whatever the field asks for.
  const own = String(value).split('.')[1]?.length ?? 0;
  return isYear
    ? String(value)
    : showNumber(value, field.decimals === undefined ? undefined : Math.max(field.decimals, Math.min(own, 6)), field.unit);
}

/** “3 Feb 2027”. */
export function showDate(iso: string): string {
  const month = monthNames[Number(iso.slice(5, 7)) - 1] ?? '';
  return `${Number(iso.slice(8, 10))} ${month.charAt(0).toUpperCase()}${month.slice(1)} ${Number(iso.slice(0, 4))}`;
}

export interface ShowOptions {
  readonly long?: boolean | undefined;
  /** Title of a record of a list; `null` if there is no such record. */
  readonly titleOf?: ((listId: string, recordId: string) => string | null) | undefined;
}

function choiceName(field: Extract<Field, { type: 'choice' | 'choices' }>, id: unknown): string {
  return field.choices.find((choice) => choice.id === id)?.name ?? String(id);
}

function showComputed(field: Extract<Field, { type: 'computed' }>, value: Value, long: boolean): string {
  if (typeof value === 'number') {
    return field.result === 'money'
      ? showMoney(value, field.currency ?? defaultCurrency, long)
      : showNumber(value, field.decimals, undefined);
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' && field.result === 'date' && isIsoDate(value) ? showDate(value) : String(value);
}

/** Currency of a computed amount that names none. */
export const defaultCurrency = 'GBP';

/** Shows a value as text in British English. A value that does not fit its field is shown as it is; no value as an empty text. */
export function showValue(field: Field, value: Value, { long = false, titleOf }: ShowOptions = {}): string {
  if (isEmpty(value) || value === null) return '';
  const items = Array.isArray(value) ? value : [value];
  switch (field.type) {
    case 'number':
      return typeof value === 'number' ? showNumberField(field, value) : String(value);
    case 'money':
      return typeof value === 'number' ? showMoney(value, field.currency, long) : String(value);
    case 'date':
      return typeof value === 'string' && isIsoDate(value) ? showDate(value) : String(value);
    case 'choice':
    case 'choices':
      return items.map((id) => choiceName(field, id)).join(', ');
    case 'rating':
      return typeof value === 'number' && value >= 1 && value <= 5 ? '★'.repeat(value) : String(value);
    case 'yesno':
      return value === true ? 'Yes' : 'No';
    case 'link':
      return String(value)
        .replace(/^https?:\/\//i, '')
        .replace(/\/$/, '');
    case 'relation':
      return items.map((id) => (titleOf === undefined ? String(id) : (titleOf(field.list, String(id)) ?? 'Deleted'))).join(', ');
    case 'computed':
      return showComputed(field, value, long);
    default:
      return String(value);
  }
}
