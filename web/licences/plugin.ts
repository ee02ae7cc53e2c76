import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';
import { collectLicences, importedPackages } from './collect.ts';

const moduleId = 'virtual:about';
const resolvedId = `\0${moduleId}`;

/** Gives the page `virtual:about`: when and of what it was built, and the licences of what is in it and in the server. */
export function aboutModule(root: string): Plugin {
  return {
    name: 'koda-about',
    resolveId: (id) => (id === moduleId ? resolvedId : null),
    load(id) {
      if (id !== resolvedId) return null;
      const { dependencies } = z
        .object({ dependencies: z.record(z.string(), z.string()) })
        .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
      const page = importedPackages(join(root, 'web/src'));
      const licences = collectLicences(root, { page, server: Object.keys(dependencies) });
      const build = { commit: commitOf(root), date: new Date().toISOString().slice(0, 10) };
      // A string is read several times faster than the same as code.
      const data = (value: unknown) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
      return `export const build = ${data(build)};\nexport const licences = ${data(licences)};\n`;
    },
  };
}

/** Null where the sources have no history, as in an image's build. */
function commitOf(root: string): string | null {
  try {
    const options = { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8', timeout: 5_000 } as const;
    return execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], options).trim() || null;
  } catch {
    return null;
  }
}
