import { cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProtocolError } from '../http.ts';
import { exists } from '../paths.ts';

/** Of a template these are not copied: packages are shared by a link, build output is made again. */
const notCopied: ReadonlySet<string> = new Set(['node_modules', 'dist', '.git']);
/** What an empty workspace may hold: our own folder, the link to the packages, and what file systems put there. */
const counted = (name: string) => name !== '.koda' && name !== 'node_modules' && name !== 'lost+found';

/**
 * Makes a workspace usable: copies the template when it is empty, and links the template's packages.
 * True when it copied. An interrupted copy is begun again. Throws ProtocolError TEMPLATE_NOT_FOUND.
 */
export async function initWorkspace(workspace: string, templatesDir: string, template: string): Promise<boolean> {
  const source = join(templatesDir, template);
  if (!(await exists(source))) throw new ProtocolError('TEMPLATE_NOT_FOUND', `There is no template "${template}".`);
  const unfinished = join(workspace, '.koda', 'initializing');
  const copies = (await readdir(workspace)).filter(counted).length === 0 || (await exists(unfinished));
  if (copies) await copyTemplate(source, workspace, unfinished);
  await linkPackages(source, workspace);
  return copies;
}

async function copyTemplate(source: string, workspace: string, unfinished: string): Promise<void> {
  await mkdir(dirname(unfinished), { recursive: true });
  await writeFile(unfinished, '');
  const filter = (path: string) => path === source || !notCopied.has(basename(path));
  await cp(source, workspace, { recursive: true, verbatimSymlinks: true, filter });
  await rm(unfinished);
}

/** A folder of packages that the project has installed itself stays. */
async function linkPackages(source: string, workspace: string): Promise<void> {
  const packages = join(source, 'node_modules');
  const place = join(workspace, 'node_modules');
  if ((await exists(place)) || !(await exists(packages))) return;
  const temporary = `${place}.new`;
  await rm(temporary, { force: true, recursive: true });
  await symlink(packages, temporary);
  await rename(temporary, place);
}
