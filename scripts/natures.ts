import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileOf, sensesOf, synsets, visible } from './wordnet.ts';

/**
 * Writes `server/authors/director/natures.json`: how large the things of the drawings are and where they are at home, by
 * the kinds of WordNet that their nouns belong to. Run it again after `node scripts/nouns.ts`: `node scripts/natures.ts`.
 *
 * Each line: metres, the place where one expects it, kinds. `?` = it may be found elsewhere as well, so that another
 * thing's home is the better guess; `-` = at home nowhere. 1000 m and more: in the sky, behind the land.
 */
const kinds = `
0.03 meadow? insect | arachnid
0.08 meadow? worm | snail | slug
0.15 underwater? crustacean | jellyfish | starfish | coral
0.6 underwater cephalopod
0.4 underwater fish
2.5 underwater shark | dolphin
7 underwater whale
1.6 snow seal
0.3 meadow? bird
0.8 meadow? bird of prey | aquatic bird | owl
0.9 snow penguin
2 meadow? ratite
0.12 meadow? rodent | frog | amphibian
0.25 forest? squirrel | hedgehog | chipmunk
0.4 meadow? rabbit | turtle | lizard
0.45 meadow? cat | lagomorph
1.6 meadow? big cat
0.7 meadow? dog | fox | wolf
2 forest? bear
2.2 meadow? horse | bovine | ox
1.1 meadow? sheep | swine | goat
1.8 forest? deer
2.6 desert camel
4 meadow? elephant | hippopotamus | rhinoceros
5 meadow? giraffe
0.8 forest? monkey
1.6 forest? ape
1 meadow? snake
3 meadow? crocodilian reptile
6 meadow? dinosaur | dragon
0.25 meadow? bat
0.6 meadow? animal
6 meadow? tree
0.3 meadow? flower | herb
1 desert cactus
0.1 forest mushroom | fungus
0.5 meadow? plant
1.7 sky? person | imaginary being | human
1.1 sky? child | baby
1.8 snow snowman
14 sky airplane | helicopter | aircraft
10 sky hot-air balloon | balloon
0.8 sky kite | parachute
30 space rocket | spacecraft | artificial satellite
25 sea ship
5 sea boat
8 sea vessel | watercraft
12 road locomotive | train
9 street bus
7 road truck
4 road car | motor vehicle
1.6 road bicycle | motorcycle | scooter
1 street skateboard
3 road vehicle | wheeled vehicle
50 city skyscraper | tower
8 meadow? house
12 meadow? building
20 road bridge
3 meadow? tent | fence
3 street traffic light | street sign | streetlight | bus stop
1.5 garden bench | fountain
2 room bed | sofa | door | wardrobe | bookcase
1 room furniture | chair | table
0.5 room lamp
0.3 room? clock | timepiece | clothing | footwear | headdress | bag | picture | mirror | curtain
0.9 stage musical instrument
1 stage microphone
0.3 kitchen cookware | kitchen utensil | oven | kitchen appliance
0.12 table tableware | crockery | cup | cutlery | drinking vessel
0.3 table bottle | vase | jar | vessel | bowl
0.25 table? tool | implement | weapon | box | container
0.4 table computer | typewriter | machine
0.15 table? telephone | camera | writing implement | candle | toy | electronic device
0.25 table? book | publication | paper
0.04 table? coin | money | jewelry | key
0.25 - ball | game equipment | sports equipment
0.2 table? device
0.15 table food | fruit | vegetable | beverage | edible fruit | dish | pastry | foodstuff
1000 sky sun | moon | star | celestial body | rainbow
12 space planet | comet | galaxy | meteor
1000 sky cloud
40 sky? mountain | volcano | geological formation
0.4 - stone
0.3 table? artifact`;

const rules = kinds
  .trim()
  .split('\n')
  .map((line) => /^(\S+) (\S+) (.*)$/.exec(line))
  .map((match) => ({ nature: `${match?.[1]} ${match?.[2]}`, words: (match?.[3] ?? '').split(' | ') }));
