import { Clapperboard, ListFilter, Search, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ProjectFilter, ProjectListItem } from '#contract/api.ts';
import type { ProjectListQuery } from '../api/client.ts';
import { kinds } from '../kinds.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Button, cx, Empty, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { useSettled } from '../ui/hooks.ts';
import { DeletedCard, focusCard, ProjectCard } from './project-card.tsx';
import { filterNames, ProjectToolbar } from './project-toolbar.tsx';
import { type ProjectActions, useProjectActions, useProjectList } from './use-projects.ts';

function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

/** Returns the index to which a key moves the focus in a grid of cards, or `null` if the focus stays. */
export function nextCard(key: string, at: number, { count, columns }: { count: number; columns: number }): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -at,
    End: count - 1 - at,
  };
  const step = steps[key];
  if (step === undefined || step === 0) return null;
  const next = at + step;
  // From the last full row, ArrowDown moves to the last card in the shorter row below.
  if (key === 'ArrowDown' && next >= count)
    return Math.floor(at / columns) < Math.floor((count - 1) / columns) ? count - 1 : null;
  return next >= 0 && next < count ? next : null;
}

const gridClass = 'grid grid-cols-[repeat(auto-fill,minmax(min(230px,45%),1fr))] gap-x-4 gap-y-6 sm:gap-x-5 sm:gap-y-7';
const searchAfterMs = 200;

/** Kind with a page that lists its projects. */
const elsewhere = kinds.find(({ place }) => place !== undefined)?.id;

/** Deleted projects of every kind are listed here. */
const listed = (query: ProjectListQuery): ProjectListQuery =>
  query.state === 'deleted' || elsewhere === undefined ? query : { ...query, exceptKind: elsewhere };

/** Query of the project list before the user searches, filters or sorts. */
export const newestProjects = listed({ state: null, sort: 'newest', search: '' });

export function ProjectGrid() {
  const [search, setSearch] = useState('');
  const [view, setView] = useState<Pick<ProjectListQuery, 'state' | 'sort'>>({ state: null, sort: 'newest' });
  // Clearing the search takes effect immediately.
  const settled = useSettled(search.trim(), search.trim() === '' ? 0 : searchAfterMs);
  const query = listed({ ...view, search: settled });
  const searchField = useRef<HTMLInputElement>(null);
  const projects = useProjectList(query);
  const { actions, leaving, undo } = useProjectActions();
  const items = (projects.data?.pages.flatMap((page) => page.items) ?? []).filter(({ id }) => !leaving.has(id));
  const narrowed = query.search !== '' || query.state !== null;
  const none = projects.isSuccess && !projects.isPlaceholderData && items.length === 0 && !projects.hasNextPage;

  useShortcuts({ '/': () => searchField.current?.focus(), 'Mod+z': undo });

  return (
    <section aria-labelledby="projects-title">
      <div className="mb-5 flex h-9 items-center justify-between gap-4">
        <h2 id="projects-title" tabIndex={-1} className="shrink-0 rounded font-semibold text-base outline-none">
          Your projects
        </h2>
        {(!none || narrowed || search !== '' || view.sort !== 'newest') && (
          <ProjectToolbar search={search} onSearch={setSearch} searchField={searchField} view={view} onView={setView} />
        )}
      </div>
      {projects.isError && (
        <div className="mb-5">
          <ErrorNotice error={projects.error}>
            {' '}
            <button type="button" onClick={() => projects.refetch()} className="font-medium underline underline-offset-2">
              Try again
            </button>
          </ErrorNotice>
        </div>
      )}
      {projects.isPending && <Skeletons />}
      {none && (
        <div className="rounded-2xl border border-line-strong border-dashed">
          <None query={query} onAll={() => setView({ ...view, state: null })} />
        </div>
      )}
      {view.state === 'deleted' && items.length > 0 && <p className="-mt-2 mb-4 text-[13px] text-ink-2">{deletedNote}</p>}
      <div
        aria-busy={projects.isPlaceholderData}
        className={cx('transition-opacity', projects.isPlaceholderData && 'opacity-60')}
      >
        <Cards items={items} actions={actions} />
      </div>
      {projects.hasNextPage && <More pending={projects.isFetchingNextPage} onMore={() => void projects.fetchNextPage()} />}
    </section>
  );
}

