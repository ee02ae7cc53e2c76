import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { controlSocketName, previewSocketName, streamErrorSchema } from '#contract/sandbox/answers.ts';
import {
  elementLimits,
  eventLimits,
  maxEventBytes,
  maxListLineBytes,
  responseLimits,
  type SandboxCall,
  sandboxCalls,
} from '#contract/sandbox/calls.ts';
import { type Answer, brokenProtocol, parseJson, type ReadBudget, readAll, readLines, readStream } from './response.ts';
import { type CallOptions, type Sandbox, SandboxdError, type SandboxMethods } from './sandbox.ts';
import { type Request, SandboxTransport } from './transport.ts';

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
    switch (expected.kind) {
      case 'json':
        return validate(expected.schema, parseJson(await readAll(response, expected.maxBytes), responseLimits));
      case 'lines':
        return readList(response, expected);
      case 'bytes':
        return readAll(response, expected.maxBytes);
      case 'stream':
        return expected.hasOffset ? offsetStream(response, transport.live) : readStream(response, null);
    }
  });
}

function offsetStream(answer: Answer, live: ReadBudget): { stream: Readable; offset: number } {
  const offset = z.coerce.number().int().min(0).safeParse(answer.response.headers['x-koda-offset']);
  if (!offset.success) {
    // An unread stream might keep the connection open forever.
    answer.response.destroy();
    throw brokenProtocol('a stream without an offset');
  }
  return { stream: readStream(answer, live), offset: offset.data };
}

/** Reads a list. Closes the connection as soon as a line is invalid or exceeds a limit. */
async function readList(
  answer: Answer,
  { elements, rest, maxElements, maxBytes }: Extract<SandboxCall['response'], { kind: 'lines' }>,
): Promise<Record<string, unknown>> {
  const lists = new Map([...elements.keys()].map((name) => [name, [] as unknown[]]));
  let end: Record<string, unknown> | null = null;
  let lines = 0;
  let bytes = 0;
  for await (const line of readLines(answer, maxListLineBytes)) {
    bytes += line.length + 1;
    if (end !== null) throw brokenProtocol('a list that continues after its end');
    if (bytes > maxBytes) throw brokenProtocol(`a list of more than ${maxBytes} bytes`);
    const value = parseJson(line, elementLimits);
    if (!Array.isArray(value)) end = validate(rest, value);
    else if (++lines > maxElements) throw brokenProtocol(`a list of more than ${maxElements} lines`);
    else {
      const [name, element] = validate(elementSchema, value);
      const schema = elements.get(name);
      if (schema === undefined) throw brokenProtocol('an element of an unknown list');
      lists.get(name)?.push(validate(schema, element));
    }
  }
  if (end === null) throw brokenProtocol('a list without an end');
  return { ...Object.fromEntries(lists), ...end };
}

const elementSchema = z.tuple([z.string(), z.unknown()]);

/** Cost of an event beyond its bytes, because validating a short one takes about as long as reading this many. */
const eventBytes = 1024;

/** Yields a streaming call's events, up to and including `last`. Leaving the iteration early cancels the work. */
async function* eventsOf(
  transport: SandboxTransport,
  { schema, last }: Extract<SandboxCall['response'], { kind: 'events' }>,
  request: Request,
): AsyncGenerator<{ type: string }> {
  let ended = false;
  for await (const line of readLines(await transport.send(request), maxEventBytes)) {
    await transport.live.spend(line.length + eventBytes);
    const event = validate(schema, parseJson(line, eventLimits));
    if (event.type === 'error') {
      const { code, message } = streamErrorSchema.parse(event);
      throw new SandboxdError(code, message, {});
    }
    yield event;
    ended ||= event.type === last;
  }
  if (!ended) throw brokenProtocol(`a stream that ends without "${last}"`);
}

/** An untrusted response can have any number of issues. */
const maxIssuesReported = 5;

/** Validates a response. Throws SANDBOX_DEAD if it is invalid, because sandboxd sends no such response. */
function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = z.prettifyError({ issues: parsed.error.issues.slice(0, maxIssuesReported) });
  throw brokenProtocol(issues.slice(0, 500));
}
