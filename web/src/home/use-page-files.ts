import { useEffect, useRef, useState } from 'react';
import { pastedFiles } from '../assets/file-drop.tsx';

/** Takes files that are dropped anywhere on the page or pasted; true while some are held over it. */
export function usePageFiles(onFiles: (files: readonly File[]) => void, enabled: boolean): boolean {
  const [over, setOver] = useState(false);
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });
  useEffect(() => {
    // Every element that is entered and left tells so: files are over the page while more were entered than left.
    let depth = 0;
    const end = () => {
      depth = 0;
      setOver(false);
    };
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const handlers = {
      dragenter: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        depth += 1;
        setOver(enabled);
      },
      dragleave: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        depth -= 1;
        if (depth <= 0) end();
      },
      dragover: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        // Else the browser would leave the page for the file.
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = enabled ? 'copy' : 'none';
      },
      drop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        end();
        if (enabled) take.current([...(event.dataTransfer?.files ?? [])]);
      },
      paste: (event: ClipboardEvent) => {
        const files = pastedFiles(event.clipboardData);
        if (files.length === 0 || !enabled) return;
        event.preventDefault();
        take.current(files);
      },
    };
    const { dragenter, dragleave, dragover, drop, paste } = handlers;
    window.addEventListener('dragenter', dragenter);
    window.addEventListener('dragleave', dragleave);
    window.addEventListener('dragover', dragover);
    window.addEventListener('drop', drop);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('dragenter', dragenter);
      window.removeEventListener('dragleave', dragleave);
      window.removeEventListener('dragover', dragover);
      window.removeEventListener('drop', drop);
      window.removeEventListener('paste', paste);
    };
  }, [enabled]);
  return over;
}
