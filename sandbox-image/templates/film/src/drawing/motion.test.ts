import { describe, expect, it } from 'vitest';
import type { Style } from '../stage/film-definition.ts';
import { motionAt } from './motion.ts';

const scene = { duration: 6, last: true, loops: false };
const drift = (style: Style, seconds: number, speed = 2) => motionAt(style, seconds, scene).drift(speed);
const frames = (fps: number, from: number, until: number) =>
  Array.from({ length: Math.round((until - from) * fps) }, (_, index) => Math.round(from * fps + index) / fps);

describe('drift', () => {
  it('moves in every frame while the scene enters', () => {
    for (const style of ['playful', 'smooth', 'cinematic'] as const) {
      const values = frames(60, 0, 1.2).map((at) => drift(style, at));
      expect(new Set(values).size).toBe(values.length);
      expect(values).toEqual(values.toSorted((one, other) => one - other));
    }
  });

  it('stands still in a hold of the smooth style', () => {
    expect(new Set(frames(60, 1.2, 6).map((at) => drift('smooth', at))).size).toBe(1);
  });

  it.each(['playful', 'cinematic'] as const)('advances every sixth frame in a hold of the %s style', (style) => {
    const values = frames(60, 1.2, 6).map((at) => drift(style, at));
    const changes = values.flatMap((value, index) => (index > 0 && value !== values[index - 1] ? [index] : []));
    expect(changes).toEqual(Array.from({ length: 47 }, (_, index) => 6 * (index + 1)));
  });

  it('is the same at the same time at 30 and 60 frames per second, also after a start that is no binary fraction', () => {
    const start = 7.3;
    const at = (fps: number) => frames(fps, start, start + 6).map((seconds) => drift('playful', seconds - start));
    expect(at(60).filter((_, index) => index % 2 === 0)).toEqual(at(30));
    const changes = at(60).filter((value, index, all) => index > 72 && value !== all[index - 1]);
    expect(changes).toHaveLength(47);
  });

  it('slows down so that a step is never longer than 0.4 pixels', () => {
    for (const speed of [1, 4, 9, 40, 400]) {
      const step = (drift('playful', 3.1, speed) - drift('playful', 3, speed)) * speed;
      expect(step).toBeGreaterThan(0);
      expect(step).toBeLessThanOrEqual(0.4 + 1e-9);
    }
  });

  it('keeps its pace if that is slow enough', () => {
    expect(drift('cinematic', 5, 4)).toBeCloseTo(5, 9);
  });
});
