import { useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { browserStorage } from '../browser-storage.ts';
import { kinds } from '../kinds.ts';
import { AppButtons } from '../shortcuts/app-buttons.tsx';
import { Logo } from '../ui/graphics.tsx';
import { HealthLine } from './health-line.tsx';
import { newestProjects, ProjectGrid } from './project-grid.tsx';
import { removeOrphanedTexts, useProjectList } from './use-projects.ts';

/** Returns whether the studio has no projects. False after the last one is deleted, so that the deletion can be undone. */
function useIsEmpty(): boolean {
  const { data, isSuccess } = useProjectList(newestProjects);
  const count = data?.pages[0]?.items.length ?? 0;
  const [hadProjects, setHadProjects] = useState(false);
  if (count > 0 && !hadProjects) setHadProjects(true);
  return isSuccess && count === 0 && !hadProjects;
}

export function HomePage() {
  const isEmpty = useIsEmpty();
  useEffect(() => {
    document.title = 'Koda';
    const left = new AbortController();
    const list: Parameters<typeof removeOrphanedTexts>[1] = (query, signal) =>
      api.listProjects({ ...query, search: '', sort: 'newest' }, signal);
    // The next visit retries a failure.
    removeOrphanedTexts(browserStorage, list, { signal: left.signal }).catch(() => undefined);
    return () => left.abort();
  }, []);
  return (
    <div className="flex min-h-full flex-col">
      <header className="flex h-14 items-center gap-2.5 px-4 sm:px-8">
        <Logo className="size-7 shrink-0" />
        <span className="font-semibold text-[15px] tracking-tight">Koda</span>
        <div className="flex min-w-0 flex-1 justify-end">
          <HealthLine />
        </div>
        <AppButtons />
      </header>
      <main className="mx-auto w-full max-w-300 flex-1 px-4 pb-16 sm:px-8">
        <div className="mb-3 flex flex-wrap items-baseline gap-x-3.5 pt-1.5">
          <h1 className="font-semibold text-[28px] leading-9 tracking-[-0.024em]">What should move?</h1>
          <p className="text-[15px] text-ink-2">Say it in a sentence, or paste what you already have.</p>
        </div>
        {kinds.map(({ id, Start }) => Start && <Start key={id} rows={isEmpty ? 3 : 2} />)}
        {!isEmpty && (
          <div className="mt-8">
            <ProjectGrid />
          </div>
        )}
      </main>
    </div>
  );
}
