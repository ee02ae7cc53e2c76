import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { ProjectFilter, ProjectListItem } from '#contract/api.ts';
import { api, type ProjectListQuery, toApiError } from '../api/client.ts';
import { browserStorage, projectOfText, type StoredTexts } from '../browser-storage.ts';
import { navigate, projectHref } from '../router.ts';
import { toast } from '../ui/toasts.tsx';

const nameCharacters = 80;

/** Returns a copy's name: “Ball copy”, then “Ball copy 2”, shortened to the maximum length. */
export function copyName(name: string): string {
  const [, base = name, number] = /^(.*) copy(?: (\d{1,4}))?$/.exec(name) ?? [];
  const ending = base === name ? ' copy' : ` copy ${Number(number ?? 1) + 1}`;
  return `${base.slice(0, nameCharacters - ending.length).trimEnd()}${ending}`;
}

export type Pages = InfiniteData<{ readonly items: readonly ProjectListItem[]; readonly nextCursor: string | null }>;

export function renamedIn(list: Pages | undefined, projectId: string, name: string): Pages | undefined {
  if (list === undefined) return undefined;
  const renamed = (item: ProjectListItem) => (item.id === projectId ? { ...item, name } : item);
  const pages = list.pages.map((page) =>
    page.items.some(({ id }) => id === projectId) ? { ...page, items: page.items.map(renamed) } : page,
  );
  return { ...list, pages };
}

const key = 'projects';
const undoMs = 12_000;
/** Lists with running projects are fetched more often. */
const pollMs = { moving: 4_000, still: 30_000 };

export function useProjectList(query: ProjectListQuery) {
  return useInfiniteQuery({
    queryKey: [key, query],
    queryFn: ({ signal, pageParam }) => api.listProjects({ ...query, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ running }) => running)) ? pollMs.moving : pollMs.still,
  });
}

export interface ProjectActions {
  rename(project: ProjectListItem, name: string): void;
  duplicate(project: ProjectListItem): void;
  /** Deletes the project immediately and offers an undo. */
  remove(project: ProjectListItem): void;
  restore(project: ProjectListItem): void;
  removeForGood(project: ProjectListItem): void;
}

/** Returns actions on projects. `leaving` contains the projects that are about to leave the shown list. */
export function useProjectActions(): { actions: ProjectActions; leaving: ReadonlySet<string>; undo: () => void } {
  const client = useQueryClient();
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const lastUndo = useRef<(() => void) | null>(null);

  const refresh = useCallback(() => client.invalidateQueries({ queryKey: [key] }), [client]);
  const leave = useCallback((projectId: string) => setLeaving((old) => new Set(old).add(projectId)), []);
  const settle = useCallback(
    async (projectId: string) => {
      await refresh();
      setLeaving((old) => new Set([...old].filter((id) => id !== projectId)));
    },
    [refresh],
  );

  const [actions] = useState<ProjectActions>(() => {
    const say = (error: unknown) => toast(toApiError(error).message);
    const restore = async ({ id, name }: ProjectListItem) => {
      leave(id);
      try {
        await api.restoreProject(id);
        toast(`“${name}” was restored.`);
      } catch (error) {
        say(error);
      }
      await settle(id);
    };
    return {
      async rename({ id, name: before }, name) {
        const show = (shown: string) => client.setQueriesData<Pages>({ queryKey: [key] }, (pages) => renamedIn(pages, id, shown));
        await client.cancelQueries({ queryKey: [key] });
        show(name);
        try {
          await api.renameProject(id, name);
        } catch (error) {
          show(before);
          say(error);
        }
        await refresh();
      },
      async duplicate({ id, name }) {
        toast(`Duplicating “${name}”…`);
        try {
          const made = await api.branchProject(id, copyName(name));
          const open = () => navigate(projectHref(made.id));
          toast(`“${made.name}” was created.`, { action: { label: 'Open', run: open } });
        } catch (error) {
          toast(
            toApiError(error).code === 'INVALID_TRANSITION'
              ? `“${name}” has no files yet. You can duplicate it once Koda builds its film.`
              : toApiError(error).message,
          );
        }
        await refresh();
      },
      async remove(project) {
        const { id, name } = project;
        leave(id);
        const done = api.deleteProject(id);
        const undo = () => {
          if (lastUndo.current === undo) lastUndo.current = null;
          // Runs in sequence, because the server may still be stopping the agent.
          void done.then(
            () => restore(project),
            () => undefined,
          );
        };
        lastUndo.current = undo;
        toast(`“${name}” was deleted.`, { action: { label: 'Undo', run: undo }, durationMs: undoMs });
        try {
          await done;
        } catch (error) {
          lastUndo.current = null;
          say(error);
        }
        await settle(id);
      },
      restore,
      async removeForGood({ id }) {
        leave(id);
        try {
          await api.deleteProject(id, { now: true });
          removeProjectTexts(browserStorage, id);
        } catch (error) {
          say(error);
        }
        await settle(id);
      },
    };
  });

  return { actions, leaving, undo: useCallback(() => lastUndo.current?.(), []) };
}

type Storage = Pick<StoredTexts, 'write'> & { names(): string[] };
/** Lists one page of projects. If `state` is `null`, lists all projects except deleted ones. */
type ListProjects = (
  query: { readonly state: Extract<ProjectFilter, 'deleted'> | null; readonly cursor: string | null },
  signal: AbortSignal,
) => Promise<{ readonly items: readonly { readonly id: string }[]; readonly nextCursor: string | null }>;

/** Maximum number of pages of projects. If there are more, no stored text is removed. */
const maxPages = 40;

/** Removes everything that the browser stores for a project. */
export function removeProjectTexts(storage: Storage, projectId: string): void {
  for (const name of storage.names()) if (projectOfText(name) === projectId) storage.write(name, null);
}

/**
 * Removes stored texts of projects that no longer exist, because no page notices a permanent deletion. Lists no projects if
 * nothing is stored. Errors from `list` propagate; nothing is removed then.
 */
export async function removeOrphanedTexts(
  storage: Storage,
  list: ListProjects,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const lost = new Set(storage.names().flatMap((name) => projectOfText(name) ?? []));
  // Lists deleted projects first, so that one restored in between keeps its texts.
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
  for (const projectId of lost) removeProjectTexts(storage, projectId);
}
