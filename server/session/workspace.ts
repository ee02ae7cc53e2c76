import { Readable } from 'node:stream';
import type { Asset } from '../contract/project.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { kindOf, type SessionDeps } from './deps.ts';

/** What it takes to bring a project's sandbox up. */
type WorkspaceDeps = Pick<SessionDeps, 'store' | 'sandboxes' | 'checkpoints' | 'assets' | 'kinds'>;

/**
 * The project's sandbox, ready to work in: the running one, or a new one from the template, filled from the
 * last checkpoint and given the uploads.
 */
export async function openWorkspace(
  core: WorkspaceDeps,
  projectId: string,
  options: { signal: AbortSignal },
): Promise<{ sandbox: Sandbox; created: boolean }> {
  const project = await core.store.get(projectId);
  const { sandbox, fresh } = await core.sandboxes.acquire(projectId, {
    template: kindOf(core, project).template,
    signal: options.signal,
    prepare: async (empty, call) => {
      await core.checkpoints.restore(projectId, { ...call, sandbox: empty });
      for (const asset of await core.assets.list(projectId)) await placeAsset(core, empty, projectId, asset, call);
    },
  });
  return { sandbox, created: fresh };
}

/** The sandbox that runs, also since before a restart of the server; null when there is none. Starts none. */
export async function runningSandbox(
  core: WorkspaceDeps,
  projectId: string,
  options: { signal: AbortSignal },
): Promise<Sandbox | null> {
  if (!(await core.sandboxes.list(options)).includes(projectId)) return null;
  return (await openWorkspace(core, projectId, options)).sandbox;
}

/** Copies an upload to where the page finds it. */
export async function placeAsset(
  core: Pick<SessionDeps, 'assets'>,
  sandbox: Sandbox,
  projectId: string,
  asset: Asset,
  options: { signal: AbortSignal },
): Promise<void> {
  const { content } = await core.assets.read(projectId, asset.id);
  await sandbox.writeFile(asset.path, Readable.from(content), options);
}
