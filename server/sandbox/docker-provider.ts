import { setTimeout } from 'node:timers/promises';
import { errorMessage } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { CircuitBreaker } from '../lib/circuit-breaker.ts';
import { failpoint } from '../lib/failpoint.ts';
import { megabytes } from '../lib/megabytes.ts';
import { sandboxClient } from './client.ts';
import { sandboxUid } from './container-config.ts';
import { type Engine, isEngineUnavailable } from './engine.ts';
import { assertEngineSpace, type DiskSpace, isEngineFull, type ProjectSize } from './engine-disk.ts';
import { engineWarnings } from './known-holes.ts';
import { findResponsive, waitUntilReady } from './readiness.ts';
import type { CallOptions, CreateOptions, Sandbox, SandboxProvider, SandboxSummary } from './sandbox.ts';
import { makeSocketFolder, makeSocketsDir, removeSocketFolder, SocketClaims, socketFolder } from './socket-folder.ts';
import type { SandboxTokens } from './tokens.ts';

/** Longer than the engine takes to notice that a container has exited, even on a busy machine. */
const exitNoticeMs = 10_000;
const exitPollMs = 100;

export interface DockerProviderOptions {
  readonly engine: Engine;
  /** Guards calls that a caller awaits, but not cleanup, which must also run when the engine recovers. */
  readonly breaker: CircuitBreaker;
  readonly instance: string;
  readonly tokens: SandboxTokens;
  readonly socketsDir: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  /** Disk space limit for a sandbox's files, and space to keep free on the engine's disk. */
  readonly diskBytes: number;
  readonly diskReserveBytes: number;
}

/** Runs sandboxes as containers without a network. The engine starts and removes them; everything else uses their sockets. */
export class DockerProvider implements SandboxProvider {
  readonly kind = 'docker';
  readonly #options: DockerProviderOptions;
  readonly #claims: SocketClaims;
  /** Removals in progress, by sandbox. A failed call and the health check may both find it dead. */
  readonly #removals = new Map<string, Promise<void>>();

  constructor(options: DockerProviderOptions) {
    this.#options = options;
    this.#claims = new SocketClaims(options.socketsDir, options.instance);
  }

  async check(options: CallOptions): Promise<{ available: boolean; detail: string | null; warnings: readonly string[] }> {
    try {
      const { versions } = await this.#options.engine.check(options);
      return { available: true, detail: `Docker Engine ${versions.engine}`, warnings: engineWarnings(versions) };
    } catch (error) {
      return { available: false, detail: errorMessage(error), warnings: [] };
    }
  }

