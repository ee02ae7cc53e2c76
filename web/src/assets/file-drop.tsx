import { Upload } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';

const hasFiles = (transfer: DataTransfer | null) => transfer?.types.includes('Files') ?? false;

/**
 * The files of a paste. None where there is text as well: word processors add a picture of what was copied, and the words
 * are what is meant.
 */
export function pastedFiles(data: Pick<DataTransfer, 'files' | 'types'> | null): File[] {
  return data === null || data.types.includes('text/plain') ? [] : [...data.files];
}

/** Takes the files of a paste; text is pasted as ever. */
export function onPasteFiles(event: ClipboardEvent | globalThis.ClipboardEvent, onFiles: (files: File[]) => void): void {
  const files = pastedFiles(event.clipboardData);
  if (files.length === 0) return;
  event.preventDefault();
  onFiles(files);
}

interface FileDropProps {
  onFiles: (files: File[]) => void;
  className?: string;
  children: ReactNode;
}

/** A part of the page on which files may be dropped; it says so while some are held over it. */
export function FileDrop({ onFiles, className, children }: FileDropProps) {
  const [dragging, setDragging] = useState(false);
  // Each element inside tells of entering and leaving.
  const depth = useRef(0);
  const move = (by: number) => (event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return;
    depth.current += by;
    setDragging(depth.current > 0);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping files is a short cut; a button does the same.
    <div
      onDragEnter={move(1)}
      onDragLeave={move(-1)}
      onDragOver={(event) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDrop={(event) => {
        depth.current = 0;
        setDragging(false);
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      }}
      className={cx('relative', className)}
    >
      {children}
      {dragging && (
        <div className="pointer-events-none absolute inset-1.5 z-10 flex animate-fade items-center justify-center gap-2 rounded-xl border-2 border-accent border-dashed bg-accent-soft p-2 text-center font-medium text-[13px] text-accent-text">
          <Upload aria-hidden="true" className="size-4 shrink-0" />
          {texts.assets.dropHere}
        </div>
      )}
    </div>
  );
}

/** Files that miss every place for them do nothing; without this, the browser would leave the page to show them. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}
