import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { isWithinLimits } from '#contract/payload-limits.ts';
import { maxEventBytes, responseLimits, type SandboxCall, sandboxCalls } from '#contract/sandbox-calls.ts';
import { controlSocketName, previewSocketName, streamErrorSchema } from '#contract/sandboxd.ts';
import { type CallOptions, type Sandbox, SandboxdError, type SandboxMethods } from './sandbox.ts';
import { type Answer, brokenProtocol, type Request, readAll, readLines, readStream, SandboxTransport } from './transport.ts';

export interface SandboxClientOptions {
  readonly sandboxId: string;
  readonly projectId: string;
  readonly socketDir: string;
  readonly token: string;
}

/** Returns a client for a sandbox's daemon. Its responses are untrusted until their schema has accepted them. */
export function sandboxClient({ sandboxId, projectId, socketDir, token }: SandboxClientOptions): Sandbox {
  const transport = new SandboxTransport(join(socketDir, controlSocketName), token);
  const methods = Object.entries<SandboxCall>(sandboxCalls).map(([name, call]) => {
    const method = (...args: readonly unknown[]) => perform(transport, call, requestOf(call, args));
    return [name, method] as const;
  });
  return {
    id: sandboxId,
    projectId,
    previewSocketPath: join(socketDir, previewSocketName),
    // Each method has its entry's types, which TypeScript cannot infer from a loop over the entries.
    ...(Object.fromEntries(methods) as unknown as SandboxMethods),
  };
}

function requestOf(call: SandboxCall, args: readonly unknown[]): Request {
  const rest = [...args];
  const subject = call.subject === undefined ? '' : String(rest.shift());
  const body = call.body === undefined ? null : rest.shift();
  const { signal, ...query } = rest[0] as CallOptions & Readonly<Record<string, unknown>>;
  const requested = call.addsRequested ? z.object({ timeoutMs: z.number() }).parse(body).timeoutMs : 0;
  return {
    method: call.method,
    target: targetOf(call, subject, query),
    body: bodyOf(call, body),
    signal,
    timeoutMs: call.timeoutMs + requested,
  };
}

function bodyOf(call: SandboxCall, body: unknown): Request['body'] {
  if (call.body === 'bytes') return body as Uint8Array | Readable;
  return body === null ? null : Buffer.from(JSON.stringify(body));
}

function targetOf(
  { path, subject: name, query }: SandboxCall,
  subject: string,
  values: Readonly<Record<string, unknown>>,
): string {
  const parameters = new URLSearchParams();
  const inPath = path.includes(`:${name}`);
  if (name !== undefined && !inPath) parameters.set(name, subject);
  for (const key of Object.keys(query?.shape ?? {})) if (values[key] !== undefined) parameters.set(key, String(values[key]));
  const target = inPath ? path.replace(`:${name}`, () => encodeURIComponent(subject)) : path;
  return parameters.size === 0 ? target : `${target}?${parameters}`;
}

function perform(transport: SandboxTransport, { response: expected }: SandboxCall, request: Request): unknown {
  if (expected.kind === 'events') return eventsOf(transport, expected, request);
  return transport.send(request).then(async (response) => {
    if (expected.kind === 'stream') return expected.hasOffset ? offsetStream(response) : readStream(response);
    const bytes = await readAll(response, expected.maxBytes);
    return expected.kind === 'json' ? parseResponse(expected.schema, bytes.toString('utf8')) : bytes;
  });
}

function offsetStream(answer: Answer): { stream: Readable; offset: number } {
  const offset = z.coerce.number().int().min(0).safeParse(answer.response.headers['x-koda-offset']);
  if (!offset.success) {
    // An unread stream might keep the connection open forever.
    answer.response.destroy();
    throw brokenProtocol('a stream without an offset');
  }
  return { stream: readStream(answer), offset: offset.data };
}

/** Yields a streaming call's events, up to and including `last`. Leaving the iteration early cancels the work. */
async function* eventsOf(
  transport: SandboxTransport,
  { schema, last }: Extract<SandboxCall['response'], { kind: 'events' }>,
  request: Request,
): AsyncGenerator<{ type: string }> {
  let ended = false;
  for await (const line of readLines(await transport.send(request), maxEventBytes)) {
    const event = parseResponse(schema, line);
    const failure = streamErrorSchema.safeParse(event);
    if (failure.success) throw new SandboxdError(failure.data.code, failure.data.message, {});
    yield event;
    ended ||= event.type === last;
  }
  if (!ended) throw brokenProtocol(`a stream that ends without "${last}"`);
}

/** An untrusted response can have any number of issues. */
const maxIssuesReported = 5;

/** Parses and validates a response. Throws SANDBOX_DEAD if it is invalid, because sandboxd sends no such response. */
export function parseResponse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw brokenProtocol('a response that is not JSON');
  }
  if (!isWithinLimits(value, { ...responseLimits, characters: text.length }))
    throw brokenProtocol('a response with too many values');
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = z.prettifyError({ issues: parsed.error.issues.slice(0, maxIssuesReported) });
  throw brokenProtocol(issues.slice(0, 500));
}
