import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FilmOutline } from '#contract/film.ts';
import { filmOutlineOf } from '#contract/film-outline.ts';
import type { Plan } from '#contract/project.ts';
import type { StoredTexts } from '../browser-storage.ts';
import { useWindowEvent } from '../ui/hooks.ts';
import { type EditPlan, editable, samePlan, toDraft } from './plan-edits.ts';
import { readStoredEdits, type StoredEdits, storeEdits } from './stored-edits.ts';

export interface EditHistory<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

const maxSteps = 200;

export function begin<T>(present: T): EditHistory<T> {
  return { past: [], present, future: [] };
}

/** Adds a step if something has changed. `join` extends the previous step, as for a held key. */
export function commit<T>(history: EditHistory<T>, next: T, { join }: { join: boolean } = { join: false }): EditHistory<T> {
  if (next === history.present) return history;
  if (join && history.past.length > 0) return { past: history.past, present: next, future: [] };
  return { past: [...history.past.slice(1 - maxSteps), history.present], present: next, future: [] };
}

export function undo<T>(history: EditHistory<T>): EditHistory<T> {
  const previous = history.past.at(-1);
  if (previous === undefined) return history;
  return { past: history.past.slice(0, -1), present: previous, future: [history.present, ...history.future] };
}

export function redo<T>(history: EditHistory<T>): EditHistory<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future };
}

export interface PlanEditorState {
  readonly plan: Plan | null;
  readonly base: EditPlan | null;
  readonly history: EditHistory<EditPlan> | null;
  /** The plan during a drag, which is not an undo step yet. */
  readonly dragged: EditPlan | null;
  /** Stashed edits to an earlier revision, which a newer plan replaced. */
  readonly aside: { readonly draft: FilmOutline; readonly revision: number } | null;
  readonly isStashShown: boolean;
  /** Edits sent with a request for changes; the next plan is expected to include them. */
  readonly sent: FilmOutline | null;
  /** Whether lengthening a scene shortens its neighbour. */
  readonly holdTotal: boolean;
}

const nothing: PlanEditorState = {
  ...{ plan: null, base: null, history: null, dragged: null, aside: null, isStashShown: false, sent: null },
  holdTotal: false,
};

export function shownPlan({ dragged, history }: PlanEditorState): EditPlan | null {
  return dragged ?? history?.present ?? null;
}

export function isEdited({ base, history }: PlanEditorState): boolean {
  return base !== null && history !== null && !samePlan(base, history.present);
}

/** Returns the edits to send with the approval, or `null` if there are none. */
export function editedDraft(state: PlanEditorState): FilmOutline | null {
  return state.history !== null && isEdited(state) ? toDraft(state.history.present) : null;
}

/**
 * Returns the state for a plan from the server. Stashes edits to another revision unless the new plan includes them. `kept`
 * has the edits stored by the browser, for the first plan that the page receives.
 */
function followPlan(state: PlanEditorState, plan: Plan | null, kept: StoredEdits | null): PlanEditorState {
  const outline = plan === null ? null : filmOutlineOf(plan);
  if (plan === null || outline === null) return { ...nothing, holdTotal: state.holdTotal };
  const { plan: before } = state;
  const isSettled = plan.accepted && before?.accepted === false;
  if (before !== null && before.id === plan.id && before.revision === plan.revision && !isSettled) return { ...state, plan };
  const base = editable(outline);
  const fresh = { ...state, plan, base, history: begin(base), dragged: null, isStashShown: false, sent: null };
  if (before === null) {
    if (kept === null) return fresh;
    const isSame = kept.planId === plan.id && kept.revision === plan.revision;
    if (isSame && kept.draft !== null && !plan.accepted)
      return { ...fresh, history: commit(begin(base), editable(kept.draft)), aside: kept.aside };
    return { ...fresh, aside: stashFor(kept.draft, kept.revision, base) ?? kept.aside };
  }
  // The edited plan may have been replaced before this page loaded.
  return { ...fresh, aside: stashFor(unsentDraft(state), before.revision, base) ?? state.aside };
}

