/**
 * The film's time as the page's only clock, and as the seed of its chance. A frame that reads a clock, waits for a timer or
 * draws lots is then the same in every render. Installed before the page's own code.
 */
export interface FilmClock {
  /** Sets all clocks, and calls what is due in order. A page may call it again within a seek. */
  set(milliseconds: number): void;
  /** Starts a seek. Returns `false` if timers after that time have already been called, which only a new page undoes. */
  beginSeek(milliseconds: number): boolean;
  endSeek(): void;
}

type Callback = (...args: unknown[]) => unknown;

interface Timer {
  readonly id: number;
  readonly call: () => void;
  readonly everyMs: number | null;
  readonly delayMs: number;
  readonly level: number;
  dueMs: number;
  realId: number;
}

const epochMs = Date.UTC(2025, 0, 1);
/** Shorter timeouts of a page that loads only yield to other work. */
const yieldMs = 4;
/** Browsers delay timers by at least this much if each starts the next. */
const nestedMs = 4;
const maxNesting = 5;
/** A page that is not ready by then may wait for a timer. */
const waitingMs = 3000;

const RealDate = Date;
const real = { setTimeout: window.setTimeout.bind(window), clearTimeout: window.clearTimeout.bind(window) };

/** mulberry32, seeded with the time alone. */
class Chance {
  #state: number;
  readonly #salt: number;

  constructor(state: number, salt: number) {
    this.#state = state;
    this.#salt = salt;
  }

