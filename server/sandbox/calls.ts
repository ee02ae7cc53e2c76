import type { Readable } from 'node:stream';
import type { Call } from './transport.ts';

/** How long each kind of call may take before the sandbox counts as stuck. */
export const timeouts = {
  healthMs: 5_000,
  callMs: 30_000,
  /** Scans and listings of a workspace with 20,000 files on a busy machine. */
  scanMs: 60_000,
  initMs: 120_000,
  /** The dev server has 60 s; the answer needs a moment more. */
  previewMs: 75_000,
  pictureMs: 120_000,
  /** The dev server may have to start first, and a busy machine's page gets four times as long. */
  browserMs: 180_000,
  transferMs: 900_000,
  /** A terminal is watched as long as its page is open; then the page asks again. */
  watchMs: 24 * 3_600_000,
  /** On top of a command's or render's own limit: the kill ladder takes up to 8 s. */
  overrunMs: 30_000,
} as const;

export function shellPath(name: string, action = ''): string {
  return `/shells/${encodeURIComponent(name)}${action}`;
}

export function renderPath(renderId: string, part = ''): string {
  return `/render/${encodeURIComponent(renderId)}${part}`;
}

export function withQuery(path: string, query: Record<string, string | number | boolean>): string {
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `${path}?${new URLSearchParams(entries)}`;
}

/** What is asked for, still without who waits and how long. */
type Target = Pick<Call, 'method' | 'target' | 'body'>;
export const get = (target: string): Target => ({ method: 'GET', target, body: null });
export const remove = (target: string): Target => ({ method: 'DELETE', target, body: null });
export const put = (target: string, body: Uint8Array | Readable): Target => ({ method: 'PUT', target, body });
export const post = (target: string, value: object): Target => ({
  method: 'POST',
  target,
  body: Buffer.from(JSON.stringify(value)),
});
