import { z } from 'zod';
import { projectIdSchema } from '#contract/ids.ts';
import type { Route } from '#contract/routes.ts';
import { appResponseSchema, editedAppSchema, editsSchema, startSchema } from './app.ts';

const project = z.object({ id: projectIdSchema });

/** Endpoints of the HTTP API that only apps have. */
export const appRoutes = {
  app: { method: 'get', path: '/api/projects/{id}/app', params: project, response: appResponseSchema },
  editApp: {
    method: 'patch',
    path: '/api/projects/{id}/app',
    params: project,
    body: z.object({ edits: editsSchema }),
    response: editedAppSchema,
  },
  starts: { method: 'get', path: '/api/app/starts', response: z.array(startSchema) },
} as const satisfies Record<string, Route>;
