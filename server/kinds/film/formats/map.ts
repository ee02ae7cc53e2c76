import { z } from 'zod';
import { placeNamed } from '../author/places.ts';
import { clip, clipped, isNamed, plain } from '../author/read/fill.ts';
import type { BlockOf, Reading } from '../author/read/reading.ts';
import { blocksOf, spansOf } from '../author/read/reading.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const maxPlaces = 8;

export const countryCode = z.string().regex(/^[A-Z]{2}$/, 'must be a code such as “PE”');

const schema = z.object({
  title: line(44).nullable().describe('heading'),
  places: z
    .array(
      z
        .object({
          name: line(18).describe('name beside the place'),
          code: countryCode.nullable().describe('ISO 3166 code of a country, such as “PE”'),
          lat: z.number().min(-90).max(90).nullable().describe('latitude, instead of a code'),
          lon: z.number().min(-180).max(180).nullable().describe('longitude, instead of a code'),
          value: line(10).nullable().describe('figure beside the name'),
        })
        .refine(
          ({ code, lat, lon }) => code !== null || (lat !== null && lon !== null),
          'a place needs a code, or both lat and lon',
        ),
    )
    .min(1)
    .max(maxPlaces)
    .describe('countries or cities'),
});
type Props = z.infer<typeof schema>;

const cue = /\b(?:(?:world )?maps?|landkarte|weltkarte|karte|carte|mapa|mappa)\b/iu;

/** Removes the words that ask for a map: “Map of our offices” becomes “Our offices”. */
function titleOf(heading: string | null): string | null {
  const rest = plain(heading ?? '')
    .replace(
      /^(?:an?|the|eine?|une?|la|una?)?\s*(?:world )?(?:map|karte|landkarte|weltkarte|carte|mapa|mappa)\s*(?:of|with|showing|von|mit|der|des|de|del|di)?\s*/iu,
      '',
    )
    .replace(/:$/u, '');
  return clipped(`${rest.slice(0, 1).toUpperCase()}${rest.slice(1)}`, 44);
}

function placesOf(block: BlockOf<'list'>): Props['places'] | null {
  const places = block.items.flatMap(({ label, value }): Props['places'] => {
    const found = placeNamed(label);
    if (found === null) return [];
    const { code, lat, lon } = found;
    const spot = code === null ? { code, lat, lon } : { code, lat: null, lon: null };
    return [{ name: clip(plain(label), 18), ...spot, value: clipped(value, 10) }];
  });
  return places.length < block.items.length || places.length === 0 ? null : places;
}

/** Matches lists of cities or countries if the request asks for a map. */
function matchMaps(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'list').flatMap((block) => {
    const heading = block.heading?.text ?? null;
    const isCalled = isNamed(reading, 'map') || (heading !== null && cue.test(heading));
    const places = isCalled ? placesOf(block) : null;
    return places === null ? [] : [{ score: 0.97, scenes: [{ title: titleOf(heading), places }], spans: spansOf(block) }];
  });
}

const country = (name: string, code: string) => ({ name, code, lat: null, lon: null, value: null });

export const map = defineFormat({
  id: 'map',
  title: 'Map',
  use: 'One to eight countries or cities on a map, each with its name and an optional value.',
  avoid: 'A journey from place to place (use route), or values that do not belong to places (use bar-chart).',
  purposes: ['explain', 'numbers'],
  props: schema,
  seconds: ({ title: heading, places }) =>
    2.4 +
    readingSeconds(heading) * 0.5 +
    places.reduce((sum, { name, value }) => sum + Math.max(0.6, readingSeconds(name, value) * 0.45), 0) +
    1.2,
  outline: ({ title: heading, places }) => ({
    title: shorten(heading ?? 'Map', 60),
    description: shorten(
      `A map: ${places.map(({ name, value }) => (value === null ? name : `${name} ${value}`)).join(', ')}.`,
      900,
    ),
  }),
  match: matchMaps,
  example: {
    title: 'Seven countries share the Andes',
    places: [
      country('Venezuela', 'VE'),
      country('Colombia', 'CO'),
      country('Ecuador', 'EC'),
      country('Peru', 'PE'),
      country('Bolivia', 'BO'),
      country('Chile', 'CL'),
      country('Argentina', 'AR'),
    ],
  },
});
