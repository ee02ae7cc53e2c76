import type { FilmEdit } from '#contract/film-edit.ts';
import { routes, routeUrl } from '#contract/routes.ts';
import { call, request } from './client.ts';

export const filmApi = {
  formats: (signal: AbortSignal) => call(routes.formats, {}, { signal }),
  document: (id: string, signal?: AbortSignal) => call(routes.document, { id }, signal ? { signal } : {}),
  edit: (id: string, edits: readonly FilmEdit[]) => call(routes.editDocument, { id, body: { edits: [...edits] } }),
  /** Returns every format for the scene, best fit first. */
  sceneFormats: (id: string, sceneId: string, signal: AbortSignal) => call(routes.sceneFormats, { id, sceneId }, { signal }),
  /** Loads a scene's still into the browser's cache, and returns its address. */
  async sceneStill(id: string, sceneId: string, key: string, signal: AbortSignal): Promise<string> {
    const input = { id, sceneId, query: { key } };
    await (await request(routes.sceneStill, input, { signal, priority: 'low' })).blob();
    return routeUrl(routes.sceneStill, input);
  },
};
