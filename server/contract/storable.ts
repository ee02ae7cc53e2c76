import { normalizeProjectPath } from './paths.ts';
import { untrackedNames } from './sandboxd.ts';

const untracked: ReadonlySet<string> = new Set(untrackedNames);

/** Why no repository should hold a file of this name, in words; null when it may. Letters keep their spelling, NFC or NFD. */
export function pathProblem(path: string): string | null {
  const result = normalizeProjectPath(path);
  if (!result.ok) return result.reason;
  if (result.path !== path.normalize('NFC')) return 'it is not in its plain form';
  return isUntracked(path) ? 'it is never part of a project' : null;
}

/** Whether a path lies in what is never tracked (`node_modules`, `.git` …), in whatever case its letters are. */
export function isUntracked(path: string): boolean {
  return path.split('/').some((segment) => untracked.has(segment.toLowerCase()));
}

/**
 * Why a symbolic link may not be kept: it has to be relative and to stay inside. `..` is allowed at the front alone,
 * since further in it would lead up from wherever another link points.
 */
export function linkProblem(path: string, target: string): string | null {
  const leadsOut = 'it is a symbolic link that leads out of the project';
  if (target === '' || target.startsWith('/') || target.includes('\0') || target.includes('\\')) return leadsOut;
  const segments = target.split('/').filter((segment) => segment !== '' && segment !== '.');
  const firstName = segments.findIndex((segment) => segment !== '..');
  const ups = firstName === -1 ? segments.length : firstName;
  return ups < path.split('/').length && !segments.slice(ups).includes('..') ? null : leadsOut;
}
