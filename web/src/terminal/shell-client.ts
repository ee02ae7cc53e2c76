import { randomSuffix } from '#contract/ids.ts';
import type { Shell, TerminalSize } from '#contract/sandbox/shells.ts';
import { followShell, type OutputPosition, type ShellState } from './follow-shell.ts';
import { type InputLoss, InputQueue } from './input-queue.ts';
import { createScreen, type Screen, type ScreenOptions } from './screen.ts';
import { shellsApi } from './shells-api.ts';

/** While a window is being resized, only its last size counts. */
const sizePauseMs = 150;

interface ShellClientOptions extends Pick<ScreenOptions, 'screenReader' | 'describedBy' | 'label'> {
  readonly projectId: string;
  readonly name: string;
  readonly owner: Shell['owner'];
  readonly known: Shell | null;
  readonly onState: (state: ShellState) => void;
  readonly onLost: (loss: InputLoss) => void;
}

/** Connects a shell to a screen. Streams output while running, and sends keys and sizes in order. */
export class ShellClient implements Disposable {
  readonly screen: Screen;
  readonly #options: ShellClientOptions;
  readonly #position: OutputPosition;
  #queue: { readonly session: string; readonly keys: InputQueue } | null = null;
  #following: AbortController | null = null;
  #state: ShellState = { kind: 'connecting' };
  #sentSize: TerminalSize | null = null;
  #sizeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, options: ShellClientOptions) {
    const { owner, known } = options;
    this.#options = options;
    // A shell that has ended is only shown, because opening it would start another one.
    this.#position = { session: known?.session ?? null, offset: 0, mustOpen: owner === 'user' && !known?.ended };
    window.addEventListener('pagehide', this.#leave);
    document.addEventListener('visibilitychange', this.#leave);
    this.screen = createScreen(host, {
      ...options,
      readOnly: owner === 'agent',
      onInput: (text) => this.type(text),
      onSize: () => this.#sendSizeSoon(),
    });
  }

  run(): void {
    if (this.#following || this.#state.kind === 'ended' || this.#state.kind === 'failed') return;
    const { projectId, name, owner } = this.#options;
    const following = new AbortController();
    this.#following = following;
    void followShell({
      position: this.#position,
      open: owner === 'agent' ? null : (signal) => this.#open(signal),
      read: (position, signal) => shellsApi.output(projectId, name, { ...position, signal }),
      output: this.screen,
      onState: (state) => !following.signal.aborted && this.#show(state),
      onSession: (session) => this.#listenFor(session),
      signal: following.signal,
    });
  }

  /** Ends the stream, not the shell. `run` resumes at the same position. */
  pause(): void {
    this.#following?.abort();
    this.#following = null;
  }

  /** Types text as if from a keyboard. Does nothing without a running shell. */
  type(text: string): void {
    if (this.#state.kind !== 'ended') this.#queue?.keys.type(text);
  }

  /** Restarts the shell after it has ended or failed. */
  restart(): void {
    this.pause();
    this.#position.mustOpen = this.#options.owner === 'user';
    this.#show({ kind: 'connecting' });
    this.run();
    this.screen.focus();
  }

  [Symbol.dispose](): void {
    this.pause();
    clearTimeout(this.#sizeTimer);
    window.removeEventListener('pagehide', this.#leave);
    document.removeEventListener('visibilitychange', this.#leave);
    this.#queue?.keys.flush();
    this.#queue?.keys.close();
    this.screen[Symbol.dispose]();
  }

  /** The browser may discard a hidden page without notice. */
  readonly #leave = (event: Event): void => {
    if (event.type === 'pagehide' || document.hidden) this.#queue?.keys.flush();
  };

  async #open(signal: AbortSignal): Promise<Shell> {
    const { projectId, name } = this.#options;
    const { size } = this.screen;
    const shell = await shellsApi.open(projectId, name, { size, signal });
    this.#sentSize = size;
    return shell;
  }

  #show(state: ShellState): void {
    this.#state = state;
    if (state.kind === 'ended' || state.kind === 'failed') this.#following = null;
    if (state.kind === 'live') this.#sendSizeSoon();
    this.screen.setReadOnly(this.#options.owner === 'agent' || state.kind === 'ended');
    this.#options.onState(state);
  }

  #listenFor(session: string): void {
    if (this.#options.owner === 'agent' || this.#queue?.session === session) return;
    const { projectId, name, onLost } = this.#options;
    const writer = randomSuffix();
    this.#queue?.keys.close();
    const keys = new InputQueue({
      send: (input, number, signal) => shellsApi.type(projectId, name, { session, writer, number, input }, signal),
      sendLast: (last) => shellsApi.typeLast(projectId, name, { session, writer, ...last }),
      onLost,
    });
    this.#queue = { session, keys };
  }

  #sendSizeSoon(): void {
    clearTimeout(this.#sizeTimer);
    this.#sizeTimer = setTimeout(() => {
      const { size } = this.screen;
      const sent = this.#sentSize;
      const { signal } = this.#following ?? {};
      // Sending a size would open a shell that does not exist.
      if (this.#options.owner === 'agent' || this.#state.kind !== 'live' || !signal) return;
      if (sent?.columns === size.columns && sent.rows === size.rows) return;
      // A lost size is sent with the next change or connection.
      this.#open(signal).catch(() => undefined);
    }, sizePauseMs);
  }
}
