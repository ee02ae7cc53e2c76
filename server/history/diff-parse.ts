import type { ChangedFile, FileDiff } from '#contract/history.ts';

/** Thrown if git's output does not match its documented format, for example because a commit is missing. */
export class UnreadableDiff extends Error {
  constructor(token: string) {
    super(`git printed an unexpected diff: ${JSON.stringify(token.slice(0, 200))}`);
    this.name = 'UnreadableDiff';
  }
}

/** Splits git's `-z` output into strings, each ending with NUL, the only byte that paths cannot contain. */
export async function* nulTexts(output: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Uint8Array = Buffer.alloc(0);
  for await (const piece of output) {
    let bytes = rest.byteLength === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0)) {
      yield bytes.toString('utf8', 0, end);
      bytes = bytes.subarray(end + 1);
    }
    rest = bytes;
  }
  if (rest.byteLength > 0) throw new UnreadableDiff(Buffer.from(rest).toString('utf8'));
}

/** Parses `git diff-tree --stdin --always -r -z --name-status`. Each commit starts with a `null` file. */
export async function* parseNameStatus(
  texts: AsyncIterable<string>,
): AsyncGenerator<{ commitId: string; file: ChangedFile | null }> {
  const source = texts[Symbol.asyncIterator]();
  let commitId = '';
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    if (/^[0-9a-f]{40}$/.test(next.value)) {
      commitId = next.value;
      yield { commitId, file: null };
      continue;
    }
    yield { commitId, file: await readChange(next.value, source) };
  }
}

/**
 * Parses the per-file output of `git diff-tree -r -z --raw --numstat`, which lists files without their content. parse-diff reads
 * only patches, so it would need the whole content of every changed file.
 */
export async function parseDiff(texts: AsyncIterable<string>): Promise<FileDiff[]> {
  const files = new Map<string, FileDiff>();
  const source = texts[Symbol.asyncIterator]();
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    if (next.value.startsWith(':')) {
      const change = await readChange(next.value.slice(next.value.lastIndexOf(' ') + 1), source);
      files.set(change.path, { ...change, binary: false, addedLines: null, deletedLines: null });
      continue;
    }
    const [, added, deleted, name = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(next.value) ?? [];
    if (added === undefined) throw new UnreadableDiff(next.value);
    // For a renamed file, both names come after the numbers.
    if (name === '') await readText(source);
    const path = name === '' ? await readText(source) : name;
    const file = files.get(path);
    if (file === undefined) throw new UnreadableDiff(next.value);
    const lines =
      added === '-' ? { addedLines: null, deletedLines: null } : { addedLines: Number(added), deletedLines: Number(deleted) };
    files.set(path, { ...file, ...lines, binary: added === '-' });
  }
  return [...files.values()];
}

const statuses: Record<string, ChangedFile['status']> = { A: 'added', M: 'modified', T: 'modified', D: 'deleted', R: 'renamed' };

async function readChange(letters: string, source: AsyncIterator<string>): Promise<ChangedFile> {
  const status = statuses[letters.slice(0, 1)];
  if (status === undefined) throw new UnreadableDiff(letters);
  const previousPath = status === 'renamed' ? await readText(source) : null;
  return { path: await readText(source), status, previousPath };
}

async function readText(source: AsyncIterator<string>): Promise<string> {
  const next = await source.next();
  if (next.done === true) throw new UnreadableDiff('');
  return next.value;
}