/** Returns the edits that were not sent with a request for changes, or have changed since. */
function unsentDraft(state: PlanEditorState): FilmOutline | null {
  const draft = editedDraft(state);
  const isSent = draft !== null && state.sent !== null && samePlan(editable(state.sent), editable(draft));
  return isSent ? null : draft;
}

function stashFor(draft: FilmOutline | null, revision: number, base: EditPlan): PlanEditorState['aside'] {
  return draft === null || samePlan(editable(draft), base) ? null : { draft, revision };
}

function keptOf(state: PlanEditorState): StoredEdits | null {
  const { plan, aside } = state;
  const draft = editedDraft(state);
  if (plan === null || (draft === null && aside === null)) return null;
  return { planId: plan.id, revision: plan.revision, draft, aside };
}

export interface PlanEditor {
  readonly store: StoreApi<PlanEditorState>;
  /** Applies the server's plan. Call whenever it may have changed. */
  follow(plan: Plan | null): void;
  edit(change: (plan: EditPlan) => EditPlan, options?: { join: boolean }): void;
  /** Shows the plan as a drag would change it; `null` ends the drag without a step. */
  drag(plan: EditPlan | null): void;
  /** Commits the drag as a step. */
  drop(): void;
  undo(): void;
  redo(): void;
  discard(): void;
  showStash(shows: boolean): void;
  applyStash(): void;
  dropStash(): void;
  setHoldTotal(holds: boolean): void;
  send(draft: FilmOutline | null): void;
}

export function createPlanEditor(projectId: string, storage: StoredTexts): PlanEditor {
  const store = createStore<PlanEditorState>(() => nothing);
  const set = (change: Partial<PlanEditorState>) => {
    store.setState(change);
    const state = store.getState();
    if (state.plan !== null) storeEdits(storage, projectId, keptOf(state));
  };
  const step = (make: (history: EditHistory<EditPlan>) => EditHistory<EditPlan>) => {
    const { history } = store.getState();
    if (history !== null) set({ history: make(history), dragged: null });
  };
  return {
    store,
    follow(plan) {
      const state = store.getState();
      if (state.plan === plan) return;
      set(followPlan(state, plan, state.plan === null ? readStoredEdits(storage, projectId) : null));
    },
    edit: (change, options) => step((history) => commit(history, change(history.present), options)),
    drag: (dragged) => store.setState({ dragged }),
    drop() {
      const { dragged } = store.getState();
      if (dragged !== null) step((history) => commit(history, dragged));
    },
    undo: () => step(undo),
    redo: () => step(redo),
    discard() {
      const { base } = store.getState();
      if (base !== null) step((history) => commit(history, base));
    },
    showStash: (isStashShown) => set({ isStashShown }),
    applyStash() {
      const { aside, history } = store.getState();
      if (aside === null || history === null) return;
      set({ history: commit(history, editable(aside.draft)), aside: null, isStashShown: false });
    },
    dropStash: () => set({ aside: null, isStashShown: false }),
    setHoldTotal: (holdTotal) => set({ holdTotal }),
    send: (sent) => set({ sent }),
  };
}

/** Provided by the project page, so that plan edits survive switching panes. */
export const PlanEditorContext = createContext<PlanEditor | null>(null);

export function usePlanEditor(): PlanEditor {
  const editor = useContext(PlanEditorContext);
  if (!editor) throw new Error('usePlanEditor works only inside the project page.');
  return editor;
}

export function usePlanEdits<T>(select: (edits: PlanEditorState) => T): T {
  return useStore(usePlanEditor().store, select);
}

/** In text fields, the browser's own undo applies. */
const textFields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="dialog"] *';

/** Mod+Z undoes a step; Shift+Mod+Z and Mod+Y redo it. */
export function useUndoKeys(editor: PlanEditor): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    if (event.target instanceof Element && event.target.closest(textFields)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) editor.redo();
    else editor.undo();
  });
}