  seed(milliseconds: number): void {
    this.#state = (Math.round(milliseconds * 1000) ^ this.#salt) | 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}

export function installFilmClock(): FilmClock {
  const clock = new PageClock();
  clock.install();
  // Films of earlier versions install a simpler clock, which also has to drive their animations.
  Object.defineProperty(window, '__virtualTime', {
    get: () => clock,
    set: () => {
      clock.drivesAnimations = true;
      clock.install();
    },
  });
  return clock;
}

class PageClock implements FilmClock {
  drivesAnimations = window !== window.top;
  #nowMs = 0;
  /** Before the first seek the page loads, which takes real time. */
  #frozen = false;
  /** Whether a loading page may have to wait for its timers. */
  #released = false;
  #inSeek = false;
  /** Whether the page itself sets the time before it draws, as the template's does. */
  #setByPage = false;
  #nextId = 1;
  #level = 0;
  #lastFiredMs = Number.NEGATIVE_INFINITY;
  readonly #timers = new Map<number, Timer>();
  #frames = new Map<number, FrameRequestCallback>();
  #idle = new Map<number, IdleRequestCallback>();
  readonly #random = new Chance(1, 0x9e3779b9);
  readonly #crypto = new Chance(2, 0x7f4a7c15);

  constructor() {
    const release = () => this.#release();
    window.addEventListener('error', release, true);
    window.addEventListener('load', () => real.setTimeout(release, waitingMs));
  }

  beginSeek(milliseconds: number): boolean {
    if (milliseconds < this.#lastFiredMs) return false;
    this.#advance(milliseconds);
    if (this.#setByPage) this.#callFrames();
    this.#inSeek = true;
    return true;
  }

  endSeek(): void {
    this.#inSeek = false;
    if (!this.#setByPage) this.#callFrames();
  }

  set(milliseconds: number): void {
    this.#setByPage = true;
    const isSame = this.#inSeek && milliseconds === this.#nowMs;
    this.#advance(milliseconds);
    if (!isSame) this.#callFrames();
  }

  #advance(milliseconds: number): void {
    this.#frozen = true;
    this.#random.seed(milliseconds);
    this.#crypto.seed(milliseconds);
    this.#callTimers(milliseconds);
    this.#nowMs = milliseconds;
    const idle = this.#idle;
    this.#idle = new Map();
    for (const callback of idle.values()) callback({ didTimeout: false, timeRemaining: () => 50 });
    if (this.drivesAnimations) setAnimations(milliseconds);
    for (let index = 0; index < window.length; index++) clockOf(window[index])?.set(milliseconds);
  }

  #callFrames(): void {
    const frames = this.#frames;
    this.#frames = new Map();
    for (const callback of frames.values()) callback(this.#nowMs);
  }

  install(): void {
    this.#installClocks();
    this.#installTimers();
    this.#installChance();
  }

  #installClocks(): void {
    const now = () => epochMs + this.#nowMs;
    RealDate.now = now;
    const FilmDate = new Proxy(RealDate, {
      construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
      apply: () => new RealDate(now()).toString(),
    });
    RealDate.prototype.constructor = FilmDate;
    window.Date = FilmDate;
    replace(performance, 'now', () => this.#nowMs);
    replaceGetter(Performance.prototype, 'timeOrigin', () => epochMs);
    replace(performance, 'mark', (name: string, options?: PerformanceMarkOptions) =>
      mark.call(performance, name, { ...options, startTime: options?.startTime ?? this.#nowMs }),
    );
    replaceGetter(Event.prototype, 'timeStamp', () => this.#nowMs);
    replaceGetter(AnimationTimeline.prototype, 'currentTime', () => this.#nowMs);
    installIntl(now);
    installTemporal(now);
  }

  #installTimers(): void {
    const add = (handler: unknown, delayMs: unknown, args: unknown[], repeats: boolean) =>
      this.#addTimer(() => (typeof handler === 'function' ? (handler as Callback)(...args) : new Function(String(handler))()), {
        delayMs: Math.max(0, Number(delayMs) || 0),
        repeats,
      });
    const remove = (id: unknown) => {
      real.clearTimeout(this.#timers.get(Number(id))?.realId);
      this.#timers.delete(Number(id));
    };
    const addFrame = (callback: FrameRequestCallback) => {
      const id = this.#nextId++;
      this.#frames.set(id, callback);
      this.#whileLoading(() => this.#frames.delete(id) && callback(this.#nowMs));
      return id;
    };
    const addIdle = (callback: IdleRequestCallback) => {
      const id = this.#nextId++;
      this.#idle.set(id, callback);
      this.#whileLoading(() => this.#idle.delete(id) && callback({ didTimeout: false, timeRemaining: () => 50 }));
      return id;
    };
    Object.assign(window, {
      setTimeout: (handler: unknown, delayMs?: unknown, ...args: unknown[]) => add(handler, delayMs, args, false),
      setInterval: (handler: unknown, delayMs?: unknown, ...args: unknown[]) => add(handler, delayMs, args, true),
      clearTimeout: remove,
      clearInterval: remove,
      requestAnimationFrame: addFrame,
      cancelAnimationFrame: (id: number) => this.#frames.delete(id),
      requestIdleCallback: addIdle,
      cancelIdleCallback: (id: number) => this.#idle.delete(id),
    });
    replace(AbortSignal, 'timeout', (delayMs: number) => {
      const controller = new AbortController();
      const reason = new DOMException('signal timed out', 'TimeoutError');
      this.#addTimer(() => controller.abort(reason), { delayMs, repeats: false });
      return controller.signal;
    });
  }

  #installChance(): void {
    Math.random = () => this.#random.next() / 4294967296;
    const fill = (bytes: Uint8Array) => {
      for (let index = 0; index < bytes.length; index++) bytes[index] = this.#crypto.next() >>> 24;
    };
    replace(crypto, 'getRandomValues', (array: ArrayBufferView) => {
      fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return array;
    });
    replace(crypto, 'randomUUID', () => {
      const bytes = new Uint8Array(16);
      fill(bytes);
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
    });
  }

  /** Animation frames and idle time, which a loading page may need to become ready. */
  #whileLoading(call: () => void): void {
    if (!this.#frozen) real.setTimeout(() => !this.#frozen && call(), 4);
  }

  #addTimer(call: () => void, { delayMs, repeats }: { delayMs: number; repeats: boolean }): number {
    const level = this.#level + 1;
    const delay = Math.max(delayMs, repeats || level > maxNesting ? nestedMs : 0);
    const everyMs = repeats ? delay : null;
    const timer = { id: this.#nextId++, call, everyMs, delayMs: delay, level, dueMs: this.#nowMs + delay, realId: 0 };
    this.#timers.set(timer.id, timer);
    if (!this.#frozen && (this.#released || (!repeats && delay <= yieldMs))) this.#runForReal(timer);
    return timer.id;
  }

  /** On the real clock until the first seek. */
  #runForReal(timer: Timer): void {
    const fire = () => {
      if (this.#frozen || !this.#timers.has(timer.id)) return;
      if (timer.everyMs === null) this.#timers.delete(timer.id);
      else timer.realId = real.setTimeout(fire, timer.everyMs);
      timer.call();
    };
    timer.realId = real.setTimeout(fire, timer.dueMs - this.#nowMs);
  }

  #release(): void {
    if (this.#frozen || this.#released) return;
    this.#released = true;
    for (const timer of this.#timers.values()) if (timer.realId === 0) this.#runForReal(timer);
  }

  #callTimers(untilMs: number): void {
    for (let next = this.#nextDue(untilMs); next; next = this.#nextDue(untilMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      // A short timeout only yields.
      if (next.everyMs !== null || next.delayMs > yieldMs) this.#lastFiredMs = next.dueMs;
      // A timer that repeats goes to the end, so that timers due at the same time run in the order in which they were started.
      this.#timers.delete(next.id);
      if (next.everyMs !== null) {
        next.dueMs += next.everyMs;
        this.#timers.set(next.id, next);
      }
      this.#level = next.level;
      try {
        next.call();
      } catch (error) {
        reportError(error);
      } finally {
        this.#level = 0;
      }
    }
  }

  #nextDue(untilMs: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.#timers.values()) {
      if (timer.dueMs <= untilMs && (next === null || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}

function clockOf(frame: Window | undefined): { set(milliseconds: number): void } | undefined {
  try {
    return frame?.__virtualTime;
  } catch {
    // The frame has another origin.
    return undefined;
  }
}

function setAnimations(milliseconds: number): void {
  for (const animation of document.getAnimations()) {
    animation.pause();
    animation.currentTime = milliseconds;
  }
  for (const { ownerSVGElement } of document.querySelectorAll<SVGElement>('animate, animateTransform, animateMotion, set')) {
    ownerSVGElement?.pauseAnimations();
    ownerSVGElement?.setCurrentTime(milliseconds / 1000);
  }
}

function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, configurable: true, writable: true, enumerable: true });
}

function replaceGetter(owner: object, name: string, get: () => unknown): void {
  Object.defineProperty(owner, name, { ...Object.getOwnPropertyDescriptor(owner, name), get });
}

const { mark } = Performance.prototype;
const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')?.get;
const { formatToParts } = Intl.DateTimeFormat.prototype;

/** Without a date, these read the real clock. */
function installIntl(now: () => number): void {
  replaceGetter(Intl.DateTimeFormat.prototype, 'format', function (this: Intl.DateTimeFormat) {
    const bound: Intl.DateTimeFormat['format'] = format?.call(this);
    return (date?: Date | number) => bound(date ?? now());
  });
  replace(Intl.DateTimeFormat.prototype, 'formatToParts', function (this: Intl.DateTimeFormat, date?: Date | number) {
    return formatToParts.call(this, date ?? now());
  });
}

interface TemporalNow {
  instant(): { toZonedDateTimeISO(zone: string): Record<'toPlainDate' | 'toPlainTime' | 'toPlainDateTime', () => unknown> };
  timeZoneId(): string;
}
interface TemporalApi {
  readonly Now: TemporalNow;
  readonly Instant: { fromEpochMilliseconds(ms: number): ReturnType<TemporalNow['instant']> };
}

function installTemporal(now: () => number): void {
  const temporal: TemporalApi | undefined = Reflect.get(window, 'Temporal');
  if (temporal === undefined) return;
  const instant = () => temporal.Instant.fromEpochMilliseconds(Math.floor(now()));
  const zoned = (zone = temporal.Now.timeZoneId()) => instant().toZonedDateTimeISO(zone);
  replace(temporal.Now, 'instant', instant);
  replace(temporal.Now, 'zonedDateTimeISO', zoned);
  replace(temporal.Now, 'plainDateTimeISO', (zone?: string) => zoned(zone).toPlainDateTime());
  replace(temporal.Now, 'plainDateISO', (zone?: string) => zoned(zone).toPlainDate());
  replace(temporal.Now, 'plainTimeISO', (zone?: string) => zoned(zone).toPlainTime());
}
