import { describe, expect, it } from 'vitest';
import { advance, plainSettings, readSettings } from './play-settings.ts';

const film = { durationSeconds: 6, fps: 60 };
const scene = { startSeconds: 2, endSeconds: 4 };

describe('the time of a film that plays', () => {
  it('A15: continues, and restarts at the end', () => {
    expect(advance(1, 0.5, plainSettings, film)).toEqual({ seconds: 1.5, playing: true });
    expect(advance(5.75, 0.5, plainSettings, film)).toEqual({ seconds: 0.25, playing: true });
    expect(advance(6, 0.1, plainSettings, film)).toEqual({ seconds: 0, playing: true });
  });

  it('A15: stays in the part that is played', () => {
    const settings = { ...plainSettings, range: scene };
    expect(advance(3.75, 0.5, settings, film)).toEqual({ seconds: 2.25, playing: true });
    expect(advance(0, 0.5, settings, film)).toEqual({ seconds: 2.5, playing: true });
    expect(advance(5, 0.5, settings, film)).toEqual({ seconds: 2, playing: true });
  });

  it('A15: stops on the last frame if the loop is off', () => {
    const once = { ...plainSettings, loop: false };
    expect(advance(5.9, 0.2, once, film)).toEqual({ seconds: 6 - 1 / 60, playing: false });
    expect(advance(3.9, 0.2, { ...once, range: scene }, film)).toEqual({ seconds: 4 - 1 / 60, playing: false });
  });

  it('A15: ignores a range that an edit has made empty', () => {
    const settings = { ...plainSettings, range: { startSeconds: 7, endSeconds: 9 } };
    expect(advance(1, 0.5, settings, film)).toEqual({ seconds: 1.5, playing: true });
  });
});

it('A15: settings that make no sense are as usual', () => {
  expect(readSettings({})).toEqual(plainSettings);
  expect(readSettings({ speed: 0, loop: 'no', range: { startSeconds: 3, endSeconds: 3 } })).toEqual(plainSettings);
  expect(readSettings({ speed: Number.NaN, range: { startSeconds: 'a' } })).toEqual(plainSettings);
  expect(readSettings({ speed: 0.25, loop: false, range: scene })).toEqual({ speed: 0.25, loop: false, range: scene });
});
