import type { CheckpointEntry } from '#contract/history.ts';
import { notableName } from '#contract/principal.ts';

/** Says who saved a checkpoint, if it was not the only person here. */
export function SavedBy({ entry }: { entry: CheckpointEntry }) {
  const name = notableName(entry.by);
  if (name === null) return null;
  return <span title={entry.by?.type === 'program' ? `${name}, a program with access to Koda` : name}> · {name}</span>;
}
