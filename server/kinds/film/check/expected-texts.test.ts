import { describe, expect, it } from 'vitest';
import type { Film } from '#kinds/film/contract/film.ts';
import { lineChart } from '../formats/line-chart.ts';
import { map } from '../formats/map.ts';
import { textsOf, unseenTexts } from './expected-texts.ts';

type Report = Parameters<typeof unseenTexts>[1];
const scene = { number: 2, startSeconds: 2, durationSeconds: 4 };
const at = (seconds: number) => ({ seconds }) as Report['frames'][number];
const seen = (...texts: string[]) => ({ texts }) as unknown as Report['seen'];

describe('expected texts', () => {
  it('A8: reports text that no captured frame of its scene shows', () => {
    const report = { frames: [at(5)], seen: seen('Some', 'other words') };
    expect(unseenTexts([{ scene, text: 'Hello' }], report)).toEqual(['Scene 2 should show “Hello”, but the film does not.']);
  });

  it('A8: matches texts in other letter cases and in pieces', () => {
    const report = { frames: [at(5)], seen: seen('GOOD', 'mor', 'ning') };
    expect(unseenTexts([{ scene, text: 'Good morning' }], report)).toEqual([]);
  });

  it('A8: matches a text whose words are drawn one by one, although other scenes show some of them', () => {
    const report = { frames: [at(5)], seen: seen('57', 'in', 'Sale', '€', 'shops') };
    expect(unseenTexts([{ scene, text: '€57 in shops' }], report)).toEqual([]);
    expect(unseenTexts([{ scene, text: '€58 in shops' }], report)).toHaveLength(1);
    expect(unseenTexts([{ scene, text: 'in shop' }], report)).toHaveLength(1);
    expect(unseenTexts([{ scene, text: '€57, in shops' }], report)).toEqual([]);
  });

  it('A8: matches a price whose cents are raised, without a separator', () => {
    const report = { frames: [at(5)], seen: seen('€', '1', '3', '99', 'now') };
    expect(
      unseenTexts(
        [
          { scene, text: '€3.99' },
          { scene, text: '13,99 €' },
          { scene, text: 'now €3.99' },
        ],
        report,
      ),
    ).toEqual([]);
    expect(
      unseenTexts(
        [
          { scene, text: '€3.98' },
          { scene, text: '€3.9' },
          { scene, text: '€3.999' },
        ],
        report,
      ),
    ).toHaveLength(3);
  });

  const textsOfExample = ({ id, example }: { id: string; example: unknown }) => {
    const film = { scenes: [{ id: 'scene-1', seconds: 4, format: id, props: example }] } as unknown as Film;
    return textsOf(film).map(({ text }) => text);
  };

  it('A8: expects the names of countries, and not their codes', () => {
    const texts = textsOfExample(map);
    expect(texts).toContain('Chile');
    expect(texts).not.toContain('CL');
  });

  it('A8: expects only the ends of an axis', () => {
    const { labels } = lineChart.example;
    const texts = textsOfExample(lineChart);
    expect(labels.length).toBeGreaterThan(2);
    expect(texts.filter((text) => labels.includes(text))).toEqual([labels[0], labels.at(-1)]);
  });

  it('A8: reports nothing for a scene without a captured frame after its entrance', () => {
    expect(unseenTexts([{ scene, text: 'Hello' }], { frames: [at(2.5), at(5.8)], seen: seen() })).toEqual([]);
    expect(unseenTexts([{ scene, text: 'Hello' }], { frames: [at(5)], seen: null })).toEqual([]);
  });
});
