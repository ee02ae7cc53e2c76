import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteRing } from './byte-ring.ts';

describe('ByteRing', () => {
  it('T2: keeps exactly the last bytes written, at their offsets', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 12 }),
        fc.nat(600),
        fc.nat(600),
        (capacity, chunks, from, to) => {
          const ring = new ByteRing(capacity);
          for (const chunk of chunks) ring.append(Buffer.from(chunk));
          const all = Buffer.concat(chunks);
          expect(ring.end).toBe(all.length);
          expect(ring.start).toBe(Math.max(0, all.length - capacity));
          expect(ring.read(0)).toEqual(all.subarray(ring.start));
          const first = Math.max(from, ring.start);
          expect(ring.read(from, to)).toEqual(all.subarray(first, Math.max(first, to)));
        },
      ),
    );
  });

  it('finds bytes across its end, but not overwritten ones', () => {
    const ring = new ByteRing(8);
    ring.append(Buffer.from('abcdefmark'));
    expect(ring.find(Buffer.from('mark'), 0)).toBe(6);
    expect(ring.find(Buffer.from('mark'), 7)).toBeNull();
    expect(ring.find(Buffer.from('ab'), 0)).toBeNull();
    ring.append(Buffer.from('12345'));
    expect(ring.find(Buffer.from('mark'), 0)).toBeNull();
  });
});
