import { expect, it } from 'vitest';
import { fitViewport } from './viewport.ts';

it('scales a viewport down to the area, and never up', () => {
  expect(fitViewport('desktop', { width: 720, height: 400 })).toEqual({ width: 1440, height: 800, scale: 0.5 });
  expect(fitViewport('tablet', { width: 2000, height: 500 })).toEqual({ width: 1024, height: 500, scale: 1 });
});

it('limits the height of a phone, and works before the area is laid out', () => {
  expect(fitViewport('phone', { width: 800, height: 1200 })).toEqual({ width: 390, height: 844, scale: 1 });
  expect(fitViewport('desktop', { width: 0, height: 0 })).toEqual({ width: 1440, height: 0, scale: 1 });
});
