import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

/** An acknowledged value, and the values of interrupted requests, any of which may be stored. */
export interface Uncertain<T> {
  certain: T;
  possible: T[];
}

/** `removing`: a removal was interrupted, so that either state is correct. */
export type Existence = 'there' | 'removing' | 'gone';

/** Everything that the server has acknowledged for one project. */
export interface ProjectBook {
  readonly id: string;
  existence: Existence;
  readonly name: Uncertain<string>;
  /** Ids in the order of acknowledgement. */
  readonly messages: string[];
  /** SHA-256 of the content, by path; `null` if there is no such file. */
  readonly files: Map<string, Uncertain<string | null>>;
  readonly assets: Map<string, { readonly sha256: string; existence: Existence }>;
  /** Bodies of received events by sequence number, because events are durable before they are sent. */
  readonly events: Map<number, unknown>;
  readonly checkpoints: Set<string>;
  readonly renders: Map<string, { complete: boolean; existence: Existence; sha256: string | null }>;
}

/** Records what was acknowledged. Each entry is written to a file outside the server's folder before the work continues. */
export class Ledger {
  readonly projects = new Map<string, ProjectBook>();
  readonly #file: number;
  readonly #counts: Record<string, number> = {};

  constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  get entries(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
  }

  acknowledge(effect: string, details: Record<string, unknown>, apply: () => void): void {
    writeSync(this.#file, `${JSON.stringify({ effect, ...details })}\n`);
    this.#counts[effect] = (this.#counts[effect] ?? 0) + 1;
    apply();
  }

  projectCreated(id: string, name: string): ProjectBook {
    const book: ProjectBook = {
      id,
      existence: 'there',
      name: { certain: name, possible: [] },
      messages: [],
      files: new Map(),
      assets: new Map(),
      events: new Map(),
      checkpoints: new Set(),
      renders: new Map(),
    };
    this.acknowledge('project', { id, name }, () => this.projects.set(id, book));
    return book;
  }

  living(): ProjectBook[] {
    return [...this.projects.values()].filter(({ existence }) => existence !== 'gone');
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Allows this value as well, acknowledged or not. */
export function attempt<T>(value: Uncertain<T>, next: T): void {
  value.possible.push(next);
}

export function settle<T>(value: Uncertain<T>, next: T): void {
  value.certain = next;
  value.possible = [];
}

export function allows<T>(value: Uncertain<T>, found: T): boolean {
  return value.certain === found || value.possible.includes(found);
}

export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
