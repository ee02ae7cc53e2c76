import { isWritablePath, normalizeProjectPath } from '../../../server/contract/paths.ts';
import { texts } from '../texts.ts';

/** Judges a path for a new file: the path as it will be, or why there can be no such file. */
export function judgeNewPath(
  typed: string,
  paths: ReadonlySet<string>,
): { readonly path: string } | { readonly problem: string } {
  const result = normalizeProjectPath(typed.trim());
  if (!result.ok) return { problem: texts.code.pathRefused(result.reason) };
  const { path } = result;
  if (typed.trim().endsWith('/')) return { problem: texts.code.pathIsFolder };
  if (!isWritablePath(path)) return { problem: texts.code.pathNotWritable };
  const folder = [...paths].some((known) => known.startsWith(`${path}/`));
  return paths.has(path) || folder ? { problem: texts.code.pathTaken } : { path };
}

/** What the path of a new file begins with: the folder of the one that is shown, if files can be made there. */
export function newPathStart(beside: string | null): string {
  const folder = beside === null ? '' : beside.slice(0, beside.lastIndexOf('/') + 1);
  return folder !== '' && isWritablePath(`${folder}x`) ? folder : 'src/';
}
