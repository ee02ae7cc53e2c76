import { describe, expect, it } from 'vitest';
import type { Film } from '#kinds/film/contract/film.ts';
import { changeFilm } from './change-film.ts';
import type { FilmAsset } from './plan-film.ts';
import { planFilm } from './plan-film.ts';

const planned = (prompt: string): Film =>
  planFilm({ prompt, hints: { style: 'smooth', aspect: null, durationSeconds: null }, answers: [], assets: [], seed: 1 }).film;
const animals = planned('Favourite animals:\n- Cats\n- Bears\n- Dogs');
const bars = planned('as a bar chart\n\nSales\nOslo: 12\nRome: 30\nParis: 20');
const hello = planned('Hello world');
const two: Film = {
  ...animals,
  scenes: [...hello.scenes, ...animals.scenes.map((scene) => ({ ...scene, id: 'scene-2' }))],
};
const logo: FilmAsset = { name: 'logo.png', path: '/assets/logo.png', kind: 'image', width: 100, height: 100 };

const change = (film: Film, words: string, assets: readonly FilmAsset[] = []) => changeFilm(film, words, { assets });
const propsOf = (film: Film, index = 0) => (film.scenes[index] as { props: Record<string, unknown> }).props;
const texts = (film: Film, index = 0) =>
  (propsOf(film, index)['items'] as { text?: string; label?: string }[]).map(({ text, label }) => text ?? label);

describe('feedback on the look', () => {
  it.each([
    ['make the title blue', { colors: { ink: '#1d4ed8' } }],
    ['green background', { colors: { ground: '#1f8a3b' } }],
    ['background #123456', { colors: { ground: '#123456' } }],
    ['vertical', { aspect: '9:16' }],
    ['for Instagram', { aspect: '9:16' }],
    ['square please', { aspect: '1:1' }],
    ['make it dark', { theme: 'midnight' }],
    ['use the chalk theme', { theme: 'chalk' }],
    ['mehr verspielt', { style: 'playful' }],
    ['plus vertical', { aspect: '9:16' }],
  ])('A9: “%s” changes that and no scene', (words, expected) => {
    const { film, explanation } = change(animals, words);
    expect(film).toMatchObject(expected);
    expect(film.scenes).toEqual(animals.scenes);
    expect(explanation).not.toContain('not understand');
  });

  it('A9: interprets contradictory requests, and says so', () => {
    const playful = { ...animals, style: 'playful' as const };
    const { film, explanation } = change(playful, 'faster but smoother');
    expect(film.style).toBe('smooth');
    expect(film.scenes[0]?.seconds).toBeLessThan(animals.scenes[0]?.seconds ?? 0);
    expect(explanation).toMatch(/now lasts .* seconds\. .*smooth/u);
  });
});

describe('feedback on texts and entries', () => {
  it.each([
    ['second item: Tea', ['Cats', 'Tea', 'Dogs']],
    ['replace Bears with Owls', ['Cats', 'Owls', 'Dogs']],
    ['Bears should be Owls', ['Cats', 'Owls', 'Dogs']],
    ['ersetze Bears durch Eulen', ['Cats', 'Eulen', 'Dogs']],
    ['remove Bears', ['Cats', 'Dogs']],
    ['entferne Bears', ['Cats', 'Dogs']],
    ['supprime Bears', ['Cats', 'Dogs']],
    ['quita Bears', ['Cats', 'Dogs']],
    ['add item Foxes', ['Cats', 'Bears', 'Dogs', 'Foxes']],
    ['sort it', ['Bears', 'Cats', 'Dogs']],
  ])('A9: “%s”', (words, expected) => {
    expect(texts(change(animals, words).film)).toEqual(expected);
  });

  it('A9: sorts bars by size and highlights one', () => {
    expect(texts(change(bars, 'sort it').film)).toEqual(['Rome', 'Paris', 'Oslo']);
    expect(propsOf(change(bars, 'highlight Paris').film)['highlight']).toBe(2);
  });

  it('A9: carries the texts into another format', () => {
    const { film } = change(animals, 'as a checklist');
    expect(film.scenes[0]).toMatchObject({ format: 'checklist', props: { title: 'Favourite animals' } });
    expect(texts(film)).toEqual(texts(animals));
    expect(change(bars, 'as a list').film.scenes[0]).toMatchObject({ format: 'list' });
    expect(change(bars, 'as a table').film.scenes[0]).toMatchObject({ format: 'table' });
    expect(change(animals, 'as bars').film).toBe(animals);
  });
});

