import type BetterSqlite3 from 'better-sqlite3';
import { randomSuffix } from '#contract/ids.ts';

/** Identity of an idempotent request: its route, its key and a digest of its content. */
export interface IdempotentRequest {
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type IdempotencyClaim =
  /** Process the request, then call `finish` or `release`. All attempts create resources with this id suffix. */
  | { readonly kind: 'claimed'; readonly idSuffix: string; readonly isRetry: boolean }
  | { readonly kind: 'running' }
  /** The key was used for a different request. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'done'; readonly response: StoredResponse };

/** Stores the responses to idempotent create requests for 24 hours, across restarts. */
export interface IdempotencyStore {
  claim(request: IdempotentRequest): IdempotencyClaim;
  finish(request: IdempotentRequest, response: StoredResponse): void;
  /** Drops a failed request's claim, so that the key can be used again. */
  release(request: IdempotentRequest): void;
}

const maxAgeMs = 24 * 60 * 60 * 1000;

interface Row {
  readonly fingerprint: string;
  readonly mark: string | null;
  readonly status: number | null;
  readonly content_type: string | null;
  readonly body: string | null;
}

/** A stored claim without a response was interrupted by a crash, unless this process holds it. */
export function createIdempotencyStore(
  db: BetterSqlite3.Database,
  options: { now: () => number } = { now: Date.now },
): IdempotencyStore {
  const expire = db.prepare('DELETE FROM idempotency_keys WHERE created_at_ms < ?');
  const find = db.prepare<[string, string], Row>(
    'SELECT fingerprint, mark, status, content_type, body FROM idempotency_keys WHERE scope = ? AND key = ?',
  );
  const insert = db.prepare(
    'INSERT OR REPLACE INTO idempotency_keys (scope, key, fingerprint, created_at_ms, mark) VALUES (?, ?, ?, ?, ?)',
  );
  const update = db.prepare('UPDATE idempotency_keys SET status = ?, content_type = ?, body = ? WHERE scope = ? AND key = ?');
  const remove = db.prepare('DELETE FROM idempotency_keys WHERE scope = ? AND key = ?');
  /** This process's claims by scope and key. The value is whether an earlier attempt was interrupted. */
  const pending = new Map<string, boolean>();
  const nameOf = ({ scope, key }: IdempotentRequest) => `${scope}\n${key}`;

  const claim = db.transaction((request: IdempotentRequest): IdempotencyClaim => {
    const now = options.now();
    expire.run(now - maxAgeMs);
    const row = find.get(request.scope, request.key);
    if (row !== undefined) {
      if (row.fingerprint !== request.fingerprint) return { kind: 'mismatch' };
      if (row.status !== null && row.content_type !== null && row.body !== null)
        return { kind: 'done', response: { status: row.status, contentType: row.content_type, body: row.body } };
      if (pending.has(nameOf(request))) return { kind: 'running' };
      if (row.mark !== null) return { kind: 'claimed', idSuffix: row.mark, isRetry: true };
    }
    const idSuffix = randomSuffix();
    insert.run(request.scope, request.key, request.fingerprint, now, idSuffix);
    return { kind: 'claimed', idSuffix, isRetry: false };
  });

  return {
    claim(request) {
      const claimed = claim.immediate(request);
      if (claimed.kind === 'claimed') pending.set(nameOf(request), claimed.isRetry);
      return claimed;
    },
    finish(request, response) {
      update.run(response.status, response.contentType, response.body, request.scope, request.key);
      pending.delete(nameOf(request));
    },
    release(request) {
      // A retry keeps its row, because the next attempt must also find the interrupted one's resources.
      if (pending.get(nameOf(request)) === false) remove.run(request.scope, request.key);
      pending.delete(nameOf(request));
    },
  };
}
