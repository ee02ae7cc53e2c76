import { useEffect } from 'react';
import type { PlanEditor } from './plan-editor.ts';

/** Where a text is written, the browser takes letters back. */
const texts = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="dialog"] *';

/** Mod+Z takes a step of editing back, Shift+Mod+Z and Mod+Y do it again. */
export function useUndoKeys(editor: PlanEditor): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey)) return;
      if (event.target instanceof Element && event.target.closest(texts)) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) editor.redo();
      else editor.undo();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [editor]);
}
