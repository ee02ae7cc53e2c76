import { createRoute as defineRoute, type RouteConfig, z } from '@hono/zod-openapi';
import { errorEnvelopeSchema } from '../../contract/errors.ts';
import { projectIdSchema, renderIdSchema } from '../../contract/ids.ts';

/** Every route may answer with the envelope, so every route says so. */
const failure = {
  default: { description: 'What failed, why, and what to do', content: { 'application/json': { schema: errorEnvelopeSchema } } },
};

/** A JSON answer with its status, for `responses`. */
export function answer<Status extends number, Schema extends z.ZodType>(status: Status, description: string, schema: Schema) {
  const response = { description, content: { 'application/json': { schema } } };
  return { [status]: response } as Record<Status, typeof response>;
}

/** A required JSON body. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true as const, content: { 'application/json': { schema } } };
}

export const projectParams = z.object({ id: projectIdSchema });
export const renderParams = z.object({ id: renderIdSchema });

/** Declares a route whose answer is not JSON for the documentation; the handler is registered beside it. */
export function documented(route: Omit<RouteConfig, 'responses'> & { produces: string; description: string }): RouteConfig {
  const { produces, description, ...rest } = route;
  return {
    ...rest,
    description,
    responses: { 200: { description, content: { [produces]: { schema: z.string() } } }, ...failure },
  };
}

export { defineRoute, failure };
