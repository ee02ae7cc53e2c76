import { describe, expect, it } from 'vitest';
import { firstFragmentEnd } from './first-picture.ts';

function box(name: string, contentBytes: number): Buffer {
  const bytes = Buffer.alloc(8 + contentBytes, 7);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write(name, 4, 'latin1');
  return bytes;
}

describe('the end of the first fragment', () => {
  const head = Buffer.concat([box('ftyp', 20), box('moov', 700)]);
  const film = Buffer.concat([head, box('moof', 90), box('mdat', 500), box('moof', 90), box('mdat', 400)]);
  const end = head.length + 98 + 508;

  it('finds the end of the first mdat after a moof, and not one byte earlier', () => {
    expect(firstFragmentEnd(film)).toBe(end);
    expect(firstFragmentEnd(film.subarray(0, end))).toBe(end);
    for (const missing of [1, 400, 505, 600, end]) expect(firstFragmentEnd(film.subarray(0, end - missing))).toBeNull();
  });

  it('finds none in a file with a single mdat', () => {
    expect(firstFragmentEnd(Buffer.concat([head, box('mdat', 500)]))).toBeNull();
  });

  it('refuses a file that is no MP4 instead of looping', () => {
    expect(() => firstFragmentEnd(Buffer.alloc(100))).toThrow('has no length');
  });
});
