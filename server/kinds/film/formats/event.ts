import { z } from 'zod';
import { clip, clipped, isName, isNamed, partsOf, plain } from '../author/read/fill.ts';
import { lexiconOf, tokensOf } from '../author/read/lexicon.ts';
import type { Block, Piece, Reading, When } from '../author/read/reading.ts';
import { blocksOf, spansOf } from '../author/read/reading.ts';
import { findWhens } from '../author/read/values.ts';
import actions from '../author/words/actions.json' with { type: 'json' };
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const schema = z
  .object({
    kicker: line(40).nullable().describe('small line above the title'),
    title: line(60).describe('what it is'),
    day: line(7).nullable().describe('large: “12”, “12–14”, or a time'),
    weekday: line(16).nullable().describe('weekday'),
    month: line(16).nullable().describe('month'),
    time: line(20).nullable().describe('such as “19:30”'),
    place: z.array(line(36)).max(3).default([]).describe('lines of the address'),
    people: z.array(line(28)).max(6).default([]).describe('names of hosts or speakers'),
    action: line(36).nullable().describe('address or call to action'),
  })
  .refine(
    ({ place, people }) => [...place, ...people].join('').length <= 100,
    'place and people have at most 100 characters together',
  );
type Props = z.infer<typeof schema>;

const calls = lexiconOf(actions);

/** Shortens “3. bis 5.” to “3–5”, because the card has space for seven characters. */
const dayRange = (day: string | null) =>
  day?.replace(/(\d)(?:st|nd|rd|th|\.)?\s*(?:-|–|—|to|bis|until|till|au|al|a|à|do|and|und|y|et|&)\s*(\d+).*/u, '$1–$2') ?? null;

/** Matches consecutive short texts that include a date: what, when, where, who. */
function matchEvent(reading: Reading): Match<Props>[] {
  const { blocks } = reading;
  const found: Match<Props>[] = blocksOf(reading, 'text').flatMap((block) => {
    const props = block.role === null && block.piece.text.length <= 160 ? sentenceParts(block.piece.text) : null;
    return props === null ? [] : [{ score: isNamed(reading, 'event') ? 0.9 : 0.8, scenes: [props], spans: spansOf(block) }];
  });
  for (let from = 0; from < blocks.length; from++) {
    for (let to = from + 1; to <= Math.min(blocks.length, from + 6); to++) {
      const window = blocks.slice(from, to);
      if (endsEvent(window.at(-1))) break;
      const parts = window.flatMap(partsOf);
      const props = parts.length > 9 || parts.length < 2 ? null : assign(parts, window);
      if (props === null) continue;
      const filled = [props.time, props.place[0], props.day ?? props.weekday].filter(Boolean).length;
      const score = 0.52 + 0.06 * filled + (isNamed(reading, 'event') ? 0.08 : 0);
      found.push({ score: Math.min(0.9, score), scenes: [props], spans: window.flatMap(spansOf) });
    }
  }
  return found;
}

/** Matches a word for a building, a room or a street, or a house number. */
const placeWord =
  /\b(?:street|st\.|road|rd\.|avenue|ave|lane|square|hall|room|building|park|garden|theatre|theater|museum|church|school|library|hotel|villa|castle|café|bar|club|arena|stadium|studio|centre|center|house|barn|farm|campus|beach|atrium|pier|kirche|schule|halle|saal|raum|haus|garten|platz|rathaus|schloss|hof|kita|rue|place|salle|jardin|église|mairie|château|gymnase|calle|plaza|sala|aula|jardín|iglesia|via|piazza|rua|praça|straat|plein|zaal)\b|(?:straße|strasse|weg|allee|platz|halle|haus|saal|hof|garten|straat)\b/iu;
