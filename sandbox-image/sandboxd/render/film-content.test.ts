import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chapterFile, fullestPicture, planChapters, posterCandidates, resolvePart } from './film-content.ts';

const info = {
  durationSeconds: 6,
  scenes: [
    { id: 'opening', title: 'Opening', startSeconds: 0, durationSeconds: 2.5 },
    { id: 'middle', title: '', startSeconds: 2, durationSeconds: 2 },
    { id: 'end', title: 'End', startSeconds: 4, durationSeconds: 5 },
    { id: 'after', title: '', startSeconds: 8, durationSeconds: 1 },
  ],
};
const film = { format: 'mp4', fps: 30, durationSeconds: 6, range: null } as const;

describe('the part of a film that is rendered', () => {
  it('A17: is the whole film unless said otherwise', () => {
    expect(resolvePart(film, { info, fps: 30 })).toEqual({ first: 0, count: 180 });
    expect(resolvePart({ ...film, durationSeconds: 2 }, { info, fps: 30 })).toEqual({ first: 0, count: 60 });
  });

  it('A17: a scene is looked up in what the page says, and ends with the film', () => {
    expect(resolvePart({ ...film, range: { scene: 'middle' } }, { info, fps: 30 })).toEqual({ first: 60, count: 60 });
    expect(resolvePart({ ...film, range: { scene: 'opening' } }, { info, fps: 30 })).toEqual({ first: 0, count: 75 });
    expect(resolvePart({ ...film, range: { scene: 'end' } }, { info, fps: 30 })).toEqual({ first: 120, count: 60 });
  });

  it('A17: a scene beyond the length of a short preview is still in the film', () => {
    const job = { ...film, durationSeconds: 1, range: { scene: 'middle' } };
    expect(resolvePart(job, { info, fps: 30 })).toEqual({ first: 60, count: 60 });
  });

  it('A17: a scene that is not there is refused with the names of those that are', () => {
    expect(() => resolvePart({ ...film, range: { scene: 'finale' } }, { info, fps: 30 })).toThrow(
      /no scene "finale".*opening, middle, end, after/,
    );
    const nameless = { durationSeconds: 6, scenes: [] };
    expect(() => resolvePart({ ...film, range: { scene: 'finale' } }, { info: nameless, fps: 30 })).toThrow(/names no scenes/);
    expect(() => resolvePart({ ...film, range: { scene: 'after' } }, { info, fps: 30 })).toThrow(
      /begins at 8\.00 s.*ends at 6\.00 s/,
    );
  });

  it('A17: frames are taken as they are, and checked against the film', () => {
    const part = (fromFrame: number, toFrame: number) =>
      resolvePart({ ...film, range: { fromFrame, toFrame } }, { info, fps: 30 });
    expect(part(10, 20)).toEqual({ first: 10, count: 10 });
    expect(part(179, 180)).toEqual({ first: 179, count: 1 });
    expect(() => part(20, 20)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    expect(() => part(20, 181)).toThrow(/the film has 180 at 30 fps/);
  });

  it('X9: a still is the first frame of the part', () => {
    const still = { ...film, format: 'png' } as const;
    expect(resolvePart({ ...still, range: { fromFrame: 45, toFrame: 46 } }, { info, fps: 30 })).toEqual({ first: 45, count: 1 });
    expect(resolvePart({ ...still, range: { scene: 'middle' } }, { info, fps: 30 })).toEqual({ first: 60, count: 1 });
    expect(resolvePart(still, { info, fps: 30 })).toEqual({ first: 0, count: 1 });
  });

  it('X9: where the file has a rate of its own, the same moments are meant', () => {
    const part = resolvePart({ ...film, range: { fromFrame: 30, toFrame: 60 } }, { info, fps: 100 / 3 });
    expect(part).toEqual({ first: 33, count: 34 });
  });
});

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

const chapter = (startSeconds: number, endSeconds: number) => ({ title: 'A scene', startSeconds, endSeconds });

it('A18: a poster never comes from where two scenes meet, as the middle of a film with two does', () => {
  const film = { part: { first: 0, count: 180 }, fps: 30, chapters: [chapter(0, 3), chapter(3, 6)] };
  expect(posterCandidates(film)).toEqual([54, 36, 144, 126]);
});

it('A18: without scenes it is taken from the part itself, and of one frame that one', () => {
  expect(posterCandidates({ part: { first: 30, count: 60 }, fps: 30, chapters: [] })).toEqual([66, 54]);
  expect(posterCandidates({ part: { first: 7, count: 1 }, fps: 30, chapters: [] })).toEqual([7]);
});

it('A18: a chapter that ends with the part stays within it, and a hundred scenes keep few pictures', () => {
  const scenes = Array.from({ length: 100 }, (_, index) => chapter(index, index + 1));
  expect(posterCandidates({ part: { first: 0, count: 3000 }, fps: 30, chapters: scenes })).toHaveLength(24);
  expect(posterCandidates({ part: { first: 0, count: 2 }, fps: 30, chapters: [chapter(0, 1)] })).toEqual([1]);
});

it('A18: the picture with the most in it is taken, of equal ones the first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'koda-poster-'));
  const paths = [3, 5, 5, 1].map((sizeBytes, index) => {
    const path = join(folder, `frame-${index}`);
    writeFileSync(path, Buffer.alloc(sizeBytes));
    return path;
  });
  expect(await fullestPicture(paths)).toBe(paths[1]);
  rmSync(folder, { recursive: true });
});
