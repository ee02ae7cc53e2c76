import { describe, expect, it } from 'vitest';
import { followVideo, wipeAfterKey } from './compare-video.tsx';

const video = { currentTime: 1, paused: false, seeking: false, duration: 5 };
const leader = { seconds: 1, playing: true, videoFps: 15 };

describe('video compared with the film', () => {
  it('A15: plays along and is corrected only if it is far off', () => {
    expect(followVideo(video, leader)).toEqual({ seek: null, play: true });
    expect(followVideo({ ...video, currentTime: 1.1 }, leader)).toEqual({ seek: null, play: true });
    expect(followVideo({ ...video, currentTime: 1.3 }, leader)).toEqual({ seek: 1, play: true });
    expect(followVideo({ ...video, currentTime: 4.9 }, { ...leader, seconds: 0 })).toEqual({ seek: 0, play: true });
  });

  it('A15: shows the same frame as a paused film', () => {
    const still = { ...leader, playing: false, seconds: 2 };
    expect(followVideo(video, still)).toEqual({ seek: 30.5 / 15, play: false });
    expect(followVideo({ ...video, currentTime: 30.5 / 15 }, still)).toEqual({ seek: null, play: false });
    // Two frames at 60 fps correspond to one frame of a video at 15 fps.
    expect(followVideo({ ...video, currentTime: 30.5 / 15 }, { ...still, seconds: 2 + 2 / 60 })).toEqual({
      seek: null,
      play: false,
    });
  });

  it('A15: pauses at its end while a longer film continues', () => {
    expect(followVideo(video, { ...leader, seconds: 7 })).toEqual({ seek: 74.5 / 15, play: false });
  });

  it('A15: is left alone while seeking or loading', () => {
    expect(followVideo({ ...video, seeking: true, currentTime: 3 }, leader).seek).toBeNull();
    expect(followVideo({ ...video, duration: Number.NaN }, leader)).toEqual({ seek: null, play: false });
  });
});

it('A17: keys move the divider within the frame', () => {
  const press = (share: number, key: string, shiftKey = false) => wipeAfterKey(share, { key, shiftKey });
  expect(press(0.5, 'ArrowLeft')).toBeCloseTo(0.49);
  expect(press(0.5, 'ArrowRight', true)).toBeCloseTo(0.6);
  expect(press(0.005, 'ArrowLeft')).toBe(0);
  expect(press(0.95, 'PageUp')).toBe(1);
  expect([press(0.5, 'Home'), press(0.5, 'End'), press(0.5, 'x')]).toEqual([0, 1, null]);
});
