import type { LucideIcon } from 'lucide-react';
import { createContext } from 'react';
import type { StatusLabels } from './project-status.ts';

/** Name and appearance of a kind's projects outside their own page. */
export interface KindLook {
  readonly start?: { readonly label: string; readonly icon: LucideIcon };
  readonly isRendered?: true;
  readonly statusLabels?: StatusLabels;
}

/** Finds a kind by its id. A context, because a kind's page cannot import the list of kinds, which imports the page. */
export const KindLookContext = createContext<(kindId: string) => KindLook | undefined>(() => undefined);
