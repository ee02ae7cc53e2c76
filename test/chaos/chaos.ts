import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '#contract/errors.ts';
import { type Failpoint, failpointNames } from '../../server/lib/failpoint.ts';
import { Actor, type Operation } from './actor.ts';
import { Api, Refused, Unanswered } from './api.ts';
import { App, type AppFolders } from './app.ts';
import { findLastingOrphans } from './checks/orphans.ts';
import type { Problem, ProblemKind } from './checks/problem.ts';
import { StoreCheck } from './checks/store.ts';
import { failpointTriggers } from './failpoint-triggers.ts';
import { Ledger } from './ledger.ts';
import { type Random, seededRandom } from './random.ts';
import { killGroup, markedProcesses } from './sandboxes.ts';
import { watchEvents } from './watcher.ts';

export const brokenStores = ['upload', 'checkpoint', 'database'] as const;
export type BrokenStore = (typeof brokenStores)[number];

/** Operation that uses each store, and the effect that the server then acknowledges. */
const brokenEffects: Readonly<Record<BrokenStore, { operation: Operation; effect: string }>> = {
  upload: { operation: 'upload', effect: 'upload' },
  checkpoint: { operation: 'write', effect: 'checkpoint' },
  database: { operation: 'rename', effect: 'name' },
};

export interface ChaosOptions {
  readonly kills: number;
  readonly seed: number;
  /** Failpoints at which the server is killed once each. */
  readonly failpoints: readonly Failpoint[];
  /** Store to break. The run ends once the damage is detected. `null` breaks nothing. */
  readonly broken: BrokenStore | null;
  /** Receives progress lines. */
  readonly say: (line: string) => void;
}

export interface ChaosReport {
  readonly kills: number;
  readonly failpoints: readonly Failpoint[];
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
  readonly seconds: number;
}

/** Number of concurrent users. */
const actorCount = 3;
/** Every n-th run is followed by the thorough checks. */
const thoroughEvery = 10;
/** Every n-th run renders, which takes seconds. */
const renderEvery = 12;
/** Time that the server takes to start on a quiet machine. All other times are stretched as much as its last start. */
const startUpMs = 900;
const shortLifeMs = 700;
/** Maximum lifetime that is long enough for a sandbox to start. */
const longLifeMs = 4_000;
const renderLifeMs = 8_000;
const failpointTimeoutMs = 300_000;
/** Time that a server has to clean up after the previous one. */
const convergenceMs = 30_000;
const sayEvery = 25;
const watchMs = 50;

/**
 * Lets users work on a real server over HTTP and kills it repeatedly. After every kill, checks that acknowledged data exists,
 * and after every start, that incomplete work is cleaned up. Sandboxes are processes on this machine and outlive the kills,
 * as containers do.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const startedAt = performance.now();
  const chaos = new Chaos(options);
  try {
    if (options.broken === null) {
      await chaos.atFailpoints();
      await chaos.settleIn();
      await chaos.atRandom();
      await chaos.end();
    } else {
      await chaos.atAcknowledgements(brokenEffects[options.broken]);
    }
  } finally {
    await chaos.cleanUp();
  }
  return { ...chaos.summary(), seconds: (performance.now() - startedAt) / 1000 };
}

interface Life {
  readonly failpoint: Failpoint | null;
  /** Maximum lifetime of the server on a quiet machine, from the start of the process or from its first accepted request. */
  readonly lifetime: { readonly from: 'beginning' | 'ready'; readonly ms: number };
  /** Ends the lifetime early. */
  readonly enough?: () => boolean;
  /** Starts the users' work. */
  readonly drive: (api: Api) => readonly Promise<unknown>[];
  /** Whether to check what the previous run left behind, and everything thoroughly after this one. */
  readonly thorough: boolean;
}

class Chaos {
  readonly #options: ChaosOptions;
  readonly #random: Random;
  readonly #folders: AppFolders;
  readonly #ledger: Ledger;
  readonly #actors: readonly Actor[];
  /** A user that renders, with its own project. */
  readonly #renderer: Actor;
  readonly #problems: Problem[] = [];
  readonly #reached: Failpoint[] = [];
  #app: App | null = null;
  #kills = 0;
  /** Duration of the last start, as a multiple of the usual one. */
  #pace = 1;

