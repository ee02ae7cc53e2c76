import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ConsoleEntry, ConsoleLog } from '../../../preview/console-log.ts';
import { type PageHealth, PageLiveness, type PageLoad } from '../../../preview/page-health.ts';
import type { AppMode, FromApp, ToApp } from './app-channel.ts';

export interface NetworkRequest {
  readonly key: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Time of day as from `Date.now()`. */
  readonly atMs: number;
}

/** A view by its page's id and its own. */
export interface ViewPlace {
  readonly page: string;
  readonly view: string;
}

export interface AppPageState {
  readonly health: PageHealth;
  readonly healthSinceMs: number;
  readonly load: PageLoad | null;
  /** The app's pages, as the page reports them. */
  readonly pages: readonly { readonly id: string; readonly name: string }[];
  /** Path that the page shows. */
  readonly path: string;
  /** Paths that were shown before and after the current one, the nearest one last. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly lines: readonly ConsoleEntry[];
  /** The newest request last. */
  readonly requests: readonly NetworkRequest[];
  readonly mode: AppMode;
  /** Whether a click selects a view. */
  readonly selecting: boolean;
  /** The view that is outlined. */
  readonly selected: ViewPlace | null;
}

/** The oldest ones are dropped first. */
const maxRequests = 500;
const maxPaths = 100;

interface Options {
  /** Address of the preview. */
  readonly url: string;
  readonly post: (message: ToApp) => void;
  readonly nowMs: number;
  /** Path that the frame starts with. */
  readonly path: string;
}

/**
 * Follows the app's page in a frame, and commands it. It has no access to the browser: time and messages come from outside. All times
 * are in milliseconds on one clock; only lines and requests have the time of day.
 */
export class AppPage {
  readonly store: StoreApi<AppPageState>;
  readonly #options: Options;
  readonly #liveness: PageLiveness;
  readonly #log = new ConsoleLog();
  #requests: NetworkRequest[] = [];
  #requestCount = 0;
  #shownRequests = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#liveness = new PageLiveness(options.nowMs);
    this.store = createStore<AppPageState>(() => ({
      health: 'loading',
      healthSinceMs: options.nowMs,
      load: null,
      pages: [],
      path: options.path,
      before: [],
      after: [],
      lines: [],
      requests: [],
      mode: 'system',
      selecting: false,
      selected: null,
    }));
  }

  get #state(): AppPageState {
    return this.store.getState();
  }

  /** Time of the last message, or of the start of loading. */
  get lastMessageMs(): number {
    return this.#liveness.lastMessageMs;
  }

  get currentAddress(): string {
    const address = new URL(this.#state.path, this.#options.url);
    // An address that differs in nothing but its hash would not load the page again.
    address.hash = '';
    return address.href;
  }

  /** Call when the frame reloads. The path stays. */
  loading(nowMs: number): void {
    this.#liveness.begin(nowMs);
    this.store.setState({ health: 'loading', healthSinceMs: nowMs, load: null });
  }

  flooded(nowMs: number): void {
    this.store.setState({ health: 'flooding', healthSinceMs: nowMs });
  }

  /** Adds a line to the console which reports that messages were dropped. */
  missed(): void {
    this.#log.leaveOut(Date.now());
  }

  receive(message: FromApp, nowMs: number): void {
    if (this.#state.health === 'flooding') return;
    this.#liveness.heard(nowMs);
    switch (message.type) {
      case 'koda:app-ready':
        this.store.setState({ pages: message.pages });
        this.#started(nowMs);
        return;
      case 'koda:app-location':
        this.#moved(message.path);
        return;
      case 'koda:console':
        if (message.level === 'error') this.#liveness.failed(nowMs);
        this.#log.add(message.level, message.text, Date.now());
        return;
      case 'koda:network':
        this.#requestCount += 1;
        this.#requests = [
          ...this.#requests.slice(1 - maxRequests),
          {
            key: this.#requestCount,
            method: message.method,
            path: message.path,
            status: message.status,
            ms: message.ms,
            atMs: Date.now(),
          },
        ];
        return;
      case 'koda:selected':
        this.store.setState({ selected: { page: message.page, view: message.view } });
        return;
    }
  }

  /** Runs after each load, including reloads by the page itself, which knows nothing of what the studio has asked before. */
  #started(nowMs: number): void {
    if (this.#state.health !== 'responsive') {
      const load = this.#liveness.ready(this.#state.health, nowMs);
      this.store.setState({ health: 'responsive', healthSinceMs: nowMs, load });
    }
    if (this.#state.mode !== 'system') this.#options.post({ type: 'koda:mode', mode: this.#state.mode });
    this.#postSelection();
  }

  #moved(path: string): void {
    const { path: left, before, after } = this.#state;
    if (path === left) return;
    if (path === before.at(-1)) this.store.setState({ path, before: before.slice(0, -1), after: [...after, left] });
    else if (path === after.at(-1)) this.store.setState({ path, before: [...before, left], after: after.slice(0, -1) });
    else this.store.setState({ path, before: [...before, left].slice(-maxPaths), after: [] });
  }

  navigate(path: string): void {
    if (path !== this.#state.path) this.#options.post({ type: 'koda:navigate', path });
  }

  back(): void {
    const path = this.#state.before.at(-1);
    if (path !== undefined) this.navigate(path);
  }

  forward(): void {
    const path = this.#state.after.at(-1);
    if (path !== undefined) this.navigate(path);
  }

  setMode(mode: AppMode): void {
    this.store.setState({ mode });
    this.#options.post({ type: 'koda:mode', mode });
  }

  /** Lets the user select a view by clicking it, and outlines `selected`. */
  select(selecting: boolean, selected: ViewPlace | null): void {
    this.store.setState({ selecting, selected });
    this.#postSelection();
  }

  #postSelection(): void {
    const { selecting, selected } = this.#state;
    this.#options.post({ type: 'koda:select', on: selecting, ...selected });
  }

  /** Checks whether the page has started. Call several times a second. */
  check(nowMs: number): void {
    const { health, healthSinceMs } = this.#state;
    // A page that has started sends nothing while nothing happens, so only its start can be awaited.
    if (health === 'responsive') return;
    const next = this.#liveness.check(health, healthSinceMs, nowMs);
    if (next.health !== health) this.store.setState({ health: next.health });
  }

  /** Shows the lines and requests since the last call. */
  flush(): void {
    const lines = this.#log.take();
    if (lines !== null) this.store.setState({ lines });
    if (this.#shownRequests === this.#requestCount) return;
    this.#shownRequests = this.#requestCount;
    this.store.setState({ requests: this.#requests });
  }

  clearRequests(): void {
    this.#requests = [];
    this.store.setState({ requests: [] });
  }
}
