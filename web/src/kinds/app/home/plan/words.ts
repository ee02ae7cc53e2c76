import type { AppDocument } from '../../../../../../sandbox-image/templates/app/model/document.ts';

/** A word of a text: `stem` is lower case and without the “s” of a plural. */
export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

const stemOf = (word: string) => word.toLowerCase().replace(/s$/u, '');

export function wordsIn(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: word,
    stem: stemOf(word),
    start: index,
    end: index + word.length,
  }));
}

export const stemsOf = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => wordsIn(text).map(({ stem }) => stem)));

/** Words that name nothing by themselves, so that a field of that name does not count as said. */
const commonWords = stemsOf([
  'a an and are as at be by can each every for from get has have how i in is it its know list me my need no not of on or our out',
  'over show so something that the their them then they this to up us want we what when where which who will with yes you your',
  'name names note notes text date app make keep please thing things start end day time',
]);

/** What a starting point is recognised by. */
export interface Recognisable {
  readonly id: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly document: AppDocument;
}

const listStems = ({ lists }: AppDocument) => stemsOf(lists.flatMap(({ name, one }) => [name, one]));

/** Returns the words that a starting point and a text share. Fields count half, because many apps have the same ones. */
function scoreOf({ name, words, document }: Recognisable, said: ReadonlySet<string>): number {
  const own = stemsOf([name, ...words]);
  for (const stem of listStems(document)) own.add(stem);
  const fields = stemsOf(document.lists.flatMap((list) => list.fields.map((field) => field.name)));
  let score = 0;
  for (const stem of said) {
    if (own.has(stem)) score += 1;
    else if (fields.has(stem)) score += 0.5;
  }
  return score;
}

/** Returns the starting points that share words with a text, best first. Of equals, the one that comes first. */
export function matchingStarts<T extends Recognisable>(text: string, starts: readonly T[]): T[] {
  const said = new Set(wordsIn(text).flatMap(({ stem }) => (commonWords.has(stem) ? [] : stem)));
  return starts
    .map((start) => ({ start, score: scoreOf(start, said) }))
    .filter(({ score }) => score >= 1)
    .sort((one, other) => other.score - one.score)
    .map(({ start }) => start);
}

/** Where lists (`list`) and fields (`list/field`) come from: the words that name each, as written. */
export function namedIn(text: string, { lists }: AppDocument): Map<string, string[]> {
  const words = wordsIn(text).filter(({ stem }) => !commonWords.has(stem));
  const named = new Map<string, string[]>();
  const note = (key: string, names: readonly string[]) => {
    const stems = stemsOf(names);
    const found = [...new Set(words.filter(({ stem }) => stems.has(stem)).map((word) => word.text))];
    if (found.length > 0) named.set(key, found);
  };
  for (const list of lists) {
    note(list.id, [list.name, list.one]);
    for (const field of list.fields) {
      const choices = field.type === 'choice' || field.type === 'choices' ? field.choices.map(({ name }) => name) : [];
      note(`${list.id}/${field.id}`, [field.name, ...choices]);
    }
  }
  return named;
}

/** Splits a text into the words that became something in the plan, which are underlined, and what is between them. */
export function markedParts(text: string, used: ReadonlySet<string>): { text: string; start: number; isUsed: boolean }[] {
  const parts: { text: string; start: number; isUsed: boolean }[] = [];
  let at = 0;
  for (const { start, end, text: word } of wordsIn(text)) {
    if (!used.has(word)) continue;
    if (start > at) parts.push({ text: text.slice(at, start), start: at, isUsed: false });
    parts.push({ text: word, start, isUsed: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), start: at, isUsed: false });
  return parts;
}
