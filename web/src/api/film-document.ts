import { z } from 'zod';
import { formatSceneSchema, sceneIdSchema } from '#contract/film.ts';
import { type FilmEdit, filmDocumentSchema, filmEditsRequestSchema } from '#contract/film-edit.ts';
import { projectIdSchema } from '#contract/ids.ts';
import { call } from './client.ts';

/** A format as the picker and the form show it. `schema` is the JSON schema of its props. */
const formatInfoSchema = z.object({
  id: sceneIdSchema,
  title: z.string(),
  use: z.string(),
  avoid: z.string(),
  purposes: z.array(z.string()),
  schema: z.record(z.string(), z.unknown()),
  example: formatSceneSchema.shape.props,
  seconds: z.number(),
});
export type FormatInfo = z.infer<typeof formatInfoSchema>;

const unusedSchema = z.object({
  words: z.array(z.string()),
  suggestions: z.array(z.object({ format: sceneIdSchema, props: formatSceneSchema.shape.props })),
});
export type Unused = z.infer<typeof unusedSchema>;

/** How a format would show a scene: with what it keeps of the props, or why it cannot. */
const sceneFormatSchema = z.union([
  z.object({ format: sceneIdSchema, props: formatSceneSchema.shape.props, lost: z.array(z.string()) }),
  z.object({ format: sceneIdSchema, props: z.null(), reason: z.string() }),
]);
export type SceneFormat = z.infer<typeof sceneFormatSchema>;

const project = z.object({ id: projectIdSchema });
const routes = {
  formats: { method: 'get', path: '/api/formats', answer: z.array(formatInfoSchema) },
  document: {
    method: 'get',
    path: '/api/projects/{id}/document',
    params: project,
    answer: filmDocumentSchema.extend({ unused: unusedSchema.nullable() }),
  },
  edit: {
    method: 'post',
    path: '/api/projects/{id}/document/edits',
    params: project,
    body: filmEditsRequestSchema,
    answer: filmDocumentSchema,
  },
  sceneFormats: {
    method: 'get',
    path: '/api/projects/{id}/document/scenes/{sceneId}/formats',
    params: project.extend({ sceneId: sceneIdSchema }),
    answer: z.array(sceneFormatSchema),
  },
} as const;

/** Calls about a film's document. Each one throws an ApiError. */
export const filmApi = {
  formats: (signal: AbortSignal) => call(routes.formats, {}, { signal }),
  document: (id: string, signal?: AbortSignal) => call(routes.document, { id }, signal ? { signal } : {}),
  edit: (id: string, edits: readonly FilmEdit[]) => call(routes.edit, { id, body: { edits: [...edits] } }),
  /** Every format for the scene, the best fit first. */
  sceneFormats: (id: string, sceneId: string, signal: AbortSignal) => call(routes.sceneFormats, { id, sceneId }, { signal }),
};
