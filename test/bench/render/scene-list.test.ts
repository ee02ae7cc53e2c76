import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FilmData, fontFileOf, type Part } from './films/film.ts';
import { filmNamed } from './films/films.ts';
import { filmComposition } from './films/hyperframes.ts';
import { filmOf } from './format-film.ts';
import { scenes } from './scene-list.ts';

const films = scenes.filter(({ film }) => film !== undefined);

test('every scene has a module or is a film', () => {
  for (const scene of scenes) {
    const hasModule = existsSync(join(import.meta.dirname, 'scenes', `${scene.name}.ts`));
    expect(hasModule, scene.name).toBe(scene.film === undefined);
  }
});

test('a film of a format has the format’s example and its theme, and is at least as long as the render', () => {
  const film = filmOf('title', { theme: 'midnight', seconds: 8 });
  expect(film.theme).toBe('midnight');
  expect(film.scenes[0]).toMatchObject({ format: 'title', seconds: 8, props: { text: expect.any(String) } });
  expect(filmOf('title', { theme: 'midnight', seconds: 2 }).scenes[0]?.seconds).toBe(5);
  expect(() => filmOf('nope', { theme: 'midnight', seconds: 2 })).toThrow('There is no format "nope"');
});

test.each(films.filter(({ film }) => film?.from === 'format'))(
  'the film of $name has every word of the format’s example',
  ({ name }) => {
    const shown = wordsOf(markupOf(filmNamed(name)));
    const example = JSON.stringify(filmOf(name, { theme: 'studio', seconds: 10 }).scenes[0]);
    // Numbers count up, and choices are not shown.
    const fields = /"(?:text|title|kicker|subtitle|unit|label|author|role|note|trend)":"([^"]+)"/g;
    const expected = [...example.matchAll(fields)].flatMap(([, text]) => wordsOf(text ?? ''));
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.filter((word) => !shown.includes(word))).toEqual([]);
  },
);

test.each(films)('the film $name moves, loads the fonts that it uses, and is a HyperFrames composition', ({ name }) => {
  const film = filmNamed(name);
  const used = new Set([...JSON.stringify(film).matchAll(/Film ([\w ]+)\\"/g)].map(([, font]) => font));
  expect([...used].sort()).toEqual([...film.fonts].sort());
  const page = filmComposition(film, { width: 1920, height: 1080, fps: 30, durationSeconds: 10 });
  for (const font of film.fonts) expect(page).toContain(`assets/${fontFileOf(font)}`);
  expect(page).toContain('data-composition-id="main" data-start="0" data-duration="10"');
  expect(page).toMatch(/tl\.fromTo\('#part-[\d-]+'/);
});

function markupOf(film: FilmData): string {
  const read = ({ text, html, children = [] }: Part): string => [text, html, ...children.map(read)].join(' ');
  return film.parts.map(read).join(' ');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/);
}
