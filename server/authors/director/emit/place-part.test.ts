import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import type { DayTime, Film, FilmPlace, Style } from '../../../contract/film.ts';
import { filmSchema } from '../../../contract/film.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import { applyFeedback } from '../feedback/apply-feedback.ts';
import { skies } from '../plan/place-ground.ts';
import { planFilm } from '../plan/plan-film.ts';
import { emitAll } from './emit.ts';

const styles: readonly Style[] = ['playful', 'smooth', 'cinematic'];
const times: readonly DayTime[] = ['dawn', 'day', 'dusk', 'night'];
const names = filmSchema.shape.scenes.element.shape.place.unwrap().shape.name.options;

const filmOf = (prompt: string): Film => planFilm(parseBrief(prompt, noHints), { seed: 5 });
const placed = (film: Film, place: FilmPlace): Film => ({ ...film, scenes: film.scenes.map((scene) => ({ ...scene, place })) });

describe('places', () => {
  it('A9: each place at each hour in each style is code that can be parsed, with the place once', () => {
    for (const style of styles)
      for (const name of names)
        for (const time of times) {
          const film = placed(filmOf(`a ball bounces, “Hello”, ${style}`), {
            name,
            time,
            weather: 'storm',
            change: { time: 'night' },
          });
          const file = emitAll(film).find(({ path }) => path.startsWith('src/scenes/'));
          expect(parseSync('scene.tsx', file?.content ?? '').errors).toEqual([]);
          expect(file?.content.match(/<Place /g)).toHaveLength(1);
        }
  });

  it('A9: plan and kit know the same places and the same skies', () => {
    const kit = join(import.meta.dirname, '../../../../sandbox-image/templates/animation/src/kit');
    const [light = '', ...scenery] = ['place-light.ts', 'place-scenery.ts', 'place-country.ts', 'place-indoors.ts'].map((file) =>
      readFileSync(join(kit, file), 'utf8'),
    );
    for (const style of styles)
      for (const { top, bottom } of Object.values(skies[style]))
        expect(light).toContain(`{ top: '${top}', horizon: '${bottom}' }`);
    for (const name of names) expect(scenery.join('\n')).toMatch(new RegExp(`\n {2}'?${name}'?: (?:\\{\n|farmland)`));
  });

  it('B1: an hour, a place and a weather can be asked for later', () => {
    const film = filmOf('a red ball bounces in a forest');
    const placeAfter = (words: string, from = film) => applyFeedback(from, words).film.scenes[0]?.place;
    expect(placeAfter('at night instead')).toEqual({ name: 'forest', time: 'night' });
    expect(placeAfter('put it on a beach')).toEqual({ name: 'beach', time: 'day' });
    expect(placeAfter('make it rain')).toEqual({ name: 'forest', time: 'day', weather: 'rain' });
    expect(placeAfter('no rain', applyFeedback(film, 'make it rain').film)).toEqual({ name: 'forest', time: 'day' });
    expect(placeAfter('make the background white')).toBeUndefined();
  });
});
