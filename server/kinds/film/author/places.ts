import { fold } from './read/reading.ts';
import data from './words/places.json' with { type: 'json' };

/** A city or a country on the map. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
  /** ISO 3166 code of a country; `null` for a city. */
  readonly code: string | null;
}

export interface NamedPlace extends Place {
  /** Name as written in the text. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const languages = ['en', 'de', 'fr', 'es', 'it'];
/** Names that `Intl.DisplayNames` lacks. */
const otherCountries: Readonly<Record<string, string>> = {
  ...{
    usa: 'US',
    'the usa': 'US',
    'united states of america': 'US',
    america: 'US',
    uk: 'GB',
    'great britain': 'GB',
    grossbritannien: 'GB',
  },
  ...{
    holland: 'NL',
    turkey: 'TR',
    'czech republic': 'CZ',
    'south korea': 'KR',
    'north korea': 'KP',
    'ivory coast': 'CI',
    burma: 'MM',
  },
  ...{ russia: 'RU', vae: 'AE', uae: 'AE', 'bosnia and herzegovina': 'BA', 'ee uu': 'US', 'etats unis': 'US', 'hong kong': 'HK' },
};

let known: Map<string, Place> | null = null;

/** Cities take precedence over countries of the same name, such as Singapore. */
function places(): Map<string, Place> {
  if (known !== null) return known;
  const countryOf = new Map<string, Place>(
    Object.entries(data.countries).map(([code, [lat = 0, lon = 0]]) => [code, { lat, lon, code }]),
  );
  known = new Map();
  for (const language of languages) {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    for (const [code, place] of countryOf) known.set(fold(names.of(code) ?? code), place);
  }
  for (const [name, code] of Object.entries(otherCountries)) {
    const place = countryOf.get(code);
    if (place !== undefined) known.set(name, place);
  }
  const cities: Readonly<Record<string, readonly number[]>> = data.cities;
  for (const [name, [lat = 0, lon = 0]] of Object.entries(cities)) known.set(fold(name), { lat, lon, code: null });
  for (const [name, english] of Object.entries(data.otherNames)) {
    const city = known.get(fold(english));
    if (city !== undefined) known.set(fold(name), city);
  }
  return known;
}

/** Returns the place with exactly this name in one of the supported languages, or `null` if there is none. */
export function placeNamed(name: string): Place | null {
  return places().get(fold(name)) ?? null;
}

const word = /[\p{L}\p{M}][\p{L}\p{M}.’'-]*/gu;
const longestName = 4;

/** Finds capitalised names of cities and countries. The longest name wins: “New York” rather than “York”. */
export function placesIn(text: string): NamedPlace[] {
  const words = [...text.matchAll(word)].map(({ 0: match, index }) => ({
    start: index,
    end: index + match.replace(/[.’'-]+$/u, '').length,
  }));
  const found: NamedPlace[] = [];
  for (let at = 0; at < words.length; ) {
    const [first] = words.slice(at);
    const match = [4, 3, 2, 1]
      .filter((count) => count <= longestName && at + count <= words.length)
      .map((count) => ({ count, end: words[at + count - 1]?.end ?? 0 }))
      .map(({ count, end }) => ({ count, end, name: text.slice(first?.start, end) }))
      .find(({ name }) => /^\p{Lu}/u.test(name) && !/[\n,;:]/u.test(name) && placeNamed(name) !== null);
    const place = match === undefined ? null : placeNamed(match.name);
    if (match !== undefined && place !== null && first !== undefined)
      found.push({ ...place, name: match.name, start: first.start, end: match.end });
    at += match?.count ?? 1;
  }
  return found;
}
