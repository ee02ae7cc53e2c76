import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { errorMessage } from '#contract/errors.ts';
import '../fixtures/page-requests.ts';

/** Longer than a request takes on any machine. */
const timeoutMs = 300_000;
const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** The server responded with an error. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(request: string, status: number, body: string) {
    const { data } = errorSchema.safeParse(readJson(body));
    super(`${request}: ${status} ${data?.error.code ?? ''} ${data?.error.message ?? body.slice(0, 200)}`);
    this.name = 'Refused';
    this.status = status;
    this.code = data?.error.code ?? '';
  }
}

/** The server exited before responding. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

export class Api {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return this.#call('GET', path, schema, {});
  }

  post<T>(path: string, body: unknown, schema: z.ZodType<T>): Promise<T> {
    const { headers, ...init } = jsonBody(body);
    return this.#call('POST', path, schema, { ...init, headers: { ...headers, 'idempotency-key': randomUUID() } });
  }

  patch(path: string, body: unknown): Promise<unknown> {
    return this.#call('PATCH', path, z.unknown(), jsonBody(body));
  }

  put(path: string, body: Uint8Array<ArrayBuffer>): Promise<unknown> {
    return this.#call('PUT', path, z.unknown(), { body });
  }

  upload<T>(path: string, name: string, body: Uint8Array<ArrayBuffer>, schema: z.ZodType<T>): Promise<T> {
    const headers = { 'x-filename': name, 'content-type': 'application/octet-stream' };
    return this.#call('POST', path, schema, { body, headers });
  }

  delete(path: string): Promise<unknown> {
    return this.#call('DELETE', path, z.unknown(), {});
  }

  async *stream(path: string, signal: AbortSignal): AsyncGenerator<string> {
    try {
      const response = await fetch(this.#url + path, { signal });
      if (!response.ok || response.body === null) return;
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) yield piece;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }

  async #call<T>(method: string, path: string, schema: z.ZodType<T>, init: RequestInit): Promise<T> {
    let status: number;
    let body: string;
    try {
      const response = await fetch(this.#url + path, { ...init, method, signal: AbortSignal.timeout(timeoutMs) });
      status = response.status;
      body = await response.text();
    } catch (error) {
      throw new Unanswered(`${method} ${path}: ${errorMessage(error)}`);
    }
    if (status < 200 || status > 299) throw new Refused(`${method} ${path}`, status, body);
    return schema.parse(readJson(body));
  }
}

function jsonBody(body: unknown): { body: string; headers: Record<string, string> } {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
