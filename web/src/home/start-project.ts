import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { uploadAsset } from '../api/files.ts';
import { toast } from '../ui/toasts.tsx';
import { failedState, sentState, type UploadState } from '../uploads/upload.ts';
import { type Attachment, addFiles, type RefusedFile } from './attachment-list.tsx';
import type { Idea } from './idea.ts';

const uploadsAtOnce = 3;

/** How far a start got, so that trying again neither makes a second project nor uploads a file twice. */
interface StartState {
  projectId: string | null;
  /** What it was made from: another idea is another project. */
  idea: Idea | null;
  /** By the id of an attachment, the id of its upload. */
  readonly uploaded: Map<string, string>;
  /** Its first message is on its way, so it may be at work already. */
  begun: boolean;
}

export const newStart = (): StartState => ({ projectId: null, idea: null, uploaded: new Map(), begun: false });

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
 * Makes the project and sets it going; with files, it is made first, then filled, then startState by its first message.
 * Returns its id. Throws ApiError, UploadsFailed or the signal's reason and leaves `startState` as far as it got; what is
 * not to be tried again has to be given to `abandon`.
 */
export async function startProject(
  idea: Idea,
  attached: readonly Attachment[],
  startState: StartState,
  { signal, signalOf, onFile }: StartOptions,
  server: StartServer = studio,
): Promise<string> {
  if (startState.projectId !== null && JSON.stringify(startState.idea) !== JSON.stringify(idea))
    await abandon(startState, server);
  // One request, which nothing can come in between of.
  if (attached.length === 0 && startState.projectId === null) return server.create(idea, { start: true });

  startState.idea = idea;
  startState.projectId ??= await server.create(idea, { start: false });
  const { projectId, uploaded } = startState;
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
  startState.begun = true;
  try {
    await server.say(projectId, idea.prompt);
  } catch (error) {
    startState.begun = false;
    throw error;
  }
  return projectId;
}

/** Removes what a start made that is not to go on; nothing when its work may have begun. Throws ApiError. */
export async function abandon(startState: StartState, server: Pick<StartServer, 'discard'> = studio): Promise<void> {
  const { projectId, begun } = startState;
  if (begun) return;
  startState.projectId = null;
  startState.idea = null;
  startState.uploaded.clear();
  if (projectId !== null) await server.discard(projectId);
}

/** Why a start ends that the user does not want any more; leaving the page is another reason. */
const cancelled = Symbol('cancelled');

/** The files that go with the idea, and the way from an idea to a project. */
export function useStart({ onStarted }: { onStarted: (projectId: string) => void }) {
  const [attached, setAttached] = useState<readonly Attachment[]>([]);
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const startState = useRef(newStart());
  const last = useRef<Idea | null>(null);
  const all = useRef(new AbortController());
  const each = useRef(new Map<string, AbortController>());

  // A page that is left takes along what it is sending, and what was only begun.
  useEffect(() => {
    const leave = () => {
      all.current.abort();
      void abandon(startState.current).catch(() => undefined);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);

  const add = useCallback(
    (files: readonly File[]) => {
      if (files.length === 0) return;
      const result = addFiles(attached, files);
      setAttached(result.attached);
      setRefused(result.refused);
    },
    [attached],
  );

  const remove = (id: string) => {
    each.current.get(id)?.abort();
    setAttached((old) => old.filter((one) => one.id !== id));
  };

  const mark = (id: string, state: UploadState) =>
    setAttached((old) => old.map((one) => (one.id === id ? { ...one, state } : one)));

  const start = async (idea: Idea) => {
    if (busy) return;
    last.current = idea;
    all.current = new AbortController();
    each.current = new Map(attached.map(({ id }) => [id, new AbortController()]));
    const { signal } = all.current;
    setBusy(true);
    setError(null);
    setRefused([]);
    try {
      const signalOf = (id: string) => each.current.get(id)?.signal ?? signal;
      const projectId = await startProject(idea, attached, startState.current, { signal, signalOf, onFile: mark });
      startState.current = newStart();
      if (!signal.aborted) onStarted(projectId);
      // In the last moment: it is there, and was not to be.
      else if (signal.reason === cancelled) await api.deleteProject(projectId, { now: true });
    } catch (failure) {
      if (signal.aborted) await abandon(startState.current).catch(setError);
      else setError(failure);
    } finally {
      setBusy(false);
    }
  };

  const cancel = () => {
    all.current.abort(cancelled);
    setAttached((old) => old.map((one) => ({ ...one, state: { kind: 'waiting' } })));
    toast('Cancelled. Nothing was created.');
  };

  /** The same once more: what is uploaded already stays. */
  const retry = () => {
    if (last.current) void start(last.current);
  };

  const forgive = () => {
    setError(null);
    setRefused([]);
  };

  return { attached, refused, busy, error, add, remove, start, retry, cancel, forgive };
}
