import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { foreignOthers, meant, related } from './noun-words.ts';
import { isPerson, isThing } from './wordnet.ts';

/** Nouns and colours of Unicode CLDR's annotations, with the drawings of Fluent Emoji that they stand for. */
export const require = createRequire(import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(require.resolve(path), 'utf8'));
const drawingNames = read('@iconify-json/fluent-emoji-flat/chars.json') as Record<string, string>;
const { categories } = read('@iconify-json/fluent-emoji-flat/metadata.json') as { categories: Record<string, string[]> };

const people = 'People & Body';
const things = ['Animals & Nature', 'Food & Drink', 'Objects', 'Travel & Places', 'Activities', people, 'Smileys & Emotion'];
const categoryOf = new Map(things.flatMap((category) => (categories[category] ?? []).map((name) => [name, category] as const)));
/** What is a sign rather than a thing has no nouns but its name. */
const nameOnly = new Set(['Smileys & Emotion', people]);

const codeOf = (emoji: string): string => [...emoji].map((sign) => sign.codePointAt(0)?.toString(16)).join('-');
const drawingOf = (emoji: string): string | undefined =>
  drawingNames[codeOf(emoji)] ?? drawingNames[codeOf(emoji.replaceAll('\ufe0f', ''))] ?? drawingNames[codeOf(`${emoji}\ufe0f`)];
/** The hands of a clock, and places in a competition, are no things. */
const isNoThing = (drawing: string): boolean => /oclock$|-thirty$|-place-medal$/.test(drawing);
const categoryFor = (emoji: string): string => {
  const drawing = drawingOf(emoji) ?? '';
  return isNoThing(drawing) ? '' : (categoryOf.get(drawing) ?? '');
};

interface Annotation {
  readonly name: string;
  readonly keywords: readonly string[];
}
const folder = join(dirname(require.resolve('cldr-annotations-full/package.json')), 'annotations');
const locales = readdirSync(folder);
type Raw = Readonly<Record<string, { readonly default?: readonly string[]; readonly tts?: readonly string[] }>>;
const rawOf = (locale: string): Raw =>
  (read(`cldr-annotations-full/annotations/${locale}/annotations.json`) as { annotations: { annotations?: Raw } }).annotations
    .annotations ?? {};

/** Of a language, with the keywords that it has in its regions. */
function annotationsOf(language: string): Map<string, Annotation> {
  const regions =
    language === 'en' ? [] : locales.filter((name) => new RegExp(`^${language}-(?:[A-Z]{2}|\\d+)$`).test(name)).map(rawOf);
  return new Map(
    Object.entries(rawOf(language)).map(([emoji, { default: own = [], tts: [name = ''] = [] }]) => {
      const keywords = [...own, ...regions.flatMap((region) => region[emoji]?.default ?? [])];
      // German nouns have capitals; what has none is an adjective or a verb.
      const nouns = keywords.filter((one) => language !== 'de' || /^\p{Lu}/u.test(one));
      return [emoji, { name: name.toLowerCase(), keywords: [...new Set(nouns.map((one) => one.toLowerCase()))] }];
    }),
  );
}

/** All languages of CLDR but those with tables of their own; `de-CH` and its like are the language that they are of. */
export const otherLanguages: readonly string[] = locales.filter(
  (name) => !name.includes('-') && !['en', 'de', 'fr', 'es', 'und'].includes(name),
);

const isWord = (word: string): boolean => /^[\p{L}][\p{L}\p{M} '’-]{0,40}$/u.test(word);
const isPlural = (word: string, known: ReadonlyMap<string, unknown>): boolean =>
  word.endsWith('s') && [word.slice(0, -1), word.replace(/es$/, '')].some((one) => one !== word && known.has(one));

/** The better the fit, the higher; a name beats the head of a longer name, which beats a keyword. */
function wordsOf(emoji: string, { keywords, name }: Annotation): [string, number][] {
  const parts = name.split(' ');
  const category = categoryFor(emoji);
  const found: [string, number][] = [[name, 100]];
  // "Beans" is the name of one bean's drawing, too.
  if (parts.length === 1 && /[^s]s$/.test(name)) found.push([name.replace(/s$/, ''), 90]);
  if (category === people) for (const one of keywords) if (isPerson(one)) found.push([one, 30]);
  if (nameOnly.has(category) || /\bface\b/.test(name)) return found;
  if (parts.length > 1) found.push([parts.at(-1) ?? '', 80 - parts.length]);
  for (const keyword of keywords)
    found.push([keyword, parts.length === 1 ? 70 : parts.includes(keyword.toLowerCase()) ? 75 : 40]);
  return found;
}

const english = annotationsOf('en');

/** English nouns with their drawings. */
export function englishNouns(): Map<string, string> {
  const best = new Map<string, { drawing: string; weight: number }>();
  for (const [emoji, annotation] of english) {
    const drawing = drawingOf(emoji);
    if (drawing === undefined || categoryFor(emoji) === '') continue;
    for (const [word, weight] of wordsOf(emoji, annotation)) {
      const known = best.get(word);
      if (word.length > 1 && isWord(word) && (known === undefined || known.weight < weight)) best.set(word, { drawing, weight });
    }
  }
  for (const [word, drawing] of Object.entries(meant)) best.set(word, { drawing, weight: 101 });
  const kept = [...best].filter(
    ([word, { weight }]) =>
      weight > 100 ||
      (isPlural(word, best) ? isThing(word) && weight === 100 : weight === 100 || (isThing(word) && !related.has(word))),
  );
  return new Map(kept.map(([word, { drawing }]) => [word, drawing]));
}

/** What a drawing of Fluent Emoji is called in English. */
export const englishNames: readonly (readonly [drawing: string, name: string])[] = [...english].flatMap(([emoji, { name }]) => {
  const drawing = drawingOf(emoji);
  return drawing === undefined || categoryFor(emoji) === '' ? [] : [[drawing, name] as const];
});

/** Emoji of things and what they are called in English. */
export const emojiNames: readonly (readonly [emoji: string, name: string])[] = [...english].flatMap(([emoji, { name }]) =>
  categoryFor(emoji) === '' || !isWord(name) ? [] : [[emoji.replaceAll('\ufe0f', ''), name] as const],
);

/** Which emoji have a word as their name or keyword. */
function emojiOf(annotations: ReadonlyMap<string, Annotation>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [emoji, { keywords, name }] of annotations) {
    if (categoryFor(emoji) === '') continue;
    for (const word of new Set([...keywords, name])) found.set(word, (found.get(word) ?? new Set()).add(emoji));
  }
  return found;
}

