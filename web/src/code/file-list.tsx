import { FileCode, Folder } from 'lucide-react';
import { memo } from 'react';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import type { TreeRow } from './file-tree.ts';

interface FileListProps {
  rows: readonly TreeRow[];
  shown: string | null;
  /** The file that is being written. */
  writing: string | null;
  onPick: (path: string) => void;
}

/** The tree of the project's files, drawn anew only when a name, the choice or the file at work changed. */
export const FileList = memo(function FileList({ rows, shown, writing, onPick }: FileListProps) {
  return (
    <nav
      aria-label={texts.stage.files}
      className="max-h-32 w-full shrink-0 overflow-auto border-line border-b py-2 sm:max-h-none sm:w-52 sm:border-r sm:border-b-0"
    >
      <ul>
        {rows.map((row) => (
          <li key={`${row.folder}${row.path}`}>
            {row.folder ? (
              <p className="flex h-7 items-center gap-1.5 text-[13px] text-ink-3" style={{ paddingLeft: 12 + row.depth * 14 }}>
                <Folder aria-hidden="true" className="size-3.5 shrink-0" />
                <span className="truncate">{row.name}</span>
              </p>
            ) : (
              <button
                type="button"
                aria-current={row.path === shown ? 'true' : undefined}
                onClick={() => onPick(row.path)}
                className={cx(
                  'flex h-7 w-full items-center gap-1.5 pr-2 text-left text-[13px] outline-offset-[-2px]',
                  row.path === shown ? 'bg-accent-soft text-accent-text' : 'text-ink-2 hover:bg-sunken hover:text-ink',
                )}
                style={{ paddingLeft: 12 + row.depth * 14 }}
              >
                <FileCode aria-hidden="true" className="size-3.5 shrink-0 opacity-70" />
                <span className="min-w-0 flex-1 truncate">{row.name}</span>
                {row.path === writing && (
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
  );
});
