import { createContext, useContext } from 'react';
import type { FilmDefinition, Theme } from './film-definition.ts';

export const FilmContext = createContext<FilmDefinition | null>(null);

/** A component's scene; `null` outside scenes. */
export interface ScenePlace {
  readonly id: string;
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly last: boolean;
}
export const SceneContext = createContext<ScenePlace | null>(null);

export function useFilm(): FilmDefinition {
  const film = useContext(FilmContext);
  if (!film) throw new Error('This component belongs inside <Stage>.');
  return film;
}

export function useTheme(): Theme {
  return useFilm().theme;
}
