import { stat } from 'node:fs/promises';
import type { FilmContent } from './film-content.ts';

/** Where in a scene it shows what it is about: not at its ends, which fade into the neighbours. */
const placesInScene = [0.6, 0.4];
/** The picture of each is kept until the end of the render. */
const mostCandidates = 24;

/** Frames of the film of which one may stand for it, the same ones each time; at least one. */
export function posterCandidates({ part, fps, chapters }: Pick<FilmContent, 'part' | 'fps' | 'chapters'>): number[] {
  const whole = { startSeconds: 0, endSeconds: part.count / fps };
  const last = part.first + part.count - 1;
  const frames = (chapters.length > 0 ? chapters : [whole]).flatMap(({ startSeconds, endSeconds }) =>
    placesInScene.map((place) => {
      const seconds = startSeconds + place * (endSeconds - startSeconds);
      return Math.min(last, part.first + Math.round(seconds * fps));
    }),
  );
  return [...new Set(frames)].slice(0, mostCandidates);
}

/**
 * The fullest of some pictures, as paths: what is compressed is the larger the more there is to see, and one that is
 * faded or empty is small. Of equal ones the first.
 */
export async function fullestPicture(paths: readonly string[]): Promise<string> {
  let fullest = { path: '', sizeBytes: -1 };
  for (const path of paths) {
    const { size: sizeBytes } = await stat(path);
    if (sizeBytes > fullest.sizeBytes) fullest = { path, sizeBytes };
  }
  return fullest.path;
}
