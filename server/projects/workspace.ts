import { Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';
import { koda, type Principal } from '#contract/principal.ts';
import type { Asset, Phase } from '#contract/project.ts';
import { readAll } from '../lib/bytes.ts';
import { KeyedLock } from '../lib/keyed-lock.ts';
import { type Priority, type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import { kindOf, type ProjectDeps } from './deps.ts';
import type { ReadText } from './kind.ts';
import { newMessage } from './phases.ts';

type WorkspaceDeps = Pick<ProjectDeps, 'store' | 'sandboxes' | 'checkpoints' | 'assets' | 'kinds'>;

/**
 * Returns the project's sandbox with files that match the document: the running one, or a new one from the template, filled
 * from the last checkpoint and the uploads. Waits while too many other sandboxes run.
 */
export async function openWorkspace(
  core: WorkspaceDeps,
  projectId: string,
  options: { signal: AbortSignal; priority: Priority },
): Promise<{ sandbox: Sandbox; created: boolean }> {
  const project = await core.store.get(projectId);
  const kind = kindOf(core, project);
  const { sandbox, fresh } = await core.sandboxes.acquire(projectId, {
    template: kind.template,
    limits: kind.sandbox,
    priority: options.priority,
    signal: options.signal,
    prepare: async (empty, call) => {
      await core.checkpoints.restore(projectId, { ...call, sandbox: empty });
      await placeAssets(core, empty, projectId, call);
      // The checkpoint may be older than the last edit, even if the agent is already running.
      await followDocument(core, empty, projectId, { ...call, always: true });
    },
  });
  await followDocument(core, sandbox, projectId, options);
  return { sandbox, created: fresh };
}

/** Returns the running sandbox with files that match the document, or `null`. Never creates one, and never waits for one. */
export async function runningSandbox(
  core: WorkspaceDeps,
  projectId: string,
  options: { signal: AbortSignal },
): Promise<Sandbox | null> {
  const sandbox = await core.sandboxes.find(projectId, options);
  if (sandbox !== null) await followDocument(core, sandbox, projectId, options);
  return sandbox;
}

/** Copies all uploads into a sandbox, because a checkpoint contains only those that existed when it was saved. */
export async function placeAssets(
  core: Pick<ProjectDeps, 'assets' | 'store'>,
  sandbox: Sandbox,
  projectId: string,
  options: { signal: AbortSignal },
): Promise<void> {
  for (const asset of await core.assets.list(projectId)) await placeOrReport(core, sandbox, projectId, asset, options);
}

/** A missing upload must not block the project, so it is reported in a message. */
async function placeOrReport(
  core: Pick<ProjectDeps, 'assets' | 'store'>,
  sandbox: Sandbox,
  projectId: string,
  asset: Asset,
  options: { signal: AbortSignal },
): Promise<void> {
  try {
    await placeAsset(core, sandbox, projectId, asset, options);
  } catch (error) {
    if (!(error instanceof KodaError) || error.code !== 'NOT_FOUND') throw error;
    const text = `The upload “${asset.name}” is missing from the data folder. Delete it and upload it again.`;
    await core.store.record(projectId, [{ type: 'message.added', message: newMessage('system', text) }], { by: koda('sandbox') });
  }
}

export async function placeAsset(
  core: Pick<ProjectDeps, 'assets'>,
  sandbox: Sandbox,
  projectId: string,
  asset: Asset,
  options: { signal: AbortSignal },
): Promise<void> {
  const { open } = await core.assets.read(projectId, asset.id);
  await sandbox.writeFile(asset.path, Readable.from(open()), options);
}

const maxFileBytes = 1024 * 1024;
/** While the agent is running, it writes the files itself. */
const followedPhases: readonly Phase[] = ['preview', 'complete', 'error'];

/** Shared by all projects in this process, because an older document must never overwrite a newer one. */
const following = new KeyedLock();

/**
 * Updates the files that are out of date with the project's document, all or none. The document is durable and its copy in the
 * files records which revision they match, so a crash loses nothing. `always`: even while the agent is running. `by` defaults to the
 * sandbox.
 */
export async function followDocument(
  core: Pick<ProjectDeps, 'store' | 'kinds'>,
  sandbox: Sandbox,
  projectId: string,
  { signal, always = false, by = koda('sandbox') }: { signal: AbortSignal; always?: boolean; by?: Principal },
): Promise<void> {
  await following.run(projectId, async () => {
    const { project, plan, approval } = await core.store.state(projectId);
    // The files show a plan that waits for approval, so that its stills can be captured.
    const waits = approval?.type === 'plan' && approval.planId === plan?.id;
    if (!always && !waits && !followedPhases.includes(project.phase)) return;
    if (plan === null || !(waits || (plan.edited === true && plan.accepted))) return;
    const rules = kindOf(core, project).document;
    const behind = await rules?.changesToFollow(plan, readFrom(sandbox, signal), { isProposed: waits });
    if (!behind) return;
    const changes = [...behind.write, ...behind.remove.map((path) => ({ path, content: null }))].map((change) => ({
      ...change,
      encoding: 'utf8' as const,
      expects: 'any' as const,
    }));
    const answer = await sandbox.applyFiles({ changes, dependencies: [], check: null, timeoutMs: 0 }, { signal });
    if (!answer.applied) throw new Error('The sandbox ran a check that was not requested.');
    // Files of a plan that has not been accepted are not the project's work yet.
    if (waits) return;
    const written = answer.written.map((file) => ({ type: 'file.written' as const, ...file }));
    const deleted = answer.deleted.map((path) => ({ type: 'file.deleted' as const, path }));
    await core.store.record(projectId, [...written, ...deleted], { by });
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
