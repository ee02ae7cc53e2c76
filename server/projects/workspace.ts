import { Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';
import type { Asset } from '#contract/project.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { kindOf, type ProjectDeps } from './deps.ts';
import { followDocument } from './document-files.ts';
import { newMessage } from './phases.ts';

type WorkspaceDeps = Pick<ProjectDeps, 'store' | 'sandboxes' | 'checkpoints' | 'assets' | 'kinds'>;

/**
 * Returns the project's sandbox with files that match the document: the running one, or a new one from the template, filled
 * from the last checkpoint and the uploads.
 */
export async function openWorkspace(
  core: WorkspaceDeps,
  projectId: string,
  options: { signal: AbortSignal },
): Promise<{ sandbox: Sandbox; created: boolean }> {
  const project = await core.store.get(projectId);
  const kind = kindOf(core, project);
  const { sandbox, fresh } = await core.sandboxes.acquire(projectId, {
    template: kind.template,
    limits: kind.sandbox,
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

/** Returns the running sandbox, even from before a server restart, or `null`. Never creates one. */
export async function runningSandbox(
  core: WorkspaceDeps,
  projectId: string,
  options: { signal: AbortSignal },
): Promise<Sandbox | null> {
  if (!(await core.sandboxes.list(options)).includes(projectId)) return null;
  return (await openWorkspace(core, projectId, options)).sandbox;
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
    await core.store.record(projectId, [{ type: 'message.added', message: newMessage('system', text) }]);
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
