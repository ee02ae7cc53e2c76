import { type FileList, maxInnerPathLength } from '#contract/sandbox/answers.ts';
import { errnoOf, ProtocolError } from '../http.ts';
import { statPath } from './content.ts';
import { similarPaths } from './similar.ts';
import { entryOf, walkTree } from './walk.ts';
import { existingFolder } from './workspace.ts';

export const maxListed = 20_000;
const maxSimilar = 5;

/** Lists a folder. `complete` is `false` if it has more than `maxListed` entries, or paths that are too long for the protocol. */
export async function listFolder(workspace: string, input: string, recursive: boolean): Promise<FileList> {
  const { path, segments } = existingFolder(workspace, input);
  if (segments.length > 0) {
    const entry = await statPath(workspace, path);
    if (entry.type === 'file') throw new ProtocolError('NOT_A_DIRECTORY', `"${path}" is not a folder.`);
  }
  const list: FileList = { files: [], complete: true };
  for await (const found of walkTree(workspace, segments, { recursive })) {
    const entry = entryOf(found.path, found.stats);
    if (!entry) continue;
    if (list.files.length === maxListed) return { ...list, complete: false };
    if (entry.path.length > maxInnerPathLength) list.complete = false;
    else list.files.push(entry);
  }
  return list;
}

/** Converts an ENOENT rejection to FILE_NOT_FOUND. */
export async function orNotFound<Value>(workspace: string, path: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw await fileNotFound(workspace, path);
    throw error;
  }
}

/** Returns a FILE_NOT_FOUND error that suggests up to five existing paths similar to `path`. */
export async function fileNotFound(workspace: string, path: string): Promise<ProtocolError> {
  const { files } = await listFolder(workspace, '', true);
  const existing = files.filter((file) => file.type !== 'directory').map((file) => file.path);
  const similar = similarPaths(path, existing, maxSimilar);
  const hint = similar.length > 0 ? ` Similar paths: ${similar.join(', ')}.` : '';
  return new ProtocolError('FILE_NOT_FOUND', `"${path}" does not exist.${hint}`, { path, similar });
}
