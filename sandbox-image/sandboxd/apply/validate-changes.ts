import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { relative } from 'node:path';
import { type ApplyChange, applyLimits } from '#contract/sandbox/answers.ts';
import { pathProblem } from '#contract/sandbox/storable.ts';
import { fileNotFound } from '../files/listing.ts';
import { parentsOf } from '../files/tar-stage.ts';
import { existingPath, invalidPath, openFolder } from '../files/workspace.ts';
import { errnoOf, invalidRequest, ProtocolError } from '../http.ts';

export interface Step {
  /** Project path with all links in parent folders resolved. */
  readonly path: string;
  readonly content: Buffer | null;
  /** Whether the path exists, so that a backup is needed. */
  readonly replaces: boolean;
  readonly executable: boolean;
  /** Size of the existing regular file, otherwise `null`. */
  readonly sizeBytes: number | null;
}

/**
 * Validates all changes before any of them takes effect. Skips optional deletions of files that do not exist. Throws
 * INVALID_PATH, NOT_A_DIRECTORY, IS_A_DIRECTORY, TOO_LARGE, VALIDATION_ERROR, CONFLICT (the file already exists) or
 * FILE_NOT_FOUND.
 */
export async function validateChanges(workspace: string, changes: readonly ApplyChange[]): Promise<Step[]> {
  const steps = new Map<string, Step>();
  const named = new Set<string>();
  let bytes = 0;
  for (const change of changes) {
    const step = await validateChange(workspace, change);
    bytes += step.content?.length ?? 0;
    if (bytes > applyLimits.bytes)
      throw new ProtocolError('TOO_LARGE', `The files exceed ${applyLimits.bytes} bytes in total. Apply them in parts.`);
    if (named.has(step.path)) throw invalidRequest(`"${step.path}" is named in two changes. Name each file once.`);
    named.add(step.path);
    if (step.content !== null || step.replaces) steps.set(step.path, step);
  }
  for (const path of named) {
    const parent = parentsOf(path).find((folder) => named.has(folder));
    if (parent !== undefined) throw invalidRequest(`"${path}" is inside "${parent}", which another change names as a file.`);
  }
  return [...steps.values()];
}

async function validateChange(workspace: string, { path: input, content, encoding, expects }: ApplyChange): Promise<Step> {
  const path = locate(workspace, input);
  const bytes = content === null ? null : Buffer.from(content, encoding);
  if (bytes !== null && bytes.length > applyLimits.fileBytes)
    throw new ProtocolError(
      'TOO_LARGE',
      `"${path}" is ${bytes.length} bytes; the limit is ${applyLimits.fileBytes}. Split it into several files.`,
    );
  const stats = statsOf(workspace, path);
  if (stats?.isDirectory()) throw new ProtocolError('IS_A_DIRECTORY', `"${path}" is a folder, not a file.`);
  if (stats && !stats.isFile() && !stats.isSymbolicLink()) throw invalidPath(path, 'it is neither a file nor a link');
  if (stats && expects === 'nothing')
    throw new ProtocolError('CONFLICT', `"${path}" already exists, so it cannot be created. Update it, or choose another name.`);
  if (!stats && expects === 'file') throw await fileNotFound(workspace, path);
  const file = stats?.isFile() ? stats : null;
  return {
    path,
    content: bytes,
    replaces: stats !== null,
    executable: file !== null && (file.mode & 0o100) !== 0,
    sizeBytes: file?.size ?? null,
  };
}

/** Resolves the links in a path's existing parent folders. Throws INVALID_PATH or NOT_A_DIRECTORY. */
function locate(workspace: string, input: string): string {
  const { path, segments } = existingPath(workspace, input);
  const folders = segments.slice(0, -1);
  for (let depth = folders.length; ; depth--) {
    const base = realFolder(workspace, folders.slice(0, depth));
    if (base === null) continue;
    const real = [...base, ...segments.slice(depth)].join('/');
    const problem = pathProblem(real);
    if (problem !== null) throw invalidPath(path, problem);
    return real;
  }
}

function realFolder(workspace: string, segments: readonly string[]): string[] | null {
  try {
    using folder = openFolder(workspace, segments, { create: false, links: 'inside' });
    const path = relative(realpathSync(workspace), readlinkSync(folder.self));
    return path === '' ? [] : path.split('/');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && segments.length > 0) return null;
    throw error;
  }
}

function statsOf(workspace: string, path: string): Stats | null {
  const end = path.lastIndexOf('/');
  try {
    using folder = openFolder(workspace, end === -1 ? [] : path.slice(0, end).split('/'), { create: false, links: 'never' });
    return lstatSync(folder.at(path.slice(end + 1)), { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the folders to create for the written files, parents first. */
export function missingFolders(workspace: string, steps: readonly Step[]): string[] {
  const folders = new Set(steps.flatMap(({ path, content }) => (content === null ? [] : parentsOf(path))));
  return [...folders].filter((folder) => statsOf(workspace, folder) === null).sort();
}
