import { normalizeProjectPath } from '../../../server/contract/paths.ts';
import { untrackedNames } from '../../../server/contract/sandboxd.ts';

const untracked: ReadonlySet<string> = new Set(untrackedNames);

/**
 * Whether a path can be archived and restored: it passes the rules for paths, but for the spelling of its
 * letters, which stays as it is. Programs may make others (`a\b`, `con`); those are listed and left alone.
 */
export function isStorable(path: string): boolean {
  const result = normalizeProjectPath(path);
  return result.ok && result.path === path.normalize('NFC') && !isUntracked(path);
}

/** Whether a path lies in what is never tracked (`node_modules`, `.git` …). */
export function isUntracked(path: string): boolean {
  return path.split('/').some((segment) => untracked.has(segment));
}

/**
 * Whether a symbolic link at a path of the project may be archived: its target is relative and stays inside.
 * `..` is allowed at the front alone, since further in it would lead up from wherever another link points.
 */
export function isInnerLink(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0') || target.includes('\\')) return false;
  const segments = target.split('/').filter((segment) => segment !== '' && segment !== '.');
  const firstName = segments.findIndex((segment) => segment !== '..');
  const ups = firstName === -1 ? segments.length : firstName;
  return ups < path.split('/').length && !segments.slice(ups).includes('..');
}
