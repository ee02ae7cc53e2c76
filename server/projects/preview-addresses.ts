import type { ProjectRecord, ProjectStore } from '../storage/projects.ts';

/**
 * Tells every project whose live preview has another address than it was told: the studio's port or the domain of previews
 * was changed while its sandbox ran on. To be called once the server listens.
 */
export async function renewPreviewAddresses(
  store: Pick<ProjectStore, 'record'>,
  projects: readonly ProjectRecord[],
  addressOf: (project: ProjectRecord) => string,
): Promise<void> {
  for (const project of projects) {
    const url = addressOf(project);
    if (project.previewUrl !== null && project.previewUrl !== url)
      await store.record(project.id, [{ type: 'preview.ready', url }]);
  }
}
