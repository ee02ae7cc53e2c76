import { describe, expect, it } from 'vitest';
import { sampleFilm } from '../../../../../test/fixtures/renders.ts';
import {
  advance,
  filmScenes,
  isPlain,
  nextStart,
  plainSettings,
  previousStart,
  restartSeconds,
  sceneAt,
  sceneBlocks,
} from './film-time.ts';

const film = { durationSeconds: 6, fps: 60 };
const scene = { startSeconds: 2, endSeconds: 4 };

describe('time of a playing film', () => {
  it('A15: advances and restarts at the end of the range', () => {
    expect(advance(1, 0.5, plainSettings, film)).toEqual({ seconds: 1.5, playing: true });
    expect(advance(5.75, 0.5, plainSettings, film)).toEqual({ seconds: 0.25, playing: true });
    expect(advance(3.75, 0.5, { ...plainSettings, range: scene }, film)).toEqual({ seconds: 2.25, playing: true });
  });

  it('A15: moves into the range from any time', () => {
    const settings = { ...plainSettings, range: scene };
    expect(advance(0, 0.5, settings, film).seconds).toBe(2.5);
    expect(advance(5, 0.5, settings, film).seconds).toBe(2);
    expect(advance(1, 0.5, { ...plainSettings, range: { startSeconds: 8, endSeconds: 9 } }, film).seconds).toBe(1.5);
  });

  it('A15: stops on the last frame without a loop', () => {
    const once = { ...plainSettings, loop: false };
    expect(advance(5.9, 0.2, once, film)).toEqual({ seconds: 6 - 1 / 60, playing: false });
    expect(advance(3.9, 0.2, { ...once, range: scene }, film)).toEqual({ seconds: 4 - 1 / 60, playing: false });
  });
});

it('A15: playback starts at the beginning if it was at the end, and within the range', () => {
  const once = { ...plainSettings, loop: false };
  expect(restartSeconds(6 - 1 / 60, once, film)).toBe(0);
  expect(restartSeconds(3, once, film)).toBeNull();
  expect(restartSeconds(6 - 1 / 60, plainSettings, film)).toBeNull();
  expect(restartSeconds(5, { ...plainSettings, range: scene }, film)).toBe(2);
  expect(restartSeconds(2, { ...plainSettings, range: scene }, film)).toBeNull();
});

it('A15: only settings that every page supports are plain', () => {
  expect(isPlain(plainSettings)).toBe(true);
  expect(isPlain({ ...plainSettings, speed: 2 })).toBe(false);
  expect(isPlain({ ...plainSettings, loop: false })).toBe(false);
  expect(isPlain({ ...plainSettings, range: scene })).toBe(false);
});

const scenes = [
  { number: 1, title: 'In', startSeconds: 0, durationSeconds: 2.5 },
  { number: 2, title: 'Hold', startSeconds: 2, durationSeconds: 3 },
  { number: 3, title: 'Out', startSeconds: 5, durationSeconds: 1 },
];

describe('scenes of the film', () => {
  it('A15: come from the page, whatever the plan says', () => {
    expect(filmScenes(sampleFilm(), null).map(({ number, title }) => [number, title])).toEqual([
      [1, 'One'],
      [2, 'Two'],
    ]);
    const untitled = sampleFilm({ scenes: [{ id: 'scene-1', title: '', startSeconds: 0, durationSeconds: 6 }] });
    expect(filmScenes(untitled, null)[0]?.title).toBe('scene-1');
    expect(filmScenes(null, null)).toEqual([]);
  });

  it('A15: the later of two overlapping scenes is current', () => {
    expect(sceneAt(scenes, 1)?.number).toBe(1);
    expect(sceneAt(scenes, 2.2)?.number).toBe(2);
    expect(sceneAt(scenes, 6)?.number).toBe(3);
    expect(sceneAt(scenes, 2 - 1e-9)?.number).toBe(2);
    expect(sceneAt([], 1)).toBeNull();
  });

  it('A15: are adjacent blocks at a transition', () => {
    expect(sceneBlocks(scenes).map(({ durationSeconds }) => durationSeconds)).toEqual([2, 3, 1]);
    const over = [
      { number: 1, title: 'Ground', startSeconds: 0, durationSeconds: 6 },
      { number: 2, title: 'Over it', startSeconds: 2, durationSeconds: 3 },
    ];
    expect(sceneBlocks(over)).toEqual(over);
  });

  it('A15: can be skipped between', () => {
    expect(nextStart(scenes, 0, 60)).toBe(2);
    expect(nextStart(scenes, 2, 60)).toBe(5);
    expect(nextStart(scenes, 5.5, 60)).toBeNull();
    expect(previousStart(scenes, 3, 0.5)).toBe(2);
    expect(previousStart(scenes, 2.3, 0.5)).toBe(0);
    expect(previousStart(scenes, 0, 0.5)).toBe(0);
  });
});
