import { api } from '../api/client.ts';
import { uploadAsset } from '../api/upload.ts';
import { failedState, sentState, type UploadState } from '../uploads/upload.ts';
import type { Attachment } from './attachments.ts';
import type { Idea } from './idea.ts';

const uploadsAtOnce = 3;

/** How far a start got, so that trying again neither makes a second project nor uploads a file twice. */
export interface Founding {
  projectId: string | null;
  /** What it was made from: another idea is another project. */
  idea: Idea | null;
  /** By the id of an attachment, the id of its upload. */
  readonly uploaded: Map<string, string>;
  /** Its first message is on its way, so it may be at work already. */
  begun: boolean;
}

export const noFounding = (): Founding => ({ projectId: null, idea: null, uploaded: new Map(), begun: false });

/** What a start asks of the server. */
export interface StartServer {
  create(idea: Idea, options: { start: boolean }): Promise<string>;
  /** Resolves with the id of the upload. */
  upload(projectId: string, file: File, options: Parameters<typeof uploadAsset>[2]): Promise<string>;
  removeUpload(projectId: string, assetId: string): Promise<unknown>;
  say(projectId: string, content: string): Promise<unknown>;
  /** Removes for good what was only begun. */
  discard(projectId: string): Promise<unknown>;
}

const studio: StartServer = {
  async create({ prompt, aspect, style, durationSeconds }, { start }) {
    const hints = { ...(aspect && { aspect }), ...(style && { style }), ...(durationSeconds && { durationSeconds }) };
    return (await api.createProject({ prompt, start, ...hints })).id;
  },
  upload: async (projectId, file, options) => (await uploadAsset(projectId, file, options)).id,
  removeUpload: (projectId, assetId) => api.deleteAsset(projectId, assetId),
  say: (projectId, content) => api.sendMessage(projectId, content),
  discard: (projectId) => api.deleteProject(projectId, { now: true }),
};

interface StartOptions {
  /** Cancels all of it. */
  readonly signal: AbortSignal;
  /** Cancels one file, which then does not go with the idea. */
  readonly signalOf: (attachmentId: string) => AbortSignal;
  readonly onFile: (attachmentId: string, state: UploadState) => void;
}

/** Some files could not be uploaded: each of them was told why. */
export class UploadsFailed extends Error {
  override readonly name = 'UploadsFailed';
}

/**
 * Makes the project and sets it going; with files, it is made first, then filled, then started by its first message.
 * Returns its id. Throws ApiError, UploadsFailed or the signal's reason and leaves `founding` as far as it got; what is
 * not to be tried again has to be given to `abandon`.
 */
export async function startProject(
  idea: Idea,
  attached: readonly Attachment[],
  founding: Founding,
  { signal, signalOf, onFile }: StartOptions,
  server: StartServer = studio,
): Promise<string> {
  if (founding.projectId !== null && JSON.stringify(founding.idea) !== JSON.stringify(idea)) await abandon(founding, server);
  // One request, which nothing can come in between of.
  if (attached.length === 0 && founding.projectId === null) return server.create(idea, { start: true });

  founding.idea = idea;
  founding.projectId ??= await server.create(idea, { start: false });
  const { projectId, uploaded } = founding;
  signal.throwIfAborted();
  for (const [id, assetId] of uploaded) {
    if (attached.some((one) => one.id === id)) continue;
    await server.removeUpload(projectId, assetId);
    uploaded.delete(id);
  }

  const waiting = attached.filter(({ id }) => !uploaded.has(id));
  let failed = false;
  const uploadNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { id, file } = next;
      const one = signalOf(id);
      try {
        onFile(id, sentState(0));
        const assetId = await server.upload(projectId, file, {
          signal: AbortSignal.any([signal, one]),
          onProgress: (share) => onFile(id, sentState(share)),
        });
        uploaded.set(id, assetId);
        onFile(id, { kind: 'done' });
      } catch (error) {
        signal.throwIfAborted();
        if (one.aborted) continue;
        failed = true;
        onFile(id, failedState(error));
      }
    }
  };
  await Promise.all(Array.from({ length: uploadsAtOnce }, uploadNext));
  if (failed) throw new UploadsFailed('Not every file was uploaded.');
  signal.throwIfAborted();
  founding.begun = true;
  try {
    await server.say(projectId, idea.prompt);
  } catch (error) {
    founding.begun = false;
    throw error;
  }
  return projectId;
}

/** Removes what a start made that is not to go on; nothing when its work may have begun. Throws ApiError. */
export async function abandon(founding: Founding, server: Pick<StartServer, 'discard'> = studio): Promise<void> {
  const { projectId, begun } = founding;
  if (begun) return;
  founding.projectId = null;
  founding.idea = null;
  founding.uploaded.clear();
  if (projectId !== null) await server.discard(projectId);
}
