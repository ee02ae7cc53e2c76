import type { Field } from '../../../../sandbox-image/templates/app/model/document.ts';
import { hues } from '../../../../sandbox-image/templates/app/model/document.ts';
import { idFrom } from '../../../../sandbox-image/templates/app/model/ids.ts';
import { concepts, fieldOf } from './vocabulary.ts';
import { wordsIn } from './words.ts';

/** What a request lists after a colon or “with”, between commas: the fields that somebody wants. */
export interface Enumeration {
  /** The words before it. */
  readonly subject: string;
  /** The fields, each with the words that it was taken from. */
  readonly fields: readonly { readonly field: Field; readonly words: string }[];
}

const fewest = 3;
const most = 30;
const mostWords = 8;
/** Characters of a request that are read. */
const mostCharacters = 4000;

/** Returns the fields that a request lists, or `null` if it lists fewer than three. `currency` (ISO 4217) is that of amounts. */
export function enumerationIn(text: string, currency: string): Enumeration | null {
  const read = text.slice(0, mostCharacters);
  for (const mark of read.matchAll(/:\s|[,;]?\s(?:with|including|mit|each (?:item )?has|has|have)\s/gi)) {
    const after = read.slice(mark.index + mark[0].length);
    const [list = ''] = after.split(/[.;!?](?:\s|$)|\n\s*\n/, 1);
    const items = itemsIn(list);
    if (items.length < fewest || items.length > most || items.some((item) => item.split(/\s+/).length > mostWords)) continue;
    const fields: { field: Field; words: string }[] = [];
    for (const item of items) {
      const used = new Set(fields.map(({ field }) => field.id));
      const field = fieldFrom(item, used, currency);
      if (field !== null && !fields.some((one) => one.field.name.toLowerCase() === field.name.toLowerCase()))
        fields.push({ field, words: item });
    }
    if (fields.length >= fewest) return { subject: read.slice(0, mark.index), fields };
  }
  return null;
}

/** Splits a list at commas outside of brackets, and its end at the last “and”. */
function itemsIn(list: string): string[] {
  const parts = list.split(/[,\n](?![^(]*\))/).map((part) => part.trim());
  const last = parts.pop() ?? '';
  const [, first = '', second = ''] = /^(.*?)(?:\s+|^)(?:and|und|&)\s+(.+)$/i.exec(last) ?? [];
  const ends = second === '' ? [last] : [first, second];
  return [...parts, ...ends].map((part) => part.replace(/^[-*•]\s*/, '').trim()).filter((part) => part !== '');
}

const leading = /^(?:and|und|an?|the|its|their|our|my|his|her|each|any|some|der|die|das|ein|eine|ihre?)\s+/i;
const yesNo = /[\s,(]*(?:yes\s*(?:\/|or)\s*no|y\/n|ja\s*(?:\/|oder)\s*nein|(?:or|oder) (?:not|nicht))\)?$/i;
const whether = /^(?:whether|if|ob)\s+(?:(?:we|they|he|she|it|you|wir|sie|er|es)\s+(?:(?:have|has|had|are|is|was|were)\s+)?)?/i;
const when =
  /^(?:(?:since\s+)?when|wann|since|seit)\s+(?:(?:we|they|he|she|it)\s+)?(?:(?:are|is|was|were|have|has)\s+)?(?:been\s+)?|\s+(?:when|wann|on|am)$/i;
const howMany = /^(?:number of|how many|no\. of|amount of|anzahl(?: der)?|wie viele)\s+/i;
const participle =
  /^(?:[a-z]{3,}ed|sent|paid|done|sold|read|returned|given|erledigt|bezahlt|verkauft|abgeholt)(?:\s+(?:up|out|back|in|off))?$/i;

/** Returns the field that an item of a list stands for, called as it is written. `null` if no name is left. */
function fieldFrom(item: string, used: ReadonlySet<string>, currency: string): Field | null {
  const [, chosen] = /\(([^()]+)\)\s*$/.exec(item) ?? [];
  const choices = (chosen ?? '').split(/[,/|]| or | oder /i).map((one) => one.trim());
  const plain = item.replace(/\s*\([^()]*\)\s*$/, '').replace(leading, '');
  const isYesNo = yesNo.test(item) || whether.test(plain);
  const isDate = when.test(plain);
  const isCount = howMany.test(plain);
  const name = capitalised(
    plain.replace(yesNo, '').replace(whether, '').replace(when, '').replace(howMany, '').replace(leading, ''),
  );
  if (name === '' || !/\p{L}/u.test(name)) return null;
  const common = { id: idFrom(name, used, 'field'), name: name.slice(0, 60).trim() };
  if (isYesNo || (participle.test(name) && !isCount && !isDate)) return { ...common, type: 'yesno' };
  if (choices.length > 1 && choices.every((one) => one !== '' && one.length <= 60)) return choiceOf(common, choices);
  if (isDate) return { ...common, type: 'date' };
  if (isCount) return { ...common, type: 'number' };
  // The last word says what it is, or the one before “per”: a “table number” is a number, and a “birthday present” no date.
  const stem = wordsIn(name.replace(/\s(?:per|pro|in|of)\s.*$/i, '')).at(-1)?.stem;
  const concept = concepts.find(({ words }) => stem !== undefined && words.includes(stem));
  if (concept === undefined || concept.type === 'choice') return { ...common, type: 'text' };
  return { ...fieldOf(concept, null, currency), ...common };
}

function choiceOf(common: Pick<Field, 'id' | 'name'>, names: readonly string[]): Field {
  const known = new Set<string>();
  const choices = names.slice(0, 50).map((name, at) => {
    const id = idFrom(name, known, 'choice');
    known.add(id);
    return { id, name: capitalised(name), hue: hues[(at % (hues.length - 1)) + 1] ?? 'grey' };
  });
  return { ...common, type: 'choice', choices };
}

function capitalised(text: string): string {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}
