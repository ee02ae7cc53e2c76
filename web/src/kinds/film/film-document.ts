import { routeUrl } from '#contract/routes.ts';
import type { FilmEdit } from '#kinds/film/contract/edit.ts';
import type { FilmOutline } from '#kinds/film/contract/film.ts';
import { filmOutlineOf } from '#kinds/film/contract/outline.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import { addressOf } from '../../address.ts';
import { call, request } from '../../api/client.ts';
import type { ProjectView } from '../../project/reducer.ts';

export const filmApi = {
  formats: (signal: AbortSignal) => call(filmRoutes.formats, {}, { signal }),
  document: (id: string, signal?: AbortSignal) => call(filmRoutes.document, { id }, signal ? { signal } : {}),
  edit: (id: string, edits: readonly FilmEdit[]) => call(filmRoutes.editDocument, { id, body: { edits: [...edits] } }),
  readFeedback: (id: string, text: string, signal: AbortSignal) =>
    call(filmRoutes.readFeedback, { id, body: { text } }, { signal }),
  /** Returns every format for the scene, best fit first. */
  sceneFormats: (id: string, sceneId: string, signal: AbortSignal) => call(filmRoutes.sceneFormats, { id, sceneId }, { signal }),
  /** Loads a scene's still into the browser's cache, and returns its address. */
  async sceneStill(id: string, sceneId: string, key: string, signal: AbortSignal): Promise<string> {
    const input = { id, sceneId, query: { key } };
    await (await request(filmRoutes.sceneStill, input, { signal, priority: 'low' })).blob();
    return addressOf(routeUrl(filmRoutes.sceneStill, input));
  },
};

/** Selects the outline of the project's film, `null` while there is none. */
export function outlineIn({ plan }: Pick<ProjectView, 'plan'>): FilmOutline | null {
  return plan === null ? null : filmOutlineOf(plan);
}
