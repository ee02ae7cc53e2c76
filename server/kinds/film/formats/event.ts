import { z } from 'zod';
import type { Match } from '../define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from '../define-format.ts';
import { isPlace } from '../read/events.ts';
import { clip, clipped, isName, isNamed, partsOf, plain } from '../read/fill.ts';
import { lexiconOf, tokensOf } from '../read/lexicon.ts';
import type { Block, Piece, Reading, When } from '../read/reading.ts';
import { blocksOf, spansOf } from '../read/reading.ts';
import { findWhens } from '../read/values.ts';
import actions from '../words/actions.json' with { type: 'json' };

const schema = z
  .object({
    kicker: line(40).nullable(),
    title: line(60),
    /** Large part of the date: “12”, “12–14”, or a time. */
    day: line(7).nullable(),
    weekday: line(16).nullable(),
    month: line(16).nullable(),
    time: line(20).nullable(),
    place: z.array(line(36)).max(3),
    people: z.array(line(28)).max(6),
    action: line(36).nullable(),
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
  const found: Match<Props>[] = blocksOf(reading, 'event').map((block) => ({
    score: 0.86,
    scenes: [
      {
        kicker: clipped(block.kicker?.text, 40),
        title: clip(plain(block.title.text), 60),
        day: clipped(dayRange(block.date.day), 7),
        weekday: clipped(block.date.weekday, 16),
        month: clipped(block.date.month, 16),
        time: clipped(block.time, 20),
        place: block.places.map(({ text }) => clip(bare(text), 36)),
        people: [],
        action: clipped(bare(block.extras.map(({ text }) => text).join(' · ')), 36),
      },
    ],
    spans: spansOf(block),
  }));
  for (let from = 0; from < blocks.length; from++) {
    for (let to = from + 1; to <= Math.min(blocks.length, from + 6); to++) {
      const window = blocks.slice(from, to);
      if (endsEvent(window.at(-1))) break;
      const parts = window.flatMap(partsOf);
      const props = parts.length > 9 || parts.length < 2 ? null : assign(parts);
      if (props === null) continue;
      const filled = [props.time, props.place[0], props.day ?? props.weekday].filter(Boolean).length;
      const score = 0.52 + 0.06 * filled + (isNamed(reading, 'event') ? 0.08 : 0);
      found.push({ score: Math.min(0.9, score), scenes: [props], spans: window.flatMap(spansOf) });
    }
  }
  return found;
}

/** Returns whether a block cannot be part of an event. */
const endsEvent = (block: Block | undefined): boolean =>
  block === undefined ||
  partsOf(block).length === 0 ||
  (block.kind === 'text' && (block.role === 'end' || block.role === 'source'));

/** Removes a sentence's full stop. */
const bare = (text: string) => text.replace(/(?<=\p{Ll}{2}|\d)\.$/u, '');

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
function assign(parts: readonly Piece[]): Props | null {
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
  if (!parts.every((piece) => assignPart(fields, plain(piece.text).replace(/[.,]$/u, '')))) return null;
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
