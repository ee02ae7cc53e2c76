import type { Film } from './film.ts';
import { filmSchema } from './film-schema.ts';

/** Where a project keeps its film as data. */
export const filmPath = 'src/film.json';

/** The film in the text of that file, or where it is wrong. It comes out of a sandbox, so it is not trusted. */
export function readFilm(text: string): { film: Film; problem: null } | { film: null; problem: string } {
  const parsed = filmSchema.safeParse(jsonOrNull(text));
  if (parsed.success) return { film: parsed.data, problem: null };
  return { film: null, problem: parsed.error.issues[0]?.path.join('.') || 'the file' };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the schema refuses null, and that is told.
    return null;
  }
}
