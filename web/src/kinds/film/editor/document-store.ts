import { createContext, useContext } from 'react';
import { z } from 'zod';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { KodaError } from '#contract/errors.ts';
import { type FilmDocument, type FilmEdit, filmEditSchema, isSame, valueAt } from '#kinds/film/contract/edit.ts';
import type { Film, FormatScene } from '#kinds/film/contract/film.ts';
import { lengthProblems } from '#kinds/film/contract/plan-rules.ts';
import { toApiError } from '../../../api/client.ts';
import { parseStored, type StoredTexts } from '../../../browser-storage.ts';
import type { FilmState, Place } from './film-state.ts';
import * as filmState from './film-state.ts';

/** Time without a key press after which edits are sent. */
const quietMs = 800;
/** Delays before a failed request is repeated; the last one applies to all further failures. */
const retryDelaysMs = [2_000, 5_000, 15_000, 30_000];
/** Codes of temporary errors, which end without action by the user. */
const passingErrors: ReadonlySet<string> = new Set(['NETWORK', 'RATE_LIMITED']);

/** Progress of saving. `refused`: the server rejects a value, which the message names. */
export type SaveState =
  | { readonly kind: 'saved'; readonly atMs: number | null }
  | { readonly kind: 'saving' | 'waits for Koda' | 'conflict' }
  | { readonly kind: 'failed' | 'refused'; readonly message: string };

export interface EditorState {
  /** `null` if the project has no document yet. */
  readonly film: FilmState | null;
  readonly save: SaveState;
  /** Who made the conflicting change. */
  readonly changedBy: string;
  readonly selected: string | null;
  /** The scene that the next message to Koda is about; `null` for the whole film. */
  readonly about: string | null;
  /** The focused field, as a `fieldKey`. */
  readonly focused: string | null;
  /** Invalid texts, by scene and field. The film keeps the last valid value. */
  readonly drafts: Readonly<Record<string, string>>;
  /** Whether the next scene compensates for a change of a scene's length. */
  readonly holdTotal: boolean;
  /** A field to focus. Each request is a new object. */
  readonly focusRequest: { readonly field: string | null } | null;
}

/** Subset of the live preview that the editor uses. */
export interface EditorPreview {
  showProps(sceneId: string, props: FormatScene['props']): void;
}

interface Options {
  readonly send: (edits: readonly FilmEdit[]) => Promise<FilmDocument>;
  readonly read: () => Promise<FilmDocument>;
  readonly storage: Pick<StoredTexts, 'read' | 'write'>;
  readonly storageName: string;
  readonly notify: (text: string) => void;
}

interface FieldChange {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

interface FollowedPlan {
  readonly id: string;
  readonly revision: number;
  readonly accepted: boolean;
  readonly film?: Film | null | undefined;
}

const keptSchema = z.array(filmEditSchema);

/** Edits a film's document. Shows each change immediately, and stores it when the user pauses. */
export class DocumentStore {
  readonly store: StoreApi<EditorState>;
  readonly #options: Options;
  #preview: EditorPreview | null = null;
  #planId: string | null = null;
  /** Document received while a request was pending. `replaces`: it belongs to another plan, whose revisions start again. */
  #arrived: (FilmDocument & { readonly replaces: boolean }) | null = null;
  #running = false;
  #request: Promise<void> | null = null;
  /** Number of consecutive failed requests. */
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
    this.store = createStore<EditorState>(() => ({
      film: null,
      save: { kind: 'saved', atMs: null },
      changedBy: '',
      selected: null,
      about: null,
      focused: null,
      drafts: {},
      holdTotal: false,
      focusRequest: null,
    }));
  }

