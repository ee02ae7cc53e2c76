import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fetch } from '../../../lib/outbound-fetch.ts';
import { redactSecrets } from './secrets.ts';

export interface RecordedExchange {
  readonly path: string;
  readonly request: unknown;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Creates a `fetch` that writes each complete exchange to a numbered file in `folder`, with all `secrets` redacted. */
export function recordingFetch(
  fetch: Fetch,
  { folder, secrets }: { readonly folder: string; readonly secrets: readonly string[] },
): Fetch {
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
      writeFileSync(join(folder, name), `${redactSecrets(JSON.stringify(exchange, null, 2), secrets)}\n`, { mode: 0o600 });
    })().catch(() => {
      // An interrupted response cannot be replayed.
    });
    return new Response(shown, { status: response.status, statusText: response.statusText, headers: [...response.headers] });
  };
}
