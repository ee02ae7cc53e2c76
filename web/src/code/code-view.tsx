import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CodeXml } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { api } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { Empty } from '../ui/empty.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { CodePane } from './code-pane.tsx';
import { FileList } from './file-list.tsx';
import { treeRows } from './file-tree.ts';

/** The project's files; without a choice of the reader's own, the view goes along with what is being written. */
export default function CodeView() {
  const { projectId } = useProject();
  const live = useView((view) => view.files);
  const currentFile = useView((view) => view.currentFile);
  const filesVersion = useView((view) => view.filesVersion);
  const [picked, setPicked] = useState<string | null>(null);
  const listed = useQuery({
    queryKey: ['files', projectId, filesVersion],
    queryFn: ({ signal }) => api.listFiles(projectId, signal),
    placeholderData: keepPreviousData,
  });
  const paths = useMemo(() => {
    const known = (listed.data?.files ?? []).filter((file) => file.type === 'file').map((file) => file.path);
    return [...known, ...Object.keys(live)].filter((path) => !live[path]?.deleted);
  }, [listed.data, live]);
  // While a file streams, the files change many times a second and their names do not.
  const names = paths.join('\n');
  const rows = useMemo(() => treeRows(names === '' ? [] : names.split('\n')), [names]);
  const writing = useView((view) => (view.currentFile && view.files[view.currentFile]?.streaming ? view.currentFile : null));
  // Choosing the file at work goes along with the work again.
  const pick = useCallback((path: string) => setPicked(path === currentFile ? null : path), [currentFile]);
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
      <FileList rows={rows} shown={shown} writing={writing} onPick={pick} />
      <div className="min-h-0 min-w-0 flex-1">{shown !== null && <CodePane key={shown} path={shown} />}</div>
    </div>
  );
}
