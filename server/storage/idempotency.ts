import type BetterSqlite3 from 'better-sqlite3';

/** What a client meant to do once: the route, its key, and a digest of what it sent. */
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
  /** Nobody did it yet: do it, then `finish` or `release`. */
  | { readonly kind: 'claimed' }
  | { readonly kind: 'running' }
  /** The key was used for something else. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'done'; readonly response: StoredResponse };

/** Remembers for 24 hours which creating requests were carried out, over restarts. */
export interface IdempotencyStore {
  claim(request: IdempotentRequest): IdempotencyClaim;
  finish(request: IdempotentRequest, response: StoredResponse): void;
  /** Forgets a claim whose request failed, so that it may be tried again under the same key. */
  release(request: IdempotentRequest): void;
}

const keepMs = 24 * 60 * 60 * 1000;

interface Row {
  readonly fingerprint: string;
  readonly status: number | null;
  readonly content_type: string | null;
  readonly body: string | null;
}

/**
 * Claims that have no answer yet belong to the process that made them: a new process drops those of the one
 * before it, so that a request which was cut off by a crash can be sent again.
 */
export function createIdempotencyStore(
  db: BetterSqlite3.Database,
  options: { now: () => number } = { now: Date.now },
): IdempotencyStore {
  db.prepare('DELETE FROM idempotency_keys WHERE status IS NULL').run();

  const expire = db.prepare('DELETE FROM idempotency_keys WHERE created_at_ms < ?');
  const find = db.prepare<[string, string], Row>(
    'SELECT fingerprint, status, content_type, body FROM idempotency_keys WHERE scope = ? AND key = ?',
  );
  const insert = db.prepare('INSERT INTO idempotency_keys (scope, key, fingerprint, created_at_ms) VALUES (?, ?, ?, ?)');
  const update = db.prepare('UPDATE idempotency_keys SET status = ?, content_type = ?, body = ? WHERE scope = ? AND key = ?');
  const remove = db.prepare('DELETE FROM idempotency_keys WHERE scope = ? AND key = ?');

  const claim = db.transaction((request: IdempotentRequest): IdempotencyClaim => {
    const now = options.now();
    expire.run(now - keepMs);
    const row = find.get(request.scope, request.key);
    if (row === undefined) {
      insert.run(request.scope, request.key, request.fingerprint, now);
      return { kind: 'claimed' };
    }
    if (row.fingerprint !== request.fingerprint) return { kind: 'mismatch' };
    if (row.status === null || row.content_type === null || row.body === null) return { kind: 'running' };
    return { kind: 'done', response: { status: row.status, contentType: row.content_type, body: row.body } };
  });

  return {
    claim: (request) => claim.immediate(request),
    finish(request, response) {
      update.run(response.status, response.contentType, response.body, request.scope, request.key);
    },
    release(request) {
      remove.run(request.scope, request.key);
    },
  };
}
