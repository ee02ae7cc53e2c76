import { describe, expect, it } from 'vitest';
import { noHints, parseBrief } from '../../server/authors/director/brief/parse-brief.ts';
import { planFilm } from '../../server/authors/director/plan/plan-film.ts';
import { differencesOf } from '../../server/tools/checks/film-facts.ts';

const film = planFilm(parseBrief('three cats jump, title "Hello"', noHints), { seed: 7 });
const frames = Array.from({ length: 12 }, (_, index) => ({
  seconds: ((index + 0.5) / 12) * film.durationSeconds,
  contrast: 20,
  change: 1,
  sha256: '',
}));
const scene = film.scenes[0]?.id ?? '';
const seen = (most: number, texts: string[], name = 'cat1') => ({ frames, seen: { cast: [{ scene, name, most }], texts } });

describe('what the plan says and the film shows', () => {
  it('A4: agrees where everybody and every word was there at some moment', () => {
    expect(differencesOf(film, seen(3, ['Hello']))).toEqual([]);
    expect(differencesOf(film, seen(3, ['H el lo']))).toEqual([]);
  });

  it('A4: names who is missing, how many, and which words', () => {
    expect(differencesOf(film, seen(2, ['Hello']))).toEqual(['Scene 1 says three × cat; the film shows two.']);
    expect(differencesOf(film, seen(0, []))).toEqual([
      'Scene 1 has three cat that cannot be seen in the film.',
      'Scene 1 says “Hello”; it cannot be read in the film.',
    ]);
  });

  it('A4: counts bodies with keyframes of their own, and judges nothing where the page tells nothing', () => {
    const cast = ['cat11', 'cat12', 'cat13'].map((name) => ({ scene, name, most: 1 }));
    expect(differencesOf(film, { frames, seen: { cast, texts: ['Hello'] } })).toEqual([]);
    expect(differencesOf(film, { frames, seen: null })).toEqual([]);
    expect(differencesOf(film, { frames: [], seen: { cast: [], texts: [] } })).toEqual([]);
  });
});
