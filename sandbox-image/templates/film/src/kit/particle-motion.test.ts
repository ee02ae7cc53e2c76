import { describe, expect, it } from 'vitest';
import { type ParticlePreset, particleAt } from './particle-motion.ts';

const presets: readonly ParticlePreset[] = ['confetti', 'snow', 'stars', 'sparkles', 'rain', 'bubbles', 'fireworks', 'leaves'];
const air = { width: 16, height: 9 };

describe.each(presets)('%s', (preset) => {
  const at = (index: number, t: number, seed = 3) => particleAt(preset, index, 120, seed, t, air);

  it('A19: is a function of index, seed and time alone', () => {
    for (const t of [0, 0.4, 1.7, 6]) expect(at(17, t)).toEqual(at(17, t));
    expect(at(17, 2.05)).not.toEqual(at(20, 2.05));
    expect(at(17, 2.05)).not.toEqual(at(17, 2.05, 4));
    expect(at(17, 2.05)).not.toEqual(at(17, 2.15));
  });

  it('never gives a number that cannot be drawn', () => {
    for (let index = 0; index < 120; index += 7) {
      for (let t = 0; t < 20; t += 0.37) {
        const state = at(index, t);
        for (const value of Object.values(state)) expect(Number.isFinite(value)).toBe(true);
        expect(state.opacity).toBeGreaterThanOrEqual(0);
        expect(state.opacity).toBeLessThanOrEqual(1);
      }
    }
  });

  it('does not pop: what is seen moves, and fades in and out at its ends', () => {
    const step = 1 / 60;
    for (let index = 0; index < 120; index += 5) {
      let before = at(index, 2);
      for (let t = 2 + step; t < 6; t += step) {
        const now = at(index, t);
        const jump = Math.hypot(now.x - before.x, now.y - before.y);
        // A particle may reappear elsewhere only while it is outside the frame or invisible.
        const seen = (state: typeof now) =>
          state.opacity * state.size > 0.004 && Math.abs(state.x) < air.width * 0.52 && Math.abs(state.y) < air.height * 0.56;
        if (seen(now) && seen(before)) expect(jump).toBeLessThan(0.6);
        before = now;
      }
    }
  });
});

it('snow lies evenly over the height of the frame at every moment', () => {
  const air = { width: 8, height: 14.22 };
  const count = 120;
  for (const seconds of [0, 1.3, 4, 9.7, 31]) {
    const bands = [0, 0, 0, 0];
    for (let index = 0; index < count; index += 1) {
      const { y } = particleAt('snow', index, count, 5, seconds, air);
      const band = Math.floor((y / (air.height * 1.24) + 0.5) * bands.length);
      bands[Math.min(bands.length - 1, band)] = (bands[Math.min(bands.length - 1, band)] ?? 0) + 1;
    }
    for (const flakes of bands) expect(flakes / (count / bands.length), `${seconds} s: ${bands.join(' ')}`).toBeGreaterThan(0.8);
  }
});
