import { describe, expect, it } from 'vitest';
import type { Subject } from '../../../contract/film.ts';
import { planFilm } from '../plan/plan-film.ts';
import { noHints, parseBrief } from './parse-brief.ts';

const filmOf = (prompt: string) => planFilm(parseBrief(prompt, noHints), { seed: 7 });
const subjectsOf = (prompt: string): Subject[] => filmOf(prompt).scenes.flatMap(({ subjects }) => subjects);

function figureOf(prompt: string): string {
  const told = subjectsOf(prompt).map((one) =>
    one.kind === 'counter' ? `${one.from}→${one.prefix}${one.to}${one.suffix} ${one.label}`.trim() : one.kind,
  );
  return told.join(' | ');
}

const chartOf = (prompt: string) =>
  subjectsOf(prompt).flatMap((one) =>
    one.kind === 'bars'
      ? [`${one.chart ?? 'bars'} ${one.bars.map(({ label, value }) => `${label}=${value}`).join(' ')}${one.unit}`]
      : [],
  );

describe('numbers belong to what they stand beside', () => {
  it.each([
    ['sales up 40 %', '0→40% sales up'],
    ['revenue grew by 25% this year', '0→25% revenue this year'],
    ['from 12 to 58 users', '12→58 users'],
    ['temperature rises from 5 °C to 30 °C', '5→30°C temperature'],
    ['the temperature drops to -5 °C', '0→-5°C temperature'],
    ['the price drops from 99 € to 49 €', '99→49€ price'],
    ['Der Umsatz steigt um 30 %', '0→30% Umsatz'],
    ['les ventes augmentent de 15 %', '0→15% ventes'],
    ['85% of people like pizza', '0→85% of people like pizza'],
    ['a loading bar fills to 80 %', '0→80%'],
  ])('A4: reads “%s”', (prompt, figure) => {
    expect(figureOf(prompt)).toBe(figure);
    expect(parseBrief(prompt, noHints).unknownWords).toEqual([]);
  });

  it('A4: a count of things stays a count, and a number in a text stays there', () => {
    const [stars] = subjectsOf('5 stars and the text "Rated 5 out of 5"');
    expect(stars).toMatchObject({ kind: 'shape', shape: 'star', count: 5 });
    expect(subjectsOf('5 stars and the text "Rated 5 out of 5"')).toHaveLength(1);
  });

  it.each([
    ['3, 2, 1, go', 3, 1, 'Go'],
    ['10 to 0 then liftoff', 10, 0, 'Liftoff'],
    ['five, four, three, two, one, blast off!', 5, 1, 'Blast off'],
  ])('A4: “%s” counts down once, a number a second, and ends with what comes after it', (prompt, from, to, text) => {
    const film = filmOf(prompt);
    expect(film.scenes[0]?.subjects).toMatchObject([{ kind: 'counter', from, to }]);
    expect(film.scenes[0]?.durationSeconds).toBeGreaterThanOrEqual(Math.abs(from - to) + 1);
    expect(film.scenes[1]?.texts.map((one) => one.text)).toEqual([text]);
  });
});

describe('charts', () => {
  it.each([
    ['Mon 3, Tue 5', 'bars Mon=3 Tue=5'],
    ['apples: 10; pears: 20', 'bars apples=10 pears=20'],
    ['30% tea and 70% coffee', 'pie tea=30 coffee=70%'],
    ['a pie chart with 60 % yes', 'pie yes=60 =40%'],
    ['Kuchendiagramm: 60 % ja, 40 % nein', 'pie ja=60 nein=40%'],
    ['a bar chart: 60% yes, 40% no', 'bars yes=60 no=40%'],
    ['2021 4 million, 2022 6 million', 'bars 2021=4 2022=6 million'],
    ['Members went from 12 in 2020 to 30 in 2021 and 45 in 2022', 'bars 2020=12 2021=30 2022=45'],
    ['height: day 1 3 cm, day 2 6 cm', 'bars day 1=3 day 2=6 cm'],
    ['ventas de 10 en mayo a 20 en junio', 'bars mayo=10 junio=20'],
    ['line chart of visitors: Jan 10, Feb 30, Mar 20', 'line Jan=10 Feb=30 Mar=20'],
  ])('A4: reads “%s”', (prompt, chart) => {
    expect(chartOf(prompt)).toEqual([chart]);
  });
});
