import type { RouteConfig, z } from '@hono/zod-openapi';
import { errorEnvelopeSchema } from '../contract/errors.ts';
import type { Route } from '../contract/routes.ts';
import { validationError } from './errors.ts';

/** Every route may answer with the envelope, so every route says so. */
const failure = {
  default: { description: 'What failed, why, and what to do', content: { 'application/json': { schema: errorEnvelopeSchema } } },
};

/** What else OpenAPI says of a route. */
interface Description {
  readonly description?: string;
  /** What a success answers, where the summary does not say it. */
  readonly answer?: string;
  /** For the documentation: they have to be read by the handler. */
  readonly headers?: z.ZodObject;
}

type Part<R extends Route, Name extends 'params' | 'query'> = R[Name] extends z.ZodObject ? { [N in Name]: R[Name] } : object;
type Json<Schema extends z.ZodType> = { content: { 'application/json': { schema: Schema } } };

/** A route as OpenAPIHono takes it. Bytes have no schema: their handlers answer with a Response. */
type Mounted<R extends Route> = {
  method: R['method'];
  path: R['path'];
  request: Part<R, 'params'> &
    Part<R, 'query'> &
    (R['body'] extends z.ZodType ? { body: { required: true } & Json<R['body']> } : object);
  responses: R['answer'] extends z.ZodType
    ? { [S in R['status'] extends number ? R['status'] : 200]: { description: string } & Json<R['answer']> } & typeof failure
    : { 200: { description: string } };
};

const bytes = { schema: { type: 'string' as const, format: 'binary' } };

/** A route of the contract with its words, for `app.openapi`: it checks path, query and JSON, and documents them. */
export function described<const R extends Route>(route: R, summary: string, more: Description = {}): Mounted<R> {
  const { description, headers } = more;
  const answer = more.answer ?? (route.status === 202 ? 'Accepted; events report the progress' : summary);
  const content = route.answer
    ? { 'application/json': { schema: route.answer } }
    : { [route.produces ?? 'application/octet-stream']: route.line ? { schema: route.line } : bytes };
  const config = {
    method: route.method,
    // What the router calls the rest of a path; `documentedPath` is its inverse.
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

/** OpenAPI's name of a path that the router takes. */
export const documentedPath = (path: string) => path.replace('{path{.+}}', '{path}');

/** Checks a part of a request that the router does not check by itself. Throws VALIDATION_ERROR. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}
