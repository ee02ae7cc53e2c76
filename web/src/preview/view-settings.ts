import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { aspectSchema } from '../../../server/contract/film.ts';

export const frameModes = ['plain', 'phone', ...aspectSchema.options] as const;
export const backgrounds = ['film', 'checkerboard', 'black', 'white'] as const;

/** How a film is looked at: the same for all projects of this browser. */
const viewSettingsSchema = z.object({
  safeAreas: z.boolean().catch(false),
  grid: z.boolean().catch(false),
  /** As it is, as on a phone, or with what another aspect would leave of it. */
  frame: z.enum(frameModes).catch('plain'),
  /** What is behind the film; other than `film`, its own background is left out. */
  background: z.enum(backgrounds).catch('film'),
  compareMode: z.enum(['wipe', 'side']).catch('wipe'),
});
export type ViewSettings = z.infer<typeof viewSettingsSchema>;

const storageKey = 'koda:preview-view';

/** Settings out of what was kept; what cannot be read is as usual. */
export function readViewSettings(kept: string | null): ViewSettings {
  let value: unknown = {};
  try {
    value = JSON.parse(kept ?? '{}');
  } catch {
    // As if nothing had been kept.
  }
  const parsed = viewSettingsSchema.safeParse(value);
  return parsed.success ? parsed.data : viewSettingsSchema.parse({});
}

/** A browser may keep nothing for this page, and say so by throwing. */
function recall(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

export const viewSettings = createStore<ViewSettings>(() => readViewSettings(recall()));

export function changeView(change: Partial<ViewSettings>): void {
  viewSettings.setState(change);
  try {
    localStorage.setItem(storageKey, JSON.stringify(viewSettings.getState()));
  } catch {
    // They hold until the page is closed.
  }
}
