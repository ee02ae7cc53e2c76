import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';
import { collectLicences, importedPackages, type LicenceList } from './collect.ts';

/**
 * Provides two modules to the page: `virtual:build`, the date and commit of the build, and `virtual:licences`, the licences
 * of everything in the page and the server.
 */
export function aboutModules(root: string): Plugin {
  const modules: Readonly<Record<string, () => unknown>> = {
    'virtual:build': () => ({ commit: commitOf(root), date: new Date().toISOString().slice(0, 10) }),
    'virtual:licences': () => licencesOf(root),
  };
  return {
    name: 'koda-about',
    resolveId: (id) => (id in modules ? `\0${id}` : null),
    load(id) {
      const make = modules[id.slice(1)];
      if (!id.startsWith('\0') || make === undefined) return null;
      // Parsing a string is several times faster than parsing the same data as code.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(make()))});\n`;
    },
  };
}

function licencesOf(root: string): LicenceList {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  // The page draws stills with the film template's components.
  const template = join(root, 'sandbox-image/templates/film');
  const drawing = ['drawing', 'formats', 'themes'].flatMap((folder) => importedPackages(join(template, 'src', folder)));
  return collectLicences([
    { part: 'page', from: root, names: importedPackages(join(root, 'web/src')) },
    { part: 'page', from: template, names: drawing },
    { part: 'server', from: root, names: Object.keys(dependencies) },
  ]);
}

/** Returns `null` if the sources have no history, as in an image's build. */
function commitOf(root: string): string | null {
  try {
    const said = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
      timeout: 5_000,
    });
    return said.trim() || null;
  } catch {
    return null;
  }
}
