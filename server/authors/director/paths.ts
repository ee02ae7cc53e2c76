/** The film's list of scenes, and its colours. */
export const listPath = 'src/film.ts';
export const themePath = 'src/theme.ts';

/** True for code of the film's own; the stage and the kit are the template's. */
export function isCode(path: string): boolean {
  return /^src\/(?!kit\/|stage\/).*\.tsx?$/.test(path);
}
