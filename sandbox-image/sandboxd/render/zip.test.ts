import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { probeSequence } from './probe.ts';
import { centralHeader, endRecords, localHeader, ZipWriter } from './zip.ts';

const fourGibibytes = 2 ** 32;
const png = PNG.sync.write(new PNG({ width: 3, height: 2 }));
const entry = { name: 'frame-00001.png', crc32: 0xdead_beef, sizeBytes: 1234, offset: 56 };

describe('zip records', () => {
  it('X9: declare the content as stored, with its length', () => {
    const header = localHeader(entry);
    expect(header.readUInt16LE(8)).toBe(0);
    expect([header.readUInt32LE(14), header.readUInt32LE(18), header.readUInt32LE(22)]).toEqual([0xdead_beef, 1234, 1234]);
    expect(header.subarray(30).toString()).toBe('frame-00001.png');
  });

  it('X9: use Zip64 for offsets beyond 4 GiB', () => {
    expect(centralHeader(entry).readUInt32LE(42)).toBe(56);
    const far = centralHeader({ ...entry, offset: fourGibibytes + 7 });
    expect(far.readUInt32LE(42)).toBe(0xffff_ffff);
    expect(far.readBigUInt64LE(far.length - 8)).toBe(BigInt(fourGibibytes + 7));
  });

  it.each([
    [{ entries: 3, offset: 100, sizeBytes: 180 }, 22],
    [{ entries: 65_535, offset: 100, sizeBytes: 180 }, 98],
    [{ entries: 3, offset: fourGibibytes + 5, sizeBytes: 180 }, 98],
    [{ entries: 72_000, offset: fourGibibytes * 3, sizeBytes: 5_000_000 }, 98],
  ])('X9: describe the directory %o at the end', (directory, bytes) => {
    const records = endRecords(directory);
    expect(records.length).toBe(bytes);
    const large = bytes > 22;
    const number = (near: [number, number], far: number) => {
      const [at, size] = near;
      return large ? Number(records.readBigUInt64LE(far)) : records.readUIntLE(at, size);
    };
    expect([number([10, 2], 32), number([12, 4], 40), number([16, 4], 48)]).toEqual([
      directory.entries,
      directory.sizeBytes,
      directory.offset,
    ]);
  });

  it('X9: rejects a truncated file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'koda-zip-'));
    try {
      const path = join(folder, 'frames.zip');
      await using zip = await ZipWriter.create(path);
      await zip.add('frame-00001.png', png);
      await zip.add('frame-00002.png', png);
      await zip.finish();
      expect(await probeSequence(path, 10)).toMatchObject({ frames: 2, codec: 'png', width: 3, height: 2, pixelFormat: 'rgba' });
      truncateSync(path, statSync(path).size - 1);
      await expect(probeSequence(path, 10)).rejects.toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
