import { createStore, type StoreApi } from 'zustand/vanilla';
import { type RenderSummary, renderSummarySchema, type State, stateSchema } from '#contract/mcp-results.ts';
import { isCode } from '#kinds/film/contract/outline.ts';
import { type PlanDocument, planDocumentSchema } from '#kinds/film/contract/tools.ts';
import { type Action, type FilmState, hasFrames, initialState, isActive, renderInProgress, videoOf } from './film-state.ts';
import { CallFailure, dataUrl, failureOf, type KodaHost } from './host.ts';

const pollMs = 1_500;
/** Largest video that Koda sends as a resource. */
const maxVideoBytes = 8 * 1024 ** 2;

interface Result {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: Parameters<typeof failureOf>[0]['content'];
}

/** What the view shows, and what its user can do. All state comes from results of tools. */
export class FilmStore {
  readonly state: StoreApi<FilmState> = createStore(() => initialState);
  readonly #host: KodaHost;
  /** The arguments that name the project in the call that opened this view. */
  #named: Record<string, unknown> = {};
  #following = false;
  #wantedFrames: number[] = [];
  #loadingFrames = false;

  constructor(host: KodaHost) {
    this.#host = host;
  }

  connected({ canBeFullscreen }: Pick<FilmState, 'canBeFullscreen'>): void {
    this.#set({ canBeFullscreen });
  }

  /** Takes the arguments of the call that opened the view. */
  opened({ project_id, sandbox_id }: Record<string, unknown> = {}): void {
    this.#named = { ...(project_id !== undefined && { project_id }), ...(sandbox_id !== undefined && { sandbox_id }) };
  }

  /** Takes the result of the call that opened the view. */
  async received(result: Result): Promise<void> {
    if (result.isError) return this.#set({ failure: failureOf(result) });
    const project = stateSchema.safeParse(result.structuredContent);
    if (project.success) return await this.#show(project.data);
    const render = renderSummarySchema.safeParse(result.structuredContent);
    if (render.success) this.#named = { project_id: projectIdOf(render.data) ?? this.#named['project_id'] };
    this.#set({ chosenTab: render.success ? 'video' : 'preview' });
    await this.refresh();
  }

  cancelled(): void {
    if (this.state.getState().project === null)
      this.#set({ failure: 'The call was cancelled. Ask for the film again to see it.' });
  }

  async refresh(): Promise<void> {
    await this.#reporting(async () => await this.#show(await this.#project('show_project', this.#named)));
  }

  /** Accepts the plan or the preview, whichever waits. */
  accept(): Promise<void> {
    const tool = this.state.getState().project?.waiting_for === 'preview' ? 'accept_preview' : 'accept_plan';
    const told = tool === 'accept_preview' ? 'accepted the film' : 'accepted the plan';
    return this.#act('accept', told, () => this.#project(tool, { ...this.#id(), wait: false }));
  }

  /** Requests changes to a plan that waits, or otherwise to the film. */
  change(feedback: string): Promise<void> {
    const tool = this.state.getState().project?.waiting_for === 'plan' ? 'change_plan' : 'send_feedback';
    const told = `asked for a change: ${feedback.slice(0, 500)}`;
    return this.#act('change', told, () => this.#project(tool, { ...this.#id(), feedback, wait: false }));
  }

  answer(answer: { approval_id: string } & ({ option_id: string } | { text: string })): Promise<void> {
    const told = 'answered the question';
    return this.#act('answer', told, () => this.#project('answer_question', { ...this.#id(), ...answer, wait: false }));
  }

