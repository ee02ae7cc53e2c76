import { describe, expect, it } from 'vitest';
import { notesSchema } from '#contract/sandbox/sounds.ts';
import { samplesOf } from './tones.ts';

const samples = (...notes: unknown[]) => samplesOf(notesSchema.parse(notes));
const between = (sound: Float32Array, from: number, to: number) => sound.subarray(from * 48_000, to * 48_000);
const loudest = (sound: Float32Array) => sound.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
/** Returns how often a sound crosses zero upwards, which is once in each period. */
const periods = (sound: Float32Array) => sound.filter((value, index) => value >= 0 && (sound[index - 1] ?? 0) < 0).length;

describe('tones', () => {
  it('T9: has each note at its time, in its frequency and level', () => {
    const sound = samples({ hz: 440, seconds: 1 }, { hz: 1000, at: 2, seconds: 1, db: -20 });
    expect(sound).toHaveLength(3 * 48_000);
    expect(periods(between(sound, 0, 1))).toBeCloseTo(440, -1);
    expect(loudest(between(sound, 0, 1))).toBeCloseTo(1, 1);
    expect(loudest(between(sound, 1, 2))).toBe(0);
    expect(periods(between(sound, 2, 3))).toBeCloseTo(1000, -1);
    expect(loudest(between(sound, 2, 3))).toBeCloseTo(0.1, 2);
  });

  it('T9: sweeps from one frequency to another', () => {
    const sound = samples({ hz: 200, to: 2000, seconds: 2 });
    expect(periods(between(sound, 0, 0.1))).toBeLessThan(30);
    expect(periods(between(sound, 1.9, 2))).toBeGreaterThan(190);
  });

  it('T9: starts and ends without a click, however short it is', () => {
    for (const seconds of [0.01, 0.02, 1]) {
      const sound = samples({ hz: 1000, seconds });
      expect(Math.abs(sound[0] ?? 1)).toBe(0);
      expect(Math.abs(sound.at(-1) ?? 1)).toBeLessThan(0.02);
    }
  });
});

describe('the notes of a tone', () => {
  const accepts = (...notes: unknown[]) => notesSchema.safeParse(notes).success;

  it('T9: has bounds for frequency, time, level and number', () => {
    expect(accepts({ hz: 440, seconds: 1 })).toBe(true);
    expect(accepts()).toBe(false);
    const wrong = [
      { hz: 5 },
      { hz: 20_000 },
      { hz: Number.NaN },
      { at: -1 },
      { at: 61 },
      { seconds: 31 },
      { db: 1 },
      { to: 1e9 },
    ];
    for (const part of wrong) expect(accepts({ hz: 440, seconds: 1, ...part }), JSON.stringify(part)).toBe(false);
    expect(accepts(...Array.from({ length: 201 }, () => ({ hz: 440, seconds: 0.1 })))).toBe(false);
    expect(accepts(...Array.from({ length: 5 }, () => ({ hz: 440, seconds: 30 })))).toBe(false);
  });
});
