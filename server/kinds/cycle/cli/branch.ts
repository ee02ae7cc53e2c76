import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { git } from './git.ts';
import type { Change } from './tree.ts';

const noCommit = '0'.repeat(40);
const fallbackIdentity = { GIT_AUTHOR_NAME: 'Koda', GIT_AUTHOR_EMAIL: 'koda@localhost' };

/** Throws VALIDATION_ERROR if the root is in no git repository with a commit, and CONFLICT if the branch exists. */
export function requireNewBranch(root: string, branch: string): void {
  try {
    git(root, ['check-ref-format', '--branch', branch]);
  } catch (cause) {
    throw new KodaError('VALIDATION_ERROR', `“${branch}” cannot be the name of a branch. Choose another one.`, { cause });
  }
  try {
    git(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  } catch (cause) {
    throw new KodaError('VALIDATION_ERROR', `${root} is not in a git repository with a commit, which --branch needs.`, { cause });
  }
  if (git(root, ['for-each-ref', '--format=%(refname)', refOf(branch)]).toString() !== '')
    throw new KodaError('CONFLICT', `The branch ${branch} already exists. Choose another name, or delete it first.`);
}

/** Commits the changes on a new branch on top of HEAD. Touches neither the work tree nor the index. Returns the commit's id. */
export function commitOnBranch(root: string, branch: string, changes: readonly Change[], message: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'koda-index-'));
  const env = { GIT_INDEX_FILE: join(folder, 'index') };
  const text = (args: readonly string[], input?: Buffer | string) => git(root, args, { env, input }).toString('utf8').trim();
  try {
    const parent = text(['rev-parse', 'HEAD^{commit}']);
    const prefix = git(root, ['rev-parse', '--show-prefix']).toString('utf8').replace(/\n$/, '');
    text(['read-tree', parent]);
    const entries = changes.map(({ path, after }) => {
      const place = `${prefix}${path}\0`;
      if (after === null) return `0 ${noCommit}\t${place}`;
      const blob = text(['hash-object', '-w', '--stdin'], after.content);
      return `${after.executable ? '100755' : '100644'} ${blob}\t${place}`;
    });
    text(['update-index', '-z', '--index-info'], entries.join(''));
    const tree = text(['write-tree']);
    const commit = git(root, ['commit-tree', tree, '-p', parent, '-m', message], { env: { ...env, ...identityIn(root) } });
    const id = commit.toString('utf8').trim();
    text(['update-ref', '-m', 'koda run-cycle', refOf(branch), id, noCommit]);
    return id;
  } catch (cause) {
    if (cause instanceof KodaError) throw cause;
    throw new KodaError('EXECUTION_ERROR', `The result could not be committed on ${branch}: ${errorMessage(cause)}`, { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A machine without a configured identity can still commit. */
function identityIn(root: string): Record<string, string> {
  try {
    git(root, ['var', 'GIT_AUTHOR_IDENT']);
    return {};
  } catch {
    return { ...fallbackIdentity, GIT_COMMITTER_NAME: 'Koda', GIT_COMMITTER_EMAIL: 'koda@localhost' };
  }
}

const refOf = (branch: string) => `refs/heads/${branch}`;
