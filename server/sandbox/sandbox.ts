import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { SandboxCall, SandboxCallName, SandboxCalls, SandboxResponse, subjects } from '#contract/sandbox/calls.ts';
import type { DiskSpace, ProjectSize } from './engine-disk.ts';

/** Options of every sandbox call. The signal is required, because any call can hang. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

type Subject<Call> = Call extends { subject: infer Name extends keyof typeof subjects }
  ? [subject: z.output<(typeof subjects)[Name]>]
  : [];
type Body<Call> = Call extends { body: infer Schema }
  ? [body: Schema extends z.ZodType ? z.input<Schema> : Uint8Array | Readable]
  : [];
type Options<Call> = CallOptions & (Call extends { query: infer Query extends z.ZodObject } ? z.output<Query> : unknown);

type Answer<Kind extends SandboxResponse> = Kind extends { kind: 'json' | 'lines'; schema: infer Schema extends z.ZodType }
  ? Promise<z.output<Schema>>
  : Kind extends { kind: 'events'; schema: infer Schema extends z.ZodType }
    ? AsyncIterable<z.output<Schema>>
    : Kind extends { kind: 'bytes' }
      ? Promise<Buffer>
      : Kind extends { hasOffset: true }
        ? Promise<{ stream: Readable; offset: number }>
        : Promise<Readable>;

type SandboxMethod<Call extends SandboxCall> = (
  ...args: [...Subject<Call>, ...Body<Call>, options: Options<Call>]
) => Answer<Call['response']>;

/** One method per protocol call (contract/sandbox-calls.ts): `(subject?, body?, options)`. */
export type SandboxMethods = { readonly [Name in SandboxCallName]: SandboxMethod<SandboxCalls[Name]> };

/**
 * Running sandbox, accessed through sandboxd. Every method throws `KodaError` with SANDBOX_DEAD if the sandbox no longer
 * exists, CANCELLED if `signal` aborts, and TIMEOUT if it does not respond. If sandboxd rejects the call, it throws
 * `SandboxdError` with sandboxd's code and details (for example FILE_NOT_FOUND with similar paths).
 */
export interface Sandbox extends SandboxMethods {
  readonly id: string;
  readonly projectId: string;
  /** Unix socket that carries raw bytes to the project's dev server. */
  readonly previewSocketPath: string;
}

/**
 * Thrown if sandboxd rejects a call. `code` is sandboxd's own (FILE_NOT_FOUND, FILE_TOO_LARGE, SERVER_FAILED, CAPTURE_FAILED
 * …).
 */
export class SandboxdError extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;

  constructor(code: string, message: string, details: Record<string, unknown>) {
    super(message);
    this.name = 'SandboxdError';
    this.code = code;
    this.details = details;
  }
}

export interface SandboxSummary {
  readonly id: string;
  readonly projectId: string;
  readonly running: boolean;
}

/** A sandbox's limits, within the operator's. `null`: the operator's. */
export interface SandboxLimits {
  readonly memoryMb: number | null;
  readonly cpus: number | null;
}

export const operatorLimits: SandboxLimits = { memoryMb: null, cpus: null };

export interface CreateOptions extends CallOptions {
  readonly limits: SandboxLimits;
}

/** Whether a person waits for a sandbox. Projects in the background, such as resumed ones, wait behind those of people. */
export type Priority = 'person' | 'background';

/** Creates, finds and destroys sandboxes. Implementations: `docker` and `process`. */
export interface SandboxProvider {
  readonly kind: 'docker' | 'process';
  /**
   * Returns whether sandboxes can be created now. If not, `detail` says why and what to do. `warnings` are for the operator
   * only: known holes of the engine.
   */
  check(options: CallOptions): Promise<{ available: boolean; detail: string | null; warnings: readonly string[] }>;
  /** Creates a sandbox whose sandboxd is ready. The workspace is empty until `init` or `importTar`. */
  create(projectId: string, options: CreateOptions): Promise<Sandbox>;
  /** Returns the project's running sandbox, for example after a server restart, or `null`. */
  find(projectId: string, options: CallOptions): Promise<Sandbox | null>;
  list(options: CallOptions): Promise<SandboxSummary[]>;
  /** Returns the reason why a sandbox no longer responds, as a sentence for the user. */
  diagnose(sandboxId: string, options: CallOptions): Promise<string>;
  /** Removes the sandbox, its workspace and its sockets, but not the project's cache. Idempotent. */
  destroy(sandboxId: string, options: CallOptions): Promise<void>;
  disk(options: CallOptions): Promise<DiskSpace | null>;
  /** Returns the disk usage of each project's sandbox and cache, measured from outside. May be slow. */
  sizes(options: CallOptions): Promise<ProjectSize[]>;
  /** Returns the ids of projects with a cache. A project's successive sandboxes share its cache, which can be deleted. */
  listCaches(options: CallOptions): Promise<string[]>;
  removeCache(projectId: string, options: CallOptions): Promise<void>;
}

export interface SandboxPort {
  /**
   * `prepare` fills a new sandbox (`fresh`) before other calls can use it. If it fails, the sandbox is destroyed. Waits while too
   * many other sandboxes run.
   */
  acquire(
    projectId: string,
    options: {
      template: string;
      limits: SandboxLimits;
      priority: Priority;
      prepare: (sandbox: Sandbox, options: { signal: AbortSignal }) => Promise<void>;
      signal: AbortSignal;
    },
  ): Promise<{ sandbox: Sandbox; fresh: boolean }>;
  /** Returns the running sandbox, even from before a server restart, or `null`. Never creates one, and never waits for one. */
  find(projectId: string, options: { signal: AbortSignal }): Promise<Sandbox | null>;
  current(projectId: string): Sandbox | null;
  /** Returns whether the project waits until its sandbox may start. */
  isWaiting(projectId: string): boolean;
  /** Returns the time in milliseconds that the project has waited for a sandbox since the server's start. */
  waitedMs(projectId: string): number;
  /** Returns the time in milliseconds since the sandbox's last use, 0 during work, and infinity if this server has not used it. */
  idleMs(projectId: string): number;
  list(options: { signal: AbortSignal }): Promise<readonly string[]>;
  destroy(projectId: string): Promise<void>;
  removeCache(projectId: string): Promise<void>;
}
