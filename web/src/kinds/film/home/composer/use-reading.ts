import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { Reading, readingRequestSchema } from '#kinds/film/contract/reading.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import { call } from '../../../../api/client.ts';

/** Pause in typing after which the text is read. */
const pauseMs = 80;
/** Time after which a failed reading is repeated. The user may be faster. */
const repeatMs = 5000;
/** Time from which a slow reading is announced. */
const slowMs = 300;

export interface ReadingState {
  /** The newest reading, and the text that it is of. It stays until the next one is there. */
  readonly reading: Reading | null;
  readonly of: string;
  readonly isCurrent: boolean;
  readonly isSlow: boolean;
  readonly error: unknown;
}

const nothingRead: ReadingState = { reading: null, of: '', isCurrent: true, isSlow: false, error: null };

interface UseReadingOptions {
  /** Whether the text is not to be read now, for example while an input method composes a word. */
  readonly isPaused: boolean;
}

/** Reads a request after each pause in typing, and at once if something other than the text has changed. */
export function useReading(input: ReadingInput | null, { isPaused }: UseReadingOptions) {
  const [state, setState] = useState(nothingRead);
  const [attempt, setAttempt] = useState(0);
  const key = input === null ? null : JSON.stringify(input);
  const isUrgent = useRef(true);
  const text = input?.text ?? '';
  const textBefore = useRef(text);
  // What is left open stays as it is while somebody types. Text that comes at once, such as an example, chooses it anew.
  const seed = useRef<number | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` repeats a failed reading
  useEffect(() => {
    if (key === null) {
      seed.current = undefined;
      setState(nothingRead);
      return;
    }
    if (isPaused) return;
    const request = JSON.parse(key) as ReadingInput;
    const isTyped = textBefore.current !== request.text && !isUrgent.current;
    if (textBefore.current !== request.text && isUrgent.current) seed.current = undefined;
    textBefore.current = request.text;
    isUrgent.current = false;
    const left = new AbortController();
    const slow = setTimeout(() => setState((old) => ({ ...old, isSlow: true })), pauseMs + slowMs);
    const start = setTimeout(
      () =>
        readRequest({ ...request, seed: seed.current }, left.signal).then(
          (reading) => {
            clearTimeout(slow);
            seed.current ??= reading.film?.seed;
            setState({ reading, of: request.text, isCurrent: true, isSlow: false, error: null });
          },
          (error: unknown) => {
            clearTimeout(slow);
            if (!left.signal.aborted) setState((old) => ({ ...old, isCurrent: false, isSlow: false, error }));
          },
        ),
      isTyped ? pauseMs : 0,
    );
    setState((old) => (old.isCurrent ? { ...old, isCurrent: false } : old));
    return () => {
      left.abort();
      clearTimeout(start);
      clearTimeout(slow);
    };
  }, [key, isPaused, attempt]);
  const hasFailed = state.error !== null;
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setInterval(() => setAttempt((count) => count + 1), repeatMs);
    return () => clearInterval(timer);
  }, [hasFailed]);
  return {
    ...state,
    /** Makes the next change of the text be read without waiting for a pause. */
    hurry: () => {
      isUrgent.current = true;
    },
    retry: () => setAttempt((count) => count + 1),
  };
}

export type ReadingInput = z.input<typeof readingRequestSchema>;

export const readRequest = (body: ReadingInput, signal: AbortSignal) => call(filmRoutes.read, { body }, { signal });
