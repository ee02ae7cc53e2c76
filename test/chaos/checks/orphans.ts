import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { page, projectSnapshotSchema } from '#contract/api.ts';
import { projectSchema } from '#contract/project.ts';
import type { Api } from '../api.ts';
import type { AppFolders } from '../app.ts';
import { findSandboxes, markedProcesses, namesOf } from '../sandboxes.ts';

const pollMs = 100;
/** Entries allowed in a data folder. Cache folders may be missing, because they can be deleted at any time. */
const known = [
  'koda.db',
  'koda.db-wal',
  'koda.db-shm',
  'koda.lock',
  // Reserved space for deletes on a full disk.
  'reserve',
  'local-key',
  'session-key',
  'expired.json',
  'sandbox.key',
  'assets',
  'projects',
  'renders',
  'cache',
  'registry',
];

/** Waits until no orphans are left. Returns those that remain. */
export async function findLastingOrphans(api: Api, folders: AppFolders, timeoutMs: number): Promise<string[]> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const orphans = await findOrphans(api, folders);
    if (orphans.length === 0 || performance.now() > until) return orphans;
    await delay(pollMs);
  }
}

async function findOrphans(api: Api, { dataDir, socketsDir }: AppFolders): Promise<string[]> {
  const projects = await allProjects(api);
  const snapshots = await Promise.all(projects.map((id) => api.get(`/api/projects/${id}`, projectSnapshotSchema)));
  const uploads = new Set(snapshots.flatMap(({ assets }) => assets.map(({ id }) => id)));
  const renders = new Set(snapshots.flatMap(({ renders: all }) => all.map(({ id }) => id)));
  const isProject = (id: string) => projects.includes(id);
  return [
    ...namesOf(dataDir).filter((name) => !known.includes(name)),
    ...namesOf(join(dataDir, 'assets')).flatMap((id) =>
      isProject(id)
        ? namesOf(join(dataDir, 'assets', id)).filter((name) => !uploads.has(name.split('.')[0] ?? ''))
        : [`assets/${id}`],
    ),
    ...namesOf(join(dataDir, 'renders')).filter((name) => !renders.has(name)),
    ...namesOf(join(dataDir, 'projects')).flatMap((name) =>
      isProject(name.replace(/\.git$/, '')) ? litterIn(join(dataDir, 'projects', name)) : [`projects/${name}`],
    ),
    ...sandboxOrphans(socketsDir, isProject),
  ];
}

/** Finds files left behind by a killed git process. */
function litterIn(repository: string): string[] {
  const packs = namesOf(join(repository, 'objects/pack'));
  const litter = [
    ...namesOf(repository).filter((name) => name.endsWith('.lock') || name.startsWith('fast_import_crash_')),
    ...namesOf(join(repository, 'refs/heads')).filter((name) => name.endsWith('.lock')),
    ...namesOf(join(repository, 'refs/koda')).filter((name) => name.endsWith('.lock')),
    ...packs.filter((name) => name.startsWith('tmp_') || name.startsWith('.tmp-') || name.endsWith('.keep')),
    ...packs.filter((name) => name.endsWith('.pack') && !packs.includes(name.replace(/\.pack$/, '.idx'))),
  ];
  return litter.map((name) => join(repository, name));
}

function sandboxOrphans(socketsDir: string, isProject: (id: string) => boolean): string[] {
  const orphans: string[] = [];
  const owners = new Set<string>();
  const sandboxes = findSandboxes(socketsDir);
  for (const { id, state } of sandboxes) {
    if (state === null || state.pid === null) orphans.push(`sandbox ${id}, which never started`);
    else if (!isProject(state.projectId)) orphans.push(`sandbox ${id} of no project`);
    else if (owners.has(state.projectId)) orphans.push(`sandbox ${id}, the second one of its project`);
    else owners.add(state.projectId);
  }
  for (const { pid, sandboxId } of markedProcesses(socketsDir)) {
    if (!sandboxes.some(({ id }) => id === sandboxId)) orphans.push(`process ${pid} of the removed sandbox ${sandboxId}`);
  }
  for (const id of namesOf(join(socketsDir, 'cache/chaos'))) if (!isProject(id)) orphans.push(`cache of ${id}`);
  return orphans;
}

async function allProjects(api: Api): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const found = await api.get(`/api/projects?limit=100${query}`, page(projectSchema));
    ids.push(...found.items.map(({ id }) => id));
    if (found.nextCursor === null) return ids;
    cursor = found.nextCursor;
  }
}
