import { describe, expect, it } from 'vitest';
import { easeInOutCubic, fall, hold, linear, rise } from './easing.ts';
import { at, compileChannel, compileTracks, keys } from './keyframes.ts';

describe('keyframes', () => {
  it('puts the handles of an interval on both of its keyframes', () => {
    const [first, second, third] = compileChannel(keys([at(0, 3), at(0.5, 0, fall), at(1, 2, rise)]), 'y');
    // Theatre.js takes an interval's curve from the left keyframe's out-handle and the right one's in-handle.
    expect(first?.handles.slice(2)).toEqual([1 / 3, 0]);
    expect(second?.handles).toEqual([2 / 3, 1 / 3, 1 / 3, 2 / 3]);
    expect(third?.handles.slice(0, 2)).toEqual([2 / 3, 1]);
  });

  it('turns an ease of several pieces into several keyframes that end exactly on the stop', () => {
    const compiled = compileChannel(keys([at(1, 10), at(3, 20, easeInOutCubic)]), 'x');
    expect(compiled.map(({ position, value }) => [position, value])).toEqual([
      [1, 10],
      [2, 15],
      [3, 20],
    ]);
  });

  it('holds a value until its stop', () => {
    const [first] = compileChannel(keys([at(0, 1), at(1, 2, hold)]), 'x');
    expect(first?.type).toBe('hold');
  });

  it('two stops at one time are a jump', () => {
    const compiled = compileChannel(keys([at(0, 0), at(1, 5), at(1, 9), at(2, 9)]), 'x');
    expect(compiled.map(({ value }) => value)).toEqual([0, 5, 9, 9]);
  });

  it('refuses stops that go back in time, and a channel without any', () => {
    expect(() => keys([at(1, 0), at(0.5, 1)])).toThrow('0.5 s comes after 1 s');
    expect(() => keys([])).toThrow('at least one stop');
  });

  it('gives every keyframed channel a track and leaves constants out', () => {
    const state = compileTracks('scene-1', { ball: { y: keys([at(0, 0), at(4, 1, linear)]), radius: 2 } });
    const sheet = state.sheetsById['scene-1'];
    expect(Object.keys(sheet?.sequence.tracksByObject['ball']?.trackIdByPropPath ?? {})).toEqual(['["y"]']);
    expect(sheet?.sequence.length).toBe(5);
  });
});
