import { appRoutes } from '#kinds/app/contract/routes.ts';
import { call } from '../../api/client.ts';

export const appApi = {
  starts: (signal: AbortSignal) => call(appRoutes.starts, {}, { signal }),
  document: (id: string, signal?: AbortSignal) => call(appRoutes.app, { id }, signal ? { signal } : {}),
};
