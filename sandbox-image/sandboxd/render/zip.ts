import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Zip records for stored entries (PKWARE's APPNOTE.TXT 6.3, sections 4.3 and 4.5.3 for Zip64), little-endian. */
interface ZipEntry {
  readonly name: string;
  readonly crc32: number;
  readonly sizeBytes: number;
  readonly offset: number;
}

const version = 20;
const zip64Version = 45;
/** 1 January 1980, the earliest date, so that two runs produce identical bytes. */
const dosDate = 0x21;
const max16 = 0xffff;
const max32 = 0xffff_ffff;

const centralSignature = 0x0201_4b50;
const endSignature = 0x0605_4b50;
const zip64EndSignature = 0x0606_4b50;
const zip64LocatorSignature = 0x0706_4b50;
const localHeaderBytes = 30;
const centralHeaderBytes = 46;
const endBytes = 22;
const zip64EndBytes = 56;
const zip64LocatorBytes = 20;

export function localHeader({ name, crc32, sizeBytes }: Omit<ZipEntry, 'offset'>): Buffer {
  const header = Buffer.alloc(localHeaderBytes);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(dosDate, 12);
  header.writeUInt32LE(crc32, 14);
  header.writeUInt32LE(sizeBytes, 18);
  header.writeUInt32LE(sizeBytes, 22);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

export function centralHeader({ name, crc32, sizeBytes, offset }: ZipEntry): Buffer {
  const far = offset >= max32;
  const header = Buffer.alloc(centralHeaderBytes);
  header.writeUInt32LE(centralSignature, 0);
  header.writeUInt16LE(far ? zip64Version : version, 4);
  header.writeUInt16LE(far ? zip64Version : version, 6);
  header.writeUInt16LE(dosDate, 14);
  header.writeUInt32LE(crc32, 16);
  header.writeUInt32LE(sizeBytes, 20);
  header.writeUInt32LE(sizeBytes, 24);
  header.writeUInt16LE(Buffer.byteLength(name), 28);
  const extra = Buffer.alloc(far ? 12 : 0);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(far ? max32 : offset, 42);
  if (far) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(offset), 4);
  }
  return Buffer.concat([header, Buffer.from(name), extra]);
}

interface ZipDirectory {
  readonly entries: number;
  readonly offset: number;
  readonly sizeBytes: number;
}

export function endRecords({ entries, offset, sizeBytes }: ZipDirectory): Buffer {
  const zip64 = entries >= max16 || offset >= max32 || sizeBytes >= max32;
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(Math.min(entries, max16), 8);
  end.writeUInt16LE(Math.min(entries, max16), 10);
  end.writeUInt32LE(Math.min(sizeBytes, max32), 12);
  end.writeUInt32LE(Math.min(offset, max32), 16);
  if (!zip64) return end;
  const large = Buffer.alloc(zip64EndBytes);
  large.writeUInt32LE(zip64EndSignature, 0);
  large.writeBigUInt64LE(BigInt(zip64EndBytes - 12), 4);
  large.writeUInt16LE(zip64Version, 12);
  large.writeUInt16LE(zip64Version, 14);
  large.writeBigUInt64LE(BigInt(entries), 24);
  large.writeBigUInt64LE(BigInt(entries), 32);
  large.writeBigUInt64LE(BigInt(sizeBytes), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(zip64LocatorBytes);
  locator.writeUInt32LE(zip64LocatorSignature, 0);
  locator.writeBigUInt64LE(BigInt(offset + sizeBytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}

/**
 * Writes a zip of stored entries. Keeps only their names and offsets in memory.
 *
 * yazl is not used because it keeps every buffer until the end (2 GB for 2,000 frames of 1 MB), and Java rejects the stored
 * entries that it streams.
 */
export class ZipWriter implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #entries: ZipEntry[] = [];
  #offset = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Replaces an existing file. */
  static async create(path: string): Promise<ZipWriter> {
    return new ZipWriter(await open(path, 'w'));
  }

  async add(name: string, content: Buffer): Promise<void> {
    const entry = { name, crc32: crc32(content), sizeBytes: content.length, offset: this.#offset };
    await this.#append(localHeader(entry));
    await this.#append(content);
    this.#entries.push(entry);
  }

  async finish(): Promise<void> {
    const offset = this.#offset;
    for (const entry of this.#entries) await this.#append(centralHeader(entry));
    await this.#append(endRecords({ entries: this.#entries.length, offset, sizeBytes: this.#offset - offset }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #append(bytes: Buffer): Promise<void> {
    await this.#file.appendFile(bytes);
    this.#offset += bytes.length;
  }
}
