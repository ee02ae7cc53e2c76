import { join } from 'node:path';
import { projectIdSchema, renderIdSchema } from '../contract/ids.ts';

/**
 * Where things are under the data folder. Ids come from requests: each is checked to be an id before it becomes
 * part of a path of the host, so that no other string ever does.
 */
export interface DataPaths {
  /** Holds the folders of all uploads, one a project. */
  readonly allAssets: string;
  /** Holds the repositories of all projects. */
  readonly allRepositories: string;
  /** Folder of a project's uploads. */
  assets(projectId: string): string;
  /** Bare repository with a project's history. */
  repository(projectId: string): string;
  /** Folder of a render's files. */
  render(renderId: string): string;
}

export function dataPaths(dataDir: string): DataPaths {
  const allAssets = join(dataDir, 'assets');
  const allRepositories = join(dataDir, 'projects');
  return {
    allAssets,
    allRepositories,
    assets: (projectId) => join(allAssets, projectIdSchema.parse(projectId)),
    repository: (projectId) => join(allRepositories, `${projectIdSchema.parse(projectId)}.git`),
    render: (renderId) => join(dataDir, 'renders', renderIdSchema.parse(renderId)),
  };
}
