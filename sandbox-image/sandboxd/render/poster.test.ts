import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fullestPicture, posterCandidates } from './poster.ts';

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
