import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { DiffResponse, FileDiff } from '#contract/history.ts';
import { historyApi, toApiError } from '../api/client.ts';
import { useProject } from '../project/context.ts';
import { Button, cx, ErrorNotice, Spinner, Waiting } from '../ui/elements.tsx';
import {
  type DiffNote,
  type DiffRow,
  diffRows,
  type FileLines,
  fileLines,
  openAtFirst,
  type PatchLine,
  widestColumns,
} from './diff-rows.ts';
import { type Comparison, countOf } from './entries.ts';

/** “Open all” is limited to this many files, because each needs a request. */
const openedAtOnce = 20;

/** Lists the files that differ between two checkpoints, with the lines of open files. */
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
    // In CSS pixels, which the list needs before it renders a row.
    estimateSize: useCallback((index: number) => (rows[index]?.kind === 'line' ? 20 : 36), [rows]),
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
              ? 'No files differ.'
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
          <p className="sticky left-0 px-4 py-3 text-[13px] text-ink-2">{`… and ${countOf(hidden, 'file')} more. Clone the project to see them all.`}</p>
        )}
      </section>
    </>
  );
}

interface DiffRowViewProps {
  row: DiffRow;
  onToggle: (path: string) => void;
}

/** Rows other than lines stay in view while lines scroll sideways. */
const fixed = 'sticky left-0 flex h-full w-[100cqw] items-center gap-2 px-4 font-sans text-[13px]';

function DiffRowView({ row, onToggle }: DiffRowViewProps) {
  switch (row.kind) {
    case 'file':
      return <FileRow file={row.file} open={row.open} onToggle={() => onToggle(row.file.path)} />;
    case 'line':
      return <LineRow line={row.line} />;
    case 'note':
      return (
        <p className={cx(fixed, 'text-ink-2')}>
          {row.note === 'loading' && <Spinner className="size-3.5" />}
          {notes[row.note]}
        </p>
      );
    case 'failed':
      return (
        <div role="alert" className={cx(fixed, 'text-bad')}>
          <span className="min-w-0 truncate">{toApiError(row.error).message}</span>
          <Button size="sm" onClick={row.retry}>
            Try again
          </Button>
        </div>
      );
  }
}

const notes: Record<DiffNote, string> = {
  loading: 'Comparing lines…',
  binary: 'This is not a text file, so its lines cannot be compared.',
  'no-lines': 'No lines differ. Only the file’s name or mode has changed, or the file is empty.',
  cut: 'Only part of the difference is shown. Clone the project to see everything.',
};

function FileRow({ file, open, onToggle }: { file: FileDiff; open: boolean; onToggle: () => void }) {
  const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
  const from = file.previousPath === null ? '' : `${file.previousPath} → `;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      title={`${from}${file.path}`}
      className={cx(fixed, 'border-line border-b bg-panel text-left -outline-offset-2 hover:bg-sunken')}
    >
      <ChevronRight className={cx('size-4 shrink-0 text-ink-3 transition-transform', open && 'rotate-90')} />
      <span className="min-w-0 flex-1 truncate">
        <span className="text-ink-3">{`${from}${folder}`}</span>
        <span className="font-medium">{file.path.slice(folder.length)}</span>
      </span>
      <StatusLabel file={file} />
      <LineCounts file={file} />
    </button>
  );
}

const looks: Record<PatchLine['kind'], { sign: string; row: string; signTone: string; mark: string }> = {
  added: { sign: '+', row: 'bg-ok-soft', signTone: 'text-ok', mark: 'bg-ok/25' },
  removed: { sign: '−', row: 'bg-bad-soft', signTone: 'text-bad', mark: 'bg-bad/25' },
  same: { sign: ' ', row: '', signTone: '', mark: '' },
  gap: { sign: '', row: 'bg-sunken text-ink-3', signTone: '', mark: '' },
  remark: { sign: '', row: 'text-ink-3', signTone: '', mark: '' },
};

function LineRow({ line }: { line: PatchLine }) {
  const look = looks[line.kind];
  const number = 'w-10 shrink-0 select-none pr-2 text-right text-ink-2 tabular-nums';
  return (
    <div className={cx('flex h-full items-center whitespace-pre leading-5 [tab-size:2]', look.row)}>
      {line.kind === 'gap' || line.kind === 'remark' ? (
        <span className="px-4">
          {line.kind === 'remark' ? 'No line break at the end of the file' : `⋯ line ${line.newNumber ?? 0}  ${line.text}`}
        </span>
      ) : (
        <>
          <span aria-hidden="true" className={cx(number, 'hidden @lg:block')}>
            {line.oldNumber}
          </span>
          <span aria-hidden="true" className={number}>
            {line.newNumber}
          </span>
          <span className={cx('w-5 shrink-0 select-none text-center font-semibold', look.signTone)}>{look.sign}</span>
          <code className="pr-4">
            {line.mark === null ? (
              line.text
            ) : (
              <>
                {line.text.slice(0, line.mark.start)}
                <span className={cx('rounded-sm', look.mark)}>{line.text.slice(line.mark.start, line.mark.end)}</span>
                {line.text.slice(line.mark.end)}
              </>
            )}
          </code>
        </>
      )}
    </div>
  );
}

/** Shows added and removed lines by sign as well as by colour. */
export function LineCounts({ file: { binary, addedLines, deletedLines } }: { file: FileDiff }) {
  if (binary) return <span className="shrink-0 text-ink-3 text-xs">binary</span>;
  if (addedLines === null || deletedLines === null) return null;
  return (
    <span className="shrink-0 whitespace-nowrap font-mono text-xs tabular-nums">
      <span className="sr-only">{`${addedLines} ${addedLines === 1 ? 'line' : 'lines'} added, ${deletedLines} ${deletedLines === 1 ? 'line' : 'lines'} removed`}</span>
      <span aria-hidden="true" className={addedLines > 0 ? 'text-ok' : 'text-ink-3'}>
        +{addedLines}
      </span>{' '}
      <span aria-hidden="true" className={deletedLines > 0 ? 'text-bad' : 'text-ink-3'}>
        −{deletedLines}
      </span>
    </span>
  );
}

const words: Record<FileDiff['status'], string> = { added: 'added', modified: 'changed', deleted: 'deleted', renamed: 'renamed' };
const tones: Record<FileDiff['status'], string> = {
  added: 'bg-ok-soft text-ok',
  modified: 'sr-only',
  deleted: 'bg-bad-soft text-bad',
  renamed: 'bg-warn-soft text-warn',
};

/** Shows a file's status. The common “changed” is visible only to screen readers. */
export function StatusLabel({ file: { status } }: { file: FileDiff }) {
  return <span className={cx('shrink-0 rounded px-1.5 text-xs leading-5', tones[status])}>{words[status]}</span>;
}
