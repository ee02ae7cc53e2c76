import { setTimeout } from 'node:timers/promises';
import { KodaError } from '#contract/errors.ts';
import { holdSeconds, maxStillBytes, stillKey, stillSize } from '#kinds/film/contract/still.ts';
import { KeyedLock } from '../../../lib/keyed-lock.ts';
import type { ProjectDeps } from '../../../projects/deps.ts';
import { isWorkDue } from '../../../projects/phases.ts';
import { readFrom } from '../../../projects/workspace.ts';
import type { SandboxPort } from '../../../sandbox/sandbox.ts';
import { changesToFollow } from '../document/follow-document.ts';
import { plannedFilm } from './planned-film.ts';

const maxStills = 300;
const checkMs = 200;
const maxChecks = 15;
/** JPEG quality, 0 to 100. */
const jpegQuality = 82;

interface SceneStillsDeps extends Pick<ProjectDeps, 'store'> {
  readonly sandboxes: Pick<SandboxPort, 'current'>;
  /** Returns whether a render is running or queued. */
  readonly isRendering: () => boolean;
}

/**
 * Captures small images of scenes, one at a time for all projects, and only while nothing else needs the browser. They are kept
 * in memory by their cache key, and the least recently used ones are evicted.
 */
export class SceneStills {
  readonly #deps: SceneStillsDeps;
  readonly #stills = new Map<string, Buffer>();
  readonly #turns = new KeyedLock();
  #capture = new AbortController();

  constructor(deps: SceneStillsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a JPEG of the scene. Throws NOT_FOUND, CONFLICT if the scene no longer has this key, and SERVICE_UNAVAILABLE while
   * Koda is writing, a render is running, or the project's page is out of date.
   */
  async read(projectId: string, sceneId: string, key: string, { signal }: { signal: AbortSignal }): Promise<Buffer> {
    const state = await this.#deps.store.state(projectId);
    const now = stillKey(plannedFilm(state), sceneId);
    if (now === null) throw new KodaError('NOT_FOUND', `There is no scene “${sceneId}” in this film.`);
    if (now !== key) throw new KodaError('CONFLICT', 'The scene has changed. Request the still of its current content.');
    const name = `${projectId} ${key}`;
    const take = async () => this.#stills.get(name) ?? (await this.#take(projectId, sceneId, key, signal));
    const still = this.#stills.get(name) ?? (await this.#turns.run('capture', take));
    // Moves the entry to the end, because the last one is the most recently used.
    this.#stills.delete(name);
    this.#stills.set(name, still);
    for (const oldest of this.#stills.keys()) if (this.#stills.size > maxStills) this.#stills.delete(oldest);
    return still;
  }

  /** Stops the current capture. Call before a render starts. */
  yieldToRender(): void {
    this.#capture.abort(notNow('A render has started.'));
  }

  async #take(projectId: string, sceneId: string, key: string, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted();
    // The document and the renders may have changed while other captures ran.
    const state = await this.#deps.store.state(projectId);
    const planned = plannedFilm(state);
    const { film } = planned;
    if (isWorkDue(state)) throw notNow('Koda is writing this film.');
    if (this.#deps.isRendering()) throw notNow('A render is running.');
    const sandbox = this.#deps.sandboxes.current(projectId);
    if (sandbox === null) throw notNow('The live preview is not running.');
    this.#capture = new AbortController();
    const until = AbortSignal.any([signal, this.#capture.signal]);
    const at = holdSeconds(film, sceneId);
    const isBehind = async () => (await changesToFollow(film, readFrom(sandbox, until), { isProposed: false })) !== null;
    // After an edit, its files are updated within a second or two.
    for (let checks = 0; checks < maxChecks && (await isBehind()); checks += 1) {
      await setTimeout(checkMs);
      until.throwIfAborted();
    }
    if (at === null || stillKey(planned, sceneId) !== key || (await isBehind()))
      throw notNow('The film’s files are being written.');
    const image = await sandbox.screenshot(
      { seekToSeconds: at, ...stillSize(film.aspect), format: 'jpeg', quality: jpegQuality },
      { signal: until },
    );
    if (image.length > maxStillBytes) throw new KodaError('TOO_LARGE', `The still is larger than ${maxStillBytes / 1024} KiB.`);
    return image;
  }
}

const notNow = (reason: string) =>
  new KodaError('SERVICE_UNAVAILABLE', `The still cannot be captured now: ${reason} Try again in a few seconds.`, {
    recovery: 'retry',
  });
