import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { pathProblem } from '#contract/sandbox/storable.ts';
import { sourceFolder, specificationPath } from '#kinds/cycle/contract/cycle.ts';
import type { TreeFile } from './folder.ts';
import type { Tree } from './tree.ts';

const fileTypeMask = 0o170000;
const symbolicLink = 0o120000;
const regularFile = 0o100000;
/** A project's own limits, with its specification and configuration. */
const maxEntries = 25_000;
const maxBytes = 512 * 1024 * 1024;
const maxLinkBytes = 4096;

/** Returns the archive that starts a cycle. */
export async function zipOf({ files, links }: Tree, specification: string): Promise<Buffer<ArrayBuffer>> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(specification), specificationPath);
  for (const [path, { content, executable }] of files) zip.addBuffer(content, path, { mode: executable ? 0o100755 : 0o100644 });
  for (const [path, target] of links) zip.addBuffer(Buffer.from(target), path, { mode: 0o120777 });
  zip.end();
  return await buffer(zip.outputStream);
}

/**
 * Reads the files below `src/` from an archive of the result. It comes from a sandbox and is untrusted. Throws INVALID_PATH for names
 * that lead elsewhere and for links that did not exist before, and TOO_LARGE.
 */
export async function readResult(zipPath: string, before: Tree): Promise<Tree> {
  const zip = await openPromise(zipPath, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(unreadable);
  const files = new Map<string, TreeFile>();
  let entries = 0;
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      entries += 1;
      bytes += entry.uncompressedSize;
      if (entries > maxEntries || bytes > maxBytes) throw tooLarge();
      const path = entry.fileName;
      if (path.endsWith('/') || !path.startsWith(`${sourceFolder}/`)) continue;
      const type = typeOf(entry);
      const content = await buffer(await zip.openReadStreamPromise(entry));
      if (type === 'link') requireKnownLink(path, content.toString('utf8'), before);
      else files.set(path, { content, executable: ((entry.externalFileAttributes >>> 16) & 0o100) !== 0 });
    }
  } catch (error) {
    if (error instanceof KodaError) throw error;
    unreadable(error);
  } finally {
    zip.close();
  }
  return { files, links: before.links };
}

/** Archives without Unix attributes contain regular files only. */
function typeOf({ fileName, externalFileAttributes, uncompressedSize }: Entry): 'file' | 'link' {
  const problem = pathProblem(fileName);
  if (problem !== null) throw refused(fileName, problem);
  const type = (externalFileAttributes >>> 16) & fileTypeMask;
  if (type === 0 || type === regularFile) return 'file';
  if (type !== symbolicLink) throw refused(fileName, 'it is not a regular file');
  if (uncompressedSize > maxLinkBytes) throw refused(fileName, 'its target is too long');
  return 'link';
}

function requireKnownLink(path: string, target: string, { links }: Tree): void {
  if (links.get(path) === target) return;
  throw refused(path, 'it is a symbolic link that the cycle created, and links are not brought back');
}

function unreadable(cause: unknown): never {
  throw new KodaError('SERVICE_UNAVAILABLE', `The result could not be read: ${errorMessage(cause)}. Nothing was applied.`, {
    cause,
  });
}

function refused(path: string, reason: string): KodaError {
  return new KodaError('INVALID_PATH', `The result was not applied, because it contains ${JSON.stringify(path)}: ${reason}.`);
}

function tooLarge(): KodaError {
  return new KodaError(
    'TOO_LARGE',
    `The result has more than ${maxEntries} files or ${maxBytes / 1024 ** 2} MB, so it was not applied.`,
  );
}
