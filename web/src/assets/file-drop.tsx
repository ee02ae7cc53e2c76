import { Upload } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { hasFiles, useDroppedFiles } from './use-dropped-files.ts';

interface FileDropProps {
  onFiles: (files: File[]) => void;
  className?: string;
  children: ReactNode;
}

/** A part of the page on which files may be dropped, for which a button does the same; it says so while some are held over it. */
export function FileDrop({ onFiles, className, children }: FileDropProps) {
  const box = useRef<HTMLDivElement>(null);
  const over = useDroppedFiles(box, { onFiles });
  return (
    <div ref={box} className={cx('relative', className)}>
      {children}
      {over && (
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
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event)) return;
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