/** How alike two sets are, 0…1 (Jaccard). */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((item) => other.has(item)).length;
  return both / (one.size + other.size - both);
}

/** Words of two languages that nearly the same emoji have as keywords mean the same: "fleur" is a flower. */
const leastLikeness = 0.55;
const englishEmoji = emojiOf(english);
const englishByEmoji = new Map<string, string[]>();
for (const [word, emoji] of englishEmoji)
  for (const one of emoji) englishByEmoji.set(one, [...(englishByEmoji.get(one) ?? []), word]);

/** Nouns of another language with their drawings, by the English ones. */
export function foreignNouns(language: string, own: ReadonlyMap<string, string>): Map<string, string> {
  const annotations = annotationsOf(language);
  const table = new Map<string, string>();
  const least = ['ja', 'zh', 'yue', 'ko', 'th', 'my', 'km', 'lo'].includes(language) ? 1 : 3;
  const put = (word: string, drawing: string | undefined): void => {
    if (drawing !== undefined && !table.has(word) && word.length >= least && isWord(word) && !foreignOthers.has(word))
      table.set(word, drawing);
  };
  for (const [emoji, { name }] of annotations) if (categoryFor(emoji) !== '') put(name, drawingOf(emoji));
  // "Queso" of "cuña de queso", "Haltestelle" of "Bushaltestelle": a keyword in the name of one emoji alone is what that one shows.
  const inNames = new Map<string, Set<string>>();
  for (const [emoji, { name, keywords }] of annotations) {
    if (['', ...nameOnly].includes(categoryFor(emoji)) || keywords.length < 2) continue;
    for (const keyword of keywords)
      if (keyword !== name && !keyword.includes(' ') && name.includes(keyword))
        inNames.set(keyword, (inNames.get(keyword) ?? new Set()).add(emoji));
  }
  const byWord = emojiOf(annotations);
  for (const [word, emoji] of byWord) {
    const candidates = new Set([...emoji].flatMap((one) => englishByEmoji.get(one) ?? []));
    let best = { noun: '', likeness: 0 };
    for (const noun of candidates) {
      if (!own.has(noun)) continue;
      const alike = likeness(emoji, englishEmoji.get(noun) ?? new Set());
      if (alike > best.likeness) best = { noun, likeness: alike };
    }
    const [first = ''] = inNames.get(word) ?? [];
    if (first !== '' && inNames.get(word)?.size === 1 && emoji.size < 4) put(word, drawingOf(first));
    else if (best.likeness >= leastLikeness && (emoji.size > 1 || isPerson(best.noun))) put(word, own.get(best.noun));
  }
  return table;
}

/** The hearts, circles and squares of a colour, with the colour's name in CSS. */
const colored: Readonly<Record<string, string>> = {
  red: '❤🔴🟥',
  orange: '🧡🟠🟧',
  yellow: '💛🟡🟨',
  green: '💚🟢🟩',
  blue: '💙🔵🟦',
  purple: '💜🟣🟪',
  brown: '🤎🟤🟫',
  black: '🖤⚫⬛',
  white: '🤍⚪⬜',
};

/** Words for colours: what the hearts, circles and squares of one colour have in their names, and no others have. */
export function foreignColors(language: string): Map<string, string> {
  const annotations = annotationsOf(language);
  const found = new Map<string, Map<string, number>>();
  for (const [color, signs] of Object.entries(colored)) {
    for (const sign of signs) {
      const { name = '', keywords = [] } = annotations.get(sign) ?? {};
      for (const word of new Set([...name.split(' '), ...keywords.filter((one) => name.includes(one))])) {
        const counts = found.get(word) ?? new Map<string, number>();
        found.set(word, counts.set(color, (counts.get(color) ?? 0) + 1));
      }
    }
  }
  return new Map(
    [...found].flatMap(([word, counts]) => {
      const [color = ''] = counts.keys();
      const isShort = word.length < 3 && !/[^\p{Script=Latin}]/u.test(word);
      const often = [...counts.values()].every((count) => count > 1);
      return counts.size === 1 && often && !isShort && isWord(word) && !word.includes(' ') ? [[word, color] as const] : [];
    }),
  );
}