const ruleOf = new Map<string, string>();
for (const { nature, words } of rules)
  for (const word of words) {
    const ids = sensesOf.get(word)?.ids ?? [];
    const id = ids.find((one) => visible.has(fileOf(one))) ?? ids[0];
    if (id === undefined) console.warn(`WordNet does not know “${word}”.`);
    else if (!ruleOf.has(id)) ruleOf.set(id, nature);
  }

/** The nature of the nearest kind that has one. */
function natureOf(id: string): string | null {
  let level = [id];
  for (let step = 0; step < 12 && level.length > 0; step += 1) {
    const found = level.flatMap((one) => ruleOf.get(one) ?? [])[0];
    if (found !== undefined) return found;
    level = level.flatMap((one) => synsets.get(one)?.above ?? []);
  }
  return null;
}

const read = (path: string): unknown => JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), 'utf8'));
/** Which homes the things of a chapter of Unicode's may have, and what they have where their nouns leave it open. */
const chapters: Readonly<Record<string, { readonly homes: RegExp; readonly usual: string | null }>> = {
  'Food & Drink': { homes: /table|kitchen/, usual: '0.15 table' },
  'Animals & Nature': { homes: /meadow|forest|underwater|desert|snow|garden| sky$/, usual: '0.6 meadow?' },
  'People & Body': { homes: /sky\?/, usual: null },
  'Travel & Places': { homes: /^(?!.*(?:table|room))/, usual: null },
  Objects: { homes: /table|room|kitchen|stage|-|street|garden/, usual: '0.25 table?' },
  Activities: { homes: /table|room|stage|-|sky$|road|street|meadow/, usual: '0.4 -' },
};
/** Of what Unicode has no sign for. */
const unsigned = { homes: /./, usual: null };
const { categories } = read('@iconify-json/fluent-emoji-flat/metadata.json') as { categories: Record<string, string[]> };
const chapterOf = new Map(Object.entries(categories).flatMap(([name, drawings]) => drawings.map((one) => [one, name] as const)));

const folder = join(import.meta.dirname, '../server/authors/director');
/** Noun and drawing, which has a star where the noun is another part of speech as well. */
const en = readFileSync(join(folder, 'brief/nouns/en.txt'), 'utf8')
  .split('\n')
  .map((line) => line.split('\t'));
const nounsOf = new Map<string, string[]>();
for (const [noun = '', entry = ''] of en) {
  const drawing = entry.replace('*', '');
  if (drawing !== '') nounsOf.set(drawing, [...(nounsOf.get(drawing) ?? []), noun]);
}

const found = new Map<string, string[]>();
for (const [drawing, nouns] of nounsOf) {
  const name = drawing.replace(/^(?:mdi|kit)-/, '').replaceAll('-', ' ');
  // Its own name first, then the head of it, then the nouns that it is drawn for.
  const words = [name, name.split(' ').at(-1) ?? name, ...nouns.sort((one, other) => one.length - other.length)];
  const natures = words.flatMap((word) => {
    const senses = sensesOf.get(word)?.ids ?? [];
    const id = senses.find((one) => visible.has(fileOf(one))) ?? senses[0];
    return (id === undefined ? null : natureOf(id)) ?? [];
  });
  const chapter = /^(?:mdi|kit)-/.test(drawing) ? unsigned : chapters[chapterOf.get(drawing) ?? ''];
  if (chapter === undefined) continue;
  const own = natures.find((nature) => chapter.homes.test(nature)) ?? chapter.usual;
  if (own !== null) found.set(own, [...(found.get(own) ?? []), drawing]);
}
const lines = Object.fromEntries([...found].map(([nature, drawings]) => [nature, drawings.sort().join('|')]));
writeFileSync(join(folder, 'natures.json'), `${JSON.stringify(lines, null, 1)}\n`);
console.log(`${[...found.values()].flat().length} of ${nounsOf.size} drawings`);
