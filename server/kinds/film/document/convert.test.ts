import { expect, it } from 'vitest';
import { z } from 'zod';
import { formatOf, formats } from '../formats/catalogue.ts';
import { comparison } from '../formats/comparison.ts';
import type { Format } from '../formats/define-format.ts';
import { lineChart } from '../formats/line-chart.ts';
import { list } from '../formats/list.ts';
import { race } from '../formats/race.ts';
import { table } from '../formats/table.ts';
import { convertScene, lostTexts } from './convert.ts';

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

it('A32: a list shown as a table and back keeps its details and values', () => {
  const original = {
    title: 'Menu',
    items: [
      { text: 'Soup', detail: 'lentils', value: '€ 4.50', icon: null },
      { text: 'Bread', detail: 'rye', value: '€ 2.00', icon: null },
    ],
    ...{ numbered: false, highlight: 1 },
  };
  const asTable = convertScene(scene('list', original), table as Format, 'en');
  expect(asTable).toMatchObject({
    props: {
      title: 'Menu',
      columns: ['', '', ''],
      rows: [
        ['Soup', 'lentils', '€ 4.50'],
        ['Bread', 'rye', '€ 2.00'],
      ],
      highlight: 1,
    },
    lost: [],
  });
  const back = convertScene(scene('table', asTable.props ?? {}), list as Format, 'en');
  expect(back).toEqual({ format: 'list', props: original, lost: [] });
});

it('A32: a table of plans shown as a list names each cell and loses only the head of the first column', () => {
  const plans = {
    title: null,
    columns: ['Plan', 'Price', 'Seats'],
    rows: [
      ['Solo', 'Free', '1'],
      ['Team', '$12', '25'],
    ],
  };
  const listed = convertScene(scene('table', { ...plans, highlight: null, note: null }), list as Format, 'en');
  expect(listed).toMatchObject({
    props: {
      items: [
        { text: 'Solo', detail: 'Price: Free · Seats: 1' },
        { text: 'Team', detail: 'Price: $12 · Seats: 25' },
      ],
    },
    lost: ['Plan'],
  });
});

it('A32: a table of names and numbers is shown as bars, and bars as a table', () => {
  const speeds = {
    title: 'Fast',
    columns: ['Animal', 'Speed'],
    rows: [
      ['Falcon', '389'],
      ['Cheetah', '104'],
    ],
    highlight: 0,
    note: null,
  };
  const bars = convertScene(scene('table', speeds), formatOf('bar-chart') as Format, 'en');
  expect(bars.props).toMatchObject({
    items: [
      { label: 'Falcon', value: 389 },
      { label: 'Cheetah', value: 104 },
    ],
    highlight: 0,
  });
  const back = convertScene(scene('bar-chart', bars.props ?? {}), table as Format, 'en');
  expect(back).toMatchObject({ props: { title: 'Fast', rows: speeds.rows, highlight: 0 }, lost: [] });
});

it('A32: a race and the two sides of a comparison are columns of a table', () => {
  const ranked = convertScene(scene('race', { ...race.example, series: race.example.series.slice(0, 4) }), table as Format, 'en');
  expect(ranked).toMatchObject({ props: { rows: { length: race.example.periods.length } }, lost: [] });
  const compared = convertScene(scene('comparison', comparison.example), table as Format, 'en');
  expect(compared).toMatchObject({
    props: { columns: ['Status meeting', 'Written update'] },
    lost: ['Write it down. Meet when it’s stuck.'],
  });
});

it('A32: choices such as a layout are no texts that another format could lose', () => {
  const propertiesSchema = z.object({ properties: z.record(z.string(), z.unknown()) });
  const choices = formats.flatMap(({ props }) => {
    const { properties } = propertiesSchema.parse(z.toJSONSchema(props, { io: 'input' }));
    return Object.entries(properties).flatMap(([name, field]) => {
      const options = /"enum":(\[[^\]]*\])/u.exec(JSON.stringify(field).split('"properties"')[0] ?? '')?.[1] ?? '[]';
      return z
        .array(z.string())
        .parse(JSON.parse(options))
        .map((option) => ({ [name]: option }));
    });
  });
  expect(choices.length).toBeGreaterThan(20);
  expect(choices.flatMap((choice) => lostTexts(choice, {}))).toEqual([]);
});
