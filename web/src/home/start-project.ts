import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { uploadAsset } from '../api/files.ts';
import { toast } from '../ui/toasts.tsx';
import { failedState, sentState, type UploadState } from '../uploads/upload.ts';
import { type Attachment, addFiles, type RefusedFile } from './attachment-list.tsx';
import type { Idea } from './idea.ts';

const uploadsAtOnce = 3;

/** The progress of a start, so that a retry neither creates a second project nor uploads a file twice. */
interface StartState {
  projectId: string | null;
  /** The idea it was created from: another idea is another project. */
  idea: Idea | null;
  /** By the id of an attachment, the id of its upload. */
  readonly uploaded: Map<string, string>;
  /** Its first message is sent, so it may already be at work. */
  started: boolean;
}

export const newStart = (): StartState => ({ projectId: null, idea: null, uploaded: new Map(), started: false });

/** The requests of a start. */
export interface StartServer {
  create(idea: Idea, options: { start: boolean }): Promise<string>;
  /** Resolves with the id of the upload. */
  upload(projectId: string, file: File, options: Parameters<typeof uploadAsset>[2]): Promise<string>;
  removeUpload(projectId: string, assetId: string): Promise<unknown>;
  say(projectId: string, content: string): Promise<unknown>;
  /** Deletes a project for good that has not started. */
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
  /** Cancels the start. */
  readonly signal: AbortSignal;
  /** Cancels one file. */
  readonly signalOf: (attachmentId: string) => AbortSignal;
  readonly onFile: (attachmentId: string, state: UploadState) => void;
}

/** Some files could not be uploaded; `onFile` reported why. */
export class UploadsFailed extends Error {
  override readonly name = 'UploadsFailed';
}

/**
 * Creates the project and starts it; with files, it creates it, uploads them, then starts it with the first message.
 * Returns its id. Throws ApiError, UploadsFailed or the signal's reason, and leaves its progress in `startState`: pass
 * that to `abandon` unless you try again.
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
  // One request, so nothing can come between.
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
  startState.started = true;
  try {
    await server.say(projectId, idea.prompt);
  } catch (error) {
    startState.started = false;
    throw error;
  }
  return projectId;
}

/** Deletes what a cancelled start created, unless its work may have started. Throws ApiError. */
export async function abandon(startState: StartState, server: Pick<StartServer, 'discard'> = studio): Promise<void> {
  const { projectId, started } = startState;
  if (started) return;
  startState.projectId = null;
  startState.idea = null;
  startState.uploaded.clear();
  if (projectId !== null) await server.discard(projectId);
}

/** The abort reason when the user cancels, unlike leaving the page. */
const cancelled = Symbol('cancelled');

/** The files of an idea, and how it becomes a project. */
export function useStart({ onStarted }: { onStarted: (projectId: string) => void }) {
  const [attached, setAttached] = useState<readonly Attachment[]>([]);
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const startState = useRef(newStart());
  const last = useRef<Idea | null>(null);
  const all = useRef(new AbortController());
  const each = useRef(new Map<string, AbortController>());

  // Leaving the page cancels its uploads and deletes a project that has not started.
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
      // The user cancelled after the server had created it.
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

  /** Tries again; finished uploads stay. */
  const retry = () => {
    if (last.current) void start(last.current);
  };

  const dismiss = () => {
    setError(null);
    setRefused([]);
  };

  return { attached, refused, busy, error, add, remove, start, retry, cancel, dismiss };
}
