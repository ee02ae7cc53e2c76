import { z } from 'zod';
import { defineFormat, line, readingSeconds, shorten } from '../define-format.ts';

export const lineChart = defineFormat({
  id: 'line-chart',
  title: 'Line chart',
  use: 'One to five series of values over time, with the point where the story turns.',
  avoid: 'Fewer than three points, or categories without an order (use bar-chart).',
  props: z.object({
    title: line(60).nullable(),
    unit: line(40).nullable(),
    prefix: z.string().max(4),
    suffix: z.string().max(8),
    /** One label for each point, in order. */
    labels: z.array(line(14)).min(2).max(60),
    series: z
      .array(z.object({ name: line(24), points: z.array(z.number().min(-1e12).max(1e12)).min(2).max(60) }))
      .min(1)
      .max(5),
    /** Index of the series that stands out. */
    highlight: z.int().min(0).max(4),
    /** A note at a point of the highlighted series. */
    annotation: z.object({ index: z.int().min(0).max(59), text: line(40) }).nullable(),
  }),
  seconds: ({ title: heading, series, annotation }) =>
    2.4 + readingSeconds(heading, annotation?.text, ...series.map(({ name }) => name)) + 0.6,
  outline: ({ title: heading, series, labels }) => ({
    title: shorten(heading ?? 'Line chart', 60),
    description: shorten(`Lines for ${series.map(({ name }) => name).join(', ')} from ${labels[0]} to ${labels.at(-1)}.`, 900),
  }),
  match: () => [],
  example: {
    title: 'Britain traded coal for wind',
    unit: 'Share of electricity',
    prefix: '',
    suffix: ' %',
    labels: ['2012', '2013', '2014', '2015', '2016', '2017', '2018', '2019', '2020', '2021', '2022', '2023', '2024'],
    series: [
      { name: 'Wind', points: [5.5, 7.7, 9.4, 11.7, 11, 14.9, 17.1, 19.8, 24.2, 21, 24.7, 28.7, 29] },
      { name: 'Coal', points: [39, 36, 29.8, 22, 9, 6.7, 5.1, 2.1, 1.8, 2.1, 1.5, 1.2, 1] },
    ],
    highlight: 0,
    annotation: { index: 4, text: 'Wind overtakes coal' },
  },
});
