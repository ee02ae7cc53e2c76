import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import type { UploadState } from '../uploads/upload.ts';
import { type Attachment, addFiles, type RefusedFile } from './attachments.ts';
import type { Idea } from './idea.ts';
import { abandon, noFounding, startProject } from './start-project.ts';

/** Why a start ends that the user does not want any more; leaving the page is another reason. */
const cancelled = Symbol('cancelled');

/** The files that go with the idea, and the way from an idea to a project. */
export function useStart({ onStarted }: { onStarted: (projectId: string) => void }) {
  const [attached, setAttached] = useState<readonly Attachment[]>([]);
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const founding = useRef(noFounding());
  const last = useRef<Idea | null>(null);
  const all = useRef(new AbortController());
  const each = useRef(new Map<string, AbortController>());

  // A page that is left takes along what it is sending, and what was only begun.
  useEffect(() => {
    const leave = () => {
      all.current.abort();
      void abandon(founding.current).catch(() => undefined);
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
      const projectId = await startProject(idea, attached, founding.current, { signal, signalOf, onFile: mark });
      founding.current = noFounding();
      if (!signal.aborted) onStarted(projectId);
      // In the last moment: it is there, and was not to be.
      else if (signal.reason === cancelled) await api.deleteProject(projectId, { now: true });
    } catch (failure) {
      if (signal.aborted) await abandon(founding.current).catch(setError);
      else setError(failure);
    } finally {
      setBusy(false);
    }
  };

  const cancel = () => {
    all.current.abort(cancelled);
    setAttached((old) => old.map((one) => ({ ...one, state: { kind: 'waiting' } })));
    toast(texts.home.cancelled);
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
