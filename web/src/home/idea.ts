import { useEffect, useState } from 'react';
import { z } from 'zod';
import { type Aspect, aspectSchema, maxDurationSeconds, minSceneSeconds, type Style, styleSchema } from '#contract/film.ts';
import { maxPromptCharacters } from '#contract/project.ts';
import { browserStorage, parseStored } from '../browser-storage.ts';
import { parseTime } from '../time-text.ts';
import { requestText } from './request-text.ts';

export const auto = 'auto';
export const durationChoices = [auto, '5', '8', '12', '20', 'custom'] as const;

/** Content of the prompt box as typed, valid or not. */
const draftSchema = z.object({
  prompt: z.string().max(200_000).catch(''),
  /** Pasted texts that are shown as cards. */
  pasted: z.array(z.string().max(200_000)).catch([]),
  /** The chosen format. Its title is stored because the request names it. */
  format: z.object({ id: z.string(), title: z.string() }).nullable().catch(null),
  aspect: z.enum([auto, ...aspectSchema.options]).catch(auto),
  style: z.enum([auto, ...styleSchema.options]).catch(auto),
  duration: z.enum(durationChoices).catch(auto),
  /** A typed length that is not one of the options. */
  customDuration: z.string().max(12).catch(''),
});
export type Draft = Readonly<z.infer<typeof draftSchema>>;

export const emptyDraft: Draft = {
  prompt: '',
  pasted: [],
  format: null,
  aspect: auto,
  style: auto,
  duration: auto,
  customDuration: '',
};

/** Parses a stored draft. Unreadable fields get their defaults. */
export function parseDraft(text: string | null): Draft {
  return parseStored(draftSchema, text) ?? emptyDraft;
}

/** Shortens the pasted and typed texts from the end until the request is within the limit. */
export function shortened(draft: Draft): Draft {
  const over = requestText(draft).length - maxPromptCharacters;
  if (over <= 0) return draft;
  const last = draft.pasted.at(-1)?.trimEnd();
  if (last === undefined) return { ...draft, prompt: draft.prompt.trim().slice(0, -over) };
  const others = draft.pasted.slice(0, -1);
  return shortened({ ...draft, pasted: last.length > over ? [...others, last.slice(0, -over)] : others });
}

export interface Idea {
  readonly prompt: string;
  readonly aspect: Aspect | null;
  readonly style: Style | null;
  readonly durationSeconds: number | null;
}

/** Parses typed seconds. Returns `null` if no film can have that length. */
export function parseSeconds(text: string): number | null {
  const seconds = parseTime(text, null);
  return seconds !== null && seconds >= minSceneSeconds && seconds <= maxDurationSeconds ? seconds : null;
}

/** Returns the chosen length. `null` leaves it to the plan; `undefined` is invalid. */
export function chosenSeconds({
  duration,
  customDuration,
}: Pick<Draft, 'duration' | 'customDuration'>): number | null | undefined {
  if (duration === auto) return null;
  return duration === 'custom' ? (parseSeconds(customDuration) ?? undefined) : Number(duration);
}

export function ideaOf(draft: Draft): Idea | null {
  const durationSeconds = chosenSeconds(draft);
  if (durationSeconds === undefined) return null;
  return {
    prompt: requestText(draft),
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

export function useDraft(): { draft: Draft; change: (part: Partial<Draft>) => void; clear: () => void } {
  const [draft, setDraft] = useState(() => parseDraft(browserStorage.read(storageKey)));
  useEffect(() => write(draft), [draft]);
  return {
    draft,
    change: (part) => setDraft((old) => ({ ...old, ...part })),
    clear() {
      setDraft(emptyDraft);
      // The page may unmount before the effect runs.
      write(emptyDraft);
    },
  };
}
