import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fold } from '../server/authors/director/brief/fold.ts';
import { emojiNames, englishNames, englishNouns, foreignColors, foreignNouns, otherLanguages, require } from './cldr-nouns.ts';
import { meant, noSign } from './noun-words.ts';
import { dictionaryWords, isThing, kindsOf, others, relatives, sensesOf } from './wordnet.ts';

/**
 * Writes the tables of `server/authors/director/brief/nouns`: which drawing a noun stands for, by language, from the names
 * and keywords of Unicode CLDR; for English nouns that have no drawing, their nearest relative by WordNet that has one; and
 * which place a noun is. Run it again when one of the packages is renewed: `node scripts/nouns.ts`.
 */
const brief = join(import.meta.dirname, '../server/authors/director/brief');
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** A line each, sorted by bytes, so that a line is found by halves; the first of two equal keys counts. */
function writeTable(name: string, entries: Iterable<readonly [string, string]>): void {
  const lines = new Map<string, string>();
  for (const [word, value] of entries) {
    const key = fold(word).replaceAll('-', ' ');
    if (!lines.has(key)) lines.set(key, value);
  }
  const sorted = [...lines].sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  writeFileSync(join(brief, 'nouns', `${name}.txt`), sorted.map(([key, value]) => `${key}\t${value}\n`).join(''));
  console.log(`${name} ${lines.size}`);
}

const english = englishNouns();
/** Things that Unicode has no sign for, by the silhouettes of Material Design Icons. */
const { icons } = readJson(require.resolve('@iconify-json/mdi/icons.json')) as { icons: object };
for (const icon of Object.keys(icons)) {
  const word = icon.replaceAll('-', ' ');
  if (word.length > 2 && !english.has(word) && isThing(word) && !noSign.has(word)) english.set(word, `mdi-${icon}`);
}
/** Other names of the silhouettes, from the set's own list of aliases (`@mdi/svg`, Apache-2.0). */
const aliases = readJson(join(import.meta.dirname, 'mdi-aliases.json')) as Record<string, string>;
for (const [word, icon] of Object.entries(aliases)) if (!english.has(word) && isThing(word)) english.set(word, `mdi-${icon}`);

/** The kit's own drawings, with what they are called in each language. */
type Names = Readonly<Record<string, Readonly<Record<string, string>>>>;
const own = readJson(join(brief, '../drawings/names.json')) as Names;
const ownNouns = (language: string): [string, string][] =>
  Object.entries(own).flatMap(([drawing, words]) =>
    (words[language]?.split('|') ?? []).map((word): [string, string] => [word, `kit-${drawing}`]),
  );
for (const [word, drawing] of ownNouns('en')) english.set(word, drawing);

/** Places by WordNet's nouns that they are: what is a kind of one of these, in its usual sense, is such a place. */
const settings = {
  sea: 'sea|ocean|bay|lagoon|harbor|gulf',
  beach: 'beach|shore|coast|island|seashore',
  mountains: 'mountain|cliff|volcano|glacier|canyon|mountain range|ridge',
  city: 'city|metropolis|town|downtown|suburb',
  village: 'village',
  street: 'street|alley|plaza|marketplace',
  road: 'road|highway|racetrack|bridge',
  forest: 'forest|jungle|grove',
  meadow: 'meadow|pasture|prairie|farm|plain|savanna',
  pond: 'pond|lake',
  river: 'river|stream',
  hills: 'hill',
  vineyard: 'vineyard',
  station: 'railway station',
  bedroom: 'bedroom',
  garden: 'garden|park|orchard|playground|backyard',
  desert: 'desert|dune',
  space: 'galaxy|orbit|nebula|milky way',
  room: 'living room|office|hotel room|library|hallway|bathroom|attic|basement|parlor|hall',
  kitchen: 'kitchen|restaurant|cafe|bakery|diner',
  classroom: 'classroom|school|laboratory',
  stage: 'theater|circus|amphitheater|nightclub',
} as const;
/** Words that are something else in most sentences. */
const elsewhere = new Set(
  'flat|plain|dive|pike|monopoly|labor market|grill|orbit|bypass|pontoon bridge|ledge|bluff|anthill'.split('|'),
);
function placesByKind(): Map<string, string> {
  const placed = new Map<string, string>();
  for (const [place, words] of Object.entries(settings)) {
    let level = words.split('|').flatMap((word) => sensesOf.get(word)?.ids[0] ?? []);
    for (let step = 0; step < 3; step += 1) {
      for (const id of level) if (!placed.has(id)) placed.set(id, place);
      level = level.flatMap(kindsOf);
    }
  }
  return new Map(
    [...sensesOf].flatMap(([word, { ids, uses }]) => {
      const place = placed.get(ids[0] ?? '');
      const counts = place !== undefined && uses > 0 && !elsewhere.has(word) && /^[a-z]{3,16}(?: [a-z]{3,12})?$/.test(word);
      return counts ? [[word, place] as const] : [];
    }),
  );
}
/** Spoken by so many that their words count before those of others. */
const widespread = new Set('pt it nl pl ja zh ko ru uk tr sv da no fi cs ro hu el ar hi id vi th he'.split(' '));

