import { useEffect, useState } from 'react';
import { z } from 'zod';
import { type Aspect, aspectSchema, maxDurationSeconds, minSceneSeconds, type Style, styleSchema } from '#contract/film.ts';
import { browserStorage, parseStored } from '../browser-storage.ts';
import { parseTime } from '../time-text.ts';

export const auto = 'auto';
export const durationChoices = [auto, '5', '8', '12', '20', 'custom'] as const;

/** The contents of the box as typed, valid or not. */
const draftSchema = z.object({
  prompt: z.string().max(200_000).catch(''),
  aspect: z.enum([auto, ...aspectSchema.options]).catch(auto),
  style: z.enum([auto, ...styleSchema.options]).catch(auto),
  duration: z.enum(durationChoices).catch(auto),
  /** A typed length other than the offered ones. */
  customDuration: z.string().max(12).catch(''),
});
export type Draft = Readonly<z.infer<typeof draftSchema>>;

export const emptyDraft: Draft = { prompt: '', aspect: auto, style: auto, duration: auto, customDuration: '' };

/** Parses a stored draft; unreadable parts get their defaults. */
export function parseDraft(text: string | null): Draft {
  return parseStored(draftSchema, text) ?? emptyDraft;
}

/** What a project starts from. */
export interface Idea {
  readonly prompt: string;
  readonly aspect: Aspect | null;
  readonly style: Style | null;
  readonly durationSeconds: number | null;
}

/** Parses typed seconds; null unless a film can be that long. */
export function parseSeconds(text: string): number | null {
  const seconds = parseTime(text, null);
  return seconds !== null && seconds >= minSceneSeconds && seconds <= maxDurationSeconds ? seconds : null;
}

/** The chosen length; null leaves it to the plan, undefined is invalid. */
export function chosenSeconds({
  duration,
  customDuration,
}: Pick<Draft, 'duration' | 'customDuration'>): number | null | undefined {
  if (duration === auto) return null;
  return duration === 'custom' ? (parseSeconds(customDuration) ?? undefined) : Number(duration);
}

/** The idea of a draft; null while its length is invalid. The prompt may be empty or too long. */
export function ideaOf(draft: Draft): Idea | null {
  const durationSeconds = chosenSeconds(draft);
  if (durationSeconds === undefined) return null;
  return {
    prompt: draft.prompt.trim(),
    aspect: draft.aspect === auto ? null : draft.aspect,
    style: draft.style === auto ? null : draft.style,
    durationSeconds,
  };
}

const storageKey = 'koda:idea';

function write(draft: Draft): void {
  const text = JSON.stringify(draft);
  browserStorage.write(storageKey, text === JSON.stringify(emptyDraft) ? null : text);
}

/** The draft in the prompt box; the browser keeps it until it has become a project. */
export function useDraft(): { draft: Draft; change: (part: Partial<Draft>) => void; clear: () => void } {
  const [draft, setDraft] = useState(() => parseDraft(browserStorage.read(storageKey)));
  useEffect(() => write(draft), [draft]);
  return {
    draft,
    change: (part) => setDraft((old) => ({ ...old, ...part })),
    clear() {
      setDraft(emptyDraft);
      // The page may be left before the effect runs.
      write(emptyDraft);
    },
  };
}
