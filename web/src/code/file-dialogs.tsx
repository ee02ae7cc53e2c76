import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { describeRoots, isWritablePath, normalizeProjectPath } from '#contract/paths.ts';
import { type ApiError, toApiError } from '../api/client.ts';
import { filesApi, retryUntilRunning } from '../api/files.ts';
import { useProject, useWritableRoots } from '../project/context.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Button, ErrorNotice, Waiting } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import type { CodeWorkspace } from './code-workspace.ts';

export function validateNewPath(
  typed: string,
  paths: ReadonlySet<string>,
  roots: readonly string[],
): { readonly path: string } | { readonly problem: string } {
  const result = normalizeProjectPath(typed.trim());
  if (!result.ok) return { problem: `You cannot use this path: ${result.reason}.` };
  const { path } = result;
  if (typed.trim().endsWith('/')) return { problem: 'Add a file name.' };
  if (!isWritablePath(path, roots)) return { problem: `You can create files only here: ${describeRoots(roots)}.` };
  const folder = [...paths].some((known) => known.startsWith(`${path}/`));
  return paths.has(path) || folder ? { problem: 'A file or folder with this name already exists.' } : { path };
}

/** Returns the folder to prefill for a new file: the open file's folder if files can be created there, otherwise `src/`. */
export function newPathStart(beside: string | null, roots: readonly string[]): string {
  const folder = beside === null ? '' : beside.slice(0, beside.lastIndexOf('/') + 1);
  return folder !== '' && isWritablePath(`${folder}x`, roots) ? folder : 'src/';
}

interface NewFileDialogProps {
  workspace: CodeWorkspace;
  paths: ReadonlySet<string>;
  beside: string | null;
  onClose: () => void;
}

/** Creates an empty file and opens it. */
export function NewFileDialog({ workspace, paths, beside, onClose }: NewFileDialogProps) {
  const { projectId } = useProject();
  const roots = useWritableRoots();
  const [typed, setTyped] = useState(() => newPathStart(beside, roots));
  const [problem, setProblem] = useState<string | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [waiting, setWaiting] = useState<'no' | 'writing' | 'starting'>('no');
  const work = useRef(new AbortController());
  const placed = useRef(false);
  const problemId = useId();
  useEffect(() => {
    work.current = new AbortController();
    return () => work.current.abort();
  }, []);

  const create = async (path: string) => {
    setWaiting('writing');
    setError(null);
    const { signal } = work.current;
    try {
      await retryUntilRunning(() => filesApi.write(projectId, path, '', { seen: null, signal }), {
        signal,
        onStarting: () => setWaiting('starting'),
      });
      workspace.list('files');
      workspace.store.setState({ filter: '' });
      workspace.pick(path);
      onClose();
    } catch (cause) {
      if (signal.aborted) return;
      setError(toApiError(cause));
      setWaiting('no');
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const result = validateNewPath(typed, paths, roots);
    if ('problem' in result) setProblem(result.problem);
    else void create(result.path);
  };
  return (
    <Dialog open title="New file" text={`Files can be created here: ${describeRoots(roots)}.`} onClose={onClose}>
      <form onSubmit={submit} className="mt-4 flex flex-col gap-3">
        <label className="flex flex-col gap-1.5">
          <span className="text-[13px] text-ink-2">Path</span>
          <input
            type="text"
            value={typed}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            aria-invalid={problem !== null}
            aria-describedby={problem === null ? undefined : problemId}
            onFocus={({ currentTarget }) => {
              if (placed.current) return;
              placed.current = true;
              // Runs after the dialog, which selects the whole text on opening, so that the user can continue typing.
              requestAnimationFrame(() => currentTarget.setSelectionRange(typed.length, typed.length));
            }}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setProblem(null);
            }}
            className="h-9 rounded-lg border border-line-strong bg-panel px-3 font-mono text-[13px]"
          />
        </label>
        {problem !== null && (
          <p id={problemId} role="alert" className="text-[13px] text-bad">
            {problem}
          </p>
        )}
        {error && <ErrorNotice error={error} />}
        <div className="mt-1 flex items-center justify-end gap-2">
          {waiting !== 'no' && (
            <Waiting className="mr-auto">{waiting === 'starting' ? 'Waiting for the sandbox…' : 'Saving…'}</Waiting>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={waiting !== 'no'}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Larger files are not kept in memory for an undo, because the history has them. */
const maxUndoBytes = 10 * 1024 * 1024;

interface DeleteFileProps {
  workspace: CodeWorkspace;
  path: string | null;
  onClose: () => void;
}

/** Asks for confirmation, deletes the file and offers an undo. */
export function DeleteFile({ workspace, path, onClose }: DeleteFileProps) {
  const { projectId } = useProject();
  const unsaved = useStore(workspace.store, (state) => path !== null && state.unsaved.includes(path));
  // Keeps the text while the dialog fades out.
  const [asked, setAsked] = useState('');
  useEffect(() => {
    if (path !== null) setAsked(path);
  }, [path]);
  const named = path ?? asked;
  return (
    <Confirm
      open={path !== null}
      title="Delete this file?"
      text={
        unsaved
          ? `This removes “${named}” from the project, and you lose your unsaved changes. The history keeps the saved file.`
          : `This removes “${named}” from the project. The history keeps it.`
      }
      action="Delete"
      onClose={onClose}
      onConfirm={() => {
        deleteFile(projectId, workspace, named).catch((error: unknown) => toast(toApiError(error).message));
      }}
    />
  );
}

async function deleteFile(projectId: string, workspace: CodeWorkspace, path: string): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  const before = await filesApi.read(projectId, path, { limitBytes: maxUndoBytes, signal });
  if (before.kind !== 'missing') {
    const tag = before.kind === 'bytes' && before.tag !== '' ? before.tag : null;
    await filesApi.remove(projectId, path, { seen: tag });
  }
  workspace.drop(path);
  if (before.kind !== 'bytes') {
    toast(`Deleted ${path}`);
    return;
  }
  const undo = async () => {
    await filesApi.write(projectId, path, before.bytes, { seen: null });
    workspace.pick(path);
  };
  toast(`Deleted ${path}`, {
    durationMs: 10_000,
    action: {
      label: 'Undo',
      run: () => void undo().catch((error: unknown) => toast(toApiError(error).message)),
    },
  });
}
