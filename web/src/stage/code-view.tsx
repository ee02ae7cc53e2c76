import { useQuery } from '@tanstack/react-query';
import { CodeXml, FileCode, Folder } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { Empty } from '../ui/empty.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { CodePane } from './code-pane.tsx';
import { treeRows } from './file-tree.ts';

/** The project's files; without a choice of the reader's own, the view goes along with what is being written. */
export function CodeView() {
  const { projectId } = useProject();
  const live = useView((view) => view.files);
  const currentFile = useView((view) => view.currentFile);
  const filesVersion = useView((view) => view.filesVersion);
  const [picked, setPicked] = useState<string | null>(null);
  const listed = useQuery({
    queryKey: ['files', projectId, filesVersion],
    queryFn: ({ signal }) => api.listFiles(projectId, signal),
  });
  const paths = useMemo(() => {
    const known = (listed.data?.files ?? []).filter((file) => file.type === 'file').map((file) => file.path);
    return [...known, ...Object.keys(live)].filter((path) => !live[path]?.deleted);
  }, [listed.data, live]);
  const rows = useMemo(() => treeRows(paths), [paths]);
  const fallback = paths.includes('src/App.tsx') ? 'src/App.tsx' : (rows.find((row) => !row.folder)?.path ?? null);
  const shown = picked !== null && paths.includes(picked) ? picked : (currentFile ?? fallback);

  if (paths.length === 0) {
    if (listed.isPending) return <Empty icon={<Spinner />} title={texts.stage.loadingFile} text="" />;
    return (
      <Empty icon={<CodeXml />} title={texts.stage.noCodeTitle} text={texts.stage.noCodeText}>
        {listed.isError && <ErrorNotice error={listed.error} />}
      </Empty>
    );
  }
  return (
    <div className="flex h-full min-w-0 flex-col sm:flex-row">
      <nav
        aria-label={texts.stage.files}
        className="max-h-32 w-full shrink-0 overflow-auto border-line border-b py-2 sm:max-h-none sm:w-52 sm:border-r sm:border-b-0"
      >
        <ul>
          {rows.map((row) => (
            <li key={row.path}>
              {row.folder ? (
                <p className="flex h-7 items-center gap-1.5 text-[13px] text-ink-3" style={{ paddingLeft: 12 + row.depth * 14 }}>
                  <Folder aria-hidden="true" className="size-3.5 shrink-0" />
                  <span className="truncate">{row.name}</span>
                </p>
              ) : (
                <button
                  type="button"
                  aria-current={row.path === shown ? 'true' : undefined}
                  // Choosing the file at work goes along with the work again.
                  onClick={() => setPicked(row.path === currentFile ? null : row.path)}
                  className={cx(
                    'flex h-7 w-full items-center gap-1.5 pr-2 text-left text-[13px] outline-offset-[-2px]',
                    row.path === shown ? 'bg-accent-soft text-accent-text' : 'text-ink-2 hover:bg-sunken hover:text-ink',
                  )}
                  style={{ paddingLeft: 12 + row.depth * 14 }}
                >
                  <FileCode aria-hidden="true" className="size-3.5 shrink-0 opacity-70" />
                  <span className="min-w-0 flex-1 truncate">{row.name}</span>
                  {live[row.path]?.streaming && (
                    <span className="size-1.5 shrink-0 animate-breathe rounded-full bg-accent">
                      <span className="sr-only">{texts.stage.writing}</span>
                    </span>
                  )}
                </button>
              )}
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-h-0 min-w-0 flex-1">{shown !== null && <CodePane key={shown} path={shown} />}</div>
    </div>
  );
}