  render(): Promise<void> {
    return this.#act('render', 'started a render of the final video', async () => {
      await this.#host.call('render', { ...this.#id(), wait: false });
      return await this.#project('show_project', this.#id());
    });
  }

  cancelRender({ render_id }: RenderSummary): Promise<void> {
    return this.#act('cancel', 'cancelled the render', async () => {
      await this.#host.call('cancel_render', { ...this.#id(), render_id });
      return await this.#project('show_project', this.#id());
    });
  }

  async download({ render_id, url, resource }: RenderSummary): Promise<void> {
    this.#set({ pending: 'download', failure: null });
    await this.#reporting(async () => {
      const { video } = this.state.getState();
      const media = video?.renderId === render_id ? video.media : null;
      const saved = media !== null && resource !== null && (await this.#host.save(resource, media));
      if (!saved && url !== null) await this.#host.open(url);
    });
    this.#set({ pending: null });
  }

  open(url: string): Promise<void> {
    return this.#reporting(() => this.#host.open(url));
  }

  toggleFullscreen(): Promise<void> {
    return this.#reporting(() => this.#host.toggleFullscreen());
  }

  choose(chosenTab: FilmState['chosenTab']): void {
    this.#set({ chosenTab });
  }

  dismissFailure(): void {
    this.#set({ failure: null });
  }

  /** Requests a frame of the live preview, before all others that still wait. */
  requestFrame(seconds: number): void {
    const { frames } = this.state.getState();
    if (!hasFrames(this.state.getState()) || frames[seconds]?.state === 'ready') return;
    this.#wantedFrames = [seconds, ...this.#wantedFrames.filter((one) => one !== seconds)];
    if (frames[seconds] === undefined) this.#set({ frames: { ...frames, [seconds]: { state: 'loading' } } });
    if (!this.#loadingFrames) void this.#loadFrames();
  }

  retryFrame(seconds: number): void {
    const { [seconds]: _, ...frames } = this.state.getState().frames;
    this.#set({ frames });
    this.requestFrame(seconds);
  }

  /** Discards all frames, because somebody may have edited the film's code. */
  reloadFrames(): void {
    this.#wantedFrames = [];
    this.#set({ frames: {} });
  }

  /** Loads one frame after another, because they share one browser. */
  async #loadFrames(): Promise<void> {
    this.#loadingFrames = true;
    for (let seconds = this.#wantedFrames.shift(); seconds !== undefined; seconds = this.#wantedFrames.shift()) {
      const { project, document } = this.state.getState();
      if (project === null) break;
      const frame = await this.#host.still(project.project_id, seconds).then(
        (media) => ({ state: 'ready' as const, src: dataUrl(media) }),
        (error: unknown) => ({ state: 'failed' as const, message: messageOf(error) }),
      );
      // The film may have changed in the meantime.
      if (this.state.getState().document !== document) continue;
      this.#set({ frames: { ...this.state.getState().frames, [seconds]: frame } });
    }
    this.#loadingFrames = false;
  }

  async #act(action: Action, told: string, work: () => Promise<State>): Promise<void> {
    this.#set({ pending: action, failure: null });
    await this.#reporting(async () => {
      await this.#show(await work());
      this.#set({ chosenTab: null });
      const { project } = this.state.getState();
      await this.#host.tellModel(`In Koda's view of the project ${project?.project_id}, the user ${told}.`);
    });
    this.#set({ pending: null });
  }

  async #reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#set({ failure: messageOf(error) });
    }
  }

  async #project(tool: string, input: Record<string, unknown>): Promise<State> {
    const { structuredContent } = await this.#host.call(tool, input);
    const project = stateSchema.safeParse(structuredContent);
    if (!project.success) throw new CallFailure('Koda’s answer cannot be read. Ask for the film again to open its current view.');
    return project.data;
  }

  #id(): { project_id: string } {
    const { project } = this.state.getState();
    if (project === null) throw new CallFailure('The film has not been loaded yet. Try again in a moment.');
    return { project_id: project.project_id };
  }

  async #show(project: State): Promise<void> {
    const before = this.state.getState().project;
    this.#named = { project_id: project.project_id };
    this.#set({ project });
    const isNew = before === null || JSON.stringify(shapeOf(before)) !== JSON.stringify(shapeOf(project));
    if (project.plan !== null && isNew) await this.#loadDocument();
    void this.#loadVideo();
    if (isActive(project) && !this.#following) void this.#follow();
  }

  async #follow(): Promise<void> {
    this.#following = true;
    for (let failures = 0; failures < 3; ) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      const { project } = this.state.getState();
      if (project === null || !isActive(project)) break;
      try {
        await this.#show(await this.#project('show_project', this.#id()));
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 3) this.#set({ failure: messageOf(error) });
      }
    }
    this.#following = false;
  }

  /** Reads the plan as data. Without it, the view has no pictures but is complete otherwise. */
  async #loadDocument(): Promise<void> {
    const { structuredContent } = await this.#host.call('read_plan', this.#id());
    const read = planDocumentSchema.safeParse(structuredContent);
    const document = read.success ? read.data : null;
    const { frames, ...before } = this.state.getState();
    this.#wantedFrames = [];
    this.#set({ document, frames: showsSame(before.document, document) ? loadedOf(frames) : {} });
  }

  async #loadVideo(): Promise<void> {
    const { project, video } = this.state.getState();
    const render = project === null || renderInProgress(project) !== null ? null : videoOf(project);
    if (render === null || render.resource === null || video?.renderId === render.render_id) return;
    const loaded = (result: Pick<NonNullable<FilmState['video']>, 'media' | 'failure'>) =>
      this.#set({ video: { renderId: render.render_id, ...result } });
    if ((render.size_bytes ?? 0) > maxVideoBytes)
      return loaded({ media: null, failure: 'This video is too large for a chat. Download it, or watch it in the studio.' });
    loaded({ media: null, failure: null });
    await this.#host.read(render.resource).then(
      (media) => loaded({ media, failure: null }),
      (error: unknown) => loaded({ media: null, failure: messageOf(error) }),
    );
  }

  #set(change: Partial<FilmState>): void {
    this.state.setState(change);
  }
}

/** Returns whether the frames of one document are those of another. Those of scenes in code are not, as the code may differ. */
function showsSame(one: PlanDocument | null, other: PlanDocument | null): boolean {
  if (one === null || other === null || other.film.scenes.some(isCode)) return false;
  return JSON.stringify(one.film) === JSON.stringify(other.film);
}

const loadedOf = (frames: FilmState['frames']): FilmState['frames'] =>
  Object.fromEntries(Object.entries(frames).filter(([, { state }]) => state === 'ready'));

/** What a project's pictures depend on. */
const shapeOf = ({ plan, running, phase }: State) => ({ plan, running, phase });

const projectIdOf = ({ resource }: RenderSummary) => /^koda:\/\/projects\/([^/]+)\//.exec(resource ?? '')?.[1];

function messageOf(error: unknown): string {
  if (error instanceof CallFailure) return error.message;
  return `The view failed because of an internal error: ${String(error).slice(0, 300)}`;
}
