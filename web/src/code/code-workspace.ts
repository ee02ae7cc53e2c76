import { createStore } from 'zustand/vanilla';
import { foldersOf } from './file-tree.ts';
import { OpenDocument } from './open-document.ts';

/** State of a project's code view, kept while the page is open. */
export interface CodeViewState {
  readonly picked: string | null;
  readonly panel: 'files' | 'changes';
  /**
   * The checkpoint to compare with, and whether the user chose it. Until the list has loaded, `null` means the one before the
   * newest.
   */
  readonly checkpoint: { readonly id: string; readonly chosen: boolean } | null;
  readonly layout: 'unified' | 'split';
  /** Folders that the user has closed or opened. Large folders are closed by default. */
  readonly folds: ReadonlyMap<string, 'closed' | 'open'>;
  readonly filter: string;
  /** Whether the file list covers the file on a narrow screen. */
  readonly listShown: boolean;
  readonly unsaved: readonly string[];
}

/** Number of files whose editors are kept. Files with unsaved changes always keep theirs. */
const maxIdleDocuments = 12;

export class CodeWorkspace {
  readonly store = createStore<CodeViewState>(() => ({
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

  /** Opens a file's editor. Returns the same document until it is closed. */
  open(path: string): OpenDocument {
    const known = this.#documents.get(path);
    const document = known ?? this.#create(path);
    // Re-inserts the document, so that the most recently shown one is last.
    this.#documents.delete(path);
    this.#documents.set(path, document);
    this.#closeIdle();
    return document;
  }

  /** Shows a file and opens its parent folders. */
  pick(path: string | null): void {
    this.store.setState(({ folds }) => {
      const opened = path === null ? [] : foldersOf(path).map((folder) => [folder, 'open'] as const);
      return { picked: path, folds: new Map([...folds, ...opened]), listShown: false };
    });
  }

  /** Switches between all files and changed files. Resets a checkpoint that the user did not choose. */
  list(panel: CodeViewState['panel']): void {
    this.store.setState(({ checkpoint }) => ({ panel, checkpoint: checkpoint?.chosen ? checkpoint : null }));
  }

  fold(path: string, closed: boolean): void {
    this.store.setState(({ folds }) => ({ folds: new Map([...folds, [path, closed ? 'closed' : 'open']]) }));
  }

  /** Drops a deleted file and its unsaved changes. */
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
        // Typing keeps this file on screen when the agent writes another one.
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

/** Returns the project's only workspace in this page. It outlives its views. */
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
