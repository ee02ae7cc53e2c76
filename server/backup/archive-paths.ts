import { backupDatabaseName, backupHeaderName, backupManifestName } from '#contract/maintenance.ts';

const objectFile = /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]{40,64}\.(?:pack|idx|rev))$/;
const refFile = /^(?:packed-refs|refs(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+)$/;

export const isObjectFile = (path: string): boolean => objectFile.test(path);
/** Returns whether a repository file is a git reference. Configuration and hooks are not, and are never restored. */
export const isRefFile = (path: string): boolean => refFile.test(path) && !path.endsWith('.lock') && !path.includes('..');

const projectFile = /^projects\/(prj_[a-z0-9]{16,32})\.git\/(.+)$/;
const otherFile =
  /^(?:assets\/prj_[a-z0-9]{16,32}\/ast_[a-z0-9]{16,32}\.[a-z0-9]{1,8}|renders\/rnd_[a-z0-9]{16,32}\/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9]+)*)$/;

/** Returns whether a path is on the allowlist, which excludes anything that git or the server would execute. */
export function isBackupPath(path: string): boolean {
  if (path === backupHeaderName || path === backupManifestName || path === backupDatabaseName) return true;
  const inRepository = projectFile.exec(path)?.[2];
  if (inRepository !== undefined) return isObjectFile(inRepository) || isRefFile(inRepository);
  return otherFile.test(path);
}

export function projectOfHistory(path: string): string | null {
  return projectFile.exec(path)?.[1] ?? null;
}