/** A name without its hyphen is written in one word as well: "e-mail". */
const joined = (words: ReadonlyMap<string, string>): [string, string][] =>
  [...words].flatMap(([word, drawing]) => (/^\p{L}+-\p{L}+$/u.test(word) ? [[word.replace('-', ''), drawing]] : []));
/** Words that are other parts of speech, too, have a star. */
const starred = (words: Iterable<readonly [string, string]>): [string, string][] =>
  [...words].map(([word, value]) => [word, others.has(word) ? `*${value}` : value]);
writeTable('en', starred([...english, ...joined(english)]));
writeTable('relatives', starred(relatives(new Set(english.keys()))));
/** By what drawings are called where another language has asked for them: the shortest of the English nouns, if nothing else. */
const named = new Map(
  ownNouns('en')
    .toReversed()
    .map(([word, drawing]) => [drawing, word]),
);
for (const [word, drawing] of Object.entries(meant)) if (!named.has(drawing)) named.set(drawing, word);
for (const [drawing, name] of englishNames) {
  const shorter = [...english].flatMap(([word, own]) => (own === drawing && !word.includes('-') ? [word] : []));
  const short = shorter.sort((one, other) => one.length - other.length)[0] ?? name;
  const isShort = !name.includes(' ') || shorter.length === 0;
  if (!named.has(drawing))
    named.set(drawing, (isShort ? name : short).replace(english.has(name.replace(/s$/, '')) ? /s$/ : /$^/, ''));
}
writeTable('names', named);
writeTable('emoji', emojiNames);
writeTable('places', placesByKind());
for (const language of ['de', 'fr', 'es']) writeTable(language, [...ownNouns(language), ...foreignNouns(language, english)]);

/** All other languages in one table; what means several things counts as in the language with the most annotations for it. */
const votes = new Map<string, Map<string, number>>();
for (const language of otherLanguages) {
  const words = new Map([
    ...foreignNouns(language, english),
    ...[...foreignColors(language)].map(([word, color]) => [word, `#${color}`] as const),
    ...ownNouns(language),
  ]);
  for (const [word, value] of words) {
    // Short words of small languages are other words of large ones.
    if (word.length < 6 && !widespread.has(language) && /^\p{Script=Latin}+$/u.test(word)) continue;
    const counts = votes.get(word) ?? new Map<string, number>();
    votes.set(word, counts.set(value, (counts.get(value) ?? 0) + (widespread.has(language) ? 3 : 1)));
  }
}
writeTable(
  'others',
  [...votes].map(([word, counts]) => [word, [...counts].reduce((one, other) => (other[1] > one[1] ? other : one))[0]]),
);
writeFileSync(join(brief, 'words.txt'), `${dictionaryWords.join('\n')}\n`);
