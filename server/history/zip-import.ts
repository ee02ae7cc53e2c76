import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { errorMessage, KodaError } from '../contract/errors.ts';
import { untrackedNames } from '../contract/sandboxd.ts';
import { importLimits, judgeEntries, judgeLink, unusable } from './import-limits.ts';

const untracked: ReadonlySet<string> = new Set(untrackedNames);
/** `version made by` of archives whose entries carry Unix modes. */
const unixHost = 3;
const fileTypeMask = 0o170000;
const regularFile = 0o100000;
const symbolicLink = 0o120000;

interface Wanted {
  readonly entry: Entry;
  readonly path: string;
  readonly link: boolean;
}

/**
 * The files of a zip as a tar stream, for `fastImportStream`. All names and sizes are judged before the first byte is
 * unpacked, and no more is unpacked than the sizes say. What a project never keeps (node_modules, .git …) is left out, and
 * so is a single folder around everything. Throws VALIDATION_ERROR, INVALID_PATH, TOO_LARGE; the stream fails with them, too.
 */
export async function* tarOfZip(path: string): AsyncGenerator<Uint8Array> {
  const zip = await orUnusable(() =>
    openPromise(path, {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: true,
      validateEntrySizes: true,
      strictFileNames: true,
    }),
  );
  const archive = pack();
  try {
    const wanted = withoutRoot(await orUnusable(() => wantedEntries(zip)));
    judgeEntries(wanted.map(({ entry, path }) => ({ path, sizeBytes: entry.uncompressedSize })));
    const filled = fill(archive, zip, wanted).catch((error: Error) => void archive.destroy(error));
    yield* archive as AsyncIterable<Uint8Array>;
    await filled;
  } catch (error) {
    throw error instanceof KodaError ? error : unusable(`the zip cannot be read (${errorMessage(error)})`, error);
  } finally {
    archive.destroy();
    zip.close();
  }
}

async function wantedEntries(zip: ZipFile): Promise<Wanted[]> {
  const wanted: Wanted[] = [];
  // Counted as they come: what an archive says of itself may be anything.
  let seen = 0;
  for await (const entry of zip.eachEntry()) {
    if (++seen > 4 * importLimits.files) throw unusable('it holds far too many entries');
    const path = entry.fileName;
    if (path.endsWith('/') || isLeftOut(path)) continue;
    if (entry.isEncrypted()) throw unusable('it is encrypted');
    const mode = entry.versionMadeBy >> 8 === unixHost ? entry.externalFileAttributes >>> 16 : 0;
    const type = mode & fileTypeMask;
    if (type !== 0 && type !== regularFile && type !== symbolicLink) {
      throw unusable(`${JSON.stringify(path)} is neither a file nor a folder nor a symbolic link`);
    }
    wanted.push({ entry, path, link: type === symbolicLink });
  }
  return wanted;
}

function isLeftOut(path: string): boolean {
  const segments = path.split('/');
  return segments[0] === '__MACOSX' || segments.at(-1) === '.DS_Store' || segments.some((segment) => untracked.has(segment));
}

/** Many programs put one folder around what they pack. */
function withoutRoot(wanted: readonly Wanted[]): readonly Wanted[] {
  const [root = '', ...others] = new Set(wanted.map(({ path }) => path.slice(0, path.indexOf('/') + 1)));
  if (root === '' || others.length > 0) return wanted;
  return wanted.map((one) => ({ ...one, path: one.path.slice(root.length) }));
}

async function fill(archive: Pack, zip: ZipFile, wanted: readonly Wanted[]): Promise<void> {
  for (const { entry, path, link } of wanted) {
    const content = await zip.openReadStreamPromise(entry);
    if (link) {
      if (entry.uncompressedSize > importLimits.linkBytes)
        throw unusable(`the symbolic link ${JSON.stringify(path)} is too long`);
      const target = Buffer.concat(await content.toArray()).toString('utf8');
      judgeLink(path, target);
      archive.entry({ name: path, type: 'symlink', linkname: target });
      continue;
    }
    const mode = entry.versionMadeBy >> 8 === unixHost && ((entry.externalFileAttributes >>> 16) & 0o100) !== 0 ? 0o755 : 0o644;
    await pipeline(content, archive.entry({ name: path, mode, size: entry.uncompressedSize }));
  }
  archive.finalize();
}

async function orUnusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof KodaError ? error : unusable(`it is no usable zip (${errorMessage(error)})`, error);
  }
}
