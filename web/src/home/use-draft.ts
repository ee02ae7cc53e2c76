import { useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, emptyDraft, parseDraft } from './idea.ts';

const storageKey = 'koda:idea';
const writeAfterMs = 250;

function read(): Draft {
  try {
    return parseDraft(localStorage.getItem(storageKey));
  } catch {
    // A browser that keeps nothing.
    return emptyDraft;
  }
}

function write(draft: Draft): void {
  try {
    if (JSON.stringify(draft) === JSON.stringify(emptyDraft)) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(draft));
  } catch {
    // No room, or nothing may be kept: then it lasts as long as the page.
  }
}

/** What is in the box, kept in this browser until it has become a project. */
export function useDraft(): { draft: Draft; change: (part: Partial<Draft>) => void; clear: () => void } {
  const [draft, setDraft] = useState(read);
  const unsaved = useRef<Draft | null>(null);

  const flush = useCallback(() => {
    if (unsaved.current) write(unsaved.current);
    unsaved.current = null;
  }, []);
  const change = useCallback((part: Partial<Draft>) => {
    setDraft((old) => {
      const next = { ...old, ...part };
      unsaved.current = next;
      return next;
    });
  }, []);
  const clear = useCallback(() => {
    setDraft(emptyDraft);
    unsaved.current = null;
    write(emptyDraft);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the draft begins the wait anew.
  useEffect(() => {
    const timer = setTimeout(flush, writeAfterMs);
    return () => clearTimeout(timer);
  }, [draft, flush]);
  useEffect(() => {
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);

  return { draft, change, clear };
}
