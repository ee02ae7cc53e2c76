import { expect, it } from 'vitest';
import { lighten, oklab } from './color.ts';

it.each(['#00008b', '#0b1d3a', '#3a0b12', '#0c2b1a', '#201020'])('%s lit stays in its hue', (color) => {
  const [lightness, a, b] = oklab(color);
  const [litLightness, litA, litB] = oklab(lighten(color, 0.3));
  expect(litLightness - lightness).toBeCloseTo(0.3, 1);
  const turned = Math.atan2(litB, litA) - Math.atan2(b, a);
  expect(Math.abs(Math.atan2(Math.sin(turned), Math.cos(turned)))).toBeLessThan(0.12);
});
