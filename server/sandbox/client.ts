import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { isWithinLimits } from '../contract/payload-limits.ts';
import { answerParts, maxEventBytes, type SandboxCall, sandboxCalls } from '../contract/sandbox-calls.ts';
import { controlSocketName, previewSocketName, streamErrorSchema } from '../contract/sandboxd.ts';
import { type CallOptions, type Sandbox, SandboxdError, type SandboxMethods } from './sandbox.ts';
import { type Answer, brokenProtocol, type Request, readAll, readLines, readStream, SandboxTransport } from './transport.ts';

export interface SandboxClientOptions {
  readonly sandboxId: string;
  readonly projectId: string;
  /** Folder that holds the sandbox's sockets. */
  readonly socketDir: string;
  readonly token: string;
}

/** A sandbox through its daemon's socket. Whatever comes back is hostile until its schema has passed it. */
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
    // Each method takes and returns what its entry says, which a loop over the entries cannot show to the compiler.
    ...(Object.fromEntries(methods) as unknown as SandboxMethods),
  };
}

/** What a method was called with (`Sandbox`), as a request. */
function requestOf(call: SandboxCall, args: readonly unknown[]): Request {
  const rest = [...args];
  const subject = call.subject === undefined ? '' : String(rest.shift());
  const body = call.body === undefined ? null : rest.shift();
  const { signal, ...query } = rest[0] as CallOptions & Readonly<Record<string, unknown>>;
  const requested = call.addsRequested ? z.object({ timeoutMs: z.number() }).parse(body).timeoutMs : 0;
  return {
    method: call.method,
    target: targetOf(call, subject, query),
    body: call.body === 'bytes' ? (body as Uint8Array | Readable) : body === null ? null : Buffer.from(JSON.stringify(body)),
    signal,
    timeoutMs: call.timeoutMs + requested,
  };
}

function targetOf(
  { path, subject: name, query }: SandboxCall,
  subject: string,
  given: Readonly<Record<string, unknown>>,
): string {
  const parameters = new URLSearchParams();
  const inPath = path.includes(`:${name}`);
  if (name !== undefined && !inPath) parameters.set(name, subject);
  for (const key of Object.keys(query?.shape ?? {})) if (given[key] !== undefined) parameters.set(key, String(given[key]));
  const place = inPath ? path.replace(`:${name}`, () => encodeURIComponent(subject)) : path;
  return parameters.size === 0 ? place : `${place}?${parameters}`;
}

function perform(transport: SandboxTransport, { answer }: SandboxCall, request: Request): unknown {
  if (answer.kind === 'events') return eventsOf(transport, answer, request);
  return transport.send(request).then(async (response) => {
    if (answer.kind === 'stream') return answer.hasOffset ? offsetStream(response) : readStream(response);
    const bytes = await readAll(response, answer.maxBytes);
    return answer.kind === 'json' ? readAnswer(answer.schema, bytes.toString('utf8')) : bytes;
  });
}

function offsetStream(answer: Answer): { stream: Readable; offset: number } {
  const began = z.coerce.number().int().min(0).safeParse(answer.response.headers['x-koda-offset']);
  if (!began.success) {
    // Nobody would read it to its end, which may never come.
    answer.response.destroy();
    throw brokenProtocol('a stream that does not say where it begins');
  }
  return { stream: readStream(answer), offset: began.data };
}

/** The events of a streaming call, up to and with the one named `last`. Leaving the iteration early cancels the work. */
async function* eventsOf(
  transport: SandboxTransport,
  { schema, last }: Extract<SandboxCall['answer'], { kind: 'events' }>,
  request: Request,
): AsyncGenerator<{ type: string }> {
  let ended = false;
  for await (const line of readLines(await transport.send(request), maxEventBytes)) {
    const event = readAnswer(schema, line);
    const failure = streamErrorSchema.safeParse(event);
    if (failure.success) throw new SandboxdError(failure.data.code, failure.data.message, {});
    yield event;
    ended ||= event.type === last;
  }
  if (!ended) throw brokenProtocol(`a stream that ends without "${last}"`);
}

/** Of a schema's complaints, which are as many as a sandbox wants, the first ones are enough. */
const maxIssuesReported = 5;

/** What a sandbox answers, once its schema has passed it. Throws SANDBOX_DEAD: our daemon answers nothing else. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw brokenProtocol('an answer that is not JSON');
  }
  if (!isWithinLimits(value, { ...answerParts, characters: text.length }))
    throw brokenProtocol('an answer of far too many parts');
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = z.prettifyError({ issues: parsed.error.issues.slice(0, maxIssuesReported) });
  throw brokenProtocol(issues.slice(0, 500));
}
