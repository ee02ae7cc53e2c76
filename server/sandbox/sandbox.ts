import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { SandboxAnswer, SandboxCall, SandboxCallName, SandboxCalls, subjects } from '../contract/sandbox-calls.ts';
import type { DiskSpace, ProjectSize } from './engine-disk.ts';

/** What every call on a sandbox takes: nothing that can hang is without a signal. */
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

type Answer<Kind extends SandboxAnswer> = Kind extends { kind: 'json'; schema: infer Schema extends z.ZodType }
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
) => Answer<Call['answer']>;

/** One method a call of the protocol, each as contract/sandbox-calls.ts describes it: `(subject?, body?, options)`. */
export type SandboxMethods = { readonly [Name in SandboxCallName]: SandboxMethod<SandboxCalls[Name]> };

/**
 * A running sandbox, seen through sandboxd. Every method throws `KodaError` with code SANDBOX_DEAD when the
 * sandbox is gone, CANCELLED when `signal` fired, TIMEOUT when it does not answer, and `SandboxdError`
 * (its own code and details, e.g. FILE_NOT_FOUND with similar paths) when sandboxd refuses.
 */
export interface Sandbox extends SandboxMethods {
  readonly id: string;
  readonly projectId: string;
  /** The Unix socket that carries raw bytes to the project's dev server. */
  readonly previewSocketPath: string;
}

/** sandboxd refused a call. `code` is its own (FILE_NOT_FOUND, FILE_TOO_LARGE, SERVER_FAILED, CAPTURE_FAILED …). */
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

/** Makes, finds and destroys sandboxes; one for each way of running them (`docker`, `process`). */
export interface SandboxProvider {
  readonly kind: 'docker' | 'process';
  /** Says whether sandboxes can be made now, and if not, why and what to do. */
  check(options: CallOptions): Promise<{ available: boolean; detail: string | null }>;
  /** A new sandbox, its sandboxd answering. The workspace is empty until `init` or `importTar`. */
  create(projectId: string, options: CallOptions): Promise<Sandbox>;
  /** The running sandbox of a project, e.g. after a restart of the server; null when there is none. */
  find(projectId: string, options: CallOptions): Promise<Sandbox | null>;
  list(options: CallOptions): Promise<SandboxSummary[]>;
  /** Why a sandbox does not answer any more, in a sentence for the user. */
  diagnose(sandboxId: string, options: CallOptions): Promise<string>;
  /** Removes the sandbox, its workspace and its sockets; the project's cache stays. Idempotent. */
  destroy(sandboxId: string, options: CallOptions): Promise<void>;
  /** What is free on the disk where sandboxes keep their files; null when unknown. */
  disk(options: CallOptions): Promise<DiskSpace | null>;
  /** What the sandbox and the cache of each project hold on that disk, as it is seen from outside of them. May be slow. */
  sizes(options: CallOptions): Promise<ProjectSize[]>;
  /** Ids of the projects that have a cache: what one sandbox of a project leaves to the next, and may be deleted. */
  listCaches(options: CallOptions): Promise<string[]>;
  /** Removes the cache of a project that has no sandbox. Idempotent. */
  removeCache(projectId: string, options: CallOptions): Promise<void>;
}

/** The running sandboxes, one a project at most. */
export interface SandboxPort {
  /**
   * The project's sandbox, its files complete. A new one is a copy of the template that `prepare` has filled,
   * before any other call sees it; then it is `fresh`. When `prepare` fails, the sandbox is destroyed.
   */
  acquire(
    projectId: string,
    options: {
      template: string;
      prepare: (sandbox: Sandbox, options: { signal: AbortSignal }) => Promise<void>;
      signal: AbortSignal;
    },
  ): Promise<{ sandbox: Sandbox; fresh: boolean }>;
  /** The sandbox if it is known to run, without making one. */
  current(projectId: string): Sandbox | null;
  /** Projects that have a running sandbox, also from before a restart of the server. */
  list(options: { signal: AbortSignal }): Promise<readonly string[]>;
  destroy(projectId: string): Promise<void>;
  /** Removes what the project's sandboxes left to each other; after `destroy`, when the project is gone. */
  removeCache(projectId: string): Promise<void>;
}
