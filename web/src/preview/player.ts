import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ParameterValues } from '#contract/render.ts';
import type { StageInfo } from '#contract/sandboxd.ts';
import { type ConsoleEntry, ConsoleLog } from './console-log.ts';
import {
  advance,
  type FilmLength,
  isPlain,
  lastFrameSeconds,
  type PlaySettings,
  plainSettings,
  restartSeconds,
} from './film-time.ts';
import type { PageHealth } from './page-health.ts';
import { type PageLoad, PagePulse } from './page-health.ts';
import { PageReports, SeekQueue, type TimeReport } from './page-reports.ts';
import type { FromPreview, ToPreview } from './preview-channel.ts';

export interface PlayerState {
  readonly seconds: number;
  readonly playing: boolean;
  readonly settings: PlaySettings;
  /** What the page reports of its film; null before the first report, and kept during a reload. */
  readonly info: StageInfo | null;
  readonly health: PageHealth;
  /** Since when the page is loading or silent, by the clock of `check`. */
  readonly healthSinceMs: number;
  /** Null while none has come up. */
  readonly load: PageLoad | null;
  /** The values of the film's parameters that the page began with, null for its own; undefined where it does not say. */
  readonly values: ParameterValues | null | undefined;
  readonly lines: readonly ConsoleEntry[];
}

interface PlayerOptions {
  readonly post: (message: ToPreview) => void;
  /** The plan's length, until the page reports its own. */
  readonly planned: FilmLength;
  /** Whether the film waits for the user to play it, because of reduced motion. */
  readonly reducedMotion: boolean;
  readonly nowMs: number;
}

/** A longer gap between ticks does not count as playing time. */
const maxGapMs = 500;

/**
 * Plays the film in the frame: commands its page, follows its reports, and notices when it falls silent.
 * What the page cannot do itself (another speed, a part, no loop on pages of older projects; anything while
 * two videos are compared), the player does by its own clock, and sets the page to each moment.
 *
 * Knows no browser: time and messages come from outside. All times are milliseconds of one clock; only
 * the console's lines carry the time of day.
 */
export class Player {
  readonly store: StoreApi<PlayerState>;
  readonly #post: (message: ToPreview) => void;
  readonly #seeks = new SeekQueue();
  readonly #pulse: PagePulse;
  readonly #reports = new PageReports();
  readonly #log = new ConsoleLog();
  #planned: FilmLength;
  #reducedMotion: boolean;
  /** Whether the page can play as commanded; null = not known yet. */
  #obeys: boolean | null = null;
  /** The page is hidden: videos play in its place. */
  #detached = false;
  #started = false;
  #tickMs: number | null = null;

  constructor({ post, planned, reducedMotion, nowMs }: PlayerOptions) {
    this.#post = post;
    this.#planned = planned;
    this.#reducedMotion = reducedMotion;
    this.#pulse = new PagePulse(nowMs);
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

  /** When loading started or the page was last heard. */
  get heardMs(): number {
    return this.#pulse.heardMs;
  }

  get isDetached(): boolean {
    return this.#detached;
  }

  /** Whether this player counts the time, not the page. */
  get #counts(): boolean {
    return this.#detached || (this.#obeys === false && !isPlain(this.#state.settings));
  }

  /** The frame reloads; the film's moment and settings stay. */
  loading(nowMs: number): void {
    this.#seeks.reset();
    this.#obeys = null;
    this.#pulse.begin(nowMs);
    this.#reports.forget();
    this.store.setState({ health: 'loading', healthSinceMs: nowMs, load: null });
  }

  /** The page sends more than can be read. */
  flooded(nowMs: number): void {
    this.store.setState({ health: 'flooding', healthSinceMs: nowMs });
  }

  /** The page sent more than is read; its console says so. */
  missed(): void {
    this.#log.leaveOut(Date.now());
  }

  receive(message: FromPreview, nowMs: number): void {
    if (this.#state.health === 'flooding') return;
    this.#pulse.heard(nowMs);
    if (this.#state.health === 'silent') this.store.setState({ health: 'alive', healthSinceMs: nowMs });
    switch (message.type) {
      case 'koda:ready':
        this.#begin(message, nowMs);
        return;
      case 'koda:film':
        this.store.setState({ info: message.info });
        return;
      case 'koda:time':
        this.#pulse.reported(nowMs);
        if (this.#reports.take(message, nowMs)) this.#follow(message, nowMs);
        return;
      case 'koda:error':
        this.#pulse.failed(nowMs);
        this.#log.add('error', message.message, Date.now());
        return;
      case 'koda:console':
        this.#log.add(message.level, message.text, Date.now());
        return;
      // For the editor, not for the player.
      case 'koda:texts':
      case 'koda:text':
        return;
    }
  }

  /** Runs once after each load, including reloads by the page itself. */
  #begin({ info, values }: { info: StageInfo; values?: ParameterValues | null | undefined }, nowMs: number): void {
    this.#seeks.reset();
    const load = this.#pulse.ready(this.#state.health, nowMs);
    this.store.setState({ info, health: 'alive', healthSinceMs: nowMs, load, values });
    const { settings, seconds } = this.#state;
    if (!isPlain(settings)) this.#post({ type: 'koda:playback', ...settings });
    if (!this.#started) {
      this.#started = true;
      // A page plays by itself.
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
    if (this.#state.health !== 'alive') this.store.setState({ health: 'alive', healthSinceMs: nowMs });
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

  /** Sets the page to this moment, and lets it play only if it counts the time. */
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

  /** Pauses, and moves by that many frames. */
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

  /** Plays the film with other values of its parameters; null = its own. Pages of older projects have none. */
  adjust(values: ParameterValues | null): void {
    this.#post({ type: 'koda:parameters', values });
  }

  /** The page is hidden, or shown again. */
  detach(detached: boolean, nowMs: number): void {
    if (this.#detached === detached) return;
    this.#detached = detached;
    this.#handOver(this.#state.seconds, nowMs);
  }

  /** Call this for every frame while the film plays: it advances the time between the page's reports. */
  tick(nowMs: number): void {
    this.#catchUp(nowMs);
    const gapMs = this.#tickMs === null ? 0 : nowMs - this.#tickMs;
    this.#tickMs = nowMs;
    // After a pause or in a hidden tab the time goes on from where it was.
    const elapsedSeconds = gapMs > 0 && gapMs < maxGapMs ? gapMs / 1000 : 0;
    const { playing, seconds, settings, health } = this.#state;
    if (!playing || (health !== 'alive' && !this.#detached)) return;
    const next = advance(seconds, elapsedSeconds * settings.speed, settings, this.film);
    if (this.#counts) {
      this.store.setState(next);
      this.#show(next.seconds, nowMs);
    } else {
      // Whether it has come to its end, the page says itself.
      this.store.setState({ seconds: next.seconds });
    }
  }

  /** Call this several times a second: it checks whether the page still lives. */
  check(nowMs: number): void {
    this.#catchUp(nowMs);
    const { health, healthSinceMs } = this.#state;
    const next = this.#pulse.check(health, healthSinceMs, nowMs);
    if (next.ask) this.#post({ type: 'koda:seek' });
    if (next.health === 'silent' && health !== 'silent') this.store.setState({ healthSinceMs: this.#pulse.heardMs });
    if (next.health !== health) this.store.setState({ health: next.health });
  }

  /** Shows the console lines since the last call. */
  flushLines(): void {
    const lines = this.#log.take();
    if (lines !== null) this.store.setState({ lines });
  }
}
