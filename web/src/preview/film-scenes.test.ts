import { describe, expect, it } from 'vitest';
import { sampleFilm } from '../../../test/fixtures/renders.ts';
import { filmScenes, nextStart, previousStart, sceneAt, sceneBlocks } from './film-scenes.ts';

const scenes = [
  { number: 1, title: 'In', startSeconds: 0, durationSeconds: 2.5 },
  { number: 2, title: 'Hold', startSeconds: 2, durationSeconds: 3 },
  { number: 3, title: 'Out', startSeconds: 5, durationSeconds: 1 },
];

describe('scenes of the film', () => {
  it('A15: are those of the page, whatever was planned', () => {
    expect(filmScenes(sampleFilm(), null).map(({ number, title }) => [number, title])).toEqual([
      [1, 'One'],
      [2, 'Two'],
    ]);
    const untitled = sampleFilm({ scenes: [{ id: 'scene-1', title: '', startSeconds: 0, durationSeconds: 6 }] });
    expect(filmScenes(untitled, null)[0]?.title).toBe('scene-1');
    expect(filmScenes(null, null)).toEqual([]);
  });

  it('A15: where two overlap, the one that came in last is on', () => {
    expect(sceneAt(scenes, 1)?.number).toBe(1);
    expect(sceneAt(scenes, 2.2)?.number).toBe(2);
    expect(sceneAt(scenes, 6)?.number).toBe(3);
    expect(sceneAt(scenes, 2 - 1e-9)?.number).toBe(2);
    expect(sceneAt([], 1)).toBeNull();
  });

  it('A15: are blocks side by side where one only gives way to the next', () => {
    expect(sceneBlocks(scenes).map(({ durationSeconds }) => durationSeconds)).toEqual([2, 3, 1]);
    const over = [
      { number: 1, title: 'Ground', startSeconds: 0, durationSeconds: 6 },
      { number: 2, title: 'Over it', startSeconds: 2, durationSeconds: 3 },
    ];
    expect(sceneBlocks(over)).toEqual(over);
  });

  it('A15: are jumped between', () => {
    expect(nextStart(scenes, 0, 60)).toBe(2);
    expect(nextStart(scenes, 2, 60)).toBe(5);
    expect(nextStart(scenes, 5.5, 60)).toBeNull();
    expect(previousStart(scenes, 3, 0.5)).toBe(2);
    expect(previousStart(scenes, 2.3, 0.5)).toBe(0);
    expect(previousStart(scenes, 0, 0.5)).toBe(0);
  });
});
