import { KodaError } from '#contract/errors.ts';
import { nulTexts } from './diff-parse.ts';
import { GitError, git, gitOutput } from './git.ts';
import { importLimits, unusable, validateEntries, validateLink } from './import-limits.ts';
import { incomingRef } from './repository.ts';

interface Job {
  /** The import's private repository, which the caller deletes on failure. */
  readonly repository: string;
  readonly signal: AbortSignal;
}

interface FetchJob extends Job {
  readonly requiredFiles: readonly string[];
}

interface TreeEntry {
  readonly path: string;
  readonly type: string;
  readonly mode: string;
  readonly oid: string;
  readonly sizeBytes: number;
}

/** A crafted pack can expand to objects of any size. */
const limits = { memoryBytes: 1536 * 1024 ** 2, cpuSeconds: 10 * 60 };
/** Branches to import, in order of preference. */
const preferredRefs = ['HEAD', 'refs/heads/main', 'refs/heads/master'];

/** Fetches and validates a bundle. Returns its newest commit. Throws VALIDATION_ERROR, INVALID_PATH or TOO_LARGE. */
export async function fetchBundle(path: string, job: FetchJob): Promise<string> {
  const { repository, signal } = job;
  const call = { repository, signal, input: null, limits };
  try {
    await git(['bundle', 'verify', '--quiet', path], call);
    const ref = branchOf(await git(['bundle', 'list-heads', path], call));
    const fetch = [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-recurse-submodules',
      path,
      `+${ref}:${incomingRef}`,
    ];
    await git(['-c', 'transfer.fsckObjects=true', '-c', 'fetch.unpackLimit=1', ...fetch], call);
    // Some versions of git ignore `transfer.fsckObjects` for bundles.
    await git(['fsck', '--strict', '--full', '--no-dangling', '--no-reflogs'], call);
    const commitId = (await git(['rev-parse', '--verify', `${incomingRef}^{commit}`], call)).trim();
    await validateTree(commitId, job);
    return commitId;
  } catch (error) {
    if (error instanceof KodaError && error.code === 'LIMIT_EXCEEDED')
      throw unusable('unpacking it takes too much memory or CPU time. Create it from a smaller history', error);
    if (!(error instanceof GitError)) throw error;
    throw unusable('git rejects its content. Create the bundle with its full history: git bundle create <file> main', error);
  }
}

function branchOf(heads: string): string {
  const refs = heads.split('\n').flatMap((line) => line.slice(line.indexOf(' ') + 1).trim() || []);
  const preferred = preferredRefs.find((ref) => refs.includes(ref));
  if (preferred !== undefined) return preferred;
  const [only, ...others] = refs.filter((ref) => ref.startsWith('refs/heads/'));
  if (only !== undefined && others.length === 0) return only;
  throw unusable('it has several branches, and none is called main. Create it with: git bundle create <file> main');
}

async function validateTree(commitId: string, { repository, signal, requiredFiles }: FetchJob): Promise<void> {
  const entries: TreeEntry[] = [];
  const output = gitOutput(['ls-tree', '-r', '-z', '--long', commitId], { repository, signal });
  for await (const text of nulTexts(output)) {
    const [, mode = '', type = '', oid = '', size = '', path = ''] = /^(\d+) (\w+) (\w+) +(\d+|-)\t(.*)$/s.exec(text) ?? [];
    if (type !== 'blob')
      throw unusable(`${JSON.stringify(path)} is a submodule; only files, folders and symbolic links can be imported`);
    entries.push({ path, type, mode, oid, sizeBytes: Number(size) });
    if (entries.length > importLimits.files) break;
  }
  validateEntries(entries, requiredFiles);
  const links = entries.filter(({ mode }) => mode === '120000');
  if (links.length > importLimits.bundledLinks)
    throw unusable(`it contains more than ${importLimits.bundledLinks} symbolic links`);
  for (const { path, oid, sizeBytes } of links) {
    if (sizeBytes > importLimits.linkBytes) throw unusable(`the symbolic link ${JSON.stringify(path)} is too long`);
    validateLink(path, await git(['cat-file', 'blob', oid], { repository, signal, input: null }));
  }
}

export async function readText(
  { repository, signal }: Job,
  commitId: string,
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<string | null> {
  const object = `${commitId}:${path}`;
  try {
    const size = Number(await git(['cat-file', '-s', object], { repository, signal, input: null }));
    return size > maxBytes ? null : await git(['cat-file', 'blob', object], { repository, signal, input: null });
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
