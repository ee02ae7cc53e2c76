import { ChevronRight } from 'lucide-react';
import type { FileDiff } from '../../../server/contract/history.ts';
import { toApiError } from '../api/client.ts';
import { Button, cx, Spinner } from '../ui/elements.tsx';
import type { DiffNote, DiffRow, PatchLine } from './diff-rows.ts';

/** In pixels; the list needs it before it draws a row. */
export function rowHeight(row: DiffRow | undefined): number {
  return row?.kind === 'line' ? 20 : 36;
}

interface DiffRowViewProps {
  row: DiffRow;
  onToggle: (path: string) => void;
}

/** Rows that are not lines stay in sight while lines scroll sideways. */
const fixed = 'sticky left-0 flex h-full w-[100cqw] items-center gap-2 px-4 font-sans text-[13px]';

export function DiffRowView({ row, onToggle }: DiffRowViewProps) {
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
  loading: 'Comparing the lines…',
  binary: 'This file is not text: its lines cannot be compared.',
  'no-lines': 'None of its lines differ: only its name, its mode or an empty file.',
  cut: 'The difference is longer than what is shown. Clone the project to see all of it.',
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
      <StatusWord file={file} />
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

/** Added and removed lines, by sign as well as by colour. */
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

/** What happened to a file; the usual “changed” is for screen readers only. */
export function StatusWord({ file: { status } }: { file: FileDiff }) {
  return <span className={cx('shrink-0 rounded px-1.5 text-xs leading-5', tones[status])}>{words[status]}</span>;
}
