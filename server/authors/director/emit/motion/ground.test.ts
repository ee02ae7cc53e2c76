import { describe, expect, it } from 'vitest';
import { frameOf } from '../frame.ts';
import type { KeyStop } from '../keyframes.ts';
import { manners } from '../style.ts';
import type { Body } from './body.ts';
import { bounce, drop, jump, roll } from './ground.ts';

const frame = frameOf('16:9');

function body(change: Partial<Body> = {}): Body {
  return {
    timing: {
      filmStartSeconds: 0,
      durationSeconds: 6,
      leadSeconds: 0,
      first: true,
      last: true,
      exitAt: 6,
      settledBy: 5.2,
      speed: 1,
    },
    manner: manners.playful,
    playful: true,
    firstShare: 0.45,
    shared: false,
    frame,
    halfHeight: 0.8,
    radius: 0.8,
    x: 0,
    y: frame.groundY + 0.8,
    headroom: 4,
    sideroom: 6,
    stands: true,
    flat: false,
    wheel: false,
    square: false,
    still: false,
    alone: true,
    lane: 0,
    rolls: true,
    anchored: false,
    aloft: 0,
    pose: null,
    exitAt: 6,
    ...change,
  };
}

const touchesOf = (y: readonly KeyStop[]) => y.filter(({ ease }) => ease === 'fall');
const peaksOf = (y: readonly KeyStop[]) => y.filter(({ ease }) => ease === 'rise');

describe('bounce', () => {
  it.each([1, 2, 3, 5, 9])('X1: touches the ground exactly %i times', (times) => {
    expect(touchesOf(bounce(times, 1, body()).y ?? []).length).toBe(times);
  });

  it('keeps the square of the restitution of its height and one gravity for all flights', () => {
    const { y = [] } = bounce(4, 1, body());
    const top = y[0]?.value ?? 0;
    peaksOf(y).forEach(({ value }, index) => {
      expect(value).toBeCloseTo(top * manners.playful.restitution ** (2 * (index + 1)), 2);
    });
    const gravities = y.flatMap((stop, index) => {
      const before = y[index - 1];
      return before && stop.ease === 'fall' ? [(2 * before.value) / (stop.time - before.time) ** 2] : [];
    });
    for (const gravity of gravities) expect(gravity / (gravities[0] ?? 1)).toBeCloseTo(1, 1);
  });

  it('is over before the scene is, however many touches there are', () => {
    for (const seconds of [1.5, 2.5, 4]) {
      const timing = { ...body().timing, durationSeconds: seconds, exitAt: seconds - 0.3, settledBy: seconds - 0.6, last: false };
      const { y = [] } = bounce(6, 1, body({ timing, exitAt: seconds - 0.3 }));
      expect(touchesOf(y).at(-1)?.time).toBeLessThanOrEqual(seconds - 0.2);
    }
  });

  it('squashes at every touch and gets its shape back', () => {
    const { squash = [] } = bounce(3, 1, body());
    expect(squash.filter(({ note }) => note === 'squash').length).toBe(3);
    for (const { value } of squash) expect(value).toBeGreaterThanOrEqual(manners.playful.impactSquash - 1e-9);
    expect(squash.at(-1)?.value).toBe(1);
  });

  it('says when and how hard it touches the ground', () => {
    const { y = [], touches = [] } = bounce(3, 1, body());
    expect(touches.map(({ time }) => time)).toEqual(touchesOf(y).map(({ time }) => time));
    expect(touches.map(({ strength }) => strength)).toEqual([1, 0.8, 0.64]);
  });

  it('rolls out and rocks back after the last touch, at the speed that it had in the air', () => {
    const { x = [], touches = [] } = bounce(3, 1, body());
    const last = x.findIndex(({ time }) => time === touches.at(-1)?.time);
    const [from, landing, still] = [x[last - 1], x[last], x[last + 1]];
    if (!from || !landing || !still) throw new Error('no way on the ground');
    const speed = (landing.value - from.value) / (landing.time - from.time);
    // A throw against friction: its first speed is twice its mean.
    expect((2 * (still.value - landing.value)) / (still.time - landing.time)).toBeCloseTo(speed, 1);
    const rocks = x.slice(last + 1).map(({ value }) => Math.abs(value));
    expect(rocks.length).toBeGreaterThan(3);
    expect(rocks).toEqual(rocks.toSorted((a, b) => b - a));
    expect(x.at(-1)?.time).toBeGreaterThanOrEqual(6);
    expect(bounce(3, 1, body({ still: true })).x?.at(-1)).toMatchObject({ value: 0 });
  });

  it('higher means higher, up to the frame', () => {
    const low = bounce(3, 0.5, body()).y?.[0]?.value ?? 0;
    const high = bounce(3, 1, body()).y?.[0]?.value ?? 0;
    expect(low).toBeLessThan(high);
    expect(bounce(3, 5, body()).y?.[0]?.value).toBeLessThanOrEqual(body().headroom);
  });
});

describe('roll', () => {
  it('turns by exactly the way it rolls', () => {
    const { x = [], rotateZ = [] } = roll('right', body());
    x.forEach((stop, index) => {
      expect(rotateZ[index]?.time).toBe(stop.time);
      expect(rotateZ[index]?.ease).toBe(stop.ease);
      expect(rotateZ[index]?.value).toBeCloseTo((-stop.value / 0.8) * (180 / Math.PI), 0);
    });
    expect(roll('right', body({ still: true })).x?.at(-1)?.value).toBe(0);
  });

  it('a cube tips over its edges in quarter turns, one edge of way each', () => {
    const { x = [], z = [], rotateY = [], rotateZ = [] } = roll('left', body({ square: true }));
    expect(x.at(-1)?.value).toBe(0);
    expect(z.at(-1)?.value).toBe(0);
    expect(Math.abs(rotateY[0]?.value ?? 0)).toBeGreaterThanOrEqual(25);
    for (const { value } of rotateZ) expect(Math.abs(value % 90)).toBe(0);
    x.forEach((stop, index) => {
      const way = Math.hypot(stop.value, z[index]?.value ?? 0);
      expect(way / 1.6).toBeCloseTo(-(rotateZ[index]?.value ?? 0) / 90, 2);
    });
  });
});

it('a drop comes from above the frame, but hangs inside of it when it opens the film', () => {
  const later = { ...body().timing, first: false };
  expect(drop(body({ timing: later })).y?.[0]?.value).toBeGreaterThan(frame.height * 0.6);
  expect(drop(body()).y?.[0]?.value).toBe(4);
});

it('a jump crouches before it leaves the ground', () => {
  const { y = [], squash = [] } = jump(2, 1, body());
  expect(peaksOf(y).length).toBe(2);
  const takeOff = y.find(({ value, note }) => value === 0 && note !== null);
  const crouch = squash.find(({ note }) => note === 'crouches');
  expect(crouch?.value).toBeLessThan(0.9);
  expect(crouch?.time ?? 9).toBeLessThan(takeOff?.time ?? 0);
});
