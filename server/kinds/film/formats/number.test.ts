import { describe, expect, it } from 'vitest';
import { planFilm } from '../author/plan-film.ts';
import { number } from './number.ts';

const hints = { style: null, aspect: null, durationSeconds: null };
const propsOf = (prompt: string) => {
  const [scene] = planFilm({ prompt, hints, answers: [], assets: [], seed: 1 }).film.scenes;
  return scene?.format === 'number' ? (scene.props as Record<string, unknown>) : {};
};

describe('how requests with numbers are read', () => {
  it.each([
    ['Show as KPI cards:\n- New customers: 47\n- Churn: 2.1 %\n- Revenue: $1.2M\n- NPS: 61', 'cards'],
    ['Our key figures:\nVisitors: 12,400 (+8 %)\nOrders: 310 (+2 %)\nReturns: 4 %', 'cards'],
    ['Our key figures:\nVisitors: 12,400 (+8 %)\nOrders: 310\nReturns: 4 %', undefined],
  ])('A32: figures that are equals become cards: %j', (prompt, layout) => {
    expect(propsOf(prompt)['layout']).toBe(layout);
  });

  it.each([
    ['3 of 1,000 people carry the gene. Show it as dots.', 3, 1000],
    ['One in ten adults cannot swim', 1, 10],
    ['1 in 5 mothers works at night', 1, 5],
    ['270 out of 1000 voters stayed at home', 270, 1000],
    ['27 % of households have solar panels, with dots', 27, null],
  ])('A32: a share of a group becomes dots: “%s”', (prompt, value, of) => {
    expect(propsOf(prompt)).toMatchObject({ gauge: 'dots', of, numbers: [{ value }] });
  });

  it('A32: a goal and a duration are no shares of a group', () => {
    expect(propsOf('We raised 30 of 100 thousand euros')['gauge']).toBe('bar');
    expect(propsOf('5 in 30 minutes')['gauge']).not.toBe('dots');
  });
});

it('A32: an older scene without a layout stays as it is', () => {
  const { layout: _, ...older } = number.example as { layout: unknown };
  expect(number.props.parse(older)).toEqual(older);
});
