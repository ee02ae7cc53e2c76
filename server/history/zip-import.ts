import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { untrackedNames } from '#contract/sandbox/answers.ts';
import { importLimits, unusable, validateEntries, validateLink } from './import-limits.ts';

const untracked: ReadonlySet<string> = new Set(untrackedNames);
/** Host system in `version made by` for archives whose entries have Unix modes. */
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
 * Streams a zip's files as a tar for `fastImportStream`. Validates all names and sizes, and that the `requiredFiles` exist, before
 * unpacking, and enforces the declared sizes. Skips files that a project never tracks (node_modules, .git …), and strips a single
 * top-level folder. Throws VALIDATION_ERROR, INVALID_PATH or TOO_LARGE; the stream fails with the same codes.
 */
export async function* tarOfZip(path: string, requiredFiles: readonly string[]): AsyncGenerator<Uint8Array> {
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
    validateEntries(
      wanted.map(({ entry, path }) => ({ path, sizeBytes: entry.uncompressedSize })),
      requiredFiles,
    );
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
  // Counted while reading, because the archive's own count is untrusted.
  let seen = 0;
  for await (const entry of zip.eachEntry()) {
    if (++seen > 4 * importLimits.files) throw unusable('it has too many entries');
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

/** Many programs put a single folder around the packed files. */
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
      validateLink(path, target);
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
    throw error instanceof KodaError ? error : unusable(`it is not a readable zip (${errorMessage(error)})`, error);
  }
}
