import type { Applied, Snapshot } from '../../model/api.ts';
import type { Change } from '../../model/record.ts';

export interface Batch {
  readonly batch: string;
  readonly changes: readonly Change[];
}

export interface ChangesEvent {
  readonly seq: number;
  readonly batch: string;
  readonly applied: readonly Applied[];
}

/** A request failed. `isFinal`: sending it again would fail again. */
export class RequestError extends Error {
  readonly isFinal: boolean;
  /** Whether the server could not be reached. */
  readonly isOffline: boolean;
  /** Code of the API's error, if the server has answered with one. */
  readonly code: string | null;
  readonly details: unknown;

  constructor(
    message: string,
    { isFinal = false, isOffline = false, code = null as string | null, details = null as unknown } = {},
  ) {
    super(message);
    this.isFinal = isFinal;
    this.isOffline = isOffline;
    this.code = code;
    this.details = details;
  }
}

/** Listens to changes after a snapshot. */
export interface EventHandlers {
  readonly onChanges: (event: ChangesEvent) => void;
  /** All records have to be read again. */
  readonly onReset: () => void;
  readonly onOnline: (isOnline: boolean) => void;
}

/** The app's server as the page's data needs it. */
export interface Transport {
  load(): Promise<Snapshot>;
  send(batch: Batch): Promise<{ readonly seq: number; readonly applied: readonly Applied[] }>;
  /** Returns a function that ends the connection. */
  listen(after: number, handlers: EventHandlers): () => void;
  upload(file: Blob): Promise<string>;
}

const finalStatuses = new Set([400, 403, 404, 409, 413, 422]);

async function request<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init).catch((error: unknown) => {
    throw new RequestError(`The app's server cannot be reached: ${String(error)}`, { isOffline: true });
  });
  const text = await response.text();
  const body = readJson(text);
  if (response.ok && body !== null) return body as T;
  const error =
    body !== null && 'error' in body ? (body.error as { code?: unknown; message?: unknown; details?: unknown }) : null;
  // An answer without the API's words comes from something between, such as a proxy whose server starts.
  if (typeof error?.message !== 'string')
    throw new RequestError(`The app's server answered with ${response.status}.`, { isOffline: true });
  const code = typeof error.code === 'string' ? error.code : null;
  throw new RequestError(error.message, { isFinal: finalStatuses.has(response.status), code, details: error.details });
}

function readJson(text: string): object | null {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' ? json : null;
  } catch {
    return null;
  }
}

const asJson = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export const serverTransport: Transport = {
  load: () => request('/api/records'),
  send: (batch) => request('/api/changes', asJson(batch)),
  async upload(file) {
    const { id } = await request<{ readonly id: string }>('/api/files', { method: 'POST', body: file });
    return id;
  },
  listen(after, { onChanges, onReset, onOnline }) {
    // The browser connects again by itself, and tells the server the last event that it has received.
    const source = new EventSource(`/api/events?after=${after}`);
    source.addEventListener('message', ({ data }) => onChanges(JSON.parse(data as string) as ChangesEvent));
    source.addEventListener('reset', onReset);
    source.addEventListener('open', () => onOnline(true));
    source.addEventListener('error', () => {
      onOnline(false);
      // The browser gives up after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) onReset();
    });
    return () => source.close();
  },
};
