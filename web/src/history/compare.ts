import type { CheckpointEntry, DiffResponse, FileDiff } from '../../../server/contract/history.ts';
import type { Asset } from '../../../server/contract/project.ts';
import { quoted } from './entries.ts';

/** What the chosen checkpoint is compared with: the one before it, the newest one, or another by its id. */
export type CompareWith = 'before' | 'now' | { readonly id: string };

export interface Comparison {
  /** The newer side. */
  readonly checkpointId: string;
  /** The older side; null = the one before. */
  readonly against: string | null;
  readonly caption: string;
}

/** Which two checkpoints are compared: always from the older to the newer one, so that “+” is what came later. */
export function comparison(chosen: CheckpointEntry, compareWith: CompareWith, entries: readonly CheckpointEntry[]): Comparison {
  const [newest] = entries;
  if (compareWith === 'now' && newest && newest.id !== chosen.id) {
    return { checkpointId: newest.id, against: chosen.id, caption: 'What has changed since then' };
  }
  if (typeof compareWith === 'object') {
    const at = entries.findIndex(({ id }) => id === compareWith.id);
    const other = entries[at];
    if (other && other.id !== chosen.id) {
      const chosenAt = entries.findIndex(({ id }) => id === chosen.id);
      const [older, newer] = at > chosenAt ? [other, chosen] : [chosen, other];
      return { checkpointId: newer.id, against: older.id, caption: `From ${quoted(older.title)} to ${quoted(newer.title)}` };
    }
  }
  return { checkpointId: chosen.id, against: null, caption: 'What changed in it' };
}

/** What a restore would change, by its difference to the files as they are now: uploads stay, also those that came later. */
export function restoredChanges(
  { changedFiles, files }: Pick<DiffResponse, 'changedFiles' | 'files'>,
  assets: readonly Asset[],
): { count: number; files: FileDiff[] } {
  const uploads = new Set(assets.map(({ path }) => path));
  const changed = files.filter(({ status, path }) => status !== 'deleted' || !uploads.has(path));
  return { count: changedFiles - (files.length - changed.length), files: changed };
}
