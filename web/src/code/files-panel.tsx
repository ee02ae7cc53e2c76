import { useDeferredValue, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { SearchField } from '../ui/fields.tsx';
import type { CodeWorkspace } from './code-workspace.ts';
import { FileList } from './file-list.tsx';
import { fileTree, largeFolders, treeRows } from './file-tree.ts';

interface FilesPanelProps {
  workspace: CodeWorkspace;
  paths: ReadonlySet<string>;
  incomplete: boolean;
  shown: string | null;
  writing: string | null;
  onPick: (path: string) => void;
  onDelete: (path: string) => void;
}

export function FilesPanel({ workspace, paths, incomplete, shown, writing, onPick, onDelete }: FilesPanelProps) {
  const { folds, filter, unsaved } = useStore(workspace.store);
  const box = useRef<HTMLDivElement>(null);
  const tree = useMemo(() => fileTree(paths), [paths]);
  // Typing must not wait for thousands of rows to render.
  const wanted = useDeferredValue(filter);
  const rows = useMemo(() => {
    const folded = new Set(largeFolders(tree));
    for (const [folder, fold] of folds) {
      if (fold === 'closed') folded.add(folder);
      else folded.delete(folder);
    }
    return treeRows(tree, { folded, filter: wanted });
  }, [tree, folds, wanted]);
  const setFilter = (next: string) => workspace.store.setState({ filter: next });
  const first = rows.find(({ folder }) => !folder);
  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col">
      <SearchField
        type="text"
        label="Filter by name"
        clearLabel="Clear the filter"
        value={filter}
        onChange={setFilter}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && first) onPick(first.path);
          else if (event.key === 'ArrowDown') box.current?.querySelector<HTMLElement>('[role="tree"]')?.focus();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
        className="mx-2 mt-2 mb-1 h-8 shrink-0"
      />
      {rows.length === 0 ? (
        <p role="status" className="px-4 py-3 text-[13px] text-ink-2">
          No matching files
        </p>
      ) : (
        <FileList
          rows={rows}
          shown={shown}
          writing={writing}
          unsaved={unsaved}
          onPick={onPick}
          onFold={(path, closed) => workspace.fold(path, closed)}
          onDelete={onDelete}
        />
      )}
      {incomplete && (
        <p className="shrink-0 border-line border-t px-3 py-2 text-ink-2 text-xs">{`Only the first ${paths.size.toLocaleString('en')} files are shown.`}</p>
      )}
    </div>
  );
}
