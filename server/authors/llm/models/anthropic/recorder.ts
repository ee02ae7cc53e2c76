import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSecrets } from './secrets.ts';

/** One exchange with a service, for replay in tests. Headers are left out: keys and accounts are in them. */
export interface RecordedExchange {
  readonly path: string;
  readonly request: unknown;
  readonly status: number;
  readonly contentType: string;
  /** The answer as it came, event by event. */
  readonly body: string;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that writes each exchange to a file of its own in `folder`, numbered in order, once the answer has ended.
 * `secrets` are taken out wherever they stand.
 */
export function recordingFetch(folder: string, secrets: readonly string[]): Fetch {
  mkdirSync(folder, { recursive: true });
  let count = 0;
  return async (input, init) => {
    const response = await fetch(input, init);
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${String(count++).padStart(4, '0')}.json`;
    const [shown, kept] = response.body?.tee() ?? [null, null];
    void (async () => {
      const exchange: RecordedExchange = {
        path: new URL(input instanceof Request ? input.url : input).pathname,
        request: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        body: kept === null ? '' : await new Response(kept).text(),
      };
      writeFileSync(join(folder, name), `${withoutSecrets(JSON.stringify(exchange, null, 2), secrets)}\n`, { mode: 0o600 });
    })().catch(() => {
      // An answer that broke off or was stopped is no exchange to replay.
    });
    return new Response(shown, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}
