import type BetterSqlite3 from 'better-sqlite3';
import { newMark } from '../contract/ids.ts';

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
  /**
   * Nobody has answered it yet: do it, then `finish` or `release`. What it creates gets an id with this mark; after an
   * attempt that was cut off, which may have come as far as to create it, the mark is that one's.
   */
  | { readonly kind: 'claimed'; readonly mark: string; readonly isRepeat: boolean }
  | { readonly kind: 'running' }
  /** The key was used for something else. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'done'; readonly response: StoredResponse };

/** Remembers for 24 hours which creating requests were carried out, over restarts. */
export interface IdempotencyStore {
  claim(request: IdempotentRequest): IdempotencyClaim;
  finish(request: IdempotentRequest, response: StoredResponse): void;
  /** Gives up a claim whose request failed, so that it may be tried again under the same key. */
  release(request: IdempotentRequest): void;
}

const keepMs = 24 * 60 * 60 * 1000;

interface Row {
  readonly fingerprint: string;
  readonly mark: string | null;
  readonly status: number | null;
  readonly content_type: string | null;
  readonly body: string | null;
}

/** A claim without an answer that is not of this process was cut off by the end of an earlier one. */
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
  /** The claims of this process, by scope and key; true when an attempt was cut off before. */
  const underWay = new Map<string, boolean>();
  const nameOf = ({ scope, key }: IdempotentRequest) => `${scope}\n${key}`;

  const claim = db.transaction((request: IdempotentRequest): IdempotencyClaim => {
    const now = options.now();
    expire.run(now - keepMs);
    const row = find.get(request.scope, request.key);
    if (row !== undefined) {
      if (row.fingerprint !== request.fingerprint) return { kind: 'mismatch' };
      if (row.status !== null && row.content_type !== null && row.body !== null)
        return { kind: 'done', response: { status: row.status, contentType: row.content_type, body: row.body } };
      if (underWay.has(nameOf(request))) return { kind: 'running' };
      if (row.mark !== null) return { kind: 'claimed', mark: row.mark, isRepeat: true };
    }
    const mark = newMark();
    insert.run(request.scope, request.key, request.fingerprint, now, mark);
    return { kind: 'claimed', mark, isRepeat: false };
  });

  return {
    claim(request) {
      const claimed = claim.immediate(request);
      if (claimed.kind === 'claimed') underWay.set(nameOf(request), claimed.isRepeat);
      return claimed;
    },
    finish(request, response) {
      update.run(response.status, response.contentType, response.body, request.scope, request.key);
      underWay.delete(nameOf(request));
    },
    release(request) {
      // What an attempt may have made that was cut off, the next one has to find as well.
      if (underWay.get(nameOf(request)) === false) remove.run(request.scope, request.key);
      underWay.delete(nameOf(request));
    },
  };
}
