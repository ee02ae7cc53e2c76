import { describe, expect, it } from 'vitest';
import { unseenTexts } from './expected-texts.ts';

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

  it('A8: reports nothing for a scene without a captured frame after its entrance', () => {
    expect(unseenTexts([{ scene, text: 'Hello' }], { frames: [at(2.5), at(5.8)], seen: seen() })).toEqual([]);
    expect(unseenTexts([{ scene, text: 'Hello' }], { frames: [at(5)], seen: null })).toEqual([]);
  });
});
