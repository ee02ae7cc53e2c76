import { z } from 'zod';
import { projectIdSchema } from '#contract/ids.ts';
import type { Route } from '#contract/routes.ts';
import { filmDocumentSchema, filmEditsRequestSchema } from './edit.ts';
import { sceneIdSchema } from './film.ts';
import { conversionSchema, documentResponseSchema, formatInfoSchema } from './format-list.ts';
import { feedbackReadingSchema, feedbackRequestSchema, readingRequestSchema, readingSchema } from './reading.ts';

const project = z.object({ id: projectIdSchema });

/** Endpoints of the HTTP API that only films have. */
export const filmRoutes = {
  formats: { method: 'get', path: '/api/formats', response: z.array(formatInfoSchema) },
  read: { method: 'post', path: '/api/readings', body: readingRequestSchema, response: readingSchema },
  document: { method: 'get', path: '/api/projects/{id}/document', params: project, response: documentResponseSchema },
  editDocument: {
    method: 'post',
    path: '/api/projects/{id}/document/edits',
    params: project,
    body: filmEditsRequestSchema,
    response: filmDocumentSchema,
  },
  readFeedback: {
    method: 'post',
    path: '/api/projects/{id}/readings',
    params: project,
    body: feedbackRequestSchema,
    response: feedbackReadingSchema,
  },
  sceneFormats: {
    method: 'get',
    path: '/api/projects/{id}/document/scenes/{sceneId}/formats',
    params: project.extend({ sceneId: sceneIdSchema }),
    response: z.array(conversionSchema),
  },
  sceneStill: {
    method: 'get',
    path: '/api/projects/{id}/document/scenes/{sceneId}/still',
    params: project.extend({ sceneId: sceneIdSchema }),
    /** The scene's `stillKey`. */
    query: z.object({ key: z.string().regex(/^[0-9a-z]{1,16}$/) }),
    produces: 'image/jpeg',
  },
} as const satisfies Record<string, Route>;
