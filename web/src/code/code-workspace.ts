import { createStore } from 'zustand/vanilla';
import { foldersOf } from './file-tree.ts';
import { OpenDocument } from './open-document.ts';

/** The state of a project's code view, kept while the page is open. */
export interface CodeLook {
  /** The file that the reader chose; null = what is being written. */
  readonly picked: string | null;
  readonly panel: 'files' | 'changes';
  /** The checkpoint to compare with, and whether the reader chose it; null = the one before the newest, once that is known. */
  readonly checkpoint: { readonly id: string; readonly chosen: boolean } | null;
  readonly layout: 'unified' | 'split';
  /** Folders that are closed, and those that were opened, of which some are closed at first. */
  readonly folds: ReadonlyMap<string, 'closed' | 'open'>;
  readonly filter: string;
  /** On a narrow screen, where the list covers the file. */
  readonly listShown: boolean;
  /** Files with unsaved changes. */
  readonly unsaved: readonly string[];
}

/** So many files keep their editors; those with unsaved changes always do. */
const maxIdleDocuments = 12;

export class CodeWorkspace {
  readonly store = createStore<CodeLook>(() => ({
    picked: null,
    panel: 'files',
    checkpoint: null,
    layout: 'unified',
    folds: new Map(),
    filter: '',
    listShown: false,
    unsaved: [],
  }));
  readonly #projectId: string;
  readonly #documents = new Map<string, OpenDocument>();

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** The editor of a file, always the same one while it is open. */
  open(path: string): OpenDocument {
    const known = this.#documents.get(path);
    const document = known ?? this.#create(path);
    // The most recently shown document is last.
    this.#documents.delete(path);
    this.#documents.set(path, document);
    this.#closeIdle();
    return document;
  }

  /** Shows a file, with the folders that lead to it open. */
  pick(path: string | null): void {
    this.store.setState(({ folds }) => {
      const opened = path === null ? [] : foldersOf(path).map((folder) => [folder, 'open'] as const);
      return { picked: path, folds: new Map([...folds, ...opened]), listShown: false };
    });
  }

  /** Lists all files, or those that changed: since the same checkpoint as before only if that was chosen. */
  list(panel: CodeLook['panel']): void {
    this.store.setState(({ checkpoint }) => ({ panel, checkpoint: checkpoint?.chosen ? checkpoint : null }));
  }

  fold(path: string, closed: boolean): void {
    this.store.setState(({ folds }) => ({ folds: new Map([...folds, [path, closed ? 'closed' : 'open']]) }));
  }

  /** Forgets a file that was deleted, with what was typed into it. */
  drop(path: string): void {
    this.#close(path);
    this.store.setState(({ picked, unsaved }) => ({
      picked: picked === path ? null : picked,
      unsaved: unsaved.filter((other) => other !== path),
    }));
  }

  #create(path: string): OpenDocument {
    const document = new OpenDocument(this.#projectId, path);
    document.store.subscribe(({ dirty }, before) => {
      if (dirty === before.dirty) return;
      this.store.setState(({ picked, unsaved }) => ({
        // Typing keeps this file shown, whatever the agent writes elsewhere.
        picked: dirty ? path : picked,
        unsaved: dirty ? [...unsaved, path] : unsaved.filter((other) => other !== path),
      }));
    });
    return document;
  }

  #closeIdle(): void {
    const idle = [...this.#documents.values()].filter(({ state }) => !state.dirty && state.saving === 'no');
    for (const { path } of idle.slice(0, -maxIdleDocuments)) this.#close(path);
  }

  #close(path: string): void {
    this.#documents.get(path)?.close();
    this.#documents.delete(path);
  }
}

const workspaces = new Map<string, CodeWorkspace>();

/** The one workspace of a project in this page: it outlives its views. */
export function codeWorkspace(projectId: string): CodeWorkspace {
  const known = workspaces.get(projectId);
  if (known) return known;
  if (workspaces.size === 0) window.addEventListener('beforeunload', askBeforeLeaving);
  const workspace = new CodeWorkspace(projectId);
  workspaces.set(projectId, workspace);
  return workspace;
}

/** Unsaved text exists only in this page. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  const unsaved = [...workspaces.values()].some(({ store }) => store.getState().unsaved.length > 0);
  if (unsaved) event.preventDefault();
}
