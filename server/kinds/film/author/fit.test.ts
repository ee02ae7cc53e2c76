import { describe, expect, it } from 'vitest';
import { formatOf } from '../formats/catalogue.ts';
import { fitScenes } from './choose.ts';

const fitted = (id: string, props: unknown): unknown[] => {
  const format = formatOf(id);
  if (format === null) throw new Error(`There is no format ${id}.`);
  const scenes = fitScenes(format, props);
  for (const scene of scenes) expect(format.props.safeParse(scene).success).toBe(true);
  return scenes;
};
const item = (text: string, detail: string | null = null) => ({ text, detail, value: null, icon: null });

describe('fields that are too large for their format', () => {
  it('A32: keeps what fits as it is', () => {
    const props = { name: 'Amara', role: null };
    expect(fitted('lower-third', props)).toEqual([props]);
  });

  it('A32: truncates text at the limit, between words', () => {
    const [scene] = fitted('lower-third', { name: 'Amara '.repeat(12), role: null }) as { name: string }[];
    expect(scene?.name).toMatch(/^(?:Amara ){2,}Amara…$/);
    expect(scene?.name.length).toBeLessThanOrEqual(40);
  });

  it('A32: continues a list of twenty items in further scenes, in order', () => {
    const items = Array.from({ length: 20 }, (_, index) => item(`Item ${index + 1}`));
    const scenes = fitted('list', { title: 'All', items, numbered: false, highlight: null }) as { items: { text: string }[] }[];
    expect(scenes.flatMap((scene) => scene.items.map(({ text }) => text))).toEqual(items.map(({ text }) => text));
    expect(scenes.length).toBeGreaterThan(2);
  });

  it('A32: continues the numbers of a list in further scenes', () => {
    const items = Array.from({ length: 12 }, (_, index) => item(`Item ${index + 1}`, 'With a detail'));
    const scenes = fitted('list', { title: null, items, numbered: true, start: 9, highlight: null });
    expect(scenes).toMatchObject([9, 12, 15, 18].map((start) => ({ start, items: { length: 3 } })));
  });

  it('A32: highlights an item in its own scene only', () => {
    const items = Array.from({ length: 6 }, (_, index) => item(`Item ${index + 1}`, 'With a detail'));
    const highlights = (highlight: number) =>
      fitted('list', { title: null, items, numbered: false, highlight }).map(
        (scene) => (scene as { highlight: unknown }).highlight,
      );
    expect([highlights(1), highlights(4)]).toEqual([
      [1, null],
      [null, 1],
    ]);
  });

  it('A32: divides items with details, of which a scene holds four', () => {
    const items = Array.from({ length: 6 }, (_, index) => item(`Item ${index + 1}`, 'With a detail'));
    expect(fitted('list', { title: null, items, numbered: false, highlight: null })).toHaveLength(2);
  });

  it('A32: divides both sides of a comparison at the same place', () => {
    const points = (word: string) => Array.from({ length: 4 }, (_, index) => `${word} ${index} ${'and so on '.repeat(3)}`.trim());
    const scenes = fitted('comparison', {
      title: null,
      left: { label: 'Left', points: points('one') },
      right: { label: 'Right', points: points('two') },
      winner: null,
      verdict: null,
    }) as { left: { points: string[] }; right: { points: string[] } }[];
    expect(scenes.map(({ left, right }) => [left.points.length, right.points.length])).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });

  it('A32: gives nothing for fields of another shape', () => {
    expect(fitted('list', { title: 3 })).toEqual([]);
  });
});
