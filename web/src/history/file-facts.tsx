import type { FileDiff } from '../../../server/contract/history.ts';
import { cx } from '../ui/class-names.ts';

/** How many lines came and went, by sign as well as by colour. */
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

/** What became of a file; that it changed is the usual, which only a screen reader says. */
export function StatusWord({ file: { status } }: { file: FileDiff }) {
  return <span className={cx('shrink-0 rounded px-1.5 text-xs leading-5', tones[status])}>{words[status]}</span>;
}
