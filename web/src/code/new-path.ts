import { isWritablePath, normalizeProjectPath } from '../../../server/contract/paths.ts';

/** Judges a path for a new file: the path as it will be, or why there can be no such file. */
export function judgeNewPath(
  typed: string,
  paths: ReadonlySet<string>,
): { readonly path: string } | { readonly problem: string } {
  const result = normalizeProjectPath(typed.trim());
  if (!result.ok) return { problem: `This path cannot be used: ${result.reason}.` };
  const { path } = result;
  if (typed.trim().endsWith('/')) return { problem: 'Add the name of the file.' };
  if (!isWritablePath(path))
    return { problem: 'Files can be made in src/, public/ and scripts/, and configuration files in the root.' };
  const folder = [...paths].some((known) => known.startsWith(`${path}/`));
  return paths.has(path) || folder ? { problem: 'There is something of that name already.' } : { path };
}

/** What the path of a new file begins with: the folder of the one that is shown, if files can be made there. */
export function newPathStart(beside: string | null): string {
  const folder = beside === null ? '' : beside.slice(0, beside.lastIndexOf('/') + 1);
  return folder !== '' && isWritablePath(`${folder}x`) ? folder : 'src/';
}
