import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chapterFile, planChapters } from './chapters.ts';

const scenes = [
  { id: 'b', title: 'Second', startSeconds: 1.5, durationSeconds: 2 },
  { id: 'a', title: '', startSeconds: 0, durationSeconds: 2 },
  { id: 'c', title: 'Third', startSeconds: 3.5, durationSeconds: 9 },
];

describe('chapters', () => {
  it('X9: are the scenes in order, without overlap, and end with the film', () => {
    expect(planChapters(scenes, { startSeconds: 0, endSeconds: 5 })).toEqual([
      { title: 'a', startSeconds: 0, endSeconds: 1.5 },
      { title: 'Second', startSeconds: 1.5, endSeconds: 3.5 },
      { title: 'Third', startSeconds: 3.5, endSeconds: 5 },
    ]);
  });

  it('X9: of a part are told from its beginning, and only those that are in it', () => {
    expect(planChapters(scenes, { startSeconds: 1.5, endSeconds: 3.5 })).toEqual([
      { title: 'Second', startSeconds: 0, endSeconds: 2 },
    ]);
    expect(planChapters(scenes, { startSeconds: 1, endSeconds: 2 })).toEqual([
      { title: 'a', startSeconds: 0, endSeconds: 0.5 },
      { title: 'Second', startSeconds: 0.5, endSeconds: 1 },
    ]);
    expect(planChapters(scenes, { startSeconds: 20, endSeconds: 21 })).toEqual([]);
  });

  it('X9: never overlap, whatever the scenes are', () => {
    const scene = fc.record({
      id: fc.constant('s'),
      title: fc.constant(''),
      startSeconds: fc.double({ min: 0, max: 20, noNaN: true }),
      durationSeconds: fc.double({ min: 0.001, max: 20, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(scene, { maxLength: 8 }), fc.double({ min: 0, max: 10, noNaN: true }), (some, startSeconds) => {
        let before = 0;
        for (const chapter of planChapters(some, { startSeconds, endSeconds: startSeconds + 7 })) {
          expect(chapter.startSeconds).toBeGreaterThanOrEqual(before - 1e-9);
          expect(chapter.endSeconds).toBeGreaterThan(chapter.startSeconds);
          expect(chapter.endSeconds).toBeLessThanOrEqual(7 + 1e-9);
          before = chapter.endSeconds;
        }
      }),
    );
  });

  it('X9: titles cannot break out of the file that FFmpeg reads', () => {
    const text = chapterFile([{ title: 'a=b;#\\\n[CHAPTER]\nTIMEBASE=1/1', startSeconds: 0.25, endSeconds: 1 }]);
    expect(text).toBe(
      ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=250\nEND=1000\ntitle=a\\=b\\;\\#\\\\ [CHAPTER] TIMEBASE\\=1/1\n',
    );
  });
});
