import { type ComponentType, lazy, type PropsWithChildren } from 'react';
import { appShortcuts } from './kinds/app/shortcuts.ts';
import { Composer } from './kinds/film/home/composer/composer.tsx';
import { filmShortcuts } from './kinds/film/shortcuts.ts';
import type { StatusLabels } from './project/project-status.ts';
import type { ShortcutGroup } from './shortcuts/use-shortcuts.ts';

/** A kind of projects that the studio page can show. */
interface InstalledKind {
  /** Kind of the projects, as stored. */
  readonly id: string;
  /** Provides what the project page shows differently for the kind. Loads with the first project. */
  readonly Page: ComponentType<PropsWithChildren>;
  /** Starts a project on the home page. `rows` is the height of its gallery. */
  readonly Start?: ComponentType<{ rows: number }>;
  /** Keys that work in projects of the kind. */
  readonly shortcuts?: readonly ShortcutGroup[];
  /** Labels that differ from the usual ones. */
  readonly statusLabels?: StatusLabels;
}

export const kinds: readonly InstalledKind[] = [
  {
    id: 'animation',
    Page: lazy(() => import('./kinds/film/film-page.tsx')),
    Start: Composer,
    shortcuts: filmShortcuts,
  },
  {
    id: 'cycle',
    Page: lazy(() => import('./kinds/cycle/cycle-page.tsx')),
    statusLabels: { preview: 'Result to review' },
  },
  {
    id: 'app',
    Page: lazy(() => import('./kinds/app/app-page.tsx')),
    shortcuts: appShortcuts,
    statusLabels: { preview: 'App to review' },
  },
];

/** Returns a project's kind. `undefined` if this version of the page cannot show it. */
export const kindOf = (id: string): InstalledKind | undefined => kinds.find((kind) => kind.id === id);
