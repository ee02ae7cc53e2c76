import { z } from 'zod';
import { projectIdSchema } from '#contract/ids.ts';
import type { Route } from '#contract/routes.ts';
import {
  changesRequestSchema,
  changesResponseSchema,
  snapshotSchema,
  sqlResponseSchema,
} from '../../../../sandbox-image/templates/app/model/api.ts';
import { appEditsSchema, appResponseSchema, editedAppSchema, startSchema } from './app.ts';
import { exportQuerySchema, importedSchema, importRequestSchema, recordsQuerySchema, sqlRequestSchema } from './data.ts';

const project = z.object({ id: projectIdSchema });

/** Endpoints of the HTTP API that only apps have. */
export const appRoutes = {
  app: { method: 'get', path: '/api/projects/{id}/app', params: project, response: appResponseSchema },
  editApp: {
    method: 'patch',
    path: '/api/projects/{id}/app',
    params: project,
    body: z.object({ edits: appEditsSchema }),
    response: editedAppSchema,
  },
  appRecords: {
    method: 'get',
    path: '/api/projects/{id}/app/records',
    params: project,
    query: recordsQuerySchema,
    response: snapshotSchema,
  },
  changeAppRecords: {
    method: 'post',
    path: '/api/projects/{id}/app/changes',
    params: project,
    body: changesRequestSchema,
    response: changesResponseSchema,
  },
  queryApp: {
    method: 'post',
    path: '/api/projects/{id}/app/sql',
    params: project,
    body: sqlRequestSchema,
    response: sqlResponseSchema,
  },
  exportApp: {
    method: 'get',
    path: '/api/projects/{id}/app/export',
    params: project,
    query: exportQuerySchema,
    produces: 'text/csv',
  },
  importIntoApp: {
    method: 'post',
    path: '/api/projects/{id}/app/import',
    params: project,
    body: importRequestSchema,
    response: importedSchema,
  },
  starts: { method: 'get', path: '/api/app/starts', response: z.array(startSchema) },
} as const satisfies Record<string, Route>;
