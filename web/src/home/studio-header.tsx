import { createContext, useContext } from 'react';
import { AppButtons } from '../shortcuts/app-buttons.tsx';
import { cx, Link } from '../ui/elements.tsx';
import { Logo } from '../ui/graphics.tsx';
import { HealthLine } from './health-line.tsx';

/** Pages that the top bar links, in their order. */
export const StudioTabs = createContext<readonly { readonly path: string; readonly name: string }[]>([]);

/** Top bar of the pages that belong to no project. `path`: that of the page. */
export function StudioHeader({ path }: { path: string }) {
  const tabs = useContext(StudioTabs);
  return (
    <header className="flex h-14 shrink-0 items-center gap-2.5 px-4 sm:px-8">
      <Link href="/" className="flex items-center gap-2.5 rounded-lg">
        <Logo className="size-7 shrink-0" />
        <span className="font-semibold text-[15px] tracking-tight">Koda</span>
      </Link>
      <nav aria-label="Main" className="ml-5 hidden gap-0.5 pane:flex">
        {tabs.map((tab) => (
          <Link
            key={tab.path}
            href={tab.path}
            aria-current={tab.path === path ? 'page' : undefined}
            className={cx(
              'flex h-8 items-center rounded-lg px-3',
              tab.path === path ? 'bg-bubble font-medium' : 'text-ink-2 hover:bg-sunken',
            )}
          >
            {tab.name}
          </Link>
        ))}
      </nav>
      <div className="flex min-w-0 flex-1 justify-end">
        <HealthLine />
      </div>
      <AppButtons />
    </header>
  );
}
