import type { Aspect, Style } from '../../../server/contract/project.ts';
import { api } from '../api/client.ts';

export interface Idea {
  readonly prompt: string;
  readonly aspect: Aspect | null;
  readonly style: Style | null;
  readonly durationSeconds: number | null;
  readonly files: readonly File[];
}

/** How far a start got, so that trying again neither makes a second project nor uploads a file twice. */
export interface StartProgress {
  projectId: string | null;
  readonly uploaded: Set<File>;
}

export const noProgress = (): StartProgress => ({ projectId: null, uploaded: new Set() });

/**
 * Makes the project and sets it going; with files, it is made first, then filled, then started by its first message.
 * Returns its id. Throws ApiError and leaves `progress` as far as it got.
 */
export async function startProject(idea: Idea, progress: StartProgress, onUpload: (name: string) => void): Promise<string> {
  const hints = {
    prompt: idea.prompt,
    ...(idea.aspect ? { aspect: idea.aspect } : {}),
    ...(idea.style ? { style: idea.style } : {}),
    ...(idea.durationSeconds ? { durationSeconds: idea.durationSeconds } : {}),
  };
  if (idea.files.length === 0 && progress.projectId === null) return (await api.createProject(hints)).id;
  progress.projectId ??= (await api.createProject({ ...hints, start: false })).id;
  for (const file of idea.files) {
    if (progress.uploaded.has(file)) continue;
    onUpload(file.name);
    await api.uploadAsset(progress.projectId, file);
    progress.uploaded.add(file);
  }
  await api.sendMessage(progress.projectId, idea.prompt);
  return progress.projectId;
}