  constructor(options: ChaosOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    // The path is short, because a socket path is limited to 107 bytes.
    const base = mkdtempSync(join(tmpdir(), 'kx-'));
    this.#folders = { base, dataDir: join(base, 'data'), socketsDir: join(base, 's') };
    this.#ledger = new Ledger(this.#logFile);
    const actor = () =>
      new Actor({
        ledger: this.#ledger,
        random: this.#random,
        socketsDir: this.#folders.socketsDir,
        onFault: (what) => this.#report('fault', what),
      });
    this.#actors = Array.from({ length: actorCount }, actor);
    this.#renderer = actor();
  }

  /** Kills once at every failpoint, in the order in which they are hit. */
  async atFailpoints(): Promise<void> {
    for (const failpoint of failpointNames) {
      if (!this.#options.failpoints.includes(failpoint)) continue;
      const way = failpointTriggers[failpoint];
      const isStart = way === 'start' || way === 'first start';
      const actor = way === 'render' || way === 'remove-render' ? this.#renderer : this.#actors[0];
      const drive = (api: Api) => (isStart || actor === undefined ? [] : [repeat(actor, api, way)]);
      const ended = await this.#live({
        failpoint,
        lifetime: { from: 'beginning', ms: failpointTimeoutMs },
        drive,
        thorough: true,
      });
      const reached = ended === 'by itself' && (await this.#app?.ended) === 'SIGKILL';
      if (reached) this.#reached.push(failpoint);
      else
        this.#report(
          'fault',
          `the failpoint ${failpoint} was not reached (${way}). Refused: ${actor?.lastRefusal ?? ''}. The last words:\n${this.#app?.log ?? ''}`,
        );
      this.#options.say(`failpoint ${failpoint}: ${reached ? 'killed' : 'NOT REACHED'}`);
    }
  }

  /** Gives every user a project with a sandbox, and performs the usual operations, so that even short runs include each. */
  async settleIn(): Promise<void> {
    if (this.#options.kills === 0) return;
    const app = this.#start(null);
    const api = new Api(await app.started());
    await Promise.all(
      this.#actors.map(async (actor) => {
        for (const operation of ['write', 'rename', 'upload', 'message'] as const) await actor.perform(api, operation);
      }),
    );
    await app.kill();
    this.#kills += 1;
    await this.#check({ thorough: true });
  }

  /** Kills at random times: during startup, and during requests. */
  async atRandom(): Promise<void> {
    for (let life = 1; life <= this.#options.kills; life++) {
      const renders = life % renderEvery === 0;
      const thorough = life % thoroughEvery === 0;
      const early = !thorough && this.#random.below(5) === 0;
      const long = this.#random.below(6) === 0;
      const usualMs = long ? longLifeMs : shortLifeMs;
      const readyMs = renders ? renderLifeMs : usualMs;
      const limitMs = early ? startUpMs : readyMs;
      const ended = await this.#live({
        failpoint: null,
        lifetime: { from: early ? 'beginning' : 'ready', ms: this.#random.below(limitMs) },
        drive: (api) => [
          ...this.#actors.map((actor) => actor.work(api)),
          ...(renders ? [repeat(this.#renderer, api, 'render')] : []),
        ],
        thorough,
      });
      if (ended === 'by itself')
        this.#report('fault', `the server exited unexpectedly. Its last output:\n${this.#app?.log ?? ''}`);
      if (life % sayEvery === 0) this.#options.say(`${life} random kills, ${this.#ledger.entries} effects acknowledged`);
    }
  }

  /** Kills each time that the server has acknowledged the effect, until something is lost. */
  async atAcknowledgements({ operation, effect }: { operation: Operation; effect: string }): Promise<void> {
    const [actor] = this.#actors;
    for (let life = 1; life <= this.#options.kills && !this.#hasLost(); life++) {
      const before = this.#ledger.counts[effect] ?? 0;
      await this.#live({
        failpoint: null,
        lifetime: { from: 'beginning', ms: failpointTimeoutMs },
        enough: () => (this.#ledger.counts[effect] ?? 0) > before,
        drive: (api) => (actor === undefined ? [] : [repeat(actor, api, operation)]),
        thorough: true,
      });
    }
  }

  /** Stops the last run gracefully, which must leave nothing behind. */
  async end(): Promise<void> {
    const app = this.#start(null);
    const api = new Api(await app.started());
    for (const what of await findLastingOrphans(api, this.#folders, convergenceMs * this.#pace)) this.#report('orphan', what);
    await app.stop();
    await this.#check({ thorough: true });
    for (const { pid } of markedProcesses(this.#folders.socketsDir)) this.#report('orphan', `process ${pid} after the end`);
  }

  async cleanUp(): Promise<void> {
    await this.#app?.kill();
    for (const { pid } of markedProcesses(this.#folders.socketsDir)) killGroup(pid);
    this.#ledger.close();
    if (this.#problems.length > 0 && this.#options.broken === null) {
      this.#options.say(`Kept for a look: ${this.#folders.base} and ${this.#logFile}`);
      return;
    }
    rmSync(this.#folders.base, { recursive: true, force: true, maxRetries: 5 });
    rmSync(this.#logFile, { force: true });
  }

  summary(): Omit<ChaosReport, 'seconds'> {
    return { kills: this.#kills, failpoints: this.#reached, acknowledged: this.#ledger.counts, problems: this.#problems };
  }

  /** Runs a server from its start to the checks after its end. Returns how it ended. */
  async #live({ failpoint, lifetime, enough = () => false, drive, thorough }: Life): Promise<'killed' | 'by itself'> {
    const startedAt = performance.now();
    const app = this.#start(failpoint);
    const over = new AbortController();
    const limit = () => delay(lifetime.ms * this.#pace, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    const early = lifetime.from === 'beginning' ? limit() : null;
    const url = await Promise.race([app.ready, early ?? app.ready]);
    if (typeof url === 'string') this.#pace = Math.max(1, (performance.now() - startedAt) / startUpMs);
    const work: Promise<unknown>[] = [];
    /** The users' work ends when the server exits. */
    const add = (task: Promise<unknown>) =>
      work.push(
        task.catch((error: unknown) => {
          if (!(error instanceof Unanswered)) this.#report('fault', errorMessage(error));
        }),
      );
    if (typeof url === 'string') {
      const api = new Api(url);
      add(this.#watch(api, over.signal));
      if (thorough) await this.#converge(api);
      drive(api).forEach(add);
      await Promise.race([app.ended, early ?? limit(), this.#whenEnough(enough, over.signal)]);
    }
    const ended = app.hasEnded ? 'by itself' : 'killed';
    await app.kill();
    this.#kills += 1;
    over.abort();
    await Promise.all(work);
    await this.#check({ thorough });
    return ended;
  }

  async #whenEnough(enough: () => boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !enough()) await delay(watchMs, undefined, { ref: false });
  }

  #start(failpoint: Failpoint | null): App {
    const { broken } = this.#options;
    const preload = broken === null ? null : join(import.meta.dirname, 'broken', `late-${broken}.ts`);
    this.#app = new App(this.#folders, { failpoint, preload });
    return this.#app;
  }

  /** Expects that the previous run's incomplete work is cleaned up. */
  async #converge(api: Api): Promise<void> {
    try {
      for (const what of await findLastingOrphans(api, this.#folders, convergenceMs * this.#pace)) this.#report('orphan', what);
    } catch (error) {
      // The server has exited, because the failpoint was hit without an action of the test. The next run checks again.
      if (!(error instanceof Unanswered || error instanceof Refused)) throw error;
    }
  }

  /** Follows the events of all projects, including new ones. */
  async #watch(api: Api, signal: AbortSignal): Promise<void> {
    const watched = new Map<string, Promise<void>>();
    while (!signal.aborted) {
      for (const book of this.#ledger.living()) {
        if (watched.has(book.id)) continue;
        const onFault = (what: string) => this.#report('lost', what);
        watched.set(book.id, watchEvents(api, book, { ledger: this.#ledger, signal, onFault }));
      }
      await delay(watchMs, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(watched.values());
  }

  async #check(how: { thorough: boolean }): Promise<void> {
    for (const { kind, what } of await StoreCheck.run(this.#folders, this.#ledger, how)) this.#report(kind, what);
  }

  #report(kind: ProblemKind, what: string): void {
    this.#problems.push({ kind, what });
    this.#options.say(`${kind.toUpperCase()}: ${what}`);
  }

  #hasLost(): boolean {
    return this.#problems.some(({ kind }) => kind !== 'fault' && kind !== 'orphan');
  }

  get #logFile(): string {
    return `${this.#folders.base}.acknowledged.jsonl`;
  }
}

async function repeat(actor: Actor, api: Api, operation: Operation): Promise<never> {
  for (;;) await actor.perform(api, operation);
}
