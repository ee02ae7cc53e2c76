import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filmOf } from './format-film.ts';
import { isFormatFilm, scenes } from './scene-list.ts';

test('every scene has a module or is a film of a format', () => {
  for (const scene of scenes) {
    const hasModule = existsSync(join(import.meta.dirname, 'scenes', `${scene.name}.ts`));
    expect(hasModule, scene.name).toBe(!isFormatFilm(scene));
  }
});

test('a film of a format has the format’s example, and is at least as long as the render', () => {
  const [scene] = filmOf('title', 8).scenes;
  expect(scene).toMatchObject({ format: 'title', seconds: 8, props: { text: expect.any(String) } });
  expect(filmOf('title', 2).scenes[0]?.seconds).toBe(5);
  expect(() => filmOf('nope', 2)).toThrow('There is no format "nope"');
});
