import { createRoute as defineRoute, type RouteConfig, z } from '@hono/zod-openapi';
import { errorEnvelopeSchema } from '../contract/errors.ts';
import { projectIdSchema, renderIdSchema } from '../contract/ids.ts';
import { validationError } from './errors.ts';

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

/** Checks a part of a request that the router does not check by itself. Throws VALIDATION_ERROR. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
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
