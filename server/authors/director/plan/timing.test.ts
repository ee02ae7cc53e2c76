import { describe, expect, it } from 'vitest';
import type { Film } from '../../../contract/film.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import { sceneFile } from '../emit/scene-code.ts';
import { planFilm } from './plan-film.ts';

const filmOf = (prompt: string): Film => planFilm(parseBrief(prompt, noHints), { seed: 1 });

/** When the ball is done (its last touch, or the end of its way), read from the code that will run. */
function doneAt(film: Film): number {
  const [scene] = film.scenes;
  if (scene === undefined) return 0;
  const stops = sceneFile(film, scene).content.matchAll(/at\(([\d.]+),[^\n]*\/\/ (?:lands|first touch|last touch|rolls out)$/gm);
  return Math.max(...[...stops].map((match) => Number(match[1])));
}

describe('time for the action', () => {
  const rows = ['once', 'three times', 'five times'].flatMap((times) => [5, 6, 8, 12].map((seconds) => ({ times, seconds })));

  it.each(rows)('A3: a ball that bounces $times fills most of $seconds s and still comes to rest', ({ times, seconds }) => {
    const film = filmOf(`A red ball bounces ${times}, playful, ${seconds} seconds, with the title 'Hello'`);
    const speed = film.scenes[0]?.speed ?? 0;
    expect(speed).toBeGreaterThanOrEqual(0.5);
    expect(speed).toBeLessThanOrEqual(1);
    const rest = doneAt(film);
    // One bounce cannot carry twelve seconds.
    expect(rest / seconds).toBeGreaterThan(times === 'once' && seconds === 12 ? 0.35 : 0.55);
    expect(seconds - rest).toBeGreaterThanOrEqual(0.8);
  });

  it('A4: without a wish the length fits the action and a hold, from 5 s on', () => {
    for (const style of ['playful', 'smooth', 'cinematic']) {
      for (const times of ['once', 'three times', 'five times', 'eight times']) {
        const film = filmOf(`A red ball bounces ${times}, ${style}`);
        expect(film.durationSeconds).toBeGreaterThanOrEqual(5);
        expect(film.durationSeconds).toBeLessThanOrEqual(10);
        const rest = doneAt(film);
        if (times !== 'once') {
          expect(film.durationSeconds - rest, `${style} ${times}`).toBeGreaterThanOrEqual(0.8);
          expect(film.durationSeconds - rest, `${style} ${times}`).toBeLessThan(2.8);
        }
      }
    }
  });

  it('A4: a pace that the user set is kept', () => {
    expect(filmOf('A ball bounces slowly, 12 seconds').scenes[0]?.speed).toBe(0.65);
    expect(filmOf('A ball bounces quickly, 12 seconds').scenes[0]?.speed).toBe(1.5);
  });

  it('A3: what goes on by itself is not slowed down', () => {
    for (const prompt of ['Snow falls, 20 seconds', 'A ball bounces and confetti falls, 12 seconds', 'A star floats, 12 seconds'])
      expect(filmOf(prompt).scenes[0]?.speed, prompt).toBe(1);
  });
});
