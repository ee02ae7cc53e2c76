import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import { type ErrorEnvelope, errorEnvelopeSchema, errorMessage, KodaError } from '#contract/errors.ts';
import { type ProjectEvent, projectEventSchema } from '#contract/events.ts';
import type { VerifyLine } from '#contract/maintenance.ts';
import type { Project } from '#contract/project.ts';
import { type JsonRoute, type RouteInput, type RouteResponse, routes, routeUrl } from '#contract/routes.ts';
import type { Terminal } from './terminal.ts';

const requestTimeoutMs = 30_000;
/** Timeout for requests that may have to start a sandbox and a browser. */
export const pageTimeoutMs = 240_000;

interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface CommandContext {
  readonly client: StudioClient;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** HTTP API client for a running studio. Every failure is a KodaError that says what to do. */
export class StudioClient {
  readonly url: string;
  /** Address of the same studio for people, without a slash at its end. */
  readonly address: string;
  readonly #token: () => string | null;

  /** `token` is asked before each request, because a studio has a new key after a restart. */
  constructor(url: string, token: () => string | null, address = url) {
    this.url = url.replace(/\/+$/, '');
    this.address = address.replace(/\/+$/, '');
    this.#token = token;
  }

  authorization(): Record<string, string> {
    const token = this.#token();
    return token === null ? {} : { authorization: `Bearer ${token}` };
  }

  async call<R extends JsonRoute>(route: R, input: RouteInput<R>, options?: RequestOptions): Promise<RouteResponse<R>> {
    const { body } = input as { readonly body?: unknown };
    const json = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await this.#send(route.method.toUpperCase(), routeUrl(route, input), json, options);
    return this.#parsed(await response.text(), route.response) as RouteResponse<R>;
  }

  async import(
    file: { readonly name: string; readonly content: Blob },
    { signal, kind }: { signal: AbortSignal; kind?: string },
  ): Promise<Project> {
    const { method, path: route, response: schema } = routes.importProject;
    const path = kind === undefined ? route : `${route}?kind=${encodeURIComponent(kind)}`;
    const headers = { 'content-type': 'application/octet-stream', 'x-filename': encodeURIComponent(file.name) };
    const content = { headers, body: file.content };
    const response = await this.#send(method.toUpperCase(), path, content, { signal, timeoutMs: null });
    return this.#parsed(await response.text(), schema);
  }

  async download(
    path: string,
    { method = 'GET', ...options }: { method?: 'GET' | 'POST'; signal: AbortSignal },
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#send(method, path, {}, { ...options, timeoutMs: null });
    if (response.body === null) throw new KodaError('NOT_FOUND', `${path} has no content.`);
    return response.body;
  }

  /** Streams a check's progress and report. Throws SERVICE_UNAVAILABLE if the connection is lost. */
  async *verify({ signal }: { signal: AbortSignal }): AsyncIterable<VerifyLine> {
    const response = await this.#send('POST', routes.verify.path, {}, { signal, timeoutMs: null });
    let rest = '';
    for await (const text of this.#text(response, signal)) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield this.#parsed(line, routes.verify.line);
    }
  }

  /** Yields a project's events after a sequence number. If the connection is lost, reconnects and resumes. */
  async *events(projectId: string, options: { afterSeq: number; signal: AbortSignal }): AsyncIterable<ProjectEvent> {
    let afterSeq = options.afterSeq;
    for (let failures = 0; ; failures += 1) {
      try {
        for await (const event of this.#eventsOnce(projectId, afterSeq, options.signal)) {
          failures = 0;
          afterSeq = event.seq;
          yield event;
        }
      } catch (error) {
        if (options.signal.aborted || (error instanceof KodaError && error.code !== 'SERVICE_UNAVAILABLE') || failures >= 10)
          throw error;
      }
      options.signal.throwIfAborted();
      await sleep(Math.min(5_000, 250 * 2 ** failures), undefined, { signal: options.signal });
    }
  }

  async *#eventsOnce(projectId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<ProjectEvent> {
    const path = routeUrl(routes.projectEvents, { id: projectId, query: { after: afterSeq } });
    const response = await this.#send('GET', path, {}, { signal, timeoutMs: null });
    const ready: ProjectEvent[] = [];
    const parser = createParser({
      onEvent: (message) => {
        ready.push(projectEventSchema.parse(JSON.parse(message.data)));
      },
    });
    for await (const text of this.#text(response, signal)) {
      parser.feed(text);
      yield* ready.splice(0);
    }
  }

  async *#text({ body }: Response, signal: AbortSignal): AsyncIterable<string> {
    if (body === null) return;
    const pieces = body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    try {
      for (;;) {
        const piece = await pieces.next().catch((error: unknown) => {
          signal.throwIfAborted();
          throw new KodaError(
            'SERVICE_UNAVAILABLE',
            'The connection to the studio was lost. Check that it is still running, then try again.',
            { cause: error },
          );
        });
        if (piece.done === true) return;
        yield piece.value;
      }
    } finally {
      // Closes the connection if the reader stops early.
      await pieces.return?.();
    }
  }

  #parsed<T extends z.ZodType>(text: string, schema: T): z.output<T> {
    const parsed = schema.safeParse(jsonOrNull(text));
    if (parsed.success) return parsed.data;
    throw new KodaError(
      'SERVICE_UNAVAILABLE',
      `The server at ${this.url} is not a Koda studio, or it runs another version. Set the studio's address with --url.`,
      { cause: parsed.error, recovery: 'start_studio' },
    );
  }

  async #send(
    method: string,
    path: string,
    content: { readonly headers?: Record<string, string>; readonly body?: NonNullable<RequestInit['body']> },
    { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs: number | null } = { timeoutMs: requestTimeoutMs },
  ): Promise<Response> {
    const ends = [...(signal ? [signal] : []), ...(timeoutMs === null ? [] : [AbortSignal.timeout(timeoutMs)])];
    let response: Response;
    try {
      response = await fetch(this.url + path, {
        method,
        signal: AbortSignal.any(ends),
        ...content,
        headers: { ...content.headers, ...this.authorization() },
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new KodaError(
        'SERVICE_UNAVAILABLE',
        `The studio is not responding at ${this.url}. Start it with "npm start", or set its address with --url. (${errorMessage(error)})`,
        {
          cause: error,
          recovery: 'start_studio',
        },
      );
    }
    if (!response.ok) throw await failureOf(response);
    return response;
  }
}

/** Downloads to a temp file beside `target` and renames it, so that an interrupted download never looks complete. */
export async function saveDownload(
  path: string,
  target: string,
  { client, signal }: Pick<CommandContext, 'client' | 'signal'>,
): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const partial = `${target}.partial`;
  try {
    await pipeline(Readable.fromWeb(await client.download(path, { signal })), createWriteStream(partial), { signal });
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

async function failureOf(response: Response): Promise<KodaError> {
  const text = await response.text();
  const parsed = errorEnvelopeSchema.safeParse(jsonOrNull(text));
  if (!parsed.success)
    return new KodaError(
      'INTERNAL_ERROR',
      `The studio returned status ${response.status} without an error message. See its log.`,
    );
  return errorOf(parsed.data);
}

export function errorOf({ error: { code, message, details, recovery } }: ErrorEnvelope): KodaError {
  return new KodaError(code, message, { ...(details ? { details } : {}), ...(recovery ? { recovery: recovery.action } : {}) });
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The body is not JSON. No schema here accepts `null`, so the caller reports an error.
    return null;
  }
}
