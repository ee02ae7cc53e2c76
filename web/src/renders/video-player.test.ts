import fc from 'fast-check';
import { expect, it } from 'vitest';
import { frameAt, secondsOfFrame, stepped } from './video-player.tsx';

it('A17: a time belongs to the frame on screen', () => {
  expect([0, 1 / 60 - 0.001, 1 / 60, 0.5].map((seconds) => frameAt(seconds, 60))).toEqual([0, 0, 1, 30]);
  // Players report a time slightly before the frame.
  expect(frameAt(0.4999999, 60)).toBe(30);
});

it('A17: a step moves exactly one frame within the video', () => {
  const video = { fps: 24, durationSeconds: 2 };
  expect(frameAt(stepped(0, 1, video), 24)).toBe(1);
  expect(frameAt(stepped(0, -1, video), 24)).toBe(0);
  expect(frameAt(stepped(2, 1, video), 24)).toBe(47);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(15, 24, 25, 30, 50, 60), (frame, fps) => {
      expect(frameAt(secondsOfFrame(frame, fps), fps)).toBe(frame);
      const next = stepped(secondsOfFrame(frame, fps), 1, { fps, durationSeconds: 1000 });
      expect(frameAt(next, fps)).toBe(frame + 1);
    }),
  );
});
