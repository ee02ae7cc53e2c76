import { createHash, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { type SandboxCall, type SandboxCalls, type SandboxResponse, sandboxCalls, subjects } from '#contract/sandbox/calls.ts';
import { type Emit, errorResponse, ndjson, ProtocolError, readJson, sendList } from './http.ts';

type Subject<Call> = Call extends { subject: infer Name extends keyof typeof subjects }
  ? { readonly [Key in Name]: z.output<(typeof subjects)[Name]> }
  : unknown;
type Query<Call> = Call extends { query: infer Schema extends z.ZodObject } ? Readonly<z.output<Schema>> : unknown;
type Body<Call> = Call extends { body: infer Schema }
  ? { readonly body: Schema extends z.ZodType ? z.output<Schema> : AsyncIterable<Uint8Array> }
  : unknown;

/** Emits a response's events. Must stop when `signal` aborts, because the client has disconnected. */
export type Produce<Event> = (emit: Emit<Event>, signal: AbortSignal) => Promise<void>;
type Answer<Kind extends SandboxResponse> = Kind extends { kind: 'json' | 'lines'; schema: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : Kind extends { kind: 'events'; schema: infer Schema extends z.ZodType }
    ? Produce<z.input<Schema>>
    : Response;

/** Handles a validated request. `signal` aborts when the client disconnects. */
type Handler<Call extends SandboxCall> = (
  request: Subject<Call> & Query<Call> & Body<Call> & { readonly signal: AbortSignal },
) => Answer<Call['response']> | Promise<Answer<Call['response']>>;

export type SandboxHandlers = { readonly [Name in keyof SandboxCalls]: Handler<SandboxCalls[Name]> };

export function createApp(token: string, handlers: Partial<SandboxHandlers>): Hono {
  const app = new Hono();
  app.use(requireToken(token));
  const known: Readonly<Record<string, unknown>> = handlers;
  for (const [name, call] of Object.entries<SandboxCall>(sandboxCalls)) {
    const handler = known[name];
    if (typeof handler === 'function') app.on(call.method, call.path, routeOf(call, handler));
  }
  app.notFound((c) => errorResponse(new ProtocolError('NOT_FOUND', `The route ${c.req.method} ${c.req.path} does not exist.`)));
  app.onError((error) => {
    const response = errorResponse(error);
    if (response.status >= 500) process.stderr.write(`${error.stack ?? error.message}\n`);
    return response;
  });
  return app;
}

function routeOf(
  { subject, query, body, maxBodyBytes, response }: SandboxCall,
  handler: CallableFunction,
): (c: Context) => Promise<Response> {
  const parameters = z.object({ ...(subject && { [subject]: subjects[subject] }), ...query?.shape });
  return async (c) => {
    const request = {
      ...parameters.parse({ ...c.req.query(), ...c.req.param() }),
      ...(body && { body: body === 'bytes' ? (c.req.raw.body ?? Readable.from([])) : await readJson(c, body, maxBodyBytes) }),
      signal: c.req.raw.signal,
    };
    const result: unknown = await handler(request);
    if (result instanceof Response) return result;
    if (response.kind === 'events') return ndjson(result as Produce<{ type: string }>);
    return response.kind === 'lines' ? sendList(z.looseObject({}).parse(result), response) : Response.json(result);
  };
}

/** Rejects requests without the token. Comparing digests keeps timing from revealing its length or a prefix. */
function requireToken(token: string): MiddlewareHandler {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${token}`);
  return async (c, next) => {
    if (!timingSafeEqual(digest(c.req.header('authorization') ?? ''), expected)) {
      throw new ProtocolError('UNAUTHORIZED', 'The token is missing or wrong.');
    }
    await next();
  };
}
