import { z } from 'zod';
import type { NamedPlace } from '../author/places.ts';
import { placesIn } from '../author/places.ts';
import { clip, clipped, isNamed, plain } from '../author/read/fill.ts';
import type { Reading } from '../author/read/reading.ts';
import { spansOf } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, icon, line, readingSeconds, shorten } from './define-format.ts';

const place = z.object({
  name: line(20).describe('name of the place'),
  lat: z.number().min(-90).max(90).describe('latitude'),
  lon: z.number().min(-180).max(180).describe('longitude'),
});

const modes = ['plane', 'train', 'car', 'ship', 'bike', 'walk'] as const;

const schema = z.object({
  title: line(44).nullable().describe('heading; null names the first and last place'),
  caption: line(40).nullable().describe('means or time of travel'),
  from: place.describe('first place'),
  via: z.array(place).max(4).default([]).describe('stops, in order'),
  to: place.describe('last place'),
  mode: z.enum(modes).nullable().describe('means of travel'),
  icon: icon.nullable().describe('travels along the line'),
  distance: z.enum(['km', 'mi']).nullable().describe('unit of the straight distance; null shows none'),
});
type Props = z.infer<typeof schema>;

const icons: Readonly<Record<(typeof modes)[number], string>> = {
  plane: 'lucide:plane',
  train: 'lucide:train-front',
  car: 'lucide:car-front',
  ship: 'lucide:ship',
  bike: 'lucide:bike',
  walk: 'lucide:footprints',
};

const modeWords: readonly (readonly [(typeof modes)[number], RegExp])[] = [
  ['plane', /\b(?:flights?|flying|fly|flew|plane|flug\w*|fliegen|avion|vol|avión|vuelo|aereo|volo)\b/iu],
  ['train', /\b(?:(?:night )?trains?|rail\w*|(?:nacht|ice|tgv)?zug\w*|bahn\w*|trenes|tren|treno|interrail)\b/iu],
  ['car', /\b(?:road ?trip|car|drive|driving|van|auto|voiture|coche|macchina|roadtrip)\b/iu],
  [
    'ship',
    /\b(?:ferry|(?:by|a|the) ship|boat|sail\w*|cruise|fähre|schiff|kreuzfahrt|bateau|croisière|barco|crucero|nave|traghetto)\b/iu,
  ],
  ['bike', /\b(?:bike|bicycle|cycling|rad|fahrrad|radtour|vélo|bici\w*)\b/iu],
  ['walk', /\b(?:walk\w*|hik\w*|on foot|zu fuß|wander\w*|à pied|a pie|a piedi|pilgrimage)\b/iu],
];
const journey =
  /\b(?:trip|journey|travel\w*|route|tour|reise\w*|strecke|voyage|trajet|itinéraire|viaje|ruta|viaggio|percorso)\b/iu;
const joins = /^\s*(?:→|->|➜|–|—|to|nach|à|a|bis|until|then|and then)\s*$/iu;
const starts = /(?:\b(?:from|von|ab|de|depuis|desde|da|dal)\s+)$/iu;
const stops = /\b(?:via|über|par|por|vía|through|passing|stop\w*|con escala en|passando per)\s+$/iu;

/**
 * Reads a route from the text: “from Paris to Istanbul via Vienna”, “Oslo → Bergen”. Returns `null` if the places are not
 * connected like this.
 */
