import type { Logger } from 'pino';
import { z } from 'zod';

export const sightingsSchema = z.record(z.string(), z.number().nonnegative());
type Sightings = z.infer<typeof sightingsSchema>;

export interface Clock {
  /** Milliseconds since 1970. It jumps when the system's clock is set. */
  readonly wallMs: () => number;
  /** Milliseconds of running time, as `performance.now()`. */
  readonly runningMs: () => number;
}

export const systemClock: Clock = { wallMs: () => Date.now(), runningMs: () => performance.now() };

interface ExpiryOptions {
  readonly clock: Clock;
  /** Keeps the sightings over restarts, so that a server that restarts often still deletes. */
  readonly file: { read(): Promise<Sightings | null>; write(value: Sightings): Promise<void> };
  readonly log: Logger;
}

const confirmMs = 3_600_000;
const maxDriftMs = 60_000;

/**
 * Confirms that something may be deleted permanently because of its age. Ages follow the system's clock, which can jump, so a
 * thing must have been found expired throughout an hour of running time. A jump pauses all deletions for an hour.
 */
export class Expiry {
  readonly #options: ExpiryOptions;
  /** Running time since each thing was first found expired. */
  readonly #expiredMs: Map<string, number>;
  readonly #checkedAt = new Map<string, number>();
  #offsetMs: number;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  private constructor(options: ExpiryOptions, sightings: Sightings) {
    this.#options = options;
    this.#expiredMs = new Map(Object.entries(sightings));
    this.#offsetMs = offsetOf(options.clock);
  }

  static async open(options: ExpiryOptions): Promise<Expiry> {
    try {
      return new Expiry(options, (await options.file.read()) ?? {});
    } catch (error) {
      options.log.warn({ err: error }, 'failed to read which data has expired, the hour before its deletion starts again');
      return new Expiry(options, {});
    }
  }

  /** Returns which of these may be deleted. Call periodically with all expired things whose ids start with `prefix`. */
  async confirmed(prefix: string, expired: readonly string[]): Promise<ReadonlySet<string>> {
    const now = this.#options.clock.runningMs();
    const elapsedMs = now - (this.#checkedAt.get(prefix) ?? now);
    this.#checkedAt.set(prefix, now);
    const isPaused = this.isPaused();
    const known = [...this.#expiredMs.keys()].filter((id) => id.startsWith(prefix));
    const present = new Set(expired);
    for (const id of known) if (!present.has(id)) this.#expiredMs.delete(id);
    for (const id of expired) {
      const before = this.#expiredMs.get(id);
      this.#expiredMs.set(id, before === undefined ? 0 : before + elapsedMs);
    }
    if (known.length > 0 || expired.length > 0) await this.#save();
    return new Set(isPaused ? [] : expired.filter((id) => (this.#expiredMs.get(id) ?? 0) >= confirmMs));
  }

  /** Returns whether the system's clock has jumped within the last hour. */
  isPaused(): boolean {
    const { clock, log } = this.#options;
    const offsetMs = offsetOf(clock);
    const driftMs = offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    if (Math.abs(driftMs) > maxDriftMs) {
      this.#pausedUntil = clock.runningMs() + confirmMs;
      this.#expiredMs.clear();
      log.warn({ seconds: Math.round(driftMs / 1000) }, 'the system clock has jumped, nothing is deleted for an hour');
    }
    return clock.runningMs() < this.#pausedUntil;
  }

  async #save(): Promise<void> {
    try {
      await this.#options.file.write(Object.fromEntries(this.#expiredMs));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'failed to record which data has expired');
    }
  }
}

function offsetOf({ wallMs, runningMs }: Clock): number {
  return wallMs() - runningMs();
}
