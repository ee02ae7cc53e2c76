import { useEffect, useState } from 'react';
import { z } from 'zod';
import { maxPromptCharacters } from '#contract/project.ts';
import { aspectSchema } from '#contract/render.ts';
import { maxDurationSeconds, minSceneSeconds, styleSchema, themeSchema } from '#kinds/film/contract/film.ts';
import { correctionSchema, sceneChoiceSchema } from '#kinds/film/contract/reading.ts';
import { browserStorage, parseStored } from '../../../browser-storage.ts';
import type { Idea } from '../../../home/start-project.ts';
import { parseTime } from '../../../time-text.ts';
import { follow } from './composer/corrections.ts';
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
  theme: themeSchema.nullable().catch(null),
  /** What the user changed in the reading. Positions are those of `requestText`. */
  corrections: z.array(correctionSchema).catch([]),
  choices: z.array(sceneChoiceSchema).catch([]),
  order: z.array(z.int()).catch([]),
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
  theme: null,
  corrections: [],
  choices: [],
  order: [],
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
    ...(draft.aspect !== auto && { aspect: draft.aspect }),
    ...(draft.style !== auto && { style: draft.style }),
    ...(durationSeconds !== null && { durationSeconds }),
  };
}

/** Changes a draft. Corrections stay with their words, unless the change sets them. */
export function changed(draft: Draft, part: Partial<Draft>): Draft {
  const next = { ...draft, ...part };
  const { corrections, choices, order } = draft;
  const moved = follow({ corrections, choices, order }, requestText(draft), requestText(next));
  return { ...next, ...(moved as Pick<Draft, 'corrections' | 'choices' | 'order'>), ...part };
}

const storageKey = 'koda:idea';

function write(draft: Draft): void {
  const text = JSON.stringify(draft);
  browserStorage.write(storageKey, text === JSON.stringify(emptyDraft) ? null : text);
}

interface DraftState {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  /** Adds pasted content, or removes content that is there. */
  readonly addPaste: (text: string) => void;
  readonly removePaste: (text: string) => void;
  readonly clear: () => void;
}

export function useDraft(): DraftState {
  const [draft, setDraft] = useState(() => parseDraft(browserStorage.read(storageKey)));
  useEffect(() => write(draft), [draft]);
  return {
    draft,
    change: (part) => setDraft((old) => changed(old, part)),
    addPaste: (text) => setDraft((old) => changed(old, { pasted: [...old.pasted, text] })),
    removePaste: (text) => setDraft((old) => changed(old, { pasted: old.pasted.filter((one) => one !== text) })),
    clear() {
      setDraft(emptyDraft);
      // The page may unmount before the effect runs.
      write(emptyDraft);
    },
  };
}
