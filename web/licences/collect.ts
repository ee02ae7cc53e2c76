import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** Where a package is used. */
export type Part = 'page' | 'server';

export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  /** As named by the package: `MIT`, `OFL-1.1`. */
  readonly licence: string;
  readonly parts: readonly Part[];
  /** Index of its text in `texts`; `null` if the package has none. */
  readonly text: number | null;
}

export interface LicenceList {
  readonly packages: readonly LicensedPackage[];
  /** Many packages share the same text. */
  readonly texts: readonly string[];
}

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.looseObject({ type: z.string() })]).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});
type Manifest = z.output<typeof manifestSchema>;

/** Packages that a part uses, as code in the folder `from` finds them. */
export interface Wanted {
  readonly part: Part;
  readonly from: string;
  readonly names: readonly string[];
}

/**
 * Returns the licences of packages and all their dependencies, by name. The list may contain slightly more than what is
 * shipped, never less.
 */
export function collectLicences(wanted: readonly Wanted[]): LicenceList {
  const found = new Map<string, { readonly folder: string; readonly manifest: Manifest; readonly parts: Set<Part> }>();
  const visited = new Set<string>();
  const visit = (name: string, from: string, part: Part): void => {
    const folder = packageFolder(name, from);
    // Optional packages are not installed on every machine.
    if (folder === null) return;
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    if (visited.has(`${part} ${folder}`)) return;
    visited.add(`${part} ${folder}`);
    // The page and the film template may have copies of the same version.
    const key = `${manifest.name}@${manifest.version}`;
    const known = found.get(key) ?? { folder, manifest, parts: new Set<Part>() };
    known.parts.add(part);
    found.set(key, known);
    const { dependencies, peerDependencies } = manifest;
    for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) visit(dependency, folder, part);
  };
  for (const { part, from, names } of wanted) for (const name of names) visit(name, from, part);

  const texts: string[] = [];
  const placeOf = (text: string | null): number | null => {
    if (text === null) return null;
    const known = texts.indexOf(text);
    return known === -1 ? texts.push(text) - 1 : known;
  };
  const packages = [...found.values()]
    .toSorted((a, b) => a.manifest.name.localeCompare(b.manifest.name) || a.manifest.version.localeCompare(b.manifest.version))
    .map(({ folder, manifest, parts }) => ({
      name: manifest.name,
      version: manifest.version,
      licence: nameOf(manifest.license),
      parts: [...parts],
      text: placeOf(licenceText(folder)),
    }));
  return { packages, texts };
}

const imports = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;

/** Returns the packages that source files import, including styles. */
export function importedPackages(folder: string): string[] {
  const names = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(tsx?|css)$/.test(path) || /\.test\.tsx?$/.test(path)) continue;
    for (const [, specifier = ''] of readFileSync(join(folder, path), 'utf8').matchAll(imports)) {
      const name = /^(?:@[\w.-]+\/)?[\w-][\w.-]*/.exec(specifier)?.[0];
      if (name !== undefined && !/^(?:node|virtual):/.test(specifier)) names.add(name);
    }
  }
  return [...names].toSorted();
}

/** Returns the folder of a package imported in a folder: in the nearest `node_modules` upwards that contains it. */
function packageFolder(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) return null;
  }
}

function nameOf(licence: Manifest['license']): string {
  if (licence === undefined) return 'see its words';
  return typeof licence === 'string' ? licence : licence.type;
}

function licenceText(folder: string): string | null {
  const files = readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name))
    .toSorted();
  if (files.length === 0) return null;
  return files.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n');
}
