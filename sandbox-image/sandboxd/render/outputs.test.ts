import { describe, expect, it } from 'vitest';
import { planGif, planPalette } from './outputs.ts';

const images = { path: '/w/images', imageFormat: 'jpeg', rate: { numerator: 100, denominator: 3 }, transparent: false } as const;

describe('planGif and planPalette', () => {
  it('X9: passes the frame rate as a fraction, so that no delay is rounded', () => {
    const [input] = planGif(images, { palette: '/w/palette.png', output: '/w/video.gif' }).inputs;
    expect(input?.options.slice(-2)).toEqual(['-framerate', '100/3']);
    expect(planPalette(images, '/w/palette.png').inputs).toEqual([input]);
  });

  it('X9: reserves a palette entry for transparency only if needed', () => {
    const filter = (transparent: boolean) => planPalette({ ...images, transparent }, '/w/palette.png').outputOptions[1];
    expect(filter(false)).toContain('reserve_transparent=0');
    expect(filter(true)).toContain('reserve_transparent=1');
  });

  it('X9: decodes JPEG with the BT.601 matrix, and PNG unchanged', () => {
    expect(planPalette(images, '/w/p').outputOptions[1]).toMatch(/^scale=in_color_matrix=bt601:in_range=pc/);
    expect(planPalette({ ...images, imageFormat: 'png', transparent: true }, '/w/p').outputOptions[1]).toMatch(/^format=rgba,/);
  });
});
