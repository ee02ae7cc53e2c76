import type { ProjectFilter } from '../../../server/contract/api.ts';
import { type KeptTexts, projectOfText } from '../browser-storage.ts';

type Storage = Pick<KeptTexts, 'write'> & { names(): string[] };
/** One page of a list of projects; `state` null = all that were not deleted. */
type ListProjects = (
  query: { readonly state: Extract<ProjectFilter, 'deleted'> | null; readonly cursor: string | null },
  signal: AbortSignal,
) => Promise<{ readonly items: readonly { readonly id: string }[]; readonly nextCursor: string | null }>;

/** A studio with more projects than this many pages hold keeps what belongs to projects that are gone. */
const maxPages = 40;

/** Forgets what the browser keeps for a project. */
export function forgetProject(storage: Storage, projectId: string): void {
  for (const name of storage.names()) if (projectOfText(name) === projectId) storage.write(name, null);
}

/**
 * Forgets what the browser keeps for projects that are in no list any more: no page sees the moment in which a deleted one
 * is gone for good. Asks for nothing when nothing is kept. Throws what `list` throws; then nothing was forgotten.
 */
export async function forgetGone(storage: Storage, list: ListProjects, { signal }: { signal: AbortSignal }): Promise<void> {
  const lost = new Set(storage.names().flatMap((name) => projectOfText(name) ?? []));
  // Deleted ones first: who restores a project meanwhile finds what was kept for it.
  for (const state of ['deleted', null] as const) {
    let cursor: string | null = null;
    for (let page = 0; lost.size > 0; page++) {
      if (page === maxPages) return;
      const { items, nextCursor } = await list({ state, cursor }, signal);
      for (const { id } of items) lost.delete(id);
      cursor = nextCursor;
      if (cursor === null) break;
    }
  }
  for (const projectId of lost) forgetProject(storage, projectId);
}
