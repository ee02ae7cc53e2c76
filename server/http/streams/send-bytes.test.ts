import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ifRangeHolds, matchesEtag, parseRange } from './send-bytes.ts';

describe('range requests', () => {
  it.each([
    ['bytes=0-99', { kind: 'part', start: 0, end: 99 }],
    ['bytes=900-', { kind: 'part', start: 900, end: 999 }],
    ['bytes=-100', { kind: 'part', start: 900, end: 999 }],
    ['bytes=-5000', { kind: 'part', start: 0, end: 999 }],
    ['bytes=500-99999', { kind: 'part', start: 500, end: 999 }],
    ['bytes=999-999', { kind: 'part', start: 999, end: 999 }],
    ['bytes=1000-', { kind: 'unsatisfiable' }],
    ['bytes=-0', { kind: 'unsatisfiable' }],
    ['bytes=5-2', { kind: 'whole' }],
    ['bytes=-', { kind: 'whole' }],
    ['bytes=0-1,5-6', { kind: 'whole' }],
    ['items=0-1', { kind: 'whole' }],
    [undefined, { kind: 'whole' }],
  ])('A18: %s of 1000 bytes', (header, expected) => {
    expect(parseRange(header, 1000)).toEqual(expected);
  });

  it('A18: a range always lies inside the file', () => {
    const headers = fc
      .tuple(fc.option(fc.nat(2000)), fc.option(fc.nat(2000)))
      .map(([first, last]) => `bytes=${first ?? ''}-${last ?? ''}`);
    fc.assert(
      fc.property(headers, fc.nat(1500), (header, sizeBytes) => {
        const range = parseRange(header, sizeBytes);
        if (range.kind === 'part') {
          expect(range.start).toBeGreaterThanOrEqual(0);
          expect(range.end).toBeGreaterThanOrEqual(range.start);
          expect(range.end).toBeLessThan(sizeBytes);
        }
      }),
    );
  });

  it('A18: sends no range of a changed file to a client with the old version', () => {
    const version = { etag: '"a-1"', modifiedAt: new Date('2026-01-02T03:04:05.678Z') };
    expect(ifRangeHolds(undefined, version)).toBe(true);
    expect(ifRangeHolds('"a-1"', version)).toBe(true);
    expect(ifRangeHolds('"b-2"', version)).toBe(false);
    expect(ifRangeHolds('W/"a-1"', version)).toBe(false);
    expect(ifRangeHolds('Fri, 02 Jan 2026 03:04:05 GMT', version)).toBe(true);
    expect(ifRangeHolds('Fri, 02 Jan 2026 03:04:06 GMT', version)).toBe(false);
  });

  it('A18: If-None-Match compares weakly', () => {
    expect(matchesEtag('"x", W/"a-1"', '"a-1"')).toBe(true);
    expect(matchesEtag('*', '"a-1"')).toBe(true);
    expect(matchesEtag('"x"', '"a-1"')).toBe(false);
    expect(matchesEtag(undefined, '"a-1"')).toBe(false);
  });
});
