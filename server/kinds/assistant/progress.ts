import { formatSecondsLeft } from '#contract/display.ts';
import type { QueuePosition } from '#contract/estimate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { alert, counted, sizeText, surfaceOf, surfaceUpdate, table, words } from './surfaces.ts';

/** Progress is shown in steps of this many per cent, because each change is stored. */
const percentStep = 20;

/** Videos whose progress and waits are shown one by one. With more of them, only their ends are. */
const maxDetailed = 50;

const maxReasonCharacters = 200;

/** Until a render has gained this much, opening the film distorts its speed. */
const minPercentOfPace = 10;

interface EndedVideo {
  readonly size_bytes: number;
  readonly error: { readonly message: string } | null;
}

interface Row {
  readonly label: string;
  stage: 'waiting' | 'taken' | 'ended';
  /** Own state. `null` if it follows from the rows before. */
  state: string | null;
  shown: string;
  /** Start of the render, in milliseconds of `performance.now`. */
  startedMs: number | null;
  /** Time until the render starts, while it is queued behind others. */
  queuedSeconds: number;
  /** 0 to 100. */
  percent: number;
  /** `percent` at `startedMs`. Above 0 if the server restarted during the render. */
  percentBefore: number;
}

/** Estimates the rest of a started video from its own speed, or, if that is not known yet, from the duration of others. */
function secondsLeft({ startedMs, queuedSeconds, percent, percentBefore }: Row, each: number): number {
  const ran = startedMs === null ? 0 : (performance.now() - startedMs) / 1000;
  const gained = percent - percentBefore;
  if (gained >= minPercentOfPace) return (ran * (100 - percent)) / gained;
  // A video that already takes longer than the others is unlikely to end at once.
  return queuedSeconds + Math.max((each * (100 - percentBefore)) / 100 - ran, ran / 10);
}

/** Estimated start of each video and end of all, in seconds from now. */
interface Forecast {
  readonly startOf: ReadonlyMap<Row, number>;
  readonly end: number;
}

interface Options {
  readonly atOnce: number;
  /** Likely duration of one video. `null` if it cannot be estimated. */
  readonly secondsEach: number | null;
  readonly context: Pick<ToolContext, 'showSurface'>;
}

const emptyRow = {
  stage: 'waiting',
  state: null,
  shown: '',
  startedMs: null,
  queuedSeconds: 0,
  percent: 0,
  percentBefore: 0,
} as const;

const surfacePrefix = 'making-';

export const isProgress = (surfaceId: string): boolean => surfaceId.startsWith(surfacePrefix);

/** Surface that shows what becomes of each video, and why those that wait do. */
export class Progress {
  readonly #rows: Row[];
  readonly #options: Options;
  readonly #surfaceId: string;
  #done = 0;
  #failed = 0;
  #measuredMs = 0;
  #estimatedSeconds: number | null;
  /** Why no video can start. `null` if they can. */
  #reason: string | null = null;
  #shownNow = '';

  constructor(items: readonly { readonly id: string; readonly label: string }[], options: Options) {
    this.#rows = items.map(({ label }) => ({ ...emptyRow, label }));
    this.#options = options;
    this.#estimatedSeconds = options.secondsEach;
    this.#surfaceId = `${surfacePrefix}${items[0]?.id}`;
  }

