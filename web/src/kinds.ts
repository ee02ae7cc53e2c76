import { AppWindow, Clapperboard, type LucideIcon, MessageCircleQuestionMark } from 'lucide-react';
import { type ComponentType, lazy, type PropsWithChildren } from 'react';
import type { StartProps } from './home/start-props.ts';
import { appShortcuts } from './kinds/app/shortcuts.ts';
import { startPath } from './kinds/assistant/assistant-api.ts';
import { assistantShortcuts } from './kinds/assistant/shortcuts.ts';
import { Composer } from './kinds/film/home/composer/composer.tsx';
import { filmShortcuts } from './kinds/film/shortcuts.ts';
import type { StatusLabels } from './project/project-status.ts';
import type { ShortcutGroup } from './shortcuts/use-shortcuts.ts';

/** How the home page starts a project of a kind. */
interface KindStart {
  /** Name in the choice above the question. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly question: string;
  readonly advice: string;
  /** Button that takes rows over which were pasted for another kind. */
  readonly instead: string;
  readonly Composer: ComponentType<StartProps>;
}

/** A page of its own from which a kind starts its projects. */
interface KindPlace {
  readonly path: string;
  /** Name in the top bar. */
  readonly name: string;
  /** Name in the choice on the home page. */
  readonly choice: string;
  readonly icon: LucideIcon;
  readonly Page: ComponentType;
}

/** A kind of projects that the studio page can show. */
interface InstalledKind {
  /** Kind of the projects, as stored. */
  readonly id: string;
  /** Provides what the project page shows differently for the kind. Loads with the first project. */
  readonly Page: ComponentType<PropsWithChildren>;
  /** Whether its projects are rendered, also at fixed times. */
  readonly isRendered?: true;
  /** Missing if no project of the kind starts on the home page. */
  readonly start?: KindStart;
  readonly place?: KindPlace;
  /** Keys that work in projects of the kind. */
  readonly shortcuts?: readonly ShortcutGroup[];
  /** Labels that differ from the usual ones. */
  readonly statusLabels?: StatusLabels;
}

export const kinds: readonly InstalledKind[] = [
  {
    id: 'animation',
    isRendered: true,
    Page: lazy(() => import('./kinds/film/film-page.tsx')),
    start: {
      label: 'Film',
      icon: Clapperboard,
      question: 'What should move?',
      advice: 'Say it in a sentence, or paste what you already have.',
      instead: 'As a film instead',
      Composer,
    },
    shortcuts: filmShortcuts,
  },
  {
    id: 'app',
    Page: lazy(() => import('./kinds/app/app-page.tsx')),
    start: {
      label: 'App',
      icon: AppWindow,
      question: 'What should it do?',
      advice: 'Say it in a sentence, or paste the list that you already keep.',
      instead: 'As an app instead',
      Composer: lazy(() => import('./kinds/app/home/composer.tsx')),
    },
    shortcuts: appShortcuts,
    statusLabels: { preview: 'App to review' },
  },
  {
    id: 'assistant',
    Page: lazy(() => import('./kinds/assistant/assistant-page.tsx')),
    place: {
      path: startPath,
      name: 'Assistant',
      choice: 'Ask',
      icon: MessageCircleQuestionMark,
      Page: lazy(() => import('./kinds/assistant/start-page.tsx')),
    },
    shortcuts: assistantShortcuts,
    statusLabels: { question: 'Waiting for you', executing: 'Waiting for you', conversation: 'Done', error: 'Failed' },
  },
  {
    id: 'cycle',
    Page: lazy(() => import('./kinds/cycle/cycle-page.tsx')),
    statusLabels: { preview: 'Result to review' },
  },
];

/** Returns a project's kind. `undefined` if this version of the page cannot show it. */
export const kindOf = (id: string): InstalledKind | undefined => kinds.find((kind) => kind.id === id);

/** Returns the place with this path, or `null`. */
export function placeAt(path: string): KindPlace | null {
  return kinds.find(({ place }) => place?.path === path)?.place ?? null;
}
