import { appRoutes } from '#kinds/app/contract/routes.ts';
import type { Edit } from '../../../../sandbox-image/templates/app/model/edits.ts';
import { call } from '../../api/client.ts';

export const appApi = {
  starts: (signal: AbortSignal) => call(appRoutes.starts, {}, { signal }),
  document: (id: string, signal?: AbortSignal) => call(appRoutes.app, { id }, signal ? { signal } : {}),
  records: (id: string, list: string) => call(appRoutes.appRecords, { id, query: { list } }),
  edit: (id: string, edits: readonly Edit[]) => call(appRoutes.editApp, { id, body: { edits: [...edits] } }),
};
