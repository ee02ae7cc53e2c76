import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ProjectEvent } from '#contract/events.ts';
import type { Asset } from '#contract/project.ts';
import { type ApiError, api, toApiError } from '../api/client.ts';
import { followEvents } from '../events/follow.ts';
import { backoffMs, type ConnectionState } from '../events/hub.ts';
import { applyEvents, type ProjectView, viewAfterReload, viewFromSnapshot, withAssets, withoutRender } from './reducer.ts';

/** Hidden tabs get no animation frames, so the work runs after this time instead. */
const withoutFramesMs = 250;

/**
 * Returns a function that schedules `work` for the next animation frame, once per frame. In a hidden tab, the work runs after
 * a timeout.
 */
export function oncePerFrame(work: () => void): () => void {
  let waiting: { readonly frame: number; readonly timer: ReturnType<typeof setTimeout> } | null = null;
  const run = () => {
    if (waiting === null) return;
    cancelAnimationFrame(waiting.frame);
    clearTimeout(waiting.timer);
    waiting = null;
    work();
  };
  return () => {
    waiting ??= { frame: requestAnimationFrame(run), timer: setTimeout(run, withoutFramesMs) };
  };
}

interface ProjectStoreState {
  /** `null` until the first snapshot arrives. */
  readonly view: ProjectView | null;
  readonly connection: ConnectionState;
  /** Why the project cannot be shown. */
  readonly loadError: ApiError | null;
  /** Whether the server sent an event that this page cannot read, because it is older than the server. */
  readonly outdated: boolean;
}

export interface ProjectStoreHandle {
  readonly store: StoreApi<ProjectStoreState>;
  reload(): Promise<void>;
  /** No event reports asset changes; the page's own requests cause them. */
  setAssets(assets: readonly Asset[]): void;
  addAsset(asset: Asset): void;
  removeAsset(assetId: string): void;
  /** Removes a deleted render, because no event reports it. */
  removeRender(renderId: string): void;
  close(): void;
}

/** Loads the snapshot, then applies every later event, in one batch per animation frame. */
export function openProject(projectId: string): ProjectStoreHandle {
  const store = createStore<ProjectStoreState>(() => ({
    view: null,
    connection: 'connecting',
    loadError: null,
    outdated: false,
  }));
  let pending: ProjectEvent[] = [];
  let closed = false;
  let stopFollowing: (() => void) | null = null;
  let failedLoads = 0;
  let retryTimer: ReturnType<typeof setTimeout> | null = null;

  const flush = () => {
    const { view } = store.getState();
    if (closed || !view) return;
    const events = pending;
    pending = [];
    const next = applyEvents(view, events);
    if (next !== view) store.setState({ view: next });
    if (next.staleReason !== null) void load();
  };

  const schedule = oncePerFrame(flush);

  const load = async () => {
    if (retryTimer !== null) clearTimeout(retryTimer);
    retryTimer = null;
    stopFollowing?.();
    stopFollowing = null;
    try {
      const snapshot = await api.snapshot(projectId);
      if (closed) return;
      failedLoads = 0;
      const { view } = store.getState();
      pending = [];
      store.setState({ view: view ? viewAfterReload(view, snapshot) : viewFromSnapshot(snapshot), loadError: null });
      stopFollowing = followEvents({
        projectId,
        afterSeq: snapshot.seq,
        onEvent(event) {
          pending.push(event);
          schedule();
        },
        onState: (connection) => store.setState({ connection }),
        onUnreadable(error) {
          console.error(error);
          store.setState({ outdated: true });
        },
        onGaveUp: () => void load(),
      });
    } catch (error) {
      if (closed) return;
      const loadError = toApiError(error);
      store.setState({ loadError, connection: 'reconnecting' });
      // A rejection (4xx) is final. Network and server errors are retried.
      if (loadError.status >= 400 && loadError.status < 500) return;
      retryTimer = setTimeout(() => void load(), backoffMs(failedLoads, Math.random()));
      failedLoads += 1;
    }
  };

  const change = (make: (view: ProjectView) => ProjectView) => {
    const { view } = store.getState();
    if (view) store.setState({ view: make(view) });
  };

  void load();
  return {
    store,
    reload: load,
    setAssets: (assets) => change((view) => withAssets(view, assets)),
    addAsset: (asset) => change((view) => withAssets(view, [...view.assets.filter((other) => other.id !== asset.id), asset])),
    removeAsset: (assetId) =>
      change((view) =>
        withAssets(
          view,
          view.assets.filter((asset) => asset.id !== assetId),
        ),
      ),
    removeRender: (renderId) => change((view) => withoutRender(view, renderId)),
    close() {
      closed = true;
      if (retryTimer !== null) clearTimeout(retryTimer);
      stopFollowing?.();
    },
  };
}