  get #state(): EditorState {
    return this.store.getState();
  }

  /** Applies the project's plan, which contains the document. */
  follow(plan: FollowedPlan | null, running: boolean): void {
    const finished = this.#running && !running;
    const wasRunning = this.#running;
    this.#running = running;
    if (!plan?.film) {
      if (this.#state.film !== null && plan !== null) this.store.setState({ film: null });
      return;
    }
    const isProposed = !plan.accepted;
    if (this.#state.film !== null && this.#state.film.isProposed !== isProposed)
      this.store.setState({ film: { ...this.#state.film, isProposed } });
    const { film } = this.#state;
    const document = { revision: plan.revision, film: plan.film };
    const replaces = plan.id !== this.#planId;
    const isNew = replaces || film === null || document.revision > film.stored.revision;
    this.#planId = plan.id;
    if (film === null) this.#open(document, isProposed);
    else if (isNew && this.#request !== null)
      this.#arrived = { ...document, replaces: replaces || (this.#arrived?.replaces ?? false) };
    else if (isNew) this.#rebased(filmState.rebase(film, document), wasRunning || running ? 'Koda' : 'Another page or program');
    if (finished) void this.flush();
  }

  /** Sends the last edits, once. If that fails, the project's next page sends them from the browser's storage. */
  close(): void {
    void this.flush();
    this.#closed = true;
  }

  #open(document: FilmDocument, isProposed: boolean): void {
    const kept = parseStored(keptSchema, this.#options.storage.read(this.#options.storageName)) ?? [];
    const opened = filmState.rebase({ ...filmState.openFilm(document, isProposed), waiting: kept }, document);
    this.store.setState({ selected: document.film.scenes[0]?.id ?? null });
    this.#rebased(opened, 'Someone');
    if (opened.waiting.length > 0) void this.flush();
  }

  /** Sets the preview that shows edits; `null` when it has closed. */
  attachPreview(preview: EditorPreview | null): void {
    this.#preview = preview;
    const { film } = this.#state;
    // The page may have started with files that are older than the edits.
    if (film !== null) this.#showChanges(film.stored.film, film.film);
  }

  select(sceneId: string, field: string | null = null): void {
    this.endGroup();
    this.store.setState({ selected: sceneId, about: sceneId, focused: null, ...(field !== null && { focusRequest: { field } }) });
  }

  /** Makes the next message to Koda about the whole film. */
  clearAbout(): void {
    this.store.setState({ about: null });
  }

  focusField(field: string | null): void {
    this.store.setState({ focusRequest: { field } });
  }

  /** Sets the focused field. Leaving a field ends the undo step. */
  setFocused(field: string | null): void {
    if (this.#state.focused === field) return;
    this.endGroup();
    this.store.setState({ focused: field });
  }

  setDraft(name: string, text: string | null): void {
    const { [name]: _, ...rest } = this.#state.drafts;
    this.store.setState({ drafts: text === null ? rest : { ...rest, [name]: text } });
  }

  /** Drops invalid texts in the rows of a list whose rows have moved. */
  dropDrafts(prefix: string): void {
    const { drafts } = this.#state;
    this.store.setState({ drafts: Object.fromEntries(Object.entries(drafts).filter(([name]) => !name.startsWith(prefix))) });
  }

  /** Applies edits immediately and sends them later. Returns the reason why they cannot be applied, or `null` if they were. */
  edit(edits: readonly FilmEdit[], place: Place, group: string | null = null): string | null {
    const { film } = this.#state;
    if (film === null) return 'The film is not loaded yet.';
    try {
      const next = filmState.applyLocal(film, edits, { place, group });
      const [problem] = lengthProblems(next.film);
      if (problem !== undefined) return problem;
      this.#show(next);
    } catch (error) {
      if (!(error instanceof KodaError)) throw error;
      return error.message;
    }
    if (film.conflict === null) this.#schedule();
    return null;
  }

  /** Changes one field of a scene's props. All changes until the field loses the focus are one undo step. */
  setField(sceneId: string, path: readonly (string | number)[], value: unknown): string | null {
    return this.setFields(sceneId, [{ path, value }], `${sceneId} ${filmState.fieldKey(path)}`);
  }

  setFields(sceneId: string, changes: readonly FieldChange[], group: string | null = null): string | null {
    const scene = this.#state.film?.film.scenes.find(({ id }) => id === sceneId);
    if (scene === undefined || 'code' in scene) return 'The scene no longer exists.';
    const edits = changes.map(({ path, value }): FilmEdit => {
      const was = filmState.jsonOf(valueAt(scene.props, path));
      return { type: 'field', scene: sceneId, path: [...path], was, value: filmState.jsonOf(value) };
    });
    const made = edits.filter((edit) => edit.type === 'field' && !isSame(edit.was, edit.value));
    const [first] = changes;
    const field = first === undefined ? null : filmState.fieldKey(first.path);
    return made.length === 0 ? null : this.edit(made, { sceneId, field }, group);
  }

  /** Changes a scene's own title or description. All changes until the field loses the focus are one undo step. */
  setWords(sceneId: string, field: 'title' | 'description' | 'notes', value: string | null): string | null {
    const scene = this.#state.film?.film.scenes.find(({ id }) => id === sceneId);
    const was = scene === undefined ? null : filmState.wordsOf(scene, field);
    if (scene === undefined || was === value) return null;
    return this.edit(
      [{ type: 'words', scene: sceneId, field, was, value }],
      { sceneId, field: `words-${field}` },
      `${sceneId} words-${field}`,
    );
  }

  setHoldTotal(holdTotal: boolean): void {
    this.store.setState({ holdTotal });
  }

  endGroup(): void {
    const { film } = this.#state;
    if (film !== null) this.store.setState({ film: filmState.endGroup(film) });
  }

  undo(): void {
    this.#step(filmState.undoStep);
  }

  redo(): void {
    this.#step(filmState.redoStep);
  }

  #step(take: typeof filmState.undoStep): void {
    const { film } = this.#state;
    if (film === null) return;
    const { state, place, refused } = take(film);
    if (place === null) return;
    if (refused) this.#options.notify('Someone else has changed this in the meantime, so this step was skipped.');
    this.#show(state);
    this.store.setState({ drafts: {} });
    const scenes = state.film.scenes;
    const selected = scenes.find(({ id }) => id === place.sceneId)?.id ?? this.#state.selected;
    this.store.setState({ selected: scenes.some(({ id }) => id === selected) ? selected : (scenes[0]?.id ?? null) });
    if (place.field !== null) this.store.setState({ focusRequest: { field: place.field } });
    this.#schedule();
  }

  keepLocal(): void {
    const { film } = this.#state;
    if (film === null) return;
    this.#show(filmState.keepLocal(film));
    void this.flush();
  }

  acceptServer(): void {
    const { film } = this.#state;
    if (film === null) return;
    this.#show(filmState.acceptServer(film));
    this.store.setState({ drafts: {} });
    void this.flush();
  }

  #schedule(): void {
    this.#flushAfter(quietMs);
  }

  #flushAfter(ms: number, options?: { readonly quietly: boolean }): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = this.#closed ? null : setTimeout(() => void this.flush(options), ms);
  }

  #retryLater(): void {
    const delayMs = retryDelaysMs[Math.min(this.#failures, retryDelaysMs.length) - 1] ?? quietMs;
    this.#flushAfter(delayMs, { quietly: true });
  }

  /** Sends the edits now and waits for the response. Returns whether the server has all of them. */
  async settle(): Promise<boolean> {
    while (this.#request !== null) await this.#request;
    await this.flush();
    const { film } = this.#state;
    return film === null || filmState.isSaved(film);
  }

  /** Sends the edits now. Only one request runs at a time. `quietly`: the state “saving” is not shown. */
  async flush({ quietly } = { quietly: false }): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const { film } = this.#state;
    if (film === null || this.#request !== null || this.#closed) return;
    if (filmState.isSaved(film) && this.#state.save.kind !== 'saved')
      this.store.setState({ save: { kind: 'saved', atMs: Date.now() } });
    // A request without a response may have been stored, so it is repeated before later edits are sent.
    const started = film.sending.length > 0 ? film : filmState.startSending(film);
    if (started === null) return;
    this.store.setState({ film: started, ...(!quietly && { save: { kind: 'saving' } }) });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#request = promise;
    try {
      this.#sent(await this.#options.send(started.sending));
    } catch (error) {
      await this.#notSent(error);
    } finally {
      this.#request = null;
      resolve();
    }
    if (this.#timer === null && this.#state.save.kind === 'saved') await this.flush();
  }

  #sent(document: FilmDocument): void {
    const { film } = this.#state;
    if (film === null) return;
    this.#failures = 0;
    const newest = this.#takeArrived(document);
    this.store.setState({ save: { kind: 'saved', atMs: Date.now() } });
    this.#rebased(filmState.sendingDone(film, newest), 'Another page or program');
  }

  async #notSent(error: unknown): Promise<void> {
    const { code, message, recovery, status } = toApiError(error);
    this.#failures += 1;
    if (code === 'CONFLICT') return await this.#takeChanges();
    const waits = code === 'INVALID_TRANSITION' && recovery === 'wait';
    const passes = passingErrors.has(code) || status >= 500;
    if (waits) this.store.setState({ save: { kind: 'waits for Koda' } });
    else this.store.setState({ save: { kind: code === 'VALIDATION_ERROR' ? 'refused' : 'failed', message } });
    const { film } = this.#state;
    if (film === null) return;
    const next = waits || passes ? film : filmState.sendingFailed(film);
    if (this.#arrived === null) this.#show(next);
    else this.#rebased(filmState.rebase(next, this.#takeArrived(next.stored)), this.#changedBy());
    // Koda may have finished before this response arrived.
    if (passes || (waits && !this.#running)) this.#retryLater();
  }

  /** Rebases the edits on the stored document after a conflict, and sends them again unless the user has to choose. */
  async #takeChanges(): Promise<void> {
    const newest = await this.#readAgain();
    const { film } = this.#state;
    if (newest !== null && film !== null) this.#rebased(filmState.rebase(film, this.#takeArrived(newest)), this.#changedBy());
    if (newest === null || this.#failures > 1) this.#retryLater();
    else this.#schedule();
  }

  #changedBy(): string {
    return this.#running ? 'Koda' : 'Another page or program';
  }

  /** Fetches the stored document. Returns `null` on failure. */
  async #readAgain(): Promise<FilmDocument | null> {
    try {
      return await this.#options.read();
    } catch (error) {
      this.store.setState({ save: { kind: 'failed', message: toApiError(error).message } });
      return null;
    }
  }

  #takeArrived(document: FilmDocument): FilmDocument {
    const arrived = this.#arrived;
    this.#arrived = null;
    return arrived !== null && (arrived.replaces || arrived.revision > document.revision) ? arrived : document;
  }

  #rebased(next: FilmState, changedBy: string): void {
    const hadConflict = this.#state.film?.conflict ?? null;
    const before = this.#state.film?.film ?? next.film;
    this.#show(next);
    if (next.dropped.length > 0) this.#options.notify(droppedText(before, next.dropped));
    if (next.conflict !== null && hadConflict === null) this.store.setState({ changedBy });
    if (next.conflict !== null) this.store.setState({ save: { kind: 'conflict' } });
    else if (filmState.isSaved(next) && this.#state.save.kind !== 'saved')
      this.store.setState({ save: { kind: 'saved', atMs: Date.now() } });
    else if (this.#state.save.kind === 'conflict') {
      this.store.setState({ save: { kind: 'saving' } });
      this.#schedule();
    }
    const { selected } = this.#state;
    if (!next.film.scenes.some(({ id }) => id === selected)) this.store.setState({ selected: next.film.scenes[0]?.id ?? null });
  }

  #show(next: FilmState): void {
    const before = this.#state.film?.film ?? null;
    this.store.setState({ film: next });
    if (before !== null) this.#showChanges(before, next.film);
    if (this.#closed) return;
    const unsent = [...(next.conflict?.mine ?? []), ...next.sending, ...next.waiting];
    this.#options.storage.write(this.#options.storageName, unsent.length === 0 ? null : JSON.stringify(unsent));
  }

  #showChanges(before: Film, after: Film): void {
    if (this.#preview === null || before === after) return;
    for (const scene of after.scenes) {
      const old = before.scenes.find(({ id }) => id === scene.id);
      if ('code' in scene || old === undefined || 'code' in old || old.format !== scene.format) continue;
      if (old.props !== scene.props && !isSame(old.props, scene.props)) this.#preview.showProps(scene.id, scene.props);
    }
  }
}

/** Name of the draft of the film's title, which belongs to no scene. */
export const filmTitleDraft = 'film title';

/** Returns why the film as shown is not the stored one, `null` if it is or will be within a second. */
export function unsavedReason({ film, drafts, save }: EditorState): string | null {
  const marked = film?.film.scenes.findIndex(({ id }) => Object.keys(drafts).some((name) => name.startsWith(`${id} `))) ?? -1;
  if (filmTitleDraft in drafts) return 'Give the film a title first.';
  if (marked >= 0) return `Correct the marked field of scene ${marked + 1} first.`;
  switch (save.kind) {
    case 'conflict':
      return 'Choose whose text to keep first.';
    case 'failed':
    case 'refused':
      return `Your last edit is not saved. ${save.message}`;
    default:
      return null;
  }
}

/** Returns a random id, because another page may add a scene at the same time. */
export const newSceneId = (): string => `scene-${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}`;

/** Describes edits that could not be kept. */
function droppedText(film: Film, edits: readonly FilmEdit[]): string {
  const numbers = edits.map((edit) => ('scene' in edit ? film.scenes.findIndex(({ id }) => id === edit.scene) + 1 : 0));
  const places = [...new Set(numbers.filter((number) => number > 0))].map((number) => `scene ${number}`);
  if (places.length === 0) return 'Your last edit was not saved, because the film has changed in the meantime.';
  return `Your edits to ${places.join(' and ')} were not saved, because the film has changed there in the meantime.`;
}

export const EditorContext = createContext<DocumentStore | null>(null);

export function useEditor(): DocumentStore {
  const editor = useContext(EditorContext);
  if (editor === null) throw new Error('useEditor works only inside the page of a film.');
  return editor;
}

export function useEditorState<T>(select: (state: EditorState) => T): T {
  return useStore(useEditor().store, select);
}
