import { describe, expect, it } from 'vitest';
import { centralHeader, countEntries, endRecords, endRecordsBytes, localHeader, readEndRecords } from './zip.ts';

const fourGibibytes = 2 ** 32;
const entry = { name: 'frame-00001.png', crc32: 0xdead_beef, sizeBytes: 1234, offset: 56 };

describe('records of a zip', () => {
  it('X9: say that the content is stored, and how long it is', () => {
    const header = localHeader(entry);
    expect(header.readUInt16LE(8)).toBe(0);
    expect([header.readUInt32LE(14), header.readUInt32LE(18), header.readUInt32LE(22)]).toEqual([0xdead_beef, 1234, 1234]);
    expect(header.subarray(30).toString()).toBe('frame-00001.png');
  });

  it('X9: what begins beyond 4 GiB has its place in a Zip64 field', () => {
    expect(centralHeader(entry).readUInt32LE(42)).toBe(56);
    const far = centralHeader({ ...entry, offset: fourGibibytes + 7 });
    expect(far.readUInt32LE(42)).toBe(0xffff_ffff);
    expect(far.readBigUInt64LE(far.length - 8)).toBe(BigInt(fourGibibytes + 7));
    expect(countEntries(Buffer.concat([far, centralHeader(entry)]))).toBe(2);
  });

  it.each([
    [{ entries: 3, offset: 100, sizeBytes: 180 }, 22],
    [{ entries: 65_535, offset: 100, sizeBytes: 180 }, 98],
    [{ entries: 3, offset: fourGibibytes + 5, sizeBytes: 180 }, 98],
    [{ entries: 72_000, offset: fourGibibytes * 3, sizeBytes: 5_000_000 }, 98],
  ])('X9: the end is read back as it was written: %o', (directory, bytes) => {
    const records = endRecords(directory);
    expect(records.length).toBe(bytes);
    const tail = Buffer.concat([Buffer.alloc(200, 1), records]).subarray(-endRecordsBytes);
    expect(readEndRecords(tail)).toEqual(directory);
  });

  it('X9: a file that was cut short is not taken for a zip', () => {
    const records = endRecords({ entries: 3, offset: 100, sizeBytes: 180 });
    expect(() => readEndRecords(records.subarray(0, -1))).toThrow();
    expect(() => countEntries(Buffer.alloc(46))).toThrow(/Entry 0/);
  });
});
