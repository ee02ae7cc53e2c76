import { describe, expect, it } from 'vitest';
import type { Style, Subject } from '../../../contract/film.ts';
import { beatsOf, countChannels } from './count-channels.ts';

const counter = (from: number, to: number): Extract<Subject, { kind: 'counter' }> => ({
  id: 'counter-1',
  kind: 'counter',
  color: '#ff5a36',
  size: 1,
  motion: { type: 'appear' },
  from,
  to,
  prefix: '',
  suffix: '',
  label: '',
});
const channels = (from: number, to: number, style: Style = 'playful') =>
  countChannels(counter(from, to), { style, from: 0.15, until: 1.65, settledBy: 3.15, first: true, target: 'parameters.to' });

describe('countChannels', () => {
  it('tells off a few whole numbers, each as long as the others', () => {
    const { value } = channels(3, 1);
    expect(value.map(({ value: number }) => number)).toEqual([3, 2, 1]);
    expect(value.slice(1).map(({ ease }) => ease)).toEqual(['hold', 'hold']);
    const ends = [...value.slice(1).map(({ time }) => time), 3.15];
    for (const [index, { time }] of value.entries()) expect((ends[index] ?? 0) - time).toBeCloseTo(1, 2);
  });

  it('arrives at a number that can be set from outside', () => {
    expect(channels(3, 1).value.at(-1)?.code).toBe('parameters.to');
    expect(channels(0, 5000).value.at(-1)?.code).toBe('parameters.to');
  });

  it('swells on every beat and comes to rest before the next one', () => {
    const { scale } = channels(5, 0);
    const times = scale.map(({ time }) => time);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(scale.filter(({ value }) => value > 1)).toHaveLength(5);
    expect(scale.at(-1)?.value).toBe(1);
  });

  it('rushes through many numbers', () => {
    expect(beatsOf(counter(0, 100))).toBeNull();
    expect(beatsOf(counter(0, 2.5))).toBeNull();
    expect(beatsOf(counter(4, 4))).toBeNull();
    expect(beatsOf(counter(1, 5))).toBe(5);
    expect(channels(0, 100).value).toHaveLength(2);
  });
});