  async create(projectId: string, { limits, signal }: CreateOptions): Promise<Sandbox> {
    const { engine, breaker, tokens, socketsDir, diskBytes, diskReserveBytes } = this.#options;
    const memoryBytes = Math.min(this.#options.memoryBytes, (limits.memoryMb ?? Infinity) * 1024 ** 2);
    const cpus = Math.min(this.#options.cpus, limits.cpus ?? Infinity);
    const sandboxId = newId('sbx');
    try {
      await makeSocketsDir(socketsDir, sandboxUid);
      await this.#claims.add(sandboxId, projectId);
      failpoint('sandbox.after-folder');
      await makeSocketFolder(socketsDir, sandboxId, sandboxUid);
      const spec = { sandboxId, projectId, token: tokens.tokenOf(sandboxId), memoryBytes, cpus, diskBytes };
      await breaker.run(
        async () => {
          assertEngineSpace(await engine.disk({ signal }), diskReserveBytes);
          await engine.start(spec, { signal });
        },
        { isNeutral: (error) => isEngineUnavailable(error) || isEngineFull(error) },
      );
      const sandbox = this.#client(sandboxId, projectId);
      await waitUntilReady(sandbox, {
        signal,
        stillRunning: async () => (await engine.inspect(sandboxId, { signal }))?.running ?? false,
        evidence: () => this.diagnose(sandboxId, { signal }),
      });
      // No project code has run in the sandbox yet.
      await engine.seal(sandboxId, { signal });
      return sandbox;
    } catch (error) {
      await this.#remove(sandboxId);
      throw error;
    }
  }

  async find(projectId: string, options: CallOptions): Promise<Sandbox | null> {
    const { engine, breaker } = this.#options;
    const containers = (await breaker.run(() => engine.list(options), { isNeutral: isEngineUnavailable })).filter(
      (container) => container.projectId === projectId && container.running,
    );
    containers.sort((a, b) => b.generation - a.generation);
    const candidates = containers.map(({ sandboxId }) => this.#client(sandboxId, projectId));
    const found = await findResponsive(candidates, (id) => this.#remove(id), options);
    // A server crash may have prevented the seal.
    if (found) await engine.seal(found.id, options);
    return found;
  }

  async list(options: CallOptions): Promise<SandboxSummary[]> {
    // Listed before the containers, so that a container created in between is not reported as missing.
    const claims = await this.#claims.list();
    const containers = await this.#options.engine.list(options);
    const known = new Set(containers.map(({ sandboxId }) => sandboxId));
    // A folder without a container was left behind by an interrupted start or removal.
    const orphans = claims.filter(({ sandboxId }) => !known.has(sandboxId)).map((claim) => ({ ...claim, running: false }));
    return [...containers, ...orphans].map(({ sandboxId, projectId, running }) => ({ id: sandboxId, projectId, running }));
  }

  async diagnose(sandboxId: string, options: CallOptions): Promise<string> {
    const until = performance.now() + exitNoticeMs;
    let container = await this.#options.engine.inspect(sandboxId, options);
    // The engine notices an exit later than the sandbox's connections do.
    while (container?.running && performance.now() < until) {
      await setTimeout(exitPollMs, undefined, { signal: options.signal });
      container = await this.#options.engine.inspect(sandboxId, options);
    }
    if (!container) return 'Its container no longer exists.';
    if (container.oomKilled) {
      return `It ran out of memory. A sandbox gets at most ${megabytes(this.#options.memoryBytes)} MB (KODA_SANDBOX_MEMORY_MB).`;
    }
    return container.running
      ? 'Its container is running but is not responding.'
      : `Its container exited with code ${container.exitCode}.`;
  }

  async destroy(sandboxId: string): Promise<void> {
    await this.#remove(sandboxId);
  }

  disk(options: CallOptions): Promise<DiskSpace | null> {
    return this.#options.engine.disk(options);
  }

  sizes(options: CallOptions): Promise<ProjectSize[]> {
    return this.#options.engine.sizes(options);
  }

  listCaches(options: CallOptions): Promise<string[]> {
    return this.#options.engine.listCaches(options);
  }

  async removeCache(projectId: string, options: CallOptions): Promise<void> {
    await this.#options.engine.removeCache(projectId, options);
  }

  /** Not cancellable, because a partial removal is useless. Concurrent calls share one removal. */
  #remove(sandboxId: string): Promise<void> {
    const known = this.#removals.get(sandboxId);
    if (known !== undefined) return known;
    const removal = this.#removeNow(sandboxId).finally(() => this.#removals.delete(sandboxId));
    this.#removals.set(sandboxId, removal);
    return removal;
  }

  async #removeNow(sandboxId: string): Promise<void> {
    await this.#options.engine.remove(sandboxId, { signal: new AbortController().signal });
    await removeSocketFolder(this.#options.socketsDir, sandboxId);
    await this.#claims.remove(sandboxId);
  }

  #client(sandboxId: string, projectId: string): Sandbox {
    const { socketsDir, tokens } = this.#options;
    return sandboxClient({
      sandboxId,
      projectId,
      socketDir: socketFolder(socketsDir, sandboxId),
      token: tokens.tokenOf(sandboxId),
    });
  }
}
