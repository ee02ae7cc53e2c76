import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ParameterValues } from '#contract/render.ts';
import type { StageInfo } from '#contract/sandbox/answers.ts';
import { type ConsoleEntry, ConsoleLog } from '../../../preview/console-log.ts';
import type { PageHealth } from '../../../preview/page-health.ts';
import { PageLiveness, type PageLoad } from '../../../preview/page-health.ts';
import {
  advance,
  type FilmLength,
  isPlain,
  lastFrameSeconds,
  type PlaySettings,
  plainSettings,
  restartSeconds,
} from './film-time.ts';
import { PageReports, SeekQueue, type TimeReport } from './page-reports.ts';
import type { FromPreview, ToPreview } from './preview-channel.ts';

export interface PlayerState {
  readonly seconds: number;
  readonly playing: boolean;
  readonly settings: PlaySettings;
  /** The page's report about its film; `null` before the first report. Kept during a reload. */
  readonly info: StageInfo | null;
  readonly health: PageHealth;
  /** When the page started loading or became unresponsive, on the clock used for `check`. */
  readonly healthSinceMs: number;
  /** `null` until a page has started. */
  readonly load: PageLoad | null;
  /** The parameter values with which the page started; `null` for its defaults, `undefined` if it does not report them. */
  readonly values: ParameterValues | null | undefined;
  readonly lines: readonly ConsoleEntry[];
}

interface PlayerOptions {
  readonly post: (message: ToPreview) => void;
  /** The plan's length, used until the page reports its own. */
  readonly planned: FilmLength;
  /** Whether the film waits for the user to play it, because of reduced motion. */
  readonly reducedMotion: boolean;
  readonly nowMs: number;
}

/** A longer gap between ticks does not count as playback. */
const maxGapMs = 500;

/**
 * Plays the film in the frame: commands its page, follows its reports, and detects when it becomes unresponsive. If the page
 * cannot play by itself, the player uses its own clock and seeks the page to each time. That applies to other speeds, ranges,
 * playback without a loop on older projects' pages, and comparisons of two videos. It has no access to the browser: time and
 * messages come from outside. All times are in milliseconds on one clock; only console lines have the time of day.
 */
export class Player {
  readonly store: StoreApi<PlayerState>;
  readonly #post: (message: ToPreview) => void;
  readonly #seeks = new SeekQueue();
  readonly #liveness: PageLiveness;
  readonly #reports = new PageReports();
  readonly #log = new ConsoleLog();
  #planned: FilmLength;
  #reducedMotion: boolean;
  /** Whether the page supports playback commands; `null` until known. */
  #obeys: boolean | null = null;
  /** Whether the page is hidden and videos play in its place. */
  #detached = false;
  #started = false;
  #tickMs: number | null = null;

  constructor({ post, planned, reducedMotion, nowMs }: PlayerOptions) {
    this.#post = post;
    this.#planned = planned;
    this.#reducedMotion = reducedMotion;
    this.#liveness = new PageLiveness(nowMs);
    this.store = createStore<PlayerState>(() => ({
      seconds: 0,
      playing: false,
      settings: plainSettings,
      info: null,
      health: 'loading',
      healthSinceMs: nowMs,
      load: null,
      values: undefined,
      lines: [],
    }));
  }

  get film(): FilmLength {
    return this.#state.info ?? this.#planned;
  }

  set planned(planned: FilmLength) {
    this.#planned = planned;
  }

