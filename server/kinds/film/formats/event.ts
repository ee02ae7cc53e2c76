import { z } from 'zod';
import type { Match } from '../define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from '../define-format.ts';
import { isPlace } from '../read/events.ts';
import { clip, clipped, isName, isNamed, partsOf, plain } from '../read/fill.ts';
import { lexiconOf, tokensOf } from '../read/lexicon.ts';
import type { Piece, Reading } from '../read/reading.ts';
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

/** “3. bis 5.” as “3–5”: the card has room for seven characters. */
const dayRange = (day: string | null) =>
  day?.replace(/(\d)(?:st|nd|rd|th|\.)?\s*(?:-|–|to|bis|au|al|and|und|y|et)\s*(\d+).*/u, '$1–$2') ?? null;

/** Consecutive short texts with a date among them: what, when, where, who. */
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
      const last = window.at(-1);
      if (
        last === undefined ||
        partsOf(last).length === 0 ||
        (last.kind === 'text' && (last.role === 'end' || last.role === 'source'))
      )
        break;
      const parts = window.flatMap(partsOf);
      const props = parts.length > 9 || parts.length < 2 ? null : assign(parts);
      if (props === null) continue;
      const filled = [props.time, props.place[0], props.day ?? props.weekday].filter(Boolean).length;
      const score = 0.52 + 0.06 * filled + (isNamed(reading, 'event') ? 0.08 : 0) + (props.people.length > 0 ? 0.02 : 0);
      found.push({ score: Math.min(0.9, score), scenes: [props], spans: window.flatMap(spansOf) });
    }
  }
  return found;
}

/** Without the full stop of the sentence it comes from. */
const bare = (text: string) => text.replace(/(?<=\p{Ll}{2}|\d)\.$/u, '');

/** Gives each part its field; null if a part finds none, or if there is no date or no title. */
function assign(parts: readonly Piece[]): Props | null {
  let day: string | null = null;
  let weekday: string | null = null;
  let month: string | null = null;
  let time: string | null = null;
  let heading: string | null = null;
  let kicker: string | null = null;
  let action: string | null = null;
  const place: string[] = [];
  const people: string[] = [];
  for (const piece of parts) {
    const text = plain(piece.text).replace(/[.,]$/u, '');
    const whens = findWhens(text);
    const date = whens.find((when) => when.time === null);
    const clock = whens.find((when) => when.time !== null);
    const rest = whens
      .reduce((kept, when) => kept.replace(when.text, ' '), text)
      .replace(/\b(?:on|at|from|um|am|ab|le|à|el|a las|ore|alle|il)\b/giu, ' ')
      .replace(/[\s,.:;–—-]+/gu, ' ')
      .trim();
    const call = calls.find(tokensOf(text))[0];
    if (call !== undefined && call.at <= 2 && heading !== null) {
      if (action !== null || text.length > 36) return null;
      action = text;
    } else if (whens.length > 0 && rest.length <= 3) {
      if ((date !== undefined && (day ?? weekday) !== null) || (clock !== undefined && time !== null)) return null;
      if (date !== undefined) {
        if (date.day === null && date.weekday === null) return null;
        [day, weekday, month] = [date.day, date.weekday, date.month];
        if (date.day !== null && date.month === null && !/[./]/u.test(date.day)) return null;
      }
      if (clock !== undefined) time = clock.text;
      if (whens.length > 2) return null;
    } else if (whens.length > 0) {
      return null;
    } else if (isPlace(text) && heading !== null) {
      if (place.length >= 3 || text.length > 36) return null;
      place.push(text);
    } else if (heading === null) {
      if (text.length > 60) return null;
      heading = text;
    } else if (isName(text) && place.length > 0 && place.length < 3 && text.length <= 36) place.push(text);
    else if (kicker === null && heading.length <= 40 && (day ?? weekday ?? time) === null && text.length <= 60) {
      [kicker, heading] = [heading, text];
    } else return null;
  }
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
    people,
    action: clipped(action, 36),
  };
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
