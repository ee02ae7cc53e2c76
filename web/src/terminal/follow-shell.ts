import { formatBytes } from '#contract/display.ts';
import { errorTraits } from '#contract/errors.ts';
import type { Shell, ShellLine } from '#contract/sandbox/shells.ts';
import { ApiError, toApiError } from '../api/client.ts';
import { backoffMs } from '../events/hub.ts';
import { pause } from './input-queue.ts';

export type ShellState =
  | { readonly kind: 'connecting' | 'starting' | 'live' | 'reconnecting' }
  | { readonly kind: 'ended'; readonly exitCode: number | null }
  | { readonly kind: 'failed'; readonly error: ApiError };

/** Shows output. Both methods resolve when it can accept more, so that the page fetches no faster than it displays. */
export interface Output {
  write(bytes: Uint8Array): Promise<void>;
  /** Shows a line from the page, distinct from the shell's output. */
  note(text: string): Promise<void>;
}

/** Position in a shell's output, kept while its tab is hidden. */
export interface OutputPosition {
  session: string | null;
  /** Offset in bytes within that session. */
  offset: number;
  /** Whether the terminal must be opened first, which also restarts one that has ended. */
  mustOpen: boolean;
}

export interface FollowOptions {
  readonly position: OutputPosition;
  /** `null` for shells that can only be watched. */
  readonly open: ((signal: AbortSignal) => Promise<Shell>) | null;
  readonly read: (position: OutputPosition, signal: AbortSignal) => AsyncIterable<ShellLine>;
  readonly output: Output;
  readonly onState: (state: ShellState) => void;
  /** Called when this session's output starts to be shown. */
  readonly onSession: (session: string) => void;
  readonly signal: AbortSignal;
}

const startingPauseMs = 1_000;
/** Interval at which skipped output is reported during a flood. */
const skippedNoteMs = 1_000;
/** After a gap, the rest of a line is dropped, because it may be half of an escape code. */
const maxTrimBytes = 4 * 1024;
const lineFeed = 10;

/**
 * Shows a shell's output until it ends or `signal` aborts. Opens the shell if needed, and reconnects after each interruption.
 */
export async function followShell(options: FollowOptions): Promise<void> {
  const { position, open, onState, signal } = options;
  const reader = new ShellReader(options);
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    let opening = position.mustOpen;
    let next: Next;
    try {
      if (opening && open) await reader.moveTo((await open(signal)).session);
      position.mustOpen = false;
      opening = false;
      for await (const line of options.read(position, signal)) {
        attempt = 0;
        // Several lines may arrive at once. The next reader requests the remaining ones again.
        if (signal.aborted || (await reader.take(line))) return;
      }
      next = { state: { kind: 'reconnecting' }, pauseMs: backoffMs(attempt, Math.random()) };
    } catch (thrown) {
      next = afterError(toApiError(thrown), { attempt, opening, canOpen: open !== null });
    }
    if (signal.aborted) return;
    if (next.state === null) position.mustOpen = true;
    else onState(next.state);
    if (next.pauseMs === null) return;
    if (next.pauseMs > 0) await pause(next.pauseMs, signal);
  }
}

interface Next {
  /** `null` if the shell must be opened again. */
  readonly state: ShellState | null;
  /** Delay before the next attempt; `null` if there is none. */
  readonly pauseMs: number | null;
}

function afterError(
  error: ApiError,
  { attempt, opening, canOpen }: { attempt: number; opening: boolean; canOpen: boolean },
): Next {
  const pauseMs = backoffMs(attempt, Math.random());
  if (error.code === 'NOT_FOUND' && !opening) {
    // The sandbox was replaced, or the shell was evicted.
    if (!canOpen) return { state: { kind: 'ended', exitCode: null }, pauseMs: null };
    return { state: null, pauseMs: attempt > 0 ? pauseMs : 0 };
  }
  if (error.code === 'SERVICE_UNAVAILABLE') return { state: { kind: 'starting' }, pauseMs: startingPauseMs };
  if (!isPassing(error)) return { state: { kind: 'failed', error }, pauseMs: null };
  return { state: { kind: 'reconnecting' }, pauseMs };
}

function isPassing({ code }: ApiError): boolean {
  // A server that shuts down cancels its requests.
  if (code === 'NETWORK' || code === 'CANCELLED') return true;
  return code !== 'UNREADABLE' && errorTraits(code).retryAs !== null;
}

/** Shows lines, and reports what is missing between them. */
class ShellReader {
  readonly #options: FollowOptions;
  #skippedBytes = 0;
  #notedAtMs = Number.NEGATIVE_INFINITY;
  /** Number of bytes that may still be dropped until a line ends. */
  #trimBytes = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Call when the output after this belongs to the given session. */
  async moveTo(session: string): Promise<void> {
    const { position, output } = this.#options;
    if (position.session === session) return;
    if (position.session !== null) await output.note('— new shell —');
    position.session = session;
    position.offset = 0;
  }

  async take(line: ShellLine): Promise<boolean> {
    const { position, output, onState, onSession } = this.#options;
    switch (line.type) {
      case 'open':
        await this.moveTo(line.session);
        onSession(line.session);
        this.#skipTo(line.offset);
        onState({ kind: 'live' });
        break;
      case 'output': {
        this.#skipTo(line.offset);
        await this.#noteSkipped();
        const bytes = bytesOf(line.base64);
        position.offset = line.offset + bytes.length;
        await output.write(this.#trimmed(bytes));
        break;
      }
      case 'alive':
        await this.#noteSkipped();
        break;
      case 'ended':
        onState({ kind: 'ended', exitCode: line.exitCode });
        return true;
      case 'error': {
        const { code, message, recovery } = line.error;
        throw new ApiError(code, message, { status: errorTraits(code).status, recovery: recovery?.action ?? null });
      }
    }
    return false;
  }

  #skipTo(offset: number): void {
    const { position } = this.#options;
    if (offset <= position.offset) return;
    this.#skippedBytes += offset - position.offset;
    this.#trimBytes = maxTrimBytes;
    position.offset = offset;
  }

  async #noteSkipped(): Promise<void> {
    const nowMs = performance.now();
    if (this.#skippedBytes === 0 || nowMs - this.#notedAtMs < skippedNoteMs) return;
    const text = `… ${formatBytes(this.#skippedBytes)} of output skipped …`;
    this.#skippedBytes = 0;
    this.#notedAtMs = nowMs;
    await this.#options.output.note(text);
  }

  #trimmed(bytes: Uint8Array): Uint8Array {
    if (this.#trimBytes === 0) return bytes;
    const end = bytes.subarray(0, this.#trimBytes).indexOf(lineFeed);
    const trimmed = end === -1 ? Math.min(bytes.length, this.#trimBytes) : end + 1;
    this.#trimBytes = end === -1 ? this.#trimBytes - trimmed : 0;
    return bytes.subarray(trimmed);
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
