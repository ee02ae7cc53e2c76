import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useEffect, useState } from 'react';
import { overlayClass } from '../../../../ui/dialog.tsx';
import { Button, IconButton } from '../../../../ui/elements.tsx';
import type { ReadingRow } from './rows.ts';
import { SceneNumber } from './scene-number.tsx';
import { WordChoices, type WordUse } from './word-choices.tsx';

interface WordSheetProps {
  readonly rows: readonly ReadingRow[];
  readonly opened: boolean;
  /** Row that it opens with. `null` shows the list. */
  readonly at: number | null;
  readonly pictureOf: (row: ReadingRow) => ReactNode;
  readonly onUse: (row: ReadingRow, use: WordUse) => void;
  readonly onEdit: (row: ReadingRow) => void;
  readonly onClose: () => void;
}

/** On phones: the list of readings, and each reading with its choices, step by step. */
export function WordSheet({ rows, opened, at, pictureOf, onUse, onEdit, onClose }: WordSheetProps) {
  const [shown, setShown] = useState<number | null>(null);
  useEffect(() => {
    if (opened) setShown(at);
  }, [opened, at]);
  const row = shown === null ? undefined : rows[shown];
  const span = row?.spans[0] ?? null;
  return (
    <Dialog.Root open={opened} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-0 bottom-0 z-50 max-h-[80dvh] animate-rise overflow-y-auto rounded-t-2xl border-line border-t bg-panel px-4 pt-2 pb-6 shadow-lift"
        >
          <span aria-hidden="true" className="mx-auto mb-2 block h-1 w-9 rounded-full bg-line-strong" />
          <div className="mb-3 flex items-center gap-1">
            <Dialog.Title className="mr-auto text-ink-2 text-sm">
              {row === undefined ? `Reading ${rows.length}` : `Reading ${(shown ?? 0) + 1} of ${rows.length}`}
            </Dialog.Title>
            {row !== undefined && (
              <>
                <IconButton
                  icon={ChevronLeft}
                  label="Reading before"
                  disabled={shown === 0}
                  onClick={() => setShown((shown ?? 0) - 1)}
                  className="size-11"
                />
                <IconButton
                  icon={ChevronRight}
                  label="Next reading"
                  disabled={(shown ?? 0) + 1 >= rows.length}
                  onClick={() => setShown((shown ?? 0) + 1)}
                  className="size-11"
                />
              </>
            )}
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close" className="size-11" />
            </Dialog.Close>
          </div>
          {row === undefined ? (
            <ul aria-label="How Koda reads it">
              {rows.map((one, index) => (
                <li key={one.key}>
                  <button
                    type="button"
                    onClick={() => setShown(index)}
                    className="flex min-h-12 w-full items-center gap-2 rounded-lg px-1 text-left text-base"
                  >
                    <span className="shrink-0 font-medium">{one.name}</span>
                    <span className={`min-w-0 flex-1 truncate text-ink-2 ${one.state === 'left-out' ? 'line-through' : ''}`}>
                      {one.words}
                    </span>
                    {one.scene !== null && <SceneNumber number={one.scene} />}
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            <>
              <WordChoices
                chosen={{ words: row.words, span }}
                picture={<span className="shrink-0 overflow-hidden rounded-md ring-1 ring-line-strong">{pictureOf(row)}</span>}
                isTouch
                onUse={(use) => onUse(row, use)}
              />
              <Button onClick={() => onEdit(row)} className="mt-2 h-11! w-full">
                Edit text
              </Button>
            </>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
