import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppDocument } from '../../../../sandbox-image/templates/app/model/document.ts';
import { applyEdits, type Edit } from '../../../../sandbox-image/templates/app/model/edits.ts';
import { toApiError } from '../../api/client.ts';
import type { ViewPlace } from './preview/app-page.ts';
import { editsBetween } from './structure/inverse.ts';

/** What the structure shows the properties of. */
export type Selection =
  | { readonly kind: 'page'; readonly page: string }
  | ({ readonly kind: 'view' } & ViewPlace)
  | { readonly kind: 'list'; readonly list: string }
  | { readonly kind: 'app' };

export type SaveState =
  | { readonly kind: 'saved'; readonly atMs: number | null }
  | { readonly kind: 'saving' | 'waits for Koda' }
  | { readonly kind: 'failed'; readonly message: string };

/** Edits that take one step back or forward again. */
interface Step {
  readonly edits: readonly Edit[];
  /** Edits of one field in a row are one step. `null` for a step of its own. */
  readonly group: string | null;
}

export interface AppState {
  /** The document with all edits of this page. `null` before it is read. */
  readonly document: AppDocument | null;
  readonly save: SaveState;
  readonly selection: Selection;
  /** The view that the next message to Koda is about. */
  readonly about: ViewPlace | null;
  readonly undo: readonly Step[];
  readonly redo: readonly Step[];
  /** Why the document could not be read. */
  readonly readError: unknown;
}

interface Stored {
  readonly revision: number;
  readonly document: AppDocument;
}

interface Options {
  readonly read: () => Promise<Stored>;
  readonly send: (edits: readonly Edit[]) => Promise<Stored & { readonly notes: readonly string[] }>;
  readonly notify: (text: string) => void;
}

const maxSteps = 200;
/** Time without a further edit after which edits are sent. */
const quietMs = 500;
const retryMs = 5000;