const address = /\p{Lu}\p{L}+\s+\d{1,3}[a-z]?(?=\s*(?:$|[,.]))|^\d{1,4}[a-z]?\s+\p{Lu}/u;
const isPlace = (text: string) => (placeWord.test(text) || address.test(text)) && !/[%€$£]/u.test(text);
/** Words before a date, a time or a place, which the card does not need. */
const beforeWhen =
  /(?:^|[\s,]+)(?:on|at|from|um|am|ab|vom|von|le|du|de|dès|el|del|desde|a las|a la|à|al|il|alle|em|no|op|om|vanaf)\s*$/iu;
const beforePlace =
  /^(?:at the|at|in the|in|im|@|beim|bei|auf dem|auf der|in der|à la|à l['’]|au|aux|chez|dans le|dans la|dans|en el|en la|en|nel|nella|alla|al|no|na|in de|in het|bij)\s+(?=[\p{L}\d])/iu;
const isRecurring = /\b(?:every|each|jeden?|chaque|tous les|cada|todos los|ogni|elke|until|till|bis zum|jusqu|hasta)\b/iu;

/** Splits “Summer party on 12 July at 6 pm in the garden” at its date and time. Returns `null` unless every part has a field. */
function sentenceParts(text: string): Props | null {
  const whens = findWhens(text);
  const times = whens.filter(({ time }) => time !== null);
  const [date, ...others] = whens.filter(({ time }) => time === null);
  if (date === undefined || others.length > 0 || times.length > 1 || isRecurring.test(text)) return null;
  const rests: string[] = [];
  let from = 0;
  for (const { start, end } of [...whens, { start: text.length, end: text.length }]) {
    rests.push(
      ...text
        .slice(from, start)
        .replace(beforeWhen, '')
        .split(/,\s+|\s[–—-]\s|\.\s+/u),
    );
    from = end;
  }
  const parts = rests
    .map((part) => part.replace(/^[\s,.;:–—-]+|[\s,.;:–—-]+$/gu, ''))
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
  const [heading, ...more] = parts;
  if (heading === undefined || heading.length > 60 || !text.trimStart().startsWith(heading) || !/\p{L}{3}/u.test(heading))
    return null;
  const places = more.filter((part) => beforePlace.test(part) || isPlace(part));
  const extras = more.filter((part) => !places.includes(part));
  const action = extras.join(' · ');
  if (places.length > 3 || action.length > 36 || (places.length === 0 && times.length === 0)) return null;
  const place = places.map((part) => part.replace(beforePlace, ''));
  const props = {
    ...{ kicker: null, title: heading, day: dayRange(date.day), weekday: date.weekday, month: date.month },
    ...{ time: times[0]?.text ?? null, place, people: [], action: action === '' ? null : action },
  };
  return schema.safeParse(props).success ? props : null;
}

/** Returns whether a block cannot be part of an event. */
const endsEvent = (block: Block | undefined): boolean =>
  block === undefined ||
  partsOf(block).length === 0 ||
  (block.kind === 'text' && (block.role === 'end' || block.role === 'source'));

/** Fields found so far. */
interface Fields {
  day: string | null;
  weekday: string | null;
  month: string | null;
  time: string | null;
  heading: string | null;
  kicker: string | null;
  action: string | null;
  readonly place: string[];
}

/** Assigns each part to a field. Returns `null` if a part fits none, or if there is no date or no title. */
function assign(parts: readonly Piece[], window: readonly Block[]): Props | null {
  const fields: Fields = {
    day: null,
    weekday: null,
    month: null,
    time: null,
    heading: null,
    kicker: null,
    action: null,
    place: [],
  };
  const roleOf = (piece: Piece) => window.find((block) => block.kind === 'text' && block.piece === piece && block.role !== null);
  const isAssigned = (piece: Piece): boolean => {
    const block = roleOf(piece);
    const role = block?.kind === 'text' ? block.role : null;
    if (role !== 'place') return assignPart(fields, plain(piece.text).replace(/[.,]$/u, ''));
    fields.place.push(clip(piece.text, 36));
    return fields.place.length <= 3 && piece.text.length <= 36;
  };
  if (!parts.every(isAssigned)) return null;
  const { day, weekday, month, time, heading, kicker, action, place } = fields;
  if (heading === null || (day ?? weekday) === null || (day !== null && day.length > 7)) return null;
  if (time === null && place.length === 0) return null;
  return {
    kicker: clipped(kicker, 40),
    title: clip(heading, 60),
    day: clipped(day, 7),
    weekday: clipped(weekday, 16),
    month: clipped(month, 16),
    time: clipped(time, 20),
    place,
    people: [],
    action: clipped(action, 36),
  };
}

/** Assigns a piece of text to a field. Returns whether it fits one. The same applies to the functions below. */
function assignPart(fields: Fields, text: string): boolean {
  const call = calls.find(tokensOf(text))[0];
  if (call !== undefined && call.at <= 2 && fields.heading !== null) {
    if (fields.action !== null || text.length > 36) return false;
    fields.action = text;
    return true;
  }
  const whens = findWhens(text);
  if (whens.length === 0) return assignWords(fields, text);
  const rest = whens
    .reduce((kept, when) => kept.replace(when.text, ' '), text)
    .replace(/\b(?:on|at|from|um|am|ab|le|à|el|a las|ore|alle|il)\b/giu, ' ')
    .replace(/[\s,.:;–—-]+/gu, ' ')
    .trim();
  return rest.length <= 3 && whens.length <= 2 && assignWhens(fields, whens);
}

function assignWhens(fields: Fields, whens: readonly When[]): boolean {
  const date = whens.find((when) => when.time === null);
  const clock = whens.find((when) => when.time !== null);
  if (date !== undefined && !assignDate(fields, date)) return false;
  if (clock === undefined) return true;
  if (fields.time !== null) return false;
  fields.time = clock.text;
  return true;
}

function assignDate(fields: Fields, { day, weekday, month }: When): boolean {
  if ((fields.day ?? fields.weekday) !== null || (day ?? weekday) === null) return false;
  if (day !== null && month === null && !/[./]/u.test(day)) return false;
  Object.assign(fields, { day, weekday, month });
  return true;
}

/** Assigns text without a date or a time: the title first, then places, then a kicker. */
function assignWords(fields: Fields, text: string): boolean {
  const { day, weekday, time, heading, kicker, place } = fields;
  if (heading === null) {
    fields.heading = text;
    return text.length <= 60;
  }
  const hasSpace = place.length < 3 && text.length <= 36;
  if (isPlace(text) || (isName(text) && place.length > 0 && hasSpace)) {
    place.push(text);
    return hasSpace;
  }
  if (kicker !== null || heading.length > 40 || (day ?? weekday ?? time) !== null || text.length > 60) return false;
  fields.kicker = heading;
  fields.heading = text;
  return true;
}

export const event = defineFormat({
  id: 'event',
  title: 'Event',
  use: 'An invitation or announcement: what, when and where, with people and an address.',
  avoid: 'A programme with several times (use timeline).',
  purposes: ['announce'],
  props: schema,
  seconds: ({ title: heading, weekday, month, time, place, people, action }) =>
    Math.min(9, 1.6 + readingSeconds(heading, weekday, month, time, ...place, action) + people.length * 0.35 + 0.6),
  outline: ({ title: heading, day, weekday, month, time, place }) => ({
    title: shorten(heading, 60),
    description: shorten(
      `“${heading}”${[weekday, day, month, time, ...place]
        .filter(Boolean)
        .map((part) => `, ${part}`)
        .join('')}.`,
      900,
    ),
  }),
  match: (reading) => matchEvent(reading),
  example: {
    kicker: null,
    title: 'Supper under the pear trees',
    day: '12',
    weekday: 'Saturday',
    month: 'September',
    time: '19:30',
    place: ['Casa Nogueira', 'Rua do Almada 41', 'Porto'],
    people: ['Teresa Lobo', 'Amadou Diallo'],
    action: 'nogueira.example/supper',
  },
});
