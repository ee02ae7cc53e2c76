import { unifiedMergeView } from '@codemirror/merge';
import { Compartment, EditorState, type StateEffect, Text, Transaction } from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { useSyncExternalStore } from 'react';
import { createStore } from 'zustand/vanilla';
import { toApiError } from '../api/client.ts';
import { filesApi, retryUntilRunning } from '../api/files.ts';
import {
  acceptedServer,
  type DocumentState,
  keptLocal,
  newDocument,
  received,
  refused,
  type Step,
  saved,
  streamed,
  typed,
  type Version,
} from './document-state.ts';
import { editorSetup, followEnd, readOnlyText, restoreButton } from './editor-setup.ts';
import { lineBreakOf, readVersion, replacement } from './file-kind.ts';

export const linesOf = (text: string): Text => Text.of(text.split(lineBreakOf(text)));

/** An open file: its editor, which survives while other views are shown, and the file's state on the server. */
export class OpenDocument {
  readonly path: string;
  readonly view: EditorView;
  readonly store = createStore<DocumentState>(() => newDocument);
  readonly end = followEnd();
  readonly #projectId: string;
  readonly #lock = new Compartment();
  readonly #comparison = new Compartment();
  readonly #listeners = new Set<(update: ViewUpdate) => void>();
  /** The file's line ending. The editor itself uses `\n`. */
  #lineBreak: '\n' | '\r\n' = '\n';
  /** Whether the page is changing the text, not the user. */
  #adopting = false;
  #locked = false;
  #saving: AbortController | null = null;
  #scroll: StateEffect<unknown> | null = null;

  constructor(projectId: string, path: string) {
    this.#projectId = projectId;
    this.path = path;
    this.view = new EditorView({
      state: EditorState.create({
        extensions: [
          editorSetup({ path, label: `Text of ${path}`, onSave: () => void this.save() }),
          this.#lock.of([]),
          this.#comparison.of([]),
          this.end.extension,
          EditorView.updateListener.of((update) => this.#updated(update)),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.sliceString(0, undefined, this.#lineBreak);
  }

  get state(): DocumentState {
    return this.store.getState();
  }

  /** Shows the editor in an element, as it was when it was hidden. Returns a function that hides it again. */
  attach(parent: HTMLElement): () => void {
    parent.append(this.view.dom);
    this.view.requestMeasure();
    if (this.state.streamed) this.end.follow(this.view);
    else if (this.#scroll) this.view.dispatch({ effects: this.#scroll });
    return () => {
      this.#scroll = this.view.scrollSnapshot();
      this.view.dom.remove();
    };
  }

  /** Calls `listener` on every editor update until the returned function is called. */
  listen(listener: (update: ViewUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  received(version: Version | null): void {
    this.#take(received(this.state, this.text, version));
  }

  streamed(text: string): void {
    this.#take(streamed(this.state, this.text, text));
  }

  lock(locked: boolean): void {
    if (locked === this.#locked) return;
    this.#locked = locked;
    this.view.dispatch({ effects: this.#lock.reconfigure(locked ? readOnlyText : []) });
  }

  /** Shows the differences from another text, each of which can be restored; `null` ends the comparison. */
  compare(original: string | null): void {
    const shown =
      original === null
        ? []
        : unifiedMergeView({
            original: linesOf(original),
            mergeControls: this.#locked ? false : restoreButton,
            collapseUnchanged: { margin: 3, minSize: 8 },
          });
    this.view.dispatch({ effects: this.#comparison.reconfigure(shown) });
  }

  /** Replaces the draft as if the user had typed the text: undoable and unsaved. */
  restoreText(text: string): void {
    this.#lineBreak = lineBreakOf(text);
    this.#replace(text, { undoable: true });
  }

  /** Saves the draft. Waits for a suspended sandbox, and never overwrites another author's change. */
  async save(): Promise<void> {
    if (this.state.saving !== 'no' || !this.state.dirty || this.#locked) return;
    const saving = new AbortController();
    this.#saving = saving;
    const { signal } = saving;
    const { text } = this;
    const seen = this.state.base?.tag ?? null;
    this.store.setState({ saving: 'writing', error: null });
    try {
      const tag = await retryUntilRunning(() => filesApi.write(this.#projectId, this.path, text, { seen, signal }), {
        signal,
        onStarting: () => this.store.setState({ saving: 'starting' }),
      });
      this.store.setState(saved(this.state, this.text, { text, tag }));
    } catch (error) {
      await this.#notSaved(error, signal);
    } finally {
      this.#saving = null;
    }
  }

  cancelSave(): void {
    this.#saving?.abort();
  }

  /** Keeps the draft instead of the server's version. Saves it if a save found the conflict. */
  keepLocal(): void {
    const foundBySave = this.state.conflict?.foundBySave ?? false;
    this.store.setState(keptLocal(this.state));
    if (foundBySave) void this.save();
  }

  /** Replaces the draft with the server's version. The user can undo it. */
  acceptServer(): void {
    this.#take(acceptedServer(this.state), { undoable: true });
  }

  close(): void {
    this.cancelSave();
    this.view.destroy();
  }

  async #notSaved(error: unknown, signal: AbortSignal): Promise<void> {
    const idle = { saving: 'no' as const, saves: this.state.saves + 1 };
    if (signal.aborted) {
      this.store.setState(idle);
      return;
    }
    const failure = toApiError(error);
    if (failure.code !== 'CONFLICT') {
      this.store.setState({ ...idle, error: failure });
      return;
    }
    try {
      const there = await readVersion(this.#projectId, this.path, signal);
      if (there.kind === 'text' || there.kind === 'missing')
        this.#take(refused(this.state, this.text, there.kind === 'text' ? there : null));
      else this.store.setState({ ...idle, error: failure });
    } catch {
      this.store.setState({ ...idle, error: failure });
    }
  }

  #take({ state, adopt }: Step, options = { undoable: false }): void {
    if (state !== this.state) this.store.setState(state, true);
    if (adopt === null) return;
    // Streamed text may not contain line breaks yet.
    this.#lineBreak = state.streamed ? '\n' : lineBreakOf(adopt);
    this.#adopting = true;
    this.#replace(adopt, options);
    this.#adopting = false;
  }

  #replace(text: string, { undoable }: { undoable: boolean }): void {
    const plain = this.#lineBreak === '\n' ? text : text.replaceAll(this.#lineBreak, '\n');
    const change = replacement(this.view.state.doc.toString(), plain);
    if (!change) return;
    const spec = {
      changes: { ...change, insert: Text.of(change.insert.split('\n')) },
      annotations: Transaction.addToHistory.of(undoable),
    };
    // A hidden editor treats all new text as visible and would render every line.
    if (this.#adopting && !this.view.dom.checkVisibility()) this.view.setState(this.view.state.update(spec).state);
    else this.view.dispatch(spec);
    if (this.state.streamed) this.end.follow(this.view);
  }

  #updated(update: ViewUpdate): void {
    if (update.docChanged && !this.#adopting) this.store.setState(typed(this.state, this.text), true);
    for (const listener of this.#listeners) listener(update);
  }
}

export function useDraft(document: OpenDocument): string {
  return useSyncExternalStore(
    (changed) => document.listen((update) => update.docChanged && changed()),
    () => document.text,
  );
}
