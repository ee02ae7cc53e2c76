import { describe, expect, it } from 'vitest';
import type { Film, Style } from '../../../contract/film.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import { planFilm } from '../plan/plan-film.ts';
import { emitAll, emitScene } from './emit.ts';

const styles = ['playful', 'smooth', 'cinematic'] as const satisfies readonly Style[];
const filmOf = (prompt: string, style: Style = 'playful', durationSeconds = 8): Film =>
  planFilm(parseBrief(prompt, { ...noHints, style, durationSeconds }), { seed: 3 });
const codeOf = (film: Film): string => emitScene(film, 1)[0]?.content ?? '';

/** The stops of a track's channels, as [time, value]. */
function channels(code: string, track: string): Record<string, [number, number][]> {
  const body = new RegExp(`^  ${track}: \\{([\\s\\S]*?)^  \\},`, 'mu').exec(code)?.[1] ?? '';
  return Object.fromEntries(
    [...body.matchAll(/(\w+): keys\(\[([\s\S]*?)\]\)/gu)].map(([, name = '', stops = '']) => [
      name,
      [...stops.matchAll(/at\((-?[\d.]+), (-?[\d.]+)/gu)].map((stop): [number, number] => [Number(stop[1]), Number(stop[2])]),
    ]),
  );
}

/** When the last change of a value ends. */
const lastChange = (stops: readonly (readonly [number, number])[]): number =>
  stops.reduce((last, [time, value], index) => (index > 0 && stops[index - 1]?.[1] !== value ? time : last), 0);

describe.each(styles)('at the end of a film, %s', (style) => {
  it.each(['bounces three times', 'rolls in', 'drops', 'jumps', 'slides in', 'spins', 'pulses', 'grows'])(
    'X1: a ball that %s is still alive',
    (move) => {
      const film = filmOf(`a red ball ${move}`, style);
      const ends = Object.values(channels(codeOf(film), 'ball1')).map(lastChange);
      expect(Math.max(...ends)).toBeGreaterThan(film.durationSeconds - 1.8);
    },
  );

  it('X1: the bars of a chart rise in turn, and then the highest steps forward', () => {
    const code = codeOf(filmOf('bar chart: Q1 10, Q2 30, Q3 20, Q4 25', style, 6));
    const { grow = [], emphasis = [], life = [] } = channels(code, 'bars1');
    const stagger = Number(/staggerSeconds: ([\d.]+)/u.exec(code)?.[1]);
    const built = (grow.at(-1)?.[0] ?? 0) + stagger * 3;
    expect(stagger).toBeGreaterThan(0.2);
    expect(emphasis[0]?.[0]).toBeGreaterThanOrEqual(built);
    expect(emphasis.at(-1)?.[0]).toBeLessThan(6);
    expect(life.at(-1)?.[1]).toBe(1);
  });

  it('X1: words that have the frame to themselves have an ornament with a second beat', () => {
    const code = codeOf(filmOf('title "Good morning"', style, 5));
    expect(code).toContain('<Flourish');
    expect(lastChange(channels(code, 'flourish')['beat'] ?? [])).toBeGreaterThan(2.5);
    expect(codeOf(filmOf('a ball bounces with the title "Good morning"', style, 5))).not.toContain('Flourish');
  });

  it('X1: the camera is still under way', () => {
    const film = filmOf('a red ball bounces', style);
    const { distance = [], x = [] } = channels(codeOf(film), 'camera');
    expect(Math.max(lastChange(distance), lastChange(x))).toBeGreaterThanOrEqual(film.durationSeconds);
  });
});

describe('a film that is to stand still', () => {
  const film = filmOf('a red cube and the title "Stand", no movement', 'smooth', 4);

  it('X1: has nothing that stirs once everything has come in', () => {
    for (const track of ['cube1', 'text1', 'camera'])
      for (const [name, stops] of Object.entries(channels(codeOf(film), track)))
        expect(lastChange(stops), `${track} ${name}`).toBeLessThan(2.8);
    expect(emitAll(film).find(({ path }) => path === 'src/film.ts')?.content).toContain('still: true,');
  });

  it('X1: words alone have no ornament', () => {
    expect(codeOf(filmOf('title "Stand", motionless', 'smooth', 4))).not.toContain('Flourish');
  });

  it('X1: a static camera stands while things move', () => {
    const code = codeOf(filmOf('a red ball bounces, static camera', 'cinematic', 5));
    expect(channels(code, 'camera')).toEqual({});
    expect(lastChange(channels(code, 'ball1')['y'] ?? [])).toBeGreaterThan(1);
  });
});