/** Edits the document of an app. Shows each edit immediately, and sends it when the user pauses. */
export class AppStore {
  readonly store: StoreApi<AppState>;
  readonly #options: Options;
  #stored: Stored | null = null;
  /** Steps that are not stored, oldest first. Each is sent by itself, because what one repairs is what the next one finds. */
  #unsent: readonly (readonly Edit[])[] = [];
  #request: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
    this.store = createStore<AppState>(() => ({
      document: null,
      save: { kind: 'saved', atMs: null },
      selection: { kind: 'app' },
      about: null,
      undo: [],
      redo: [],
      readError: null,
    }));
  }

  get #state(): AppState {
    return this.store.getState();
  }

  /** Reads the stored document again. Edits that no longer fit it are dropped, and the user is told. */
  async read(): Promise<void> {
    try {
      this.#take(await this.#options.read());
      this.store.setState({ readError: null });
    } catch (error) {
      if (this.#stored === null) this.store.setState({ readError: error });
    }
  }

  /** Sends the last edits. Nothing is shown afterwards. */
  close(): void {
    void this.flush();
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Selects a part. A page may name one that does not exist. */
  select(wanted: Selection): void {
    const { document } = this.#state;
    const selection = document === null ? wanted : stillThere(wanted, document);
    this.store.setState({ selection, about: selection.kind === 'view' ? { page: selection.page, view: selection.view } : null });
    this.endGroup();
  }

  clearAbout(): void {
    this.store.setState({ about: null });
  }

  /** The next edit is a step of its own. */
  endGroup(): void {
    const { undo } = this.#state;
    const last = undo.at(-1);
    if (last?.group) this.store.setState({ undo: [...undo.slice(0, -1), { ...last, group: null }] });
  }

  /**
   * Applies edits and sends them later. Edits in a row with the same `group` are undone together. Returns why they cannot be applied, or
   * `null` if they were.
   */
  edit(edits: readonly Edit[], group: string | null = null): string | null {
    const { document, undo } = this.#state;
    if (document === null) return 'The app is not loaded yet.';
    const applied = applyEdits(document, edits);
    if ('problem' in applied) return applied.problem;
    const inverse = editsBetween(applied.document, document, now());
    const last = undo.at(-1);
    const continues = group !== null && last?.group === group;
    const steps = continues
      ? [...undo.slice(0, -1), { edits: [...inverse, ...last.edits], group }]
      : [...undo, { edits: inverse, group }].slice(-maxSteps);
    this.#apply(edits, applied.document, { undo: steps, redo: [] });
    return null;
  }

  undo(): void {
    this.#step('undo', 'redo');
  }

  redo(): void {
    this.#step('redo', 'undo');
  }

  #step(from: 'undo' | 'redo', to: 'undo' | 'redo'): void {
    const { document, [from]: steps, [to]: others } = this.#state;
    const step = steps.at(-1);
    if (document === null || step === undefined) return;
    const rest = steps.slice(0, -1);
    const applied = applyEdits(document, step.edits);
    if ('problem' in applied) {
      this.store.setState({ [from]: rest });
      this.#options.notify(`This step was skipped. ${applied.problem}`);
      return;
    }
    const back = { edits: editsBetween(applied.document, document, now()), group: null };
    this.#apply(step.edits, applied.document, { undo: [], redo: [], [from]: rest, [to]: [...others, back] });
  }

  #apply(edits: readonly Edit[], document: AppDocument, steps: Pick<AppState, 'undo' | 'redo'>): void {
    this.#unsent = [...this.#unsent, edits];
    this.store.setState({ ...steps, document, selection: stillThere(this.#state.selection, document), save: { kind: 'saving' } });
    this.#flushAfter(quietMs);
  }

  #flushAfter(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void this.flush(), ms);
  }

  /** Sends the edits now and waits for the response. Returns whether all of them are stored. */
  async settle(): Promise<boolean> {
    while (this.#request !== null) await this.#request;
    await this.flush();
    return this.#unsent.length === 0;
  }

  /** Sends the edits now. Only one request runs at a time. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#request !== null || this.#unsent.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#request = promise;
    this.store.setState({ save: { kind: 'saving' } });
    try {
      for (let edits = this.#unsent[0]; edits !== undefined; edits = this.#unsent[0]) {
        const { notes, ...stored } = await this.#options.send(edits);
        this.#unsent = this.#unsent.slice(1);
        this.#take(stored);
        for (const note of notes) this.#options.notify(note);
      }
    } catch (error) {
      await this.#notSent(error);
    } finally {
      this.#request = null;
      resolve();
    }
  }

  async #notSent(error: unknown): Promise<void> {
    const { code, message, recovery, status } = toApiError(error);
    const waits = code === 'INVALID_TRANSITION' && recovery === 'wait';
    if (waits || code === 'NETWORK' || code === 'RATE_LIMITED' || status >= 500) {
      this.store.setState({ save: waits ? { kind: 'waits for Koda' } : { kind: 'failed', message } });
      this.#flushAfter(retryMs);
      return;
    }
    // The server refuses these edits, and would refuse them again.
    this.#unsent = this.#unsent.slice(1);
    const reason =
      code === 'CONFLICT'
        ? 'Your last change was not saved, because the app was changed meanwhile.'
        : 'Your last change was not saved.';
    this.#options.notify(`${reason} ${message}`);
    // Steps back lead to documents that contain the refused edits.
    this.store.setState({ undo: [], redo: [] });
    await this.read();
  }

  /** Shows a stored document with the edits that it does not contain yet. */
  #take(stored: Stored): void {
    if (this.#stored !== null && stored.revision < this.#stored.revision) return;
    this.#stored = stored;
    let { document } = stored;
    for (const edits of this.#unsent) {
      // Edits that no longer fit are sent nevertheless: the server says why, and they are dropped then.
      const applied = applyEdits(document, edits);
      if ('document' in applied) document = applied.document;
    }
    this.store.setState({
      document,
      selection: stillThere(this.#state.selection, document),
      save: this.#unsent.length === 0 ? { kind: 'saved', atMs: Date.now() } : { kind: 'saving' },
    });
    if (this.#unsent.length > 0 && this.#request === null) this.#flushAfter(quietMs);
  }
}

const now = (): string => new Date().toISOString();

/** Returns the selection, or the nearest part that still exists. */
export function stillThere(selection: Selection, { pages, lists }: AppDocument): Selection {
  if (selection.kind === 'list') return lists.some(({ id }) => id === selection.list) ? selection : { kind: 'app' };
  if (selection.kind === 'app') return selection;
  const page = pages.find(({ id }) => id === selection.page);
  if (page === undefined) return { kind: 'app' };
  const isThere = selection.kind === 'page' || page.views.some(({ id }) => id === selection.view);
  return isThere ? selection : { kind: 'page', page: page.id };
}

export const AppStoreContext = createContext<AppStore | null>(null);

export function useAppStore(): AppStore {
  const store = useContext(AppStoreContext);
  if (store === null) throw new Error('useAppStore works only inside the page of an app.');
  return store;
}

export function useAppState<T>(select: (state: AppState) => T): T {
  return useStore(useAppStore().store, select);
}
