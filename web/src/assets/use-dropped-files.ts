import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

export const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

interface DropOptions {
  readonly onFiles: (files: File[]) => void;
  /** False = files are refused, which keeps the browser from leaving the page to show them. */
  readonly enabled?: boolean;
}

/** Takes files that are dropped on an element, or with null anywhere on the page; true while some are held over it. */
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
    // Every element that is entered and left tells so: files are over it while more were entered than left.
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
