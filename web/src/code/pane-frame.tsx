import { Download, FileQuestionMark, PanelLeft, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { isWritablePath } from '#contract/paths.ts';
import { filesApi } from '../api/files.ts';
import { useProject, useWritableRoots } from '../project/context.ts';
import { buttonClass, Empty, IconButton } from '../ui/elements.tsx';
import type { CodeWorkspace } from './code-workspace.ts';

/** The version that a file is compared with. */
export interface Comparison {
  /** Short description. */
  readonly label: string;
  readonly original: string;
}

export interface FilePaneProps {
  workspace: CodeWorkspace;
  path: string;
  comparison: Comparison | null;
  onDelete: (path: string) => void;
}

interface PaneFrameProps {
  workspace: CodeWorkspace;
  path: string;
  status?: ReactNode;
  actions?: ReactNode;
  /** Missing if the file cannot be deleted. */
  onDelete?: ((path: string) => void) | undefined;
  children: ReactNode;
}

/** Shows a file below its path and actions. */
export function PaneFrame({ workspace, path, status, actions, onDelete, children }: PaneFrameProps) {
  const listShown = useStore(workspace.store, (state) => state.listShown);
  const roots = useWritableRoots();
  const slash = path.lastIndexOf('/') + 1;
  return (
    <div className="@container flex h-full flex-col bg-panel">
      <header className="flex h-11 shrink-0 items-center gap-1.5 border-line border-b pr-1.5 pl-4 @max-xl/code:pl-1.5">
        <IconButton
          icon={PanelLeft}
          label="Show files"
          aria-expanded={listShown}
          onClick={() => workspace.store.setState({ listShown: true })}
          className="@xl/code:hidden"
        />
        <h2 aria-label={path} title={path} className="flex min-w-0 font-mono text-xs">
          <span className="truncate text-ink-3">{path.slice(0, slash)}</span>
          <span className="max-w-full shrink-0 truncate">{path.slice(slash)}</span>
        </h2>
        <div className="ml-1 flex min-w-0 flex-1 items-center text-[13px]">{status}</div>
        {actions}
        {onDelete && isWritablePath(path, roots) && (
          <IconButton icon={Trash2} label={`Delete ${path}`} onClick={() => onDelete(path)} />
        )}
      </header>
      {children}
    </div>
  );
}

/** Replaces the editor of a file that cannot be opened. */
export function NotOpened({ path, text }: { path: string; text: string }) {
  const { projectId } = useProject();
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    <Empty icon={<FileQuestionMark />} title={name} text={text}>
      <a href={filesApi.url(projectId, path)} download={name} className={buttonClass('secondary', 'sm')}>
        <Download className="size-4" />
        Download
      </a>
    </Empty>
  );
}
