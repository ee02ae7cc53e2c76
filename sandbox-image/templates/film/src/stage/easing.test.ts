import { describe, expect, it } from 'vitest';
import {
  bezier,
  type Ease,
  ease,
  easeInBack,
  easeInOutCubic,
  easeInOutQuart,
  easeOutBack,
  easeOutElastic,
  easeOutQuint,
  elasticOut,
  fall,
  linear,
  rise,
  swingOver,
} from './easing.ts';

const steps = Array.from({ length: 101 }, (_, index) => index / 100);

function farthest(curve: Ease, exact: (x: number) => number): number {
  return Math.max(...steps.map((x) => Math.abs(ease(curve, x) - exact(x))));
}

describe('easing', () => {
  it('A3: the polynomial curves are met exactly', () => {
    expect(farthest(linear, (x) => x)).toBeLessThan(1e-6);
    expect(farthest(fall, (x) => x ** 2)).toBeLessThan(1e-6);
    expect(farthest(rise, (x) => 1 - (1 - x) ** 2)).toBeLessThan(1e-6);
    expect(farthest(easeInOutCubic, (x) => (x < 0.5 ? 4 * x ** 3 : 1 - (2 - 2 * x) ** 3 / 2))).toBeLessThan(1e-6);
    expect(farthest(easeOutBack, (x) => 1 + 2.70158 * (x - 1) ** 3 + 1.70158 * (x - 1) ** 2)).toBeLessThan(1e-6);
  });

  it('A3: curves of other kinds stay close to their formulas', () => {
    expect(farthest(easeOutQuint, (x) => 1 - (1 - x) ** 5)).toBeLessThan(0.03);
    expect(farthest(easeInOutQuart, (x) => (x < 0.5 ? 8 * x ** 4 : 1 - (2 - 2 * x) ** 4 / 2))).toBeLessThan(0.04);
    expect(farthest(swingOver, (x) => (1 - Math.cos(Math.PI * x)) / 2)).toBeLessThan(0.005);
    expect(farthest(easeOutElastic, elasticOut)).toBeLessThan(0.02);
  });

  it('A3: easeOutBack overshoots by 10 %, easeInBack draws back by as much', () => {
    expect(Math.max(...steps.map((x) => ease(easeOutBack, x)))).toBeCloseTo(1.1, 2);
    expect(Math.min(...steps.map((x) => ease(easeInBack, x)))).toBeCloseTo(-0.1, 2);
  });

  it('starts at 0 and ends at 1, also outside of its range', () => {
    for (const curve of [easeOutBack, easeOutElastic, easeOutQuint, bezier(0.1, 0.9, 0.4, 1)]) {
      expect(ease(curve, 0)).toBe(0);
      expect(ease(curve, 1)).toBe(1);
      expect(ease(curve, -1)).toBe(0);
      expect(ease(curve, 2)).toBe(1);
    }
  });

  it('the elastic curve is baked into several pieces that join without a jump', () => {
    if (easeOutElastic === 'hold') throw new Error('not a curve');
    expect(easeOutElastic.length).toBeGreaterThan(6);
    for (const piece of easeOutElastic) {
      if (piece.until < 1) expect(piece.value).toBeCloseTo(elasticOut(piece.until), 6);
    }
    expect(easeOutElastic.at(-1)?.until).toBe(1);
  });
});
