import { describe, expect, it } from 'vitest';
import type { Style } from '../stage/film-definition.ts';
import { lightAt } from './place/light.ts';
import { drawPlace, type PlaceName, places } from './place/scenery.ts';

const styles: readonly Style[] = ['playful', 'smooth', 'cinematic'];
const names = Object.keys(places) as PlaceName[];

describe('places', () => {
  it.each(names)('A9: %s is the same for the same seed, finite, and no more than a frame can draw', (name) => {
    for (const aspect of [16 / 9, 9 / 16]) {
      const [one, again] = [7, 7].map((seed) => drawPlace(name, { aspect, seed, accent: '#ff5a36' }).back);
      const numbers = Array.from(one?.getAttribute('position').array ?? []);
      expect(numbers).toEqual(Array.from(again?.getAttribute('position').array ?? []));
      expect(numbers.length).toBeGreaterThan(300);
      expect(numbers.every(Number.isFinite)).toBe(true);
      expect(one?.getIndex()?.count ?? 0).toBeLessThan(90_000);
    }
  });

  it('A9: light is a function of the hour within what a screen can show, and the fourth hour is the first again', () => {
    for (const style of styles)
      for (const name of names) {
        expect(lightAt(name, style, 4, 0.5)).toEqual(lightAt(name, style, 0, 0.5));
        for (let hour = -1; hour < 5; hour += 0.25) {
          const { top, horizon, light, indoors } = lightAt(name, style, hour, 1);
          for (const part of [top, horizon, light, indoors].flat()) expect(part).toBeGreaterThanOrEqual(0);
          for (const part of [top, horizon, light, indoors].flat()) expect(part).toBeLessThanOrEqual(1.001);
        }
      }
  });
});
