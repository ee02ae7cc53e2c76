import { expect, it } from 'vitest';
import { formatOf } from './catalogue.ts';
import { convertScene } from './convert.ts';
import type { Format } from './define-format.ts';
import { lineChart } from './formats/line-chart.ts';
import { race } from './formats/race.ts';

const scene = (format: string, props: Record<string, unknown>) => ({ id: 'scene-1', seconds: 5, format, props });

it('A32: a race shown as a line chart and back keeps every series', () => {
  const original = { ...race.example, series: race.example.series.slice(0, 4) };
  const lines = convertScene(scene('race', original), lineChart as Format, 'en');
  expect(lines.props).toMatchObject({
    labels: original.periods,
    series: original.series.map(({ name, values }) => ({ name, points: values })),
  });
  const back = convertScene(scene('line-chart', lines.props ?? {}), race as Format, 'en');
  expect(back).toEqual({ format: 'race', props: original, lost: [] });
});

it('A32: a race shown as bars keeps the values of its last period', () => {
  const bars = convertScene(scene('race', race.example), formatOf('bar-chart') as Format, 'en');
  expect(bars.props).toMatchObject({
    items: race.example.series.map(({ name, values }) => ({ label: name, value: values.at(-1) })),
  });
});

it('A32: a headline without a passage shown as a quote and back keeps its outlet and its marked phrase', () => {
  const original = {
    outlet: 'The Post',
    date: null,
    headline: 'City libraries drop late fees',
    passage: null,
    emphasis: 'late fees',
  };
  const quoted = convertScene(scene('headline', original), formatOf('quote') as Format, 'en');
  expect(quoted.props).toMatchObject({ text: original.headline, author: 'The Post', emphasis: 'late fees' });
  const back = convertScene(scene('quote', quoted.props ?? {}), formatOf('headline') as Format, 'en');
  expect(back).toEqual({ format: 'headline', props: original, lost: [] });
});

it('A32: a loader keeps its label as a title and back', () => {
  const original = { kind: 'ring', label: 'Linking crates' };
  const titled = convertScene(scene('loader', original), formatOf('title') as Format, 'en');
  expect(titled).toMatchObject({ props: { text: 'Linking crates' }, lost: [] });
  expect(convertScene(scene('title', titled.props ?? {}), formatOf('loader') as Format, 'en').props).toEqual(original);
});
