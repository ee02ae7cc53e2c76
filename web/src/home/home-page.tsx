import { Suspense, useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { browserStorage } from '../browser-storage.ts';
import { KindChoice, useKindChoice } from './kind-choice.tsx';
import { newestProjects, ProjectGrid } from './project-grid.tsx';
import { StudioHeader } from './studio-header.tsx';
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
  const { kind, handedOver, choose, taken, offer } = useKindChoice();
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
      <StudioHeader path="/" />
      <main className="mx-auto w-full max-w-300 flex-1 px-4 pb-16 sm:px-8">
        <KindChoice chosen={kind.id} onChoose={choose} />
        <div className="mb-4 pt-5 text-center">
          <h1 className="text-balance font-semibold text-[28px] leading-9 tracking-[-0.024em] sm:text-[34px] sm:leading-11">
            {kind.start.question}
          </h1>
          <p className="text-[15px] text-ink-2">{kind.start.advice}</p>
        </div>
        <Suspense>
          <kind.start.Composer key={kind.id} rows={isEmpty ? 3 : 2} handedOver={handedOver} onTaken={taken} onRows={offer} />
        </Suspense>
        {!isEmpty && (
          <div className="mt-8">
            <ProjectGrid />
          </div>
        )}
      </main>
    </div>
  );
}
