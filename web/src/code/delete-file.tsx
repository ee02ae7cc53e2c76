import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { toApiError } from '../api/client.ts';
import { filesApi } from '../api/files.ts';
import { useProject } from '../project/context.ts';
import { Confirm } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import type { CodeWorkspace } from './code-workspace.ts';

/** Larger files are not held in the page for an undo: the history has them. */
const maxUndoBytes = 10 * 1024 * 1024;

interface DeleteFileProps {
  workspace: CodeWorkspace;
  /** The file in question; null = none. */
  path: string | null;
  onClose: () => void;
}

/** Confirms, deletes, and offers to undo. */
export function DeleteFile({ workspace, path, onClose }: DeleteFileProps) {
  const { projectId } = useProject();
  const unsaved = useStore(workspace.store, (look) => path !== null && look.unsaved.includes(path));
  // The words stay while the dialog fades.
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
          ? `“${named}” is taken out of the project, and what you typed and did not save is lost. The history keeps what was saved.`
          : `“${named}” is taken out of the project. The history keeps it.`
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
