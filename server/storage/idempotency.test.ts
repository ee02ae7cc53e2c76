import { describe, expect, it } from 'vitest';
import { tempStores } from '../../test/fixtures/storage.ts';
import { createIdempotencyStore } from './idempotency.ts';

const request = { scope: 'POST /api/projects', key: 'k1', fingerprint: 'f1' };
const response = { status: 201, contentType: 'application/json', body: '{"id":1}' };

describe('idempotency keys', () => {
  it('returns the stored response to a retry, even after a restart', () => {
    using stores = tempStores();
    const db = stores.database.sqlite;
    const store = createIdempotencyStore(db);
    expect(store.claim(request)).toMatchObject({ kind: 'claimed', isRetry: false });
    expect(store.claim(request)).toEqual({ kind: 'running' });
    store.finish(request, response);
    expect(store.claim(request)).toEqual({ kind: 'done', response });
    expect(createIdempotencyStore(db).claim(request)).toEqual({ kind: 'done', response });
  });

  it('rejects a key that another request has used, except on another route', () => {
    using stores = tempStores();
    const store = createIdempotencyStore(stores.database.sqlite);
    store.claim(request);
    expect(store.claim({ ...request, fingerprint: 'f2' })).toEqual({ kind: 'mismatch' });
    expect(store.claim({ ...request, scope: 'POST /api/other', fingerprint: 'f2' })).toMatchObject({
      kind: 'claimed',
      isRetry: false,
    });
  });

  it('frees the key of a failed request', () => {
    using stores = tempStores();
    const store = createIdempotencyStore(stores.database.sqlite);
    const marks = [1, 2].map(() => {
      const claim = store.claim(request);
      expect(claim).toMatchObject({ kind: 'claimed', isRetry: false });
      store.release(request);
      return claim.kind === 'claimed' && claim.idSuffix;
    });
    expect(marks[0]).not.toBe(marks[1]);
  });

  it('X7: gives every retry of a request that a crash interrupted the same id suffix', () => {
    using stores = tempStores();
    const db = stores.database.sqlite;
    const first = createIdempotencyStore(db).claim(request);
    const store = createIdempotencyStore(db);
    const again = { ...first, isRetry: true };
    expect(store.claim(request)).toEqual(again);
    expect(store.claim(request)).toEqual({ kind: 'running' });
    // The first attempt's data still exists when the second one fails.
    store.release(request);
    expect(store.claim(request)).toEqual(again);
    expect(store.claim({ ...request, fingerprint: 'f2' })).toEqual({ kind: 'mismatch' });
    store.finish(request, response);
    expect(store.claim(request)).toEqual({ kind: 'done', response });
  });

  it('drops keys after 24 hours', () => {
    using stores = tempStores();
    let now = 0;
    const store = createIdempotencyStore(stores.database.sqlite, { now: () => now });
    store.claim(request);
    store.finish(request, response);
    now = 24 * 3600 * 1000;
    expect(store.claim(request).kind).toBe('done');
    now += 1;
    expect(store.claim(request).kind).toBe('claimed');
  });
});
