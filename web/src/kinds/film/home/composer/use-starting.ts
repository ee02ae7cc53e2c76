import { useRef } from 'react';
import { useStart } from '../../../../home/start-project.ts';
import { navigate, projectHref } from '../../../../router.ts';
import { useDroppedFiles, usePastedFiles } from '../../../../uploads/file-input.tsx';

/** Starts projects from the box, which is then empty, or from an example, which leaves the box as it is. */
export function useStarting(clear: () => void) {
  const fromBox = useRef(false);
  const starting = useStart({
    onStarted: (projectId) => {
      if (fromBox.current) clear();
      navigate(projectHref(projectId));
    },
  });
  const { attached, busy, add, start } = starting;
  const isDragging = useDroppedFiles(null, { onFiles: add, enabled: !busy });
  usePastedFiles({ onFiles: add, from: () => !busy });
  const sent = attached.filter(({ state }) => state.kind === 'done').length;
  return {
    ...starting,
    isDragging,
    progress: attached.length > 0 ? `Uploading ${Math.min(sent + 1, attached.length)} of ${attached.length}…` : 'Creating…',
    begin(idea: Parameters<typeof start>[0], from: 'box' | 'example') {
      fromBox.current = from === 'box';
      void start(idea);
    },
  };
}