function routeIn(text: string): { from: NamedPlace; via: NamedPlace[]; to: NamedPlace } | null {
  const places = placesIn(text);
  const [first, second] = places;
  if (first === undefined || second === undefined || places.length > 6) return null;
  const between = places.slice(1).map(({ start }, index) => text.slice(places[index]?.end, start));
  const startsThere = starts.test(text.slice(0, first.start));
  const isChain = between.every((gap) => /^\s*(?:→|->|➜)\s*$/u.test(gap));
  if (isChain) return { from: first, via: places.slice(1, -1), to: places.at(-1) ?? second };
  const at = between.findIndex(
    (gap, index) => joins.test(gap) && (index > 0 || startsThere || !/^\s*(?:to|a|à|–|—)\s*$/iu.test(gap)),
  );
  if (at === -1) return null;
  const to = places[at + 1] ?? second;
  const others = places.filter((one) => one !== first && one !== to);
  const known = others.every(
    (one) =>
      stops.test(text.slice(0, one.start)) ||
      /^\s*(?:,|and|und|et|y|e|&)\s*$/iu.test(text.slice(others[others.indexOf(one) - 1]?.end ?? 0, one.start)),
  );
  return at === 0 && known ? { from: first, via: others, to } : null;
}

/** Returns the words before the first place if they make a title, which “Our flight” does not. */
function titleBefore(text: string): string | null {
  const before = plain(text.replace(starts, '')).replace(/[\s,;:–—-]+$/u, '');
  const isName = /^(?:the|our|my|a|die|der|unsere?|meine?|le|la|notre|el|mi|nuestro|il)\s+\S+$/iu.test(before);
  return /\s/u.test(before) && !isName ? before : null;
}

function propsOf(text: string, heading: string | null, reading: Reading): Props | null {
  const found = text.length > 160 ? null : routeIn(text);
  if (found === null) return null;
  const mode = modeWords.find(([, words]) => words.test(reading.text))?.[0] ?? null;
  const isJourney = mode !== null || journey.test(reading.text) || found.via.length > 0;
  if (!isNamed(reading, 'route') && !isJourney) return null;
  const spot = ({ name, lat, lon }: NamedPlace) => ({ name: clip(name, 20), lat, lon });
  const end = Math.max(found.to.end, ...found.via.map((stop) => stop.end));
  const rest = plain(text.slice(end)).replace(/^[\s,;:.!–—-]+|[\s,;:.!–—-]+$/gu, '');
  return {
    title: clipped(heading ?? titleBefore(text.slice(0, found.from.start)), 44),
    caption: clipped(`${rest.slice(0, 1).toLocaleUpperCase(reading.language)}${rest.slice(1)}`, 40),
    ...{ from: spot(found.from), via: found.via.map(spot), to: spot(found.to), mode },
    icon: mode === null ? null : icons[mode],
    distance: /\bmiles?\b/iu.test(reading.text) ? 'mi' : 'km',
  };
}

function matchRoutes(reading: Reading): Match<Props>[] {
  return reading.blocks.flatMap((block): Match<Props>[] => {
    if (block.kind !== 'text' && block.kind !== 'list') return [];
    const props = propsOf(reading.text.slice(block.start, block.end), block.heading?.text ?? null, reading);
    if (props === null) return [];
    return [{ score: isNamed(reading, 'route') ? 0.97 : 0.9, scenes: [props], spans: spansOf(block), told: [block] }];
  });
}

export const route = defineFormat({
  id: 'route',
  title: 'Route',
  use: 'A journey between two places on a map, with up to four stops.',
  avoid: 'Unordered places (use map), or steps that are not places (use steps).',
  purposes: ['explain', 'story'],
  props: schema,
  seconds: ({ title: heading, caption, from, to, via }) =>
    3.4 + via.length * 0.6 + readingSeconds(heading, caption, from.name, to.name, ...via.map(({ name }) => name)) * 0.7 + 0.8,
  outline: ({ title: heading, from, to, via }) => ({
    title: shorten(heading ?? `${from.name} – ${to.name}`, 60),
    description: shorten(`A route on a map: ${[from, ...via, to].map(({ name }) => name).join(', ')}.`, 900),
  }),
  match: matchRoutes,
  example: {
    title: null,
    caption: 'By night train',
    from: { name: 'Paris', lat: 48.85, lon: 2.35 },
    via: [],
    to: { name: 'Istanbul', lat: 41.01, lon: 28.95 },
    mode: 'train',
    icon: 'lucide:train-front',
    distance: 'km',
  },
});
