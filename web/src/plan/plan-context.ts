import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { PlanEditor, PlanEditorState } from './plan-editor.ts';

/** The project page provides it, so that the plan's edits outlive a change of panes. */
export const PlanEditorContext = createContext<PlanEditor | null>(null);

export function usePlanEditor(): PlanEditor {
  const editor = useContext(PlanEditorContext);
  if (!editor) throw new Error('usePlanEditor needs the project page around it.');
  return editor;
}

/** Selects from the plan's edits; renders again only when the selection changes. */
export function usePlanEdits<T>(select: (edits: PlanEditorState) => T): T {
  return useStore(usePlanEditor().store, select);
}
