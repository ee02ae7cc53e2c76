import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

/** A value that was acknowledged, and those of requests that were cut off: each of them may be what is there. */
export interface Uncertain<T> {
  certain: T;
  possible: T[];
}

/** Whether something is there: `removing` while a request to remove it was cut off, so that either is right. */
export type Existence = 'there' | 'removing' | 'gone';

/** What the server acknowledged of one project. */
export interface ProjectBook {
  readonly id: string;
  existence: Existence;
  readonly name: Uncertain<string>;
  /** Ids in the order in which they were acknowledged. */
  readonly messages: string[];
  /** SHA-256 of the content by path; null = no such file. */
  readonly files: Map<string, Uncertain<string | null>>;
  readonly assets: Map<string, { readonly sha256: string; existence: Existence }>;
  /** Bodies of the events that were seen, by number: an event is durable before anybody sees it. */
  readonly events: Map<number, unknown>;
  readonly checkpoints: Set<string>;
  readonly renders: Map<string, { complete: boolean; existence: Existence; sha256: string | null }>;
}

/** What was acknowledged, for the checks; each entry is in a file outside the server's folder before the work goes on. */
export class Ledger {
  readonly projects = new Map<string, ProjectBook>();
  readonly #file: number;
  readonly #counts: Record<string, number> = {};

  constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  /** How many effects of each kind were acknowledged. */
  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  get entries(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
  }

  /** Writes an acknowledged effect down, then takes it into account. */
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

  /** Those that may be there. */
  living(): ProjectBook[] {
    return [...this.projects.values()].filter(({ existence }) => existence !== 'gone');
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** From now on the value may be there, acknowledged or not. */
export function attempt<T>(value: Uncertain<T>, next: T): void {
  value.possible.push(next);
}

/** From now on nothing but the value may be there. */
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
