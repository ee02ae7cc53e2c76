import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyFilmEdits } from '#kinds/film/contract/edit.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import { lengthOf } from '#kinds/film/contract/outline.ts';
import { lengthEdits, totalEdits } from './actions.ts';

const filmOf = (lengths: readonly number[]): Film => ({
  ...{ version: 3, title: 'Power', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 60, seed: 1, language: 'en' },
  ...{ colors: {}, music: null },
  scenes: lengths.map((seconds, index) => ({ id: `scene-${index}`, seconds, format: 'title', props: {} })),
});
const lengthsOf = ({ scenes }: Film) => scenes.map(({ seconds }) => seconds);

describe('the length of a scene', () => {
  const set = (at: number, seconds: number, holdTotal: boolean) => {
    const film = filmOf([3, 4, 5]);
    return lengthsOf(applyFilmEdits(film, lengthEdits(film, `scene-${at}`, seconds, { holdTotal })));
  };

  it('A5: has a minimum, and moves later scenes', () => {
    expect(set(0, 3.4, false)).toEqual([3.4, 4, 5]);
    expect(set(0, 0.2, false)).toEqual([1.5, 4, 5]);
    expect(set(0, Number.NaN, false)).toEqual([3, 4, 5]);
  });

  it('A5: is compensated by the next scene if the total stays, as far as that can', () => {
    expect(set(0, 4, true)).toEqual([4, 3, 5]);
    expect(set(0, 60, true)).toEqual([5.5, 1.5, 5]);
    expect(set(2, 6, true)).toEqual([3, 3, 6]);
  });
});

it('A5: a film of another length keeps its scenes, each of at least the minimum', () => {
  const lengths = fc.array(fc.integer({ min: 15, max: 300 }), { minLength: 1, maxLength: 15 });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 20, max: 6000 }), (tenths, wanted) => {
      const film = filmOf(tenths.map((one) => one / 10));
      const next = applyFilmEdits(film, totalEdits(film, wanted / 10));
      expect(Math.min(...lengthsOf(next))).toBeGreaterThanOrEqual(1.5);
      expect(lengthOf(next)).toBeCloseTo(Math.max(wanted / 10, 1.5 * tenths.length), 3);
    }),
    // As floating-point numbers, these lengths add up to slightly more than the longest film.
    { numRuns: 300, examples: [[[185, 127, 278, 67, 20], 6000]] },
  );
});
