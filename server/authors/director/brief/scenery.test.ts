import { describe, expect, it } from 'vitest';
import { planFilm } from '../plan/plan-film.ts';
import { noHints, parseBrief } from './parse-brief.ts';

/** "forest night rain > day | owl": where and when each scene plays, and who is there. */
function told(prompt: string): string {
  const brief = parseBrief(prompt, noHints);
  return planFilm(brief, { seed: 5 })
    .scenes.map(({ place, subjects, texts }) => {
      const { change } = place ?? {};
      const where = place === undefined ? 'nowhere' : [place.name, place.time, place.weather ?? ''].join(' ').trim();
      const turns = change === undefined ? '' : ` > ${[change.time ?? '', change.weather ?? ''].join(' ').trim()}`;
      const who = [...subjects.map(({ id }) => id.replace(/-\d+$/, '')), ...texts.map(({ text }) => `“${text}”`)].join(', ');
      return `${where}${turns}${who === '' ? '' : ` | ${who}`}`;
    })
    .join(' / ');
}

describe('where and when a film plays', () => {
  it.each([
    ['a boat at sea at sunset', 'sea dusk | sailboat'],
    ['day turns to night over a city', 'city day > night'],
    ['a cosy room with rain on the window', 'window dusk rain'],
    ['a rainy street at night', 'street night rain'],
    ['sunset over the sea', 'sea dusk'],
    ['a dark forest with an owl', 'forest night | owl'],
    ['the sky turns from blue to orange', 'sky day > dusk'],
    ['it starts to snow in the forest', 'forest day > snow'],
    ['a sunny day', 'sky day clear'],
    ['a butterfly in a garden. Then night falls.', 'garden day > night | butterfly'],
    ['a beach, then a forest, then a city', 'beach day / forest day / city day'],
    ['fireworks over the harbor', 'sea night | fireworks'],
    ['a ghost in the attic', 'room day | ghost'],
    ['Sonnenuntergang über dem Meer', 'sea dusk'],
    ['ein Ball rollt durch einen verschneiten Wald', 'forest day snow | ball'],
    ['ein gemütliches Wohnzimmer bei Nacht', 'room night'],
    ['une maison dans la forêt sous la neige', 'forest day snow | house'],
    ['une balle rebondit sur la plage', 'beach day | ball'],
    ['un perro en el bosque de noche', 'forest night | dog'],
    ['una calle bajo la lluvia', 'street day rain'],
  ])('A4, X1: “%s” is %s', (prompt, expected) => {
    expect(told(prompt)).toBe(expected);
  });

  it.each([
    ['a title saying lost in space', 'nowhere | “lost in space”'],
    ['title “A night at sea”', 'nowhere | “A night at sea”'],
    ['a ball rolls across the floor', 'nowhere | ball'],
    ['a red ball on a blue background', 'nowhere | ball'],
    ['snow falls on a navy background', 'nowhere | snow'],
    ['good night', 'nowhere | “good night”'],
    ['une étoile poursuit un coeur', 'nowhere | star, heart'],
  ])('X1: “%s” has no place', (prompt, expected) => {
    expect(told(prompt)).toBe(expected);
  });

  it.each([
    ['a tree grows', 'meadow day | deciduous-tree'],
    ['a whale swims', 'underwater day | whale'],
    ['a bus drives', 'street day | bus'],
    ['a mouse beside a tree', 'meadow day | mouse, deciduous-tree'],
  ])('A4: “%s” says no place: it plays where its things are at home', (prompt, expected) => {
    expect(told(prompt)).toBe(expected);
  });

  it('A4: what is read as a place is no unknown word and nothing that cannot be drawn', () => {
    const { unknownWords, notes } = parseBrief('a ball bounces in a dark forest at night in the rain', noHints);
    expect({ unknownWords, notes }).toEqual({ unknownWords: [], notes: [] });
  });

  it('A3: the moon that rises is a thing that moves, before mountains at night', () => {
    const [scene] = planFilm(parseBrief('the moon rises over the mountains', noHints), { seed: 5 }).scenes;
    expect(scene).toMatchObject({ place: { name: 'mountains', time: 'night' }, subjects: [{ noun: 'moon' }] });
    expect(scene?.description).toContain('Mountains behind a meadow at night');
  });
});
