import { type FileHandle, open } from 'node:fs/promises';
import type { RenderProbe } from '../../../server/contract/render.ts';
import { countEntries, endRecordsBytes, localHeaderBytes, readEndRecords } from './zip-format.ts';

type SequenceProbe = Pick<
  RenderProbe,
  'durationSeconds' | 'sizeBytes' | 'frames' | 'codec' | 'pixelFormat' | 'width' | 'height' | 'fps'
>;

/** Colour types of a PNG (ISO/IEC 15948, 11.2.2) under the names that FFmpeg has for them. */
const colourTypes: Record<number, string> = { 2: 'rgb24', 6: 'rgba' };
const pngHeaderBytes = 26;

/** What a zip of PNG files holds, read from its own directory and its first picture. Throws Error when it is damaged. */
export async function probeSequence(path: string, fps: number): Promise<SequenceProbe> {
  await using file = await open(path);
  const sizeBytes = (await file.stat()).size;
  const tailBytes = Math.min(endRecordsBytes, sizeBytes);
  const directory = readEndRecords(await read(file, sizeBytes - tailBytes, tailBytes));
  const frames = countEntries(await read(file, directory.offset, directory.sizeBytes));
  if (frames !== directory.entries) throw new Error(`The zip holds ${frames} files but says ${directory.entries}.`);
  const header = await read(file, 0, localHeaderBytes);
  const png = await read(file, localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28), pngHeaderBytes);
  return {
    durationSeconds: frames / fps,
    sizeBytes,
    frames,
    codec: png.toString('latin1', 1, 4).toLowerCase(),
    pixelFormat: colourTypes[png.readUInt8(25)] ?? `PNG colour type ${png.readUInt8(25)}`,
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    fps,
  };
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error('The zip ends too early.');
  return buffer;
}
