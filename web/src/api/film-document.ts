import type { FilmEdit } from '#contract/film-edit.ts';
import { routes } from '#contract/routes.ts';
import { call } from './client.ts';

export const filmApi = {
  formats: (signal: AbortSignal) => call(routes.formats, {}, { signal }),
  document: (id: string, signal?: AbortSignal) => call(routes.document, { id }, signal ? { signal } : {}),
  edit: (id: string, edits: readonly FilmEdit[]) => call(routes.editDocument, { id, body: { edits: [...edits] } }),
  /** Returns every format for the scene, best fit first. */
  sceneFormats: (id: string, sceneId: string, signal: AbortSignal) => call(routes.sceneFormats, { id, sceneId }, { signal }),
};
