import { Upload } from 'lucide-react';
import {
  type ClipboardEvent as ReactClipboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { cx } from '../ui/elements.tsx';
import { useWindowEvent } from '../ui/hooks.ts';

/**
 * Returns a paste's files, or none if it contains text. Word processors add an image to copied text, but the user means the
 * text.
 */
export function pastedFiles(data: Pick<DataTransfer, 'files' | 'types'> | null): File[] {
  return data === null || data.types.includes('text/plain') ? [] : [...data.files];
}

export function onPasteFiles(event: ReactClipboardEvent | ClipboardEvent, onFiles: (files: File[]) => void): void {
  const files = pastedFiles(event.clipboardData);
  if (files.length === 0) return;
  event.preventDefault();
  onFiles(files);
}

interface PasteOptions {
  readonly onFiles: (files: File[]) => void;
  /** Returns whether the page handles a paste into this element. */
  readonly from: (target: Element | null) => boolean;
}

/** Handles files pasted anywhere on the page. */
export function usePastedFiles({ onFiles, from }: PasteOptions): void {
  useWindowEvent('paste', (event) => {
    if (from(event.target instanceof Element ? event.target : null)) onPasteFiles(event, onFiles);
  });
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

interface DropOptions {
  readonly onFiles: (files: File[]) => void;
  /** If `false`, dropped files are ignored. Otherwise, the browser would leave the page to open them. */
  readonly enabled?: boolean;
}

/**
 * Handles files dropped on an element, or anywhere on the page if it is `null`. Returns whether files are being dragged over
 * it.
 */
export function useDroppedFiles(
  element: RefObject<HTMLElement | null> | null,
  { onFiles, enabled = true }: DropOptions,
): boolean {
  const [over, setOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const target: HTMLElement | Window | null = element === null ? window : element.current;
    if (target === null) return;
    const ended = new AbortController();
    // Every child fires its own enter and leave events. Files are over the element while enters outnumber leaves.
    let depth = 0;
    const move = (to: number) => {
      depth = Math.max(0, to);
      setOver(depth > 0 && enabled);
    };
    const on = (type: 'dragenter' | 'dragleave' | 'dragover' | 'drop', run: (event: DragEvent) => void) => {
      const listener = (event: Event) => {
        if (event instanceof DragEvent && hasFiles(event)) run(event);
      };
      target.addEventListener(type, listener, { signal: ended.signal });
    };
    on('dragenter', () => move(depth + 1));
    on('dragleave', () => move(depth - 1));
    on('dragover', (event) => {
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = enabled ? 'copy' : 'none';
    });
    on('drop', (event) => {
      event.preventDefault();
      move(0);
      if (enabled) take([...(event.dataTransfer?.files ?? [])]);
    });
    return () => {
      ended.abort();
      setOver(false);
    };
  }, [element, enabled]);
  return over;
}

interface FileDropProps {
  onFiles: (files: File[]) => void;
  /** Shown while files are dragged over the element. */
  hint?: string;
  className?: string;
  children: ReactNode;
}

export function FileDrop({ onFiles, hint = 'Drop images, audio or fonts', className, children }: FileDropProps) {
  const box = useRef<HTMLDivElement>(null);
  const over = useDroppedFiles(box, { onFiles });
  return (
    <div ref={box} className={cx('relative', className)}>
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-1.5 z-10 flex animate-fade items-center justify-center gap-2 rounded-xl border-2 border-accent border-dashed bg-accent-soft p-2 text-center font-medium text-[13px] text-accent-text">
          <Upload className="size-4 shrink-0" />
          {hint}
        </div>
      )}
    </div>
  );
}

/** Ignores files dropped elsewhere. Otherwise, the browser would leave the page to open them. */
export function useNoStrayDrops(): void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  };
  useWindowEvent('dragover', refuse);
  useWindowEvent('drop', refuse);
}

interface FilePickerProps {
  ref: Ref<HTMLInputElement>;
  accept: string;
  onFiles: (files: File[]) => void;
}

/** The browser's file picker, opened by a button elsewhere. */
export function FilePicker({ ref, accept, onFiles }: FilePickerProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      accept={accept}
      onChange={({ currentTarget }) => {
        // The list is copied first, because resetting the field (so that the same file can be chosen again) empties it.
        const files = [...(currentTarget.files ?? [])];
        currentTarget.value = '';
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
