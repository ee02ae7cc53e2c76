import { cp, mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { ProtocolError } from '../http.ts';
import { exists } from '../paths.ts';

/** Entries that are not copied from a template: packages are linked, and build output is regenerated. */
const notCopied: ReadonlySet<string> = new Set(['node_modules', 'dist', '.git']);
/**
 * Returns whether an entry belongs to a project. An empty workspace may contain Koda's own folder, the package link, and
 * `lost+found`.
 */
const isProjectEntry = (name: string) => name !== '.koda' && name !== 'node_modules' && name !== 'lost+found';

/**
 * Prepares a workspace: copies the template into an empty one and links the template's packages. Repeats an interrupted copy.
 * Returns whether it copied the template. Throws TEMPLATE_NOT_FOUND.
 */
export async function initWorkspace(workspace: string, templatesDir: string, template: string): Promise<boolean> {
  const source = join(templatesDir, template);
  if (!(await exists(source))) throw new ProtocolError('TEMPLATE_NOT_FOUND', `The template "${template}" does not exist.`);
  const inProgress = join(workspace, '.koda', 'initializing');
  const copies = (await readdir(workspace)).filter(isProjectEntry).length === 0 || (await exists(inProgress));
  if (copies) await copyTemplate(source, workspace, inProgress);
  await linkPackages(source, workspace);
  return copies;
}

async function copyTemplate(source: string, workspace: string, inProgress: string): Promise<void> {
  await mkdir(dirname(inProgress), { recursive: true });
  await writeFile(inProgress, '');
  const filter = (path: string) => path === source || !notCopied.has(basename(path));
  await cp(source, workspace, { recursive: true, verbatimSymlinks: true, filter });
  await relocateCompilerState(source, workspace);
  await rm(inProgress);
}

/**
 * Points the compiler's incremental state at the linked packages. It stores their real paths relative to the project, and if these
 * are wrong, the first type check compiles everything.
 */
async function relocateCompilerState(source: string, workspace: string): Promise<void> {
  const file = join(workspace, '.koda/types.tsbuildinfo');
  if (!(await exists(file))) return;
  const packages = relative(dirname(file), await realpath(join(source, 'node_modules')));
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('"../node_modules/', `"${packages}/`));
}

/** Keeps a `node_modules` that the project has installed itself. */
async function linkPackages(source: string, workspace: string): Promise<void> {
  const packages = join(source, 'node_modules');
  const target = join(workspace, 'node_modules');
  if ((await exists(target)) || !(await exists(packages))) return;
  const tempPath = `${target}.new`;
  await rm(tempPath, { force: true, recursive: true });
  await symlink(packages, tempPath);
  await rename(tempPath, target);
}
