import type { FilmEdit } from '#contract/film-edit.ts';
import { routes } from '#contract/routes.ts';
import { call } from './client.ts';

/** Calls about a film's document. Each one throws an ApiError. */
export const filmApi = {
  formats: (signal: AbortSignal) => call(routes.formats, {}, { signal }),
  document: (id: string, signal?: AbortSignal) => call(routes.document, { id }, signal ? { signal } : {}),
  edit: (id: string, edits: readonly FilmEdit[]) => call(routes.editDocument, { id, body: { edits: [...edits] } }),
  /** Every format for the scene, the best fit first. */
  sceneFormats: (id: string, sceneId: string, signal: AbortSignal) => call(routes.sceneFormats, { id, sceneId }, { signal }),
};
