import { describe, expect, it } from 'vitest';
import { advance, isPlain, plainSettings, restartSeconds } from './play-settings.ts';

const film = { durationSeconds: 6, fps: 60 };
const scene = { startSeconds: 2, endSeconds: 4 };

describe('the time of a film that plays', () => {
  it('A15: goes on, and begins anew at the end of what is played', () => {
    expect(advance(1, 0.5, plainSettings, film)).toEqual({ seconds: 1.5, playing: true });
    expect(advance(5.75, 0.5, plainSettings, film)).toEqual({ seconds: 0.25, playing: true });
    expect(advance(3.75, 0.5, { ...plainSettings, range: scene }, film)).toEqual({ seconds: 2.25, playing: true });
  });

  it('A15: comes into the part that is played from wherever it was', () => {
    const settings = { ...plainSettings, range: scene };
    expect(advance(0, 0.5, settings, film).seconds).toBe(2.5);
    expect(advance(5, 0.5, settings, film).seconds).toBe(2);
    expect(advance(1, 0.5, { ...plainSettings, range: { startSeconds: 8, endSeconds: 9 } }, film).seconds).toBe(1.5);
  });

  it('A15: stops on the last frame when it is not to begin anew', () => {
    const once = { ...plainSettings, loop: false };
    expect(advance(5.9, 0.2, once, film)).toEqual({ seconds: 6 - 1 / 60, playing: false });
    expect(advance(3.9, 0.2, { ...once, range: scene }, film)).toEqual({ seconds: 4 - 1 / 60, playing: false });
  });
});

it('A15: playing begins at the start when it stood at the end, and in the part that is played', () => {
  const once = { ...plainSettings, loop: false };
  expect(restartSeconds(6 - 1 / 60, once, film)).toBe(0);
  expect(restartSeconds(3, once, film)).toBeNull();
  expect(restartSeconds(6 - 1 / 60, plainSettings, film)).toBeNull();
  expect(restartSeconds(5, { ...plainSettings, range: scene }, film)).toBe(2);
  expect(restartSeconds(2, { ...plainSettings, range: scene }, film)).toBeNull();
});

it('A15: only what every page can do is plain', () => {
  expect(isPlain(plainSettings)).toBe(true);
  expect(isPlain({ ...plainSettings, speed: 2 })).toBe(false);
  expect(isPlain({ ...plainSettings, loop: false })).toBe(false);
  expect(isPlain({ ...plainSettings, range: scene })).toBe(false);
});
