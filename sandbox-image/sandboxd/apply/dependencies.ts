import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoOf } from '../http.ts';

const packageSchema = z.object({ version: z.string() });

/** Returns one sentence per missing package. An item of `wanted` is `name`, or `name@version` for an exact version. */
export function missingPackages(workspace: string, wanted: readonly string[]): string[] {
  return wanted.flatMap((dependency) => {
    const at = dependency.indexOf('@', 1);
    const name = at === -1 ? dependency : dependency.slice(0, at);
    const version = at === -1 ? null : dependency.slice(at + 1);
    const installed = installedVersion(workspace, name);
    if (installed === null) return [`The package "${name}" is not installed.`];
    if (version === null || version === installed) return [];
    return [`The package "${name}" is installed in version ${installed}, not ${version}.`];
  });
}

function installedVersion(workspace: string, name: string): string | null {
  try {
    return packageSchema.parse(JSON.parse(readFileSync(join(workspace, 'node_modules', name, 'package.json'), 'utf8'))).version;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}
