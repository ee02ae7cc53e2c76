import { describe, expect, it } from 'vitest';
import { tempStores } from '../../test/fixtures/storage.ts';
import { createIdempotencyStore } from './idempotency.ts';

const request = { scope: 'POST /api/projects', key: 'k1', fingerprint: 'f1' };
const response = { status: 201, contentType: 'application/json', body: '{"id":1}' };

describe('idempotency keys', () => {
  it('gives a repeat the first answer, also to a new process', () => {
    using stores = tempStores();
    const db = stores.database.sqlite;
    const store = createIdempotencyStore(db);
    expect(store.claim(request)).toMatchObject({ kind: 'claimed', isRepeat: false });
    expect(store.claim(request)).toEqual({ kind: 'running' });
    store.finish(request, response);
    expect(store.claim(request)).toEqual({ kind: 'done', response });
    expect(createIdempotencyStore(db).claim(request)).toEqual({ kind: 'done', response });
  });

  it('refuses the key for another request, but not for another route', () => {
    using stores = tempStores();
    const store = createIdempotencyStore(stores.database.sqlite);
    store.claim(request);
    expect(store.claim({ ...request, fingerprint: 'f2' })).toEqual({ kind: 'mismatch' });
    expect(store.claim({ ...request, scope: 'POST /api/other', fingerprint: 'f2' })).toMatchObject({
      kind: 'claimed',
      isRepeat: false,
    });
  });

  it('frees the key of a request that failed', () => {
    using stores = tempStores();
    const store = createIdempotencyStore(stores.database.sqlite);
    const marks = [1, 2].map(() => {
      const claim = store.claim(request);
      expect(claim).toMatchObject({ kind: 'claimed', isRepeat: false });
      store.release(request);
      return claim.kind === 'claimed' && claim.mark;
    });
    expect(marks[0]).not.toBe(marks[1]);
  });

  it('X7: gives the repeat of a request that a crash cut off the same mark, as often as it takes', () => {
    using stores = tempStores();
    const db = stores.database.sqlite;
    const first = createIdempotencyStore(db).claim(request);
    const store = createIdempotencyStore(db);
    const again = { ...first, isRepeat: true };
    expect(store.claim(request)).toEqual(again);
    expect(store.claim(request)).toEqual({ kind: 'running' });
    // What the first attempt made is still there when the second fails.
    store.release(request);
    expect(store.claim(request)).toEqual(again);
    expect(store.claim({ ...request, fingerprint: 'f2' })).toEqual({ kind: 'mismatch' });
    store.finish(request, response);
    expect(store.claim(request)).toEqual({ kind: 'done', response });
  });

  it('forgets after 24 hours', () => {
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
