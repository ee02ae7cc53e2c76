import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chapterFile, frameFormats, planChapters, posterCandidates, resolveFrameRange } from './film-content.ts';

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

describe('resolveFrameRange', () => {
  it('A17: returns the whole film by default', () => {
    expect(resolveFrameRange(film, { info, fps: 30 })).toEqual({ first: 0, count: 180 });
    expect(resolveFrameRange({ ...film, durationSeconds: 2 }, { info, fps: 30 })).toEqual({ first: 0, count: 60 });
  });

  it('A17: returns the frames of a scene, up to the end of the film', () => {
    expect(resolveFrameRange({ ...film, range: { scene: 'middle' } }, { info, fps: 30 })).toEqual({ first: 60, count: 60 });
    expect(resolveFrameRange({ ...film, range: { scene: 'opening' } }, { info, fps: 30 })).toEqual({ first: 0, count: 75 });
    expect(resolveFrameRange({ ...film, range: { scene: 'end' } }, { info, fps: 30 })).toEqual({ first: 120, count: 60 });
  });

  it('A17: finds a scene beyond the length of a short preview', () => {
    const job = { ...film, durationSeconds: 1, range: { scene: 'middle' } };
    expect(resolveFrameRange(job, { info, fps: 30 })).toEqual({ first: 60, count: 60 });
  });

  it('A17: rejects an unknown scene with the names of the existing ones', () => {
    expect(() => resolveFrameRange({ ...film, range: { scene: 'finale' } }, { info, fps: 30 })).toThrow(
      /no scene "finale".*opening, middle, end, after/,
    );
    const nameless = { durationSeconds: 6, scenes: [] };
    expect(() => resolveFrameRange({ ...film, range: { scene: 'finale' } }, { info: nameless, fps: 30 })).toThrow(
      /declares no scenes/,
    );
    expect(() => resolveFrameRange({ ...film, range: { scene: 'after' } }, { info, fps: 30 })).toThrow(
      /starts at 8\.00 s.*ends at 6\.00 s/,
    );
  });

  it('A17: validates a range of frames against the film', () => {
    const range = (fromFrame: number, toFrame: number) =>
      resolveFrameRange({ ...film, range: { fromFrame, toFrame } }, { info, fps: 30 });
    expect(range(10, 20)).toEqual({ first: 10, count: 10 });
    expect(range(179, 180)).toEqual({ first: 179, count: 1 });
    expect(() => range(20, 20)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    expect(() => range(20, 181)).toThrow(/the film has 180 at 30 fps/);
  });

  it('X9: returns the first frame of the range for a still', () => {
    const still = { ...film, format: 'png' } as const;
    expect(resolveFrameRange({ ...still, range: { fromFrame: 45, toFrame: 46 } }, { info, fps: 30 })).toEqual({
      first: 45,
      count: 1,
    });
    expect(resolveFrameRange({ ...still, range: { scene: 'middle' } }, { info, fps: 30 })).toEqual({ first: 60, count: 1 });
    expect(resolveFrameRange(still, { info, fps: 30 })).toEqual({ first: 0, count: 1 });
  });

  it('X9: covers the same times if the output has another frame rate', () => {
    const range = resolveFrameRange({ ...film, range: { fromFrame: 30, toFrame: 60 } }, { info, fps: 100 / 3 });
    expect(range).toEqual({ first: 33, count: 34 });
  });
});

const scenes = [
  { id: 'b', title: 'Second', startSeconds: 1.5, durationSeconds: 2 },
  { id: 'a', title: '', startSeconds: 0, durationSeconds: 2 },
  { id: 'c', title: 'Third', startSeconds: 3.5, durationSeconds: 9 },
];

describe('planChapters', () => {
  it('X9: returns the scenes in order, without overlap, up to the end of the film', () => {
    expect(planChapters(scenes, { startSeconds: 0, endSeconds: 5 })).toEqual([
      { title: 'a', startSeconds: 0, endSeconds: 1.5 },
      { title: 'Second', startSeconds: 1.5, endSeconds: 3.5 },
      { title: 'Third', startSeconds: 3.5, endSeconds: 5 },
    ]);
  });

  it('X9: counts from the start of a range and omits scenes outside it', () => {
    expect(planChapters(scenes, { startSeconds: 1.5, endSeconds: 3.5 })).toEqual([
      { title: 'Second', startSeconds: 0, endSeconds: 2 },
    ]);
    expect(planChapters(scenes, { startSeconds: 1, endSeconds: 2 })).toEqual([
      { title: 'a', startSeconds: 0, endSeconds: 0.5 },
      { title: 'Second', startSeconds: 0.5, endSeconds: 1 },
    ]);
    expect(planChapters(scenes, { startSeconds: 20, endSeconds: 21 })).toEqual([]);
  });

  it('X9: never returns overlapping chapters', () => {
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

  it('X9: escapes titles in the chapter file', () => {
    const text = chapterFile([{ title: 'a=b;#\\\n[CHAPTER]\nTIMEBASE=1/1', startSeconds: 0.25, endSeconds: 1 }]);
    expect(text).toBe(
      ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=250\nEND=1000\ntitle=a\\=b\\;\\#\\\\ [CHAPTER] TIMEBASE\\=1/1\n',
    );
  });
});

const chapter = (startSeconds: number, endSeconds: number) => ({ title: 'A scene', startSeconds, endSeconds });

it('A18: avoids scene boundaries for poster candidates', () => {
  const film = { range: { first: 0, count: 180 }, fps: 30, scenes: [chapter(0, 3), chapter(3, 6)] };
  expect(posterCandidates(film)).toEqual([54, 36, 144, 126]);
});

it('A18: takes poster candidates from the whole range if there are no scenes', () => {
  expect(posterCandidates({ range: { first: 30, count: 60 }, fps: 30, scenes: [] })).toEqual([66, 54]);
  expect(posterCandidates({ range: { first: 7, count: 1 }, fps: 30, scenes: [] })).toEqual([7]);
});

it('A18: keeps poster candidates within the range and limits their number', () => {
  const scenes = Array.from({ length: 100 }, (_, index) => chapter(index, index + 1));
  expect(posterCandidates({ range: { first: 0, count: 3000 }, fps: 30, scenes })).toHaveLength(24);
  expect(posterCandidates({ range: { first: 0, count: 2 }, fps: 30, scenes: [chapter(0, 1)] })).toEqual([1]);
});

describe('frameFormats', () => {
  const mixed = {
    scenes: [
      { id: 'title', title: '', startSeconds: 0, durationSeconds: 2, isFormat: true },
      { id: 'ball', title: '', startSeconds: 2, durationSeconds: 2, isFormat: false },
      { id: 'chart', title: '', startSeconds: 3, durationSeconds: 3, isFormat: true },
    ],
  };
  const range = { first: 0, count: 60 };
  const formatsOf = (job: Parameters<typeof frameFormats>[0], direct: 'scene' | 'film', scenes = mixed) => {
    const formatAt = frameFormats(job, scenes, { range, fps: 10, direct });
    return Array.from({ length: range.count }, (_, frame) => formatAt(frame));
  };
  const mp4 = { format: 'mp4', transparent: false } as const;

  it('lets the page draw its own frames only while nothing but formats is visible', () => {
    expect(formatsOf(mp4, 'scene')).toEqual([
      ...Array.from({ length: 20 }, () => 'i420'),
      ...Array.from({ length: 20 }, () => 'jpeg'),
      ...Array.from({ length: 20 }, () => 'i420'),
    ]);
  });

  it('uses one format for a film that cannot be divided', () => {
    expect(new Set(formatsOf(mp4, 'film'))).toEqual(new Set(['jpeg']));
    const [title] = mixed.scenes;
    const whole = { scenes: title ? [{ ...title, durationSeconds: 6 }] : [] };
    expect(new Set(formatsOf(mp4, 'film', whole))).toEqual(new Set(['i420']));
  });

  it('captures images for encoders of RGB or alpha, and for a page without scenes', () => {
    expect(formatsOf({ format: 'gif', transparent: false }, 'scene')).toContain('jpeg');
    expect(formatsOf({ format: 'gif', transparent: false }, 'scene')).not.toContain('i420');
    expect(new Set(formatsOf({ format: 'webm', transparent: true }, 'scene'))).toEqual(new Set(['png']));
    expect(new Set(formatsOf(mp4, 'scene', { scenes: [] }))).toEqual(new Set(['jpeg']));
  });
});