  get #state(): PlayerState {
    return this.store.getState();
  }

  /** Time of the last message, or of the start of loading. */
  get lastMessageMs(): number {
    return this.#liveness.lastMessageMs;
  }

  get isDetached(): boolean {
    return this.#detached;
  }

  /** Whether this player advances the time, not the page. */
  get #counts(): boolean {
    return this.#detached || (this.#obeys === false && !isPlain(this.#state.settings));
  }

  /** Call when the frame reloads. The film's time and settings stay. */
  loading(nowMs: number): void {
    this.#seeks.reset();
    this.#obeys = null;
    this.#liveness.begin(nowMs);
    this.#reports.forget();
    this.store.setState({ health: 'loading', healthSinceMs: nowMs, load: null });
  }

  flooded(nowMs: number): void {
    this.store.setState({ health: 'flooding', healthSinceMs: nowMs });
  }

  /** Adds a line to the console which reports that messages were dropped. */
  missed(): void {
    this.#log.leaveOut(Date.now());
  }

  receive(message: FromPreview, nowMs: number): void {
    if (this.#state.health === 'flooding') return;
    this.#liveness.heard(nowMs);
    if (this.#state.health === 'unresponsive') this.store.setState({ health: 'responsive', healthSinceMs: nowMs });
    switch (message.type) {
      case 'koda:ready':
        this.#start(message, nowMs);
        return;
      case 'koda:film':
        this.store.setState({ info: message.info });
        return;
      case 'koda:time':
        this.#liveness.reported(nowMs);
        if (this.#reports.take(message, nowMs)) this.#follow(message, nowMs);
        return;
      case 'koda:error':
        this.#liveness.failed(nowMs);
        this.#log.add('error', message.message, Date.now());
        return;
      case 'koda:console':
        this.#log.add(message.level, message.text, Date.now());
        return;
      // These messages are for the editor.
      case 'koda:texts':
      case 'koda:text':
        return;
    }
  }

  /** Runs once after each load, including reloads by the page itself. */
  #start({ info, values }: { info: StageInfo; values?: ParameterValues | null | undefined }, nowMs: number): void {
    this.#seeks.reset();
    const load = this.#liveness.ready(this.#state.health, nowMs);
    this.store.setState({ info, health: 'responsive', healthSinceMs: nowMs, load, values });
    const { settings, seconds } = this.#state;
    if (!isPlain(settings)) this.#post({ type: 'koda:playback', ...settings });
    if (!this.#started) {
      this.#started = true;
      // A page plays by itself after loading.
      if (!this.#reducedMotion) this.store.setState({ playing: true });
      if (!this.#reducedMotion && !this.#counts) return;
    }
    this.#handOver(Math.min(seconds, this.film.durationSeconds), nowMs);
  }

  #catchUp(nowMs: number): void {
    const report = this.#reports.kept(nowMs);
    if (report !== null) this.#follow(report, nowMs);
  }

  #follow(message: TimeReport, nowMs: number): void {
    if (this.#state.health !== 'responsive') this.store.setState({ health: 'responsive', healthSinceMs: nowMs });
    this.#started = true;
    const { info } = this.#state;
    if (info && info.durationSeconds !== message.durationSeconds) {
      this.store.setState({ info: { ...info, durationSeconds: message.durationSeconds } });
    }
    const couldObey = this.#obeys;
    this.#obeys = message.playback !== undefined;
    if (couldObey === null && !this.#obeys && this.#counts) this.#handOver(this.#state.seconds, nowMs);
    const next = this.#seeks.answered(nowMs);
    if (next !== null) this.#post({ type: 'koda:seek', seconds: next });
    if (this.#counts) {
      if (message.playing && !this.#reports.isOlder(message.playing, nowMs)) this.#handOver(this.#state.seconds, nowMs);
      return;
    }
    const playing = this.#reports.isOlder(message.playing, nowMs) ? this.#state.playing : message.playing;
    const seconds = this.#seeks.isWaiting ? this.#state.seconds : message.seconds;
    this.store.setState({ playing, seconds });
  }

  #command(playing: boolean, nowMs: number, seconds?: number): void {
    this.#reports.commanded(playing, nowMs);
    this.#post({ type: playing ? 'koda:play' : 'koda:pause', ...(seconds === undefined ? {} : { seconds }) });
  }

  /** Seeks the page to this time, and lets it play only if it advances the time itself. */
  #handOver(seconds: number, nowMs: number): void {
    this.#command(this.#state.playing && !this.#counts, nowMs, seconds);
  }

  play(nowMs: number): void {
    const { settings, seconds } = this.#state;
    const restart = restartSeconds(seconds, settings, this.film);
    this.store.setState({ playing: true, ...(restart === null ? {} : { seconds: restart }) });
    if (this.#counts) this.#show(restart, nowMs);
    else this.#command(true, nowMs, restart ?? undefined);
  }

  pause(nowMs: number): void {
    this.store.setState({ playing: false });
    if (!this.#counts) this.#command(false, nowMs);
  }

  seek(seconds: number, nowMs: number): void {
    const moment = Math.min(Math.max(seconds, 0), this.film.durationSeconds);
    this.store.setState({ seconds: moment });
    this.#show(moment, nowMs);
  }

  #show(seconds: number | null, nowMs: number): void {
    if (seconds === null || this.#detached) return;
    this.#reports.forget();
    const allowed = this.#seeks.ask(seconds, nowMs);
    if (allowed !== null) this.#post({ type: 'koda:seek', seconds: allowed });
  }

  step(frames: number, nowMs: number): void {
    const { fps } = this.film;
    if (this.#state.playing) this.pause(nowMs);
    const frame = Math.round(this.#state.seconds * fps) + frames;
    this.seek(Math.min(Math.max(0, frame / fps), lastFrameSeconds(null, this.film)), nowMs);
  }

  change(change: Partial<PlaySettings>, nowMs: number): void {
    const counted = this.#counts;
    this.store.setState({ settings: { ...this.#state.settings, ...change } });
    this.#post({ type: 'koda:playback', ...this.#state.settings });
    if (counted !== this.#counts) this.#handOver(this.#state.seconds, nowMs);
  }

  /** Plays the film with other parameter values; `null` for its defaults. Older projects' pages have none. */
  adjust(values: ParameterValues | null): void {
    this.#post({ type: 'koda:parameters', values });
  }

  detach(detached: boolean, nowMs: number): void {
    if (this.#detached === detached) return;
    this.#detached = detached;
    this.#handOver(this.#state.seconds, nowMs);
  }

  /** Advances the time between the page's reports. Call for every frame while the film is playing. */
  tick(nowMs: number): void {
    this.#catchUp(nowMs);
    const gapMs = this.#tickMs === null ? 0 : nowMs - this.#tickMs;
    this.#tickMs = nowMs;
    // After a pause or in a hidden tab, the time continues from where it stopped.
    const elapsedSeconds = gapMs > 0 && gapMs < maxGapMs ? gapMs / 1000 : 0;
    const { playing, seconds, settings, health } = this.#state;
    if (!playing || (health !== 'responsive' && !this.#detached)) return;
    const next = advance(seconds, elapsedSeconds * settings.speed, settings, this.film);
    if (this.#counts) {
      this.store.setState(next);
      this.#show(next.seconds, nowMs);
    } else {
      // The page itself reports that it has reached its end.
      this.store.setState({ seconds: next.seconds });
    }
  }

  /** Checks whether the page is responsive. Call several times a second. */
  check(nowMs: number): void {
    this.#catchUp(nowMs);
    const { health, healthSinceMs } = this.#state;
    const next = this.#liveness.check(health, healthSinceMs, nowMs);
    if (next.ask) this.#post({ type: 'koda:seek' });
    if (next.health === 'unresponsive' && health !== 'unresponsive')
      this.store.setState({ healthSinceMs: this.#liveness.lastMessageMs });
    if (next.health !== health) this.store.setState({ health: next.health });
  }

  /** Shows the console lines since the last call. */
  flushLines(): void {
    const lines = this.#log.take();
    if (lines !== null) this.store.setState({ lines });
  }
}
