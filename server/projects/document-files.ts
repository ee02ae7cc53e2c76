import { KodaError } from '#contract/errors.ts';
import type { Phase } from '#contract/project.ts';
import type { ReadText } from '../kinds/kind.ts';
import { KeyedLock } from '../lib/keyed-lock.ts';
import { readAll } from '../lib/read-all.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import { kindOf, type ProjectDeps } from './deps.ts';

const maxFileBytes = 1024 * 1024;
/** While the agent is running, it writes the files itself. */
const followedPhases: readonly Phase[] = ['preview', 'complete', 'error'];

/** Shared by all projects in this process, because an older document must never overwrite a newer one. */
const following = new KeyedLock();

/**
 * Updates the files that are out of date with the project's document, all or none. The document is durable and its copy in the
 * files records which revision they match, so a crash loses nothing. `always`: even while the agent is running.
 */
export async function followDocument(
  core: Pick<ProjectDeps, 'store' | 'kinds'>,
  sandbox: Sandbox,
  projectId: string,
  { signal, always = false }: { signal: AbortSignal; always?: boolean },
): Promise<void> {
  await following.run(projectId, async () => {
    const { project, plan, approval } = await core.store.state(projectId);
    // The files show a plan that waits for approval, so that its stills can be captured.
    const waits = approval?.type === 'plan' && approval.planId === plan?.id;
    if (!always && !waits && !followedPhases.includes(project.phase)) return;
    if (plan === null || !(waits || (plan.edited === true && plan.accepted))) return;
    const behind = await kindOf(core, project).document.changesToFollow(plan, readFrom(sandbox, signal), { isProposed: waits });
    if (behind === null) return;
    const changes = [...behind.write, ...behind.remove.map((path) => ({ path, content: null }))].map((change) => ({
      ...change,
      encoding: 'utf8' as const,
      expects: 'any' as const,
    }));
    const answer = await sandbox.applyFiles({ changes, dependencies: [], check: null, timeoutMs: 0 }, { signal });
    if (!answer.applied) throw new Error('The sandbox ran a check that was not requested.');
    // Files of a plan that has not been accepted are not the project's work yet.
    if (waits) return;
    await core.store.record(projectId, [
      ...answer.written.map((file) => ({ type: 'file.written' as const, ...file })),
      ...answer.deleted.map((path) => ({ type: 'file.deleted' as const, path })),
    ]);
  });
}

export function readFrom(sandbox: Sandbox, signal: AbortSignal): ReadText {
  return async (path) => {
    try {
      return (await readAll(await sandbox.readFile(path, { signal }), maxFileBytes)).toString('utf8');
    } catch (error) {
      if (error instanceof SandboxdError && error.code === 'FILE_NOT_FOUND') return null;
      // Koda generates no file of this size, so it was written by someone else.
      if (error instanceof KodaError && error.code === 'TOO_LARGE') return '';
      throw error;
    }
  };
}
