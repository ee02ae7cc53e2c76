import { expect, it } from 'vitest';
import type { TextItem } from '../page/protocol.ts';
import { candidateFindings } from './layout-findings.ts';

const size = { width: 320, height: 180 };

/** Returns the findings about a text on white, of which every second pixel is ink. `fontPx` is that of a frame of 1920 × 1080. */
function findingsOf(fontPx: number, grey: number): string[] {
  const rgba = new Uint8Array(size.width * size.height * 4).fill(255);
  for (let pixel = 0; pixel < size.width * size.height; pixel += 2) rgba.fill(grey, pixel * 4, pixel * 4 + 3);
  const text = {
    ...{ id: 1, parentId: 0, selector: 'p', text: 'Word', box: { left: 20, top: 60, right: 120, bottom: 100 } },
    ...{
      clip: null,
      container: null,
      rotated: false,
      fitted: null,
      touched: null,
      opacity: 1,
      fontPx: fontPx / 6,
      linePx: fontPx / 6,
      color: [grey, grey, grey],
    },
  } as unknown as TextItem;
  return candidateFindings({ texts: [text], shapes: [] }, size, { rgba, ...size }).map(({ kind }) => kind);
}

it('46.7: asks large type for a contrast of 3 : 1, and reports nothing within 0.2 of it', () => {
  // On white, #808080 has 3.9 : 1, #949494 has 3.0 : 1, #969696 has 2.9 : 1 and #aaaaaa has 2.3 : 1.
  expect([0x80, 0x94, 0x96].map((grey) => findingsOf(120, grey))).toEqual([[], [], []]);
  expect(findingsOf(120, 0xaa)).toEqual(['text_contrast']);
});

it('46.7: asks smaller type for 4.5 : 1, and reports nothing within 0.2 of it', () => {
  // On white, #787878 has 4.4 : 1.
  expect(findingsOf(20, 0x78)).toEqual(['text_small']);
  expect(findingsOf(20, 0x80)).toEqual(['text_small', 'text_contrast']);
});

it('A8: reports a size only from 0.05 % of the frame’s shorter side below the limit', () => {
  expect(findingsOf(0.0297 * 1080, 0)).toEqual([]);
  expect(findingsOf(0.0285 * 1080, 0)).toEqual(['text_small']);
});
