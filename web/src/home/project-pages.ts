import type { InfiniteData } from '@tanstack/react-query';
import type { ProjectListItem } from '../../../server/contract/api.ts';

/** A list of projects as far as it was asked for. */
export type Pages = InfiniteData<{ readonly items: readonly ProjectListItem[]; readonly nextCursor: string | null }>;

/** A list with one of its projects renamed; whatever does not change stays the same object. */
export function renamedIn(list: Pages | undefined, projectId: string, name: string): Pages | undefined {
  if (list === undefined) return undefined;
  const renamed = (item: ProjectListItem) => (item.id === projectId ? { ...item, name } : item);
  const pages = list.pages.map((page) =>
    page.items.some(({ id }) => id === projectId) ? { ...page, items: page.items.map(renamed) } : page,
  );
  return { ...list, pages };
}
