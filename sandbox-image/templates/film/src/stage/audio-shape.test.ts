import { describe, expect, it } from 'vitest';
import { loudnessAt, soundSeconds } from './audio-shape.ts';

const track = { src: '/assets/music.mp3', startSeconds: 2 };

describe('the sound of a film', () => {
  it('X9: ends with its file, with what is wanted of it, or with the film', () => {
    expect(soundSeconds(track, { fileSeconds: 3, filmSeconds: 60 })).toBe(3);
    expect(soundSeconds({ ...track, offsetSeconds: 1 }, { fileSeconds: 3, filmSeconds: 60 })).toBe(2);
    expect(soundSeconds({ ...track, durationSeconds: 1.5 }, { fileSeconds: 3, filmSeconds: 60 })).toBe(1.5);
    expect(soundSeconds(track, { fileSeconds: 300, filmSeconds: 8 })).toBe(6);
    expect(soundSeconds({ ...track, startSeconds: 9 }, { fileSeconds: 300, filmSeconds: 8 })).toBeLessThanOrEqual(0);
  });

  it('X9: is as loud as asked, and fades in straight lines', () => {
    const faded = { ...track, gainDb: 20 * Math.log10(0.5), fadeInSeconds: 1, fadeOutSeconds: 2 };
    const heard = [0, 0.5, 1, 3, 4, 5].map((seconds) => loudnessAt(faded, { seconds, lengthSeconds: 5 }));
    for (const [index, expected] of [0, 0.25, 0.5, 0.5, 0.25, 0].entries()) expect(heard[index]).toBeCloseTo(expected);
    expect(loudnessAt(track, { seconds: 0, lengthSeconds: 5 })).toBe(1);
  });
});
