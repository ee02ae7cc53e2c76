import { expect, it } from 'vitest';
import { readViewSettings } from './view-settings.tsx';

const usual = { safeAreas: false, grid: false, frame: 'plain', background: 'film', compareMode: 'wipe' };

it('A15: restores the view settings, with defaults for unreadable ones', () => {
  expect(readViewSettings(null)).toEqual(usual);
  expect(readViewSettings('{"safeAreas":true,"frame":"9:16","background":"checkerboard"}')).toEqual({
    ...usual,
    safeAreas: true,
    frame: '9:16',
    background: 'checkerboard',
  });
  for (const broken of ['', '{', 'null', '[]', '7', '{"frame":"cube","grid":1}']) expect(readViewSettings(broken)).toEqual(usual);
});
