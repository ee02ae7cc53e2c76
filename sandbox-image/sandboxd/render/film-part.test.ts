import { describe, expect, it } from 'vitest';
import { resolvePart } from './film-part.ts';

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
