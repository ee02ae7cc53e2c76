import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { DiffResponse } from '../../../server/contract/history.ts';
import { historyApi } from '../api/client.ts';
import { useProject } from '../project/context.ts';
import { Button, ErrorNotice, Waiting } from '../ui/elements.tsx';
import { DiffRowView, rowHeight } from './diff-row.tsx';
import { diffRows, type FileLines, fileLines, openAtFirst, widestColumns } from './diff-rows.ts';
import type { Comparison } from './entries.ts';
import { countOf } from './entries.ts';

/** “Open all” is offered up to so many files: each is a request. */
const openedAtOnce = 20;

/** The files that differ between two checkpoints, and the lines of those that are open. */
export function DiffView({ compared }: { compared: Comparison }) {
  const { projectId } = useProject();
  const { checkpointId, against } = compared;
  const diff = useQuery({
    queryKey: ['diff', projectId, checkpointId, against],
    queryFn: ({ signal }) => historyApi.diff(projectId, { checkpointId, against, path: null }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (diff.isPending) {
    return <Waiting className="px-4 py-3">Comparing…</Waiting>;
  }
  if (diff.isError) {
    return <ErrorNotice error={diff.error} onRetry={() => void diff.refetch()} className="m-4" />;
  }
  return <Files compared={compared} diff={diff.data} />;
}

/** What the requests know of their files, in their order. */
const inOrder = (answers: readonly UseQueryResult<FileLines>[]): FileLines[] =>
  answers.map(({ data, error, refetch }) => {
    if (data) return data;
    return error ? { kind: 'failed', error, retry: () => void refetch() } : { kind: 'loading' };
  });

function Files({ compared, diff }: { compared: Comparison; diff: DiffResponse }) {
  const { projectId } = useProject();
  const { files } = diff;
  const [open, setOpen] = useState<ReadonlySet<string>>(() => openAtFirst(files));
  const { checkpointId, against } = compared;
  const readable = useMemo(() => files.filter(({ path, binary }) => open.has(path) && !binary), [files, open]);
  const lines = useQueries({
    queries: readable.map(({ path }) => ({
      queryKey: ['diff', projectId, checkpointId, against, path],
      queryFn: ({ signal }: { signal: AbortSignal }) => historyApi.diff(projectId, { checkpointId, against, path }, signal),
      select: fileLines,
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: inOrder,
  });
  const rows = useMemo(() => {
    const byPath = new Map(readable.map(({ path }, index) => [path, lines[index]]));
    return diffRows(files, open, (path) => byPath.get(path) ?? { kind: 'loading' });
  }, [files, open, readable, lines]);
  const columns = useMemo(() => widestColumns(rows), [rows]);
  const box = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: useCallback((index: number) => rowHeight(rows[index]), [rows]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 20,
  });
  const toggle = (path: string) =>
    setOpen((old) => {
      const next = new Set(old);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  const allOpen = files.every(({ path }) => open.has(path));
  const hidden = diff.changedFiles - files.length;

  return (
    <>
      <div className="flex h-10 shrink-0 items-center gap-2 px-4 text-[13px]">
        <p className="min-w-0 flex-1 truncate" title={compared.caption}>
          <span className="font-medium">{compared.caption}</span>
          <span className="text-ink-3">
            {' · '}
            {diff.changedFiles === 0
              ? 'No file differs.'
              : `${countOf(diff.changedFiles, 'file')} ${diff.changedFiles === 1 ? 'differs' : 'differ'}`}
          </span>
        </p>
        {files.length > 1 && files.length <= openedAtOnce && (
          <Button size="sm" variant="quiet" onClick={() => setOpen(allOpen ? new Set() : new Set(files.map(({ path }) => path)))}>
            {allOpen ? 'Close all' : 'Open all'}
          </Button>
        )}
      </div>
      <section
        ref={box}
        aria-label="Changes"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled with the keyboard, too.
        tabIndex={0}
        className="@container min-h-0 flex-1 overflow-auto overscroll-contain border-line border-t -outline-offset-2"
      >
        <div
          className="relative font-mono text-xs"
          style={{ height: virtual.getTotalSize(), minWidth: `max(100%, calc(${columns}ch + 8rem))` }}
        >
          {virtual.getVirtualItems().map(({ index, key, start, size }) => {
            const row = rows[index];
            return (
              row && (
                <div key={key} className="absolute inset-x-0 top-0" style={{ height: size, transform: `translateY(${start}px)` }}>
                  <DiffRowView row={row} onToggle={toggle} />
                </div>
              )
            );
          })}
        </div>
        {hidden > 0 && (
          <p className="sticky left-0 px-4 py-3 text-[13px] text-ink-2">{`… and ${countOf(hidden, 'file')} more. Clone the project to see all of them.`}</p>
        )}
      </section>
    </>
  );
}
