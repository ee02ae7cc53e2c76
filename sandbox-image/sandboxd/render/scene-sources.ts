import type { StageInfo } from '../../../server/contract/sandboxd.ts';
import { hashOf, type ProjectSources } from '../files/sources.ts';

type Scene = Pick<StageInfo['scenes'][number], 'id' | 'startSeconds' | 'durationSeconds'>;

/** A scene counts as seen a little before and after its time: a rounded moment must not fall outside of it. */
const marginSeconds = 0.05;
const filmFile = /^src\/film\.[jt]sx?$/;
/** The film as the director keeps it: every change of any scene is in it, and no page reads it unless it says so. */
const notesFile = 'src/film.json';
const entrySuffixes = ['.tsx', '.ts', '.jsx', '.js', '/index.tsx', '/index.ts'];

/** The files that only this scene uses, so that they cannot touch a picture in which it is not seen; by scene id. */
export function filesOwnedByScenes(sources: ProjectSources, scenes: readonly Scene[]): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string>();
  for (const { id } of scenes) {
    const entry = entrySuffixes.map((suffix) => `src/scenes/${id}${suffix}`).find((path) => sources.hashes.has(path));
    if (entry !== undefined) entries.set(id, entry);
  }
  const entryFiles = new Set(entries.values());
  // Only the film names the scenes; a file of any other place that imports one makes it everybody's.
  const shared = reach(
    [...sources.imports.keys()].filter((path) => !path.startsWith('src/scenes/')),
    sources,
    (from, to) => entryFiles.has(to) && filmFile.test(from),
  );
  const reached = new Map([...entries].map(([id, entry]) => [id, reach([entry], sources)]));
  return new Map(
    [...reached].map(([id, files]) => [
      id,
      [...files].filter((file) => !shared.has(file) && ![...reached].some(([other, theirs]) => other !== id && theirs.has(file))),
    ]),
  );
}

function reach(
  from: readonly string[],
  { imports }: ProjectSources,
  stop: (from: string, to: string) => boolean = () => false,
): Set<string> {
  const found = new Set(from);
  // A set grows while it is walked, and new members are walked, too.
  for (const file of found) {
    for (const next of imports.get(file) ?? []) if (!stop(file, next)) found.add(next);
  }
  return found;
}

/** Ids of the scenes of which nothing is on screen at that moment. */
function unseenScenes(scenes: readonly Scene[], seconds: number): string[] {
  const unseen = scenes.filter(
    ({ startSeconds, durationSeconds }) =>
      seconds < startSeconds - marginSeconds || seconds > startSeconds + durationSeconds + marginSeconds,
  );
  // The last scene stays when its time is over, as the stage has it.
  const last = scenes.at(-1);
  return unseen.filter((scene) => !(scene === last && seconds > scene.startSeconds)).map(({ id }) => id);
}

/**
 * A function from a moment of the film (seconds) to a key, made by `keyOf` once for all moments with the same scenes
 * on screen. It gets the ids of the scenes that are not, and the hash of all files that can be seen: everything
 * but what belongs to those. Equal hashes mean equal pictures, as far as scenes keep to themselves; the frame source
 * proves that by sample.
 */
export function momentKeys(
  sources: ProjectSources,
  scenes: readonly Scene[],
  keyOf: (filesHash: string, unseen: ReadonlySet<string>) => string,
): (seconds: number) => string {
  const owned = filesOwnedByScenes(sources, scenes);
  const isRead = [...sources.imports.values()].some((files) => files.includes(notesFile));
  const known = new Map<string, string>();
  return (seconds) => {
    const away = unseenScenes(scenes, seconds);
    const name = away.join('\0');
    const before = known.get(name);
    if (before !== undefined) return before;
    const leftOut = new Set(away.flatMap((id) => owned.get(id) ?? []));
    if (!isRead) leftOut.add(notesFile);
    const seen = [...sources.hashes.keys()].filter((path) => !leftOut.has(path));
    const key = keyOf(hashOf(seen, sources.hashes), new Set(away));
    known.set(name, key);
    return key;
  };
}
