import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { browserStorage } from '../browser-storage.ts';
import { AppButtons } from '../shortcuts/app-buttons.tsx';
import { Logo } from '../ui/graphics.tsx';
import { HealthLine } from './health-line.tsx';
import { ProjectGrid } from './project-grid.tsx';
import { PromptBox } from './prompt-box.tsx';
import { removeOrphanedTexts } from './use-projects.ts';

export function HomePage() {
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
      <main className="mx-auto w-full max-w-290 flex-1 px-4 pb-16 sm:px-8">
        <section className="pt-8 pb-12 sm:pt-16 sm:pb-14">
          <h1 className="text-balance text-center font-semibold text-3xl tracking-[-0.025em] sm:text-[44px] sm:leading-[1.1]">
            What should move?
          </h1>
          <p className="mx-auto mt-3 mb-8 max-w-120 text-balance text-center text-base text-ink-2">
            Say it in a sentence. Koda plans the scenes with you, builds them, and renders the video.
          </p>
          <PromptBox />
        </section>
        <ProjectGrid />
      </main>
    </div>
  );
}
