import { normalizeProjectPath } from '../paths.ts';
import { untrackedNames } from './answers.ts';

const untracked: ReadonlySet<string> = new Set(untrackedNames);

/** Returns the reason why a repository must not contain a file with this name, or `null`. Accepts NFC and NFD. */
export function pathProblem(path: string): string | null {
  const result = normalizeProjectPath(path);
  if (!result.ok) return result.reason;
  if (result.path !== path.normalize('NFC')) return 'it is not normalised';
  return isUntracked(path) ? 'it is never part of a project' : null;
}

/** Returns whether a path is inside an untracked folder (`node_modules`, `.git` …), ignoring case. */
export function isUntracked(path: string): boolean {
  return path.split('/').some((segment) => untracked.has(segment.toLowerCase()));
}

/**
 * Returns the reason why a symbolic link must not be stored, or `null`. A link must be relative and stay inside the project.
 * `..` is allowed only at the start, because later it would be resolved after another link.
 */
export function linkProblem(path: string, target: string): string | null {
  const leadsOut = 'it is a symbolic link to outside of the project';
  if (target === '' || target.startsWith('/') || target.includes('\0') || target.includes('\\')) return leadsOut;
  const segments = target.split('/').filter((segment) => segment !== '' && segment !== '.');
  const firstName = segments.findIndex((segment) => segment !== '..');
  const ups = firstName === -1 ? segments.length : firstName;
  return ups < path.split('/').length && !segments.slice(ups).includes('..') ? null : leadsOut;
}
