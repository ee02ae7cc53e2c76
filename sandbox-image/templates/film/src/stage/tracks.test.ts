import { describe, expect, it } from 'vitest';
import { ease, easeOutBack, easeOutElastic, fall, rise } from './easing.ts';
import { at, keys } from './keyframes.ts';
import { defineTracks, seekTracks } from './tracks.ts';

describe('tracks played by Theatre.js', () => {
  it('A19: a bounce is an exact parabola, whatever was seeked before', () => {
    const tracks = defineTracks('test-bounce', {
      ball: { y: keys([at(0, 3), at(0.6, 0, fall), at(1.05, 1.5, rise), at(1.5, 0, fall)]), size: 2 },
    });
    const height = (t: number) => {
      if (t < 0.6) return 3 * (1 - (t / 0.6) ** 2);
      const apexTime = Math.abs(t - 1.05) / 0.45;
      return 1.5 * (1 - apexTime ** 2);
    };
    const times = Array.from({ length: 91 }, (_, frame) => frame / 60).filter((t) => t <= 1.5);
    const forwards = times.map((t) => {
      seekTracks('test-bounce', t);
      return tracks.ball.now.y ?? Number.NaN;
    });
    times.forEach((t, index) => {
      expect(forwards[index]).toBeCloseTo(height(t), 4);
    });
    const backwards = [...times].reverse().map((t) => {
      seekTracks('test-bounce', t);
      return tracks.ball.now.y;
    });
    expect(backwards.reverse()).toEqual(forwards);
    expect(tracks.ball.now.size).toBe(2);
  });

  it('A3: overshoot and elastic easing reach Theatre.js unchanged', () => {
    const tracks = defineTracks('test-ease', {
      box: { back: keys([at(0, 10), at(1, 20, easeOutBack)]), elastic: keys([at(0, 0), at(1, 1, easeOutElastic)]) },
    });
    for (let t = 0; t <= 1; t += 0.05) {
      seekTracks('test-ease', t);
      expect(tracks.box.now.back).toBeCloseTo(10 + 10 * ease(easeOutBack, t), 3);
      expect(tracks.box.now.elastic).toBeCloseTo(ease(easeOutElastic, t), 3);
    }
  });

  it('delays siblings by instances of the same sheet', () => {
    const tracks = defineTracks('test-delay', { dot: { x: keys([at(0, 0), at(1, 10)]) } });
    const second = tracks.dot.delayed(0.25);
    expect(second).toBe(tracks.dot.delayed(0.25));
    seekTracks('test-delay', 0.5);
    expect(tracks.dot.now.x).toBeCloseTo(5, 4);
    expect(second.now.x).toBeCloseTo(2.5, 4);
  });

  it('stays at the first and last value outside its stops', () => {
    const tracks = defineTracks('test-ends', { dot: { x: keys([at(0.5, 1), at(1, 4)]) } });
    seekTracks('test-ends', 0);
    expect(tracks.dot.now.x).toBe(1);
    seekTracks('test-ends', 30);
    expect(tracks.dot.now.x).toBe(4);
  });

  it('finds the same tracks again when a scene is evaluated a second time', () => {
    const define = () => defineTracks('test-reload', { dot: { x: keys([at(0, 0), at(1, 1)]) } });
    expect(define()).toBe(define());
  });
});
