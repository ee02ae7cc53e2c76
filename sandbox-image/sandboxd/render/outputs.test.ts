import { describe, expect, it } from 'vitest';
import { planGif, planPalette } from './outputs.ts';

const pictures = { path: '/w/pictures', picture: 'jpeg', rate: { numerator: 100, denominator: 3 }, transparent: false } as const;

describe('FFmpeg arguments of a GIF', () => {
  it('X9: pictures are timed as a fraction, so that no delay is rounded', () => {
    const [input] = planGif(pictures, { palette: '/w/palette.png', output: '/w/video.gif' }).inputs;
    expect(input?.options.slice(-2)).toEqual(['-framerate', '100/3']);
    expect(planPalette(pictures, '/w/palette.png').inputs).toEqual([input]);
  });

  it('X9: one colour is given up for transparency only where there is any', () => {
    const filter = (transparent: boolean) => planPalette({ ...pictures, transparent }, '/w/palette.png').outputOptions[1];
    expect(filter(false)).toContain('reserve_transparent=0');
    expect(filter(true)).toContain('reserve_transparent=1');
  });

  it('X9: JPEG is read by the matrix of its standard, PNG as it is', () => {
    expect(planPalette(pictures, '/w/p').outputOptions[1]).toMatch(/^scale=in_color_matrix=bt601:in_range=pc/);
    expect(planPalette({ ...pictures, picture: 'png', transparent: true }, '/w/p').outputOptions[1]).toMatch(/^format=rgba,/);
  });
});
