import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Clapperboard, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { Project } from '../../../server/contract/project.ts';
import { api } from '../api/client.ts';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { ProjectCard } from './project-card.tsx';

const gridClass = 'grid grid-cols-[repeat(auto-fill,minmax(230px,1fr))] gap-x-5 gap-y-7';

export function ProjectGrid() {
  const [search, setSearch] = useState('');
  const query = useDeferredValue(search.trim());
  const [doomed, setDoomed] = useState<Project | null>(null);
  const client = useQueryClient();
  const projects = useInfiniteQuery({
    queryKey: ['projects', query],
    queryFn: ({ signal, pageParam }) => api.listProjects({ search: query, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: (previous) => previous,
    refetchInterval: 10_000,
  });
  const remove = useMutation({
    mutationFn: (project: Project) => api.deleteProject(project.id),
    onSettled: () => client.invalidateQueries({ queryKey: ['projects'] }),
  });
  const items = projects.data?.pages.flatMap((page) => page.items) ?? [];
  const none = projects.isSuccess && items.length === 0;

  return (
    <section aria-labelledby="projects-title">
      <div className="mb-5 flex h-9 items-center justify-between gap-4">
        <h2 id="projects-title" className="font-semibold text-base">
          {texts.home.projects}
        </h2>
        {(items.length > 0 || search !== '') && (
          <label className="relative">
            <Search aria-hidden="true" className="absolute top-2.5 left-3 size-4 text-ink-3" />
            <input
              type="search"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              aria-label={texts.home.search}
              placeholder={texts.home.search}
              className="h-9 w-44 rounded-lg border border-line bg-panel pr-3 pl-9 text-[13px] placeholder:text-ink-3 sm:w-60"
            />
          </label>
        )}
      </div>
      {projects.isError && <ErrorNotice error={projects.error} />}
      {remove.isError && <ErrorNotice error={remove.error} onDismiss={() => remove.reset()} />}
      {projects.isPending && (
        <div aria-hidden="true" className={gridClass}>
          {['a', 'b', 'c', 'd'].map((key) => (
            <div key={key} className="aspect-[16/11] animate-breathe rounded-xl bg-sunken" />
          ))}
        </div>
      )}
      {none && (
        <div className="rounded-2xl border border-line-strong border-dashed">
          {query === '' ? (
            <Empty icon={<Clapperboard />} title={texts.home.emptyTitle} text={texts.home.emptyText} />
          ) : (
            <Empty icon={<Search />} title={texts.home.noMatches(query)} text="" />
          )}
        </div>
      )}
      <ul className={gridClass}>
        {items.map((project) => (
          <ProjectCard key={project.id} project={project} onDelete={() => setDoomed(project)} />
        ))}
      </ul>
      {projects.hasNextPage && (
        <div className="mt-8 text-center">
          <Button onClick={() => projects.fetchNextPage()} disabled={projects.isFetchingNextPage}>
            {texts.home.more}
          </Button>
        </div>
      )}
      <Confirm
        open={doomed !== null}
        title={texts.home.deleteTitle}
        text={texts.home.deleteText(doomed?.name ?? '')}
        action={texts.home.deleteConfirm}
        onConfirm={() => doomed && remove.mutate(doomed)}
        onClose={() => setDoomed(null)}
      />
    </section>
  );
}
