import { useEffect, useState } from 'react';
import type { Film } from '#kinds/film/contract/film.ts';

/** What of a film a person has seen: its scenes, their formats and their words. */
const seenPart = (film: Film | null) =>
  film === null ? '' : JSON.stringify(film.scenes.map((scene) => ('format' in scene ? [scene.format, scene.props] : scene.id)));

interface UseCreateOptions {
  readonly film: Film | null;
  /** Whether the film is that of the newest text. */
  readonly isCurrent: boolean;
  readonly hasFailed: boolean;
  readonly onCreate: (film: Film | null) => void;
}

/**
 * Creates the film that is on the screen. Pressed while a newer reading is on its way, it waits for it. If that reading has
 * another film, nothing is created until the user has seen it.
 */
export function useCreate({ film, isCurrent, hasFailed, onCreate }: UseCreateOptions) {
  const [waiting, setWaiting] = useState<string | null>(null);
  const [unseen, setUnseen] = useState<string | null>(null);
  const now = seenPart(film);
  const press = () => {
    setUnseen(null);
    if (isCurrent) onCreate(film);
    else if (!hasFailed) setWaiting(now);
  };
  useEffect(() => {
    if (waiting === null || (!isCurrent && !hasFailed)) return;
    setWaiting(null);
    if (hasFailed) return;
    if (waiting === now || waiting === '') onCreate(film);
    else setUnseen(now);
  }, [waiting, isCurrent, hasFailed, now, film, onCreate]);
  const count = film?.scenes.length ?? 0;
  const isChanged = unseen !== null && unseen === now && count > 0;
  return {
    press,
    isWaiting: waiting !== null,
    isChanged,
    /** What a screen reader is told. */
    news: isChanged ? 'The film has changed. Press Create again to make it.' : '',
    label: isChanged ? `Create ${count === 1 ? 'this scene' : `these ${count} scenes`}` : 'Create',
  };
}
