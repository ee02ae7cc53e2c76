import { z } from 'zod';
import { defineFormat, line, readingSeconds, shorten } from '../define-format.ts';

export const event = defineFormat({
  id: 'event',
  title: 'Event',
  use: 'An invitation or announcement: what, when and where, with people and an address.',
  avoid: 'A programme with several times (use timeline).',
  props: z
    .object({
      kicker: line(40).nullable(),
      title: line(60),
      /** The large part of the date: “12”, “12–14”, or a time. */
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
    ),
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
  match: () => [],
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