describe('feedback on scenes and time', () => {
  it('A9: removes, swaps, moves and adds scenes', () => {
    const ids = (film: Film) => film.scenes.map(({ id }) => id);
    expect(ids(change(two, 'remove the last scene').film)).toEqual(['scene-1']);
    expect(ids(change(two, 'swap scenes 1 and 2').film)).toEqual(['scene-2', 'scene-1']);
    expect(ids(change(two, 'move scene 2 to the start').film)).toEqual(['scene-2', 'scene-1']);
    const quoted = 'Start with the price, faster but soft. Render it in 4K?';
    expect(change(two, `Add a scene that says “${quoted}”`).film).toMatchObject({
      style: two.style,
      scenes: [{}, {}, { format: 'title', props: { text: quoted } }],
    });
    const { film } = change(two, 'add a scene that says Thank you all');
    expect(film.scenes.slice(0, 2)).toEqual(two.scenes);
    expect(JSON.stringify(film.scenes[2])).toContain('Thank you all');
    expect(JSON.stringify(change(two, 'end with See you soon').film.scenes.at(-1))).toContain('See you soon');
  });

  it('A9: sets lengths', () => {
    const total = (film: Film) => film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
    expect(total(change(two, '10 seconds').film)).toBeCloseTo(10);
    expect(total(change(two, 'faster').film)).toBeLessThan(total(two));
    const longer = change(two, 'scene 2 longer').film;
    expect(longer.scenes[0]?.seconds).toBe(two.scenes[0]?.seconds);
    expect(longer.scenes[1]?.seconds).toBeGreaterThan(two.scenes[1]?.seconds ?? 0);
  });
});

describe('feedback that cannot be followed', () => {
  it.each(['qwertz', 'remove scene 9', 'replace Lions with Owls', 'use missing.png', 'add music', 'highlight Lions'])(
    'A9: “%s” leaves the film as it is and says why',
    (words) => {
      const { film, explanation } = change(animals, words);
      expect(film).toBe(animals);
      expect(explanation).toContain('is unchanged');
    },
  );

  it('A9: uses an upload where a scene has a place for it', () => {
    const card = planned('Big sale today. Visit us at shop.example');
    expect(JSON.stringify(change(card, 'use logo.png', [logo]).film)).toContain('/assets/logo.png');
    expect(change(animals, 'use logo.png', [logo]).film).toBe(animals);
  });
});

describe('feedback on one scene', () => {
  const pair: Film = { ...two, scenes: [...animals.scenes, ...two.scenes.slice(1)] };

  it.each(['longer', 'title: Pets', 'remove Bears, add Fish', 'second entry: Fish', 'replace Cats with Fish', 'sort it'])(
    'A9: “Scene 2: %s” changes no other scene',
    (words) => {
      const { film, explanation } = change(pair, `Scene 2: ${words}`);
      expect(film.scenes[0]).toEqual(pair.scenes[0]);
      expect(film.scenes[1]).not.toEqual(pair.scenes[1]);
      expect(explanation).not.toMatch(/not understand|scene 1/i);
    },
  );

  it('A9: what only the film has, such as its theme, changes for the film', () => {
    expect(change(pair, 'Scene 2: make it dark').film.theme).toBe('midnight');
  });
});