  async show(): Promise<void> {
    const title = `Making ${counted(this.#rows.length, 'video')}`;
    const states = this.#states();
    for (const [index, row] of this.#rows.entries()) row.shown = states[index] ?? '';
    this.#shownNow = this.#now();
    const surface = surfaceOf(this.#surfaceId, {
      title,
      parts: [
        words('summary', 'Stop keeps the finished videos. You can make the rest later.'),
        { ...alert('now', '', 'info'), text: { path: '/now' } },
        table('videos', title, [
          ['Video', 'label'],
          ['State', 'state'],
        ]),
      ],
      data: {
        ...{ now: this.#shownNow, progress: this.#progress() },
        videos: this.#rows.map(({ label, shown }) => ({ label, state: shown })),
      },
    });
    await this.#options.context.showSurface(title, surface);
  }

  /** Returns what reports on one video. */
  of(index: number) {
    const row = this.#rows[index];
    if (row === undefined) throw new RangeError(`There is no video ${index}.`);
    return {
      held: async (reason: string | null): Promise<void> => {
        this.#reason = reason;
        await this.#refresh();
      },
      /** `seconds`: estimated duration, `null` while the film is being changed. `percent`: progress from before a restart. */
      started: async (seconds: number | null, percent: number): Promise<void> => {
        this.#estimatedSeconds ??= seconds;
        row.stage = 'taken';
        row.state = 'Starting';
        row.startedMs = performance.now();
        row.percentBefore = percent;
        await this.#refresh();
      },
      percent: async (percent: number): Promise<void> => {
        row.percent = percent;
        row.queuedSeconds = 0;
        if (this.#rows.length <= maxDetailed) row.state = `${Math.floor(percent / percentStep) * percentStep} %`;
        await this.#refresh();
      },
      queued: async ({ ahead, startsInSeconds }: QueuePosition): Promise<void> => {
        row.startedMs = performance.now();
        row.queuedSeconds = startsInSeconds ?? 0;
        row.percent = 0;
        row.percentBefore = 0;
        const estimate = startsInSeconds === null ? '' : `, about ${formatSecondsLeft(startsInSeconds)}`;
        const text = ahead === 0 ? 'Starting' : `Waits for ${counted(ahead, 'other render')}${estimate}`;
        if (this.#rows.length <= maxDetailed) row.state = text;
        await this.#refresh();
      },
      ended: async ({ error, size_bytes: size }: EndedVideo): Promise<void> => {
        row.stage = 'ended';
        if (error === null) {
          this.#done += 1;
          if (row.startedMs !== null) this.#measuredMs += performance.now() - row.startedMs;
        } else this.#failed += 1;
        row.state = error === null ? `Done, ${sizeText(size)}` : `Failed: ${error.message.slice(0, maxReasonCharacters)}`;
        await this.#refresh();
      },
    };
  }

  async stopped(): Promise<void> {
    await this.#update({
      '/now': `Stopped after ${this.#done} of ${counted(this.#rows.length, 'video')}. The finished ones are kept.`,
    });
  }

  get #left(): number {
    return this.#rows.length - this.#done - this.#failed;
  }

  #progress(): object {
    return { done: this.#done, failed: this.#failed, total: this.#rows.length };
  }

  /** Returns how long one video takes: as measured, or else as estimated. */
  #secondsEach(): number | null {
    return this.#done === 0 ? this.#estimatedSeconds : this.#measuredMs / this.#done / 1000;
  }

  /** Estimates when the unfinished videos start and end. Returns `null` without an estimate for one video. */
  #forecast(): Forecast | null {
    const each = this.#secondsEach();
    if (each === null) return null;
    const free = this.#rows.flatMap((row) => (row.stage === 'taken' ? [secondsLeft(row, each)] : []));
    while (free.length < this.#options.atOnce) free.push(0);
    const startOf = new Map<Row, number>();
    for (const row of this.#rows) {
      if (row.stage !== 'waiting') continue;
      const start = Math.min(...free);
      startOf.set(row, start);
      free[free.indexOf(start)] = start + each;
    }
    return { startOf, end: Math.max(...free) };
  }

  #now(): string {
    const counts = [
      `${this.#done} done`,
      ...(this.#failed === 0 ? [] : [`${this.#failed} failed`]),
      ...(this.#left === 0 ? [] : [`${this.#left} to go`]),
    ].join(', ');
    if (this.#reason !== null) return `${this.#reason}. ${counts}`;
    const end = this.#left === 0 ? null : (this.#forecast()?.end ?? null);
    return end === null ? counts : `${counts}, about ${formatSecondsLeft(end)} left`;
  }

  #states(): string[] {
    const forecast = this.#forecast();
    let before = 0;
    return this.#rows.map((row) => {
      const place = before;
      if (row.stage !== 'ended') before += 1;
      if (row.stage !== 'waiting') return row.state ?? '';
      return this.#reason ?? this.#waitingText(place, forecast?.startOf.get(row) ?? null);
    });
  }

  /** `before`: videos in front of it that have not ended. */
  #waitingText(before: number, startsInSeconds: number | null): string {
    if (this.#rows.length > maxDetailed) return 'Waits for the videos before it';
    if (before < this.#options.atOnce) return 'Starting';
    const about = startsInSeconds === null ? '' : `, about ${formatSecondsLeft(startsInSeconds)}`;
    return `Waits for the ${before === 1 ? 'video' : `${before} videos`} before it${about}`;
  }

  async #refresh(): Promise<void> {
    const values: Record<string, unknown> = {};
    const states = this.#states();
    for (const [index, row] of this.#rows.entries()) {
      const state = states[index] ?? '';
      if (state === row.shown) continue;
      row.shown = state;
      values[`/videos/${index}/state`] = state;
    }
    const now = this.#now();
    if (Object.keys(values).length === 0 && now === this.#shownNow) return;
    this.#shownNow = now;
    await this.#update({ ...values, '/now': now, '/progress': this.#progress() });
  }

  async #update(values: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#options.context.showSurface('Progress', surfaceUpdate(this.#surfaceId, values));
  }
}