function Cards({ items, actions }: { items: readonly ProjectListItem[]; actions: ProjectActions }) {
  const nowMs = useNow(30_000);
  const list = useRef<HTMLUListElement>(null);
  const [deleting, setDeleting] = useState<ProjectListItem | null>(null);
  const [shown] = useState<{ ids: readonly string[] }>(() => ({ ids: [] }));

  // A removed card loses the focus, so the card that takes its position receives it.
  useEffect(() => {
    const ids = items.map(({ id }) => id);
    const at = shown.ids.findIndex((id, index) => id !== ids[index]);
    const wasDropped = shown.ids.length > ids.length && at !== -1;
    if (wasDropped && document.activeElement === document.body) {
      const next = ids[Math.min(at, ids.length - 1)];
      if (next !== undefined) focusCard(next);
      else document.getElementById('projects-title')?.focus();
    }
    shown.ids = ids;
  }, [items, shown]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset['card'] === undefined || !list.current) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const cards = [...list.current.querySelectorAll<HTMLElement>('[data-card]')];
    const columns = getComputedStyle(list.current).gridTemplateColumns.split(' ').length;
    const next = nextCard(event.key, cards.indexOf(event.target), { count: cards.length, columns });
    if (next === null) return;
    event.preventDefault();
    cards[next]?.focus();
  };

  return (
    <>
      <ul ref={list} onKeyDown={onKeyDown} className={gridClass}>
        {items.map((project) =>
          project.restorableUntil === null ? (
            <ProjectCard key={project.id} project={project} nowMs={nowMs} actions={actions} />
          ) : (
            <DeletedCard
              key={project.id}
              project={project}
              nowMs={nowMs}
              onRestore={() => actions.restore(project)}
              onDelete={() => setDeleting(project)}
            />
          ),
        )}
      </ul>
      <Confirm
        open={deleting !== null}
        title="Delete this project permanently?"
        text={`“${deleting?.name ?? ''}”, its files, its history and its videos will be deleted. You cannot undo this.`}
        action="Delete permanently"
        onConfirm={() => deleting && actions.removeForGood(deleting)}
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

function Skeletons() {
  return (
    <div role="status" aria-label="Loading your projects…" className={gridClass}>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
        <div key={key} className="animate-breathe">
          <div className="aspect-video rounded-xl bg-bubble" />
          <div className="mt-2.5 flex h-5.25 items-center">
            <div className="h-3.5 w-3/5 rounded bg-bubble" />
          </div>
          <div className="mt-0.5 flex h-4 items-center">
            <div className="h-3 w-2/5 rounded bg-bubble" />
          </div>
        </div>
      ))}
    </div>
  );
}

const deletedNote = 'Koda keeps deleted projects for a day, or less if disk space runs low.';

const noneInFilter: Record<ProjectFilter, string> = {
  working: 'No project is in progress',
  waiting: 'No project is waiting for you',
  complete: 'No project is finished yet',
  failed: 'No project was stopped or failed',
  deleted: 'No project was deleted in the last day',
};

function None({ query, onAll }: { query: ProjectListQuery; onAll: () => void }) {
  const { search, state } = query;
  if (search !== '')
    return <Empty icon={<Search />} title={`No project is called “${search}”`} text={state === null ? '' : filterNames[state]} />;
  if (state === null)
    return (
      <Empty
        icon={<Clapperboard />}
        title="No projects yet"
        text="Your projects appear here. Start with a sentence above, or pick a format."
      />
    );
  return (
    <Empty
      icon={state === 'deleted' ? <Trash2 /> : <ListFilter />}
      title={noneInFilter[state]}
      text={state === 'deleted' ? deletedNote : ''}
    >
      <Button size="sm" onClick={onAll}>
        Show all projects
      </Button>
    </Empty>
  );
}

/** Loads more projects when scrolled into view or pressed. */
function More({ pending, onMore }: { pending: boolean; onMore: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });
  useEffect(() => {
    if (!place.current || pending) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current(), { rootMargin: '600px' });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [pending]);
  return (
    <div ref={place} className="mt-8 text-center">
      <Button onClick={onMore} disabled={pending}>
        {pending && <Spinner />}
        Show more
      </Button>
    </div>
  );
}
