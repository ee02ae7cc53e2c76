import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { filesApi, retryUntilRunning, uploadAsset } from '../api/files.ts';
import { toast } from '../ui/toasts.tsx';
import { failedState, sentState, type UploadState } from '../uploads/upload.ts';
import { type Attachment, addFiles, type RefusedFile } from './attachment-list.tsx';

/** What a project is created from: the request, and what the user chose for its kind. */
export type Idea = Omit<Parameters<typeof api.createProject>[0], 'start'>;

/** A file that the project has before its work starts, for example the rows of a pasted table. */
export interface NewFile {
  readonly path: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

const uploadsAtOnce = 3;

/** Progress of a start, so that a retry neither creates a second project nor uploads a file twice. */
interface StartState {
  projectId: string | null;
  /** The idea from which the project was created. A changed idea needs a new project. */
  idea: Idea | null;
  readonly uploaded: Map<string, string>;
  /** What was written, by path, with the tag of the written version. */
  readonly written: Map<string, { readonly content: NewFile['content']; readonly tag: string }>;
  /** Whether the first message was sent, so that the agent may already be running. */
  started: boolean;
}

export const newStart = (): StartState => ({
  projectId: null,
  idea: null,
  uploaded: new Map(),
  written: new Map(),
  started: false,
});

export interface StartServer {
  create(idea: Idea, options: { start: boolean }): Promise<string>;
  upload(projectId: string, file: File, options: Parameters<typeof uploadAsset>[2]): Promise<string>;
  removeUpload(projectId: string, assetId: string): Promise<unknown>;
  /** Returns the tag of the written version. `seen`: that of the version to replace, `null` if there is none. */
  write(projectId: string, file: NewFile, options: { seen: string | null; signal: AbortSignal }): Promise<string>;
  say(projectId: string, content: string): Promise<unknown>;
  discard(projectId: string): Promise<unknown>;
}

const studio: StartServer = {
  create: async (idea, { start }) => (await api.createProject({ ...idea, start })).id,
  upload: async (projectId, file, options) => (await uploadAsset(projectId, file, options)).id,
  removeUpload: (projectId, assetId) => api.deleteAsset(projectId, assetId),
  write: (projectId, { path, content }, { seen, signal }) =>
    retryUntilRunning(() => filesApi.write(projectId, path, content, { seen, signal }), { signal, onStarting: () => undefined }),
  say: (projectId, content) => api.sendMessage(projectId, content),
  discard: (projectId) => api.deleteProject(projectId, { now: true }),
};

interface StartOptions {
  readonly signal: AbortSignal;
  readonly signalOf: (attachmentId: string) => AbortSignal;
  readonly onFile: (attachmentId: string, state: UploadState) => void;
  readonly files?: readonly NewFile[];
}

/** Some uploads failed; `onFile` has reported the reasons. */
export class UploadsFailed extends Error {
  override readonly name = 'UploadsFailed';
}

/**
 * Creates and starts a project, and returns its id. If there are files, creates the project, uploads and writes them, and
 * then starts it with the first message. Throws ApiError, UploadsFailed or the signal's reason, and leaves its progress in `startState`.
 * Pass that to `abandon` unless you try again.
 */
export async function startProject(
  idea: Idea,
  attached: readonly Attachment[],
  startState: StartState,
  { signal, signalOf, onFile, files = [] }: StartOptions,
  server: StartServer = studio,
): Promise<string> {
  if (startState.projectId !== null && JSON.stringify(startState.idea) !== JSON.stringify(idea))
    await abandon(startState, server);
  // A single request leaves no partial state.
  if (attached.length === 0 && files.length === 0 && startState.projectId === null) return server.create(idea, { start: true });

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
  if (failed) throw new UploadsFailed('Some files were not uploaded.');
  for (const file of files) {
    const before = startState.written.get(file.path);
    if (before?.content === file.content) continue;
    const tag = await server.write(projectId, file, { seen: before?.tag ?? null, signal });
    startState.written.set(file.path, { content: file.content, tag });
  }
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

/** Deletes what a cancelled start has created, unless the agent may be running. Throws ApiError. */
export async function abandon(startState: StartState, server: Pick<StartServer, 'discard'> = studio): Promise<void> {
  const { projectId, started } = startState;
  if (started) return;
  startState.projectId = null;
  startState.idea = null;
  startState.uploaded.clear();
  startState.written.clear();
  if (projectId !== null) await server.discard(projectId);
}

/** Abort reason if the user cancels, as opposed to leaving the page. */
const cancelled = Symbol('cancelled');

/** Manages an idea's files and the start of its project. */
export function useStart({ onStarted }: { onStarted: (projectId: string) => void }) {
  const [attached, setAttached] = useState<readonly Attachment[]>([]);
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const startState = useRef(newStart());
  const last = useRef<{ readonly idea: Idea; readonly files: readonly NewFile[] } | null>(null);
  const all = useRef(new AbortController());
  const each = useRef(new Map<string, AbortController>());

  // Leaving the page cancels uploads and deletes a project that has not started.
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

  const start = async (idea: Idea, files: readonly NewFile[] = []) => {
    if (busy) return;
    last.current = { idea, files };
    all.current = new AbortController();
    each.current = new Map(attached.map(({ id }) => [id, new AbortController()]));
    const { signal } = all.current;
    setBusy(true);
    setError(null);
    setRefused([]);
    try {
      const signalOf = (id: string) => each.current.get(id)?.signal ?? signal;
      const projectId = await startProject(idea, attached, startState.current, { signal, signalOf, onFile: mark, files });
      startState.current = newStart();
      if (!signal.aborted) onStarted(projectId);
      // The user cancelled after the server had created the project.
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
    toast('Cancelled. No project was created.');
  };

  const retry = () => {
    if (last.current) void start(last.current.idea, last.current.files);
  };

  const dismiss = () => {
    setError(null);
    setRefused([]);
  };

  return { attached, refused, busy, error, add, remove, start, retry, cancel, dismiss };
}
