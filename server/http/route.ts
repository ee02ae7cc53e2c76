import type { RouteConfig, z } from '@hono/zod-openapi';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import type { Route } from '#contract/routes.ts';
import { validationError } from '../lib/validation-error.ts';

const failure = {
  default: { description: 'What failed, why, and what to do', content: { 'application/json': { schema: errorEnvelopeSchema } } },
};

interface Description {
  readonly description?: string;
  readonly answer?: string;
  /** Headers, for documentation only. The handler must read them itself. */
  readonly headers?: z.ZodObject;
}

type Part<R extends Route, Name extends 'params' | 'query'> = R[Name] extends z.ZodObject ? { [N in Name]: R[Name] } : object;
type Json<Schema extends z.ZodType> = { content: { 'application/json': { schema: Schema } } };

/** Route type for OpenAPIHono. Binary responses have no schema; their handlers return a Response. */
type Mounted<R extends Route> = {
  method: R['method'];
  path: R['path'];
  request: Part<R, 'params'> &
    Part<R, 'query'> &
    (R['body'] extends z.ZodType ? { body: { required: true } & Json<R['body']> } : object);
  responses: R['response'] extends z.ZodType
    ? { [S in R['status'] extends number ? R['status'] : 200]: { description: string } & Json<R['response']> } & typeof failure
    : { 200: { description: string } };
};

const bytes = { schema: { type: 'string' as const, format: 'binary' } };

/** Combines a contract route with its texts for `app.openapi`, which validates path, query and JSON. */
export function described<const R extends Route>(route: R, summary: string, more: Description = {}): Mounted<R> {
  const { description, headers } = more;
  const answer = more.answer ?? (route.status === 202 ? 'Accepted; events report the progress' : summary);
  const content = route.response
    ? { 'application/json': { schema: route.response } }
    : { [route.produces ?? 'application/octet-stream']: route.line ? { schema: route.line } : bytes };
  const config = {
    method: route.method,
    // The router's syntax for the rest of a path. `documentedPath` reverses it.
    path: route.path.replace('{path}', '{path{.+}}'),
    summary,
    ...(description === undefined ? {} : { description }),
    request: {
      ...(route.params && { params: route.params }),
      ...(route.query && { query: route.query }),
      ...(headers && { headers }),
      ...(route.body && { body: { required: true, content: { 'application/json': { schema: route.body } } } }),
      ...(route.body === null && { body: { content: { 'multipart/form-data': bytes, 'application/octet-stream': bytes } } }),
    },
    responses: { [route.status ?? 200]: { description: answer, content }, ...failure },
  } satisfies RouteConfig;
  return config as unknown as Mounted<R>;
}

export const documentedPath = (path: string) => path.replace('{path{.+}}', '{path}');

/** Validates a part of a request that the router does not validate. Throws VALIDATION_ERROR. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}
