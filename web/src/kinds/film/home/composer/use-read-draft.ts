import { useMemo, useRef } from 'react';
import { maxPromptCharacters } from '#contract/project.ts';
import { type Draft, ideaOf } from '../idea.ts';
import { type SeenFilm, seenFilmOf } from './film-time.ts';
import type { ReadingInput } from './use-reading.ts';
import { useReading } from './use-reading.ts';

/** Returns what is read, or `null` if there is nothing to read. */
function readingInputOf(draft: Draft): ReadingInput | null {
  const { corrections, choices, order, theme } = draft;
  const idea = ideaOf(draft) ?? ideaOf({ ...draft, duration: 'auto' });
  if (idea === null || idea.prompt === '' || idea.prompt.length > maxPromptCharacters) return null;
  const { aspect = null, durationSeconds = null } = idea;
  const style = draft.style === 'auto' ? null : draft.style;
  return { text: idea.prompt, hints: { style, aspect, durationSeconds }, theme, corrections, choices, order };
}

/** Reads a draft while it is typed. */
export function useReadDraft(draft: Draft, isPaused: boolean) {
  const input = readingInputOf(draft);
  const reader = useReading(input, { isPaused });
  const { reading } = reader;
  const before = useRef<SeenFilm | null>(null);
  const seen = useMemo(() => {
    before.current = seenFilmOf(reading, before.current);
    return before.current;
  }, [reading]);
  const hasFailed = reader.error !== null;
  return {
    ...reader,
    input,
    seen,
    hasFailed,
    isRead: reader.isCurrent && !hasFailed,
    /** Whether the request asks only for a drawing that no format has. */
    isStopped: reading?.drawing?.isAll ?? false,
    isLengthChosen: draft.duration !== 'auto' || (reading?.chosen.includes('length') ?? false),
  };
}
export type ReadDraft = ReturnType<typeof useReadDraft>;

export const sceneIn = (seen: SeenFilm | null, number: number | null) => seen?.scenes.find((one) => one.number === number);
