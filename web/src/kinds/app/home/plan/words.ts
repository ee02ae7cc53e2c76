import { commonWords, stemsOf, wordsIn } from '#kinds/app/contract/words.ts';
import type { AppDocument } from '../../../../../../sandbox-image/templates/app/model/document.ts';

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
