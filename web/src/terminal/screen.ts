import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { TerminalSize } from '#contract/sandbox/shells.ts';
import type { Output } from './follow-shell.ts';
import { harmlessPaste, keyTarget, leavesNext, makeHarmless } from './harmless.ts';
import { readTheme } from './theme.ts';

const fontFamily = '"JetBrains Mono Variable", ui-monospace, monospace';
const fontSizePx = 13;
/** Lines that can be scrolled back. */
const scrollback = 5_000;
/** Maximum number of unwritten bytes: enough for one slice of the terminal's work, few enough to stop at once. */
const maxWaitingBytes = 256 * 1024;

export interface ScreenOptions {
  readonly readOnly: boolean;
  readonly screenReader: boolean;
  /** Id of the element that explains how to leave the terminal. */
  readonly describedBy: string;
  readonly label: string;
  readonly onInput: (text: string) => void;
  readonly onSize: (size: TerminalSize) => void;
}

/** A terminal on the page. It shows bytes, accepts keys and fills its element. */
export interface Screen extends Output, Disposable {
  readonly size: TerminalSize;
  focus(): void;
  fill(): void;
  setReadOnly(readOnly: boolean): void;
  setScreenReader(on: boolean): void;
}

/** Creates a terminal in an element. Load its font first, because the terminal measures it. */
export function createScreen(host: HTMLElement, options: ScreenOptions): Screen {
  let readOnly = options.readOnly;
  let leaving = false;
  const terminal = new Terminal({
    fontFamily,
    fontSize: fontSizePx,
    lineHeight: 1.25,
    scrollback,
    theme: readTheme(host),
    minimumContrastRatio: 4.5,
    disableStdin: readOnly,
    screenReaderMode: options.screenReader,
  });
  makeHarmless(terminal);
  const fitting = new FitAddon();
  terminal.loadAddon(fitting);
  terminal.open(host);
  terminal.textarea?.setAttribute('aria-label', options.label);
  terminal.textarea?.setAttribute('aria-describedby', options.describedBy);
  terminal.onData(options.onInput);
  terminal.onResize(({ cols, rows }) => options.onSize({ columns: cols, rows }));

  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return true;
    const target = keyTarget(event, { leaving, hasSelection: terminal.hasSelection(), readOnly });
    leaving = leavesNext(event, leaving);
    if (target === 'program' || target === 'browser') return target === 'program';
    event.preventDefault();
    if (target === 'copy') copySelection(terminal);
    else terminal.scrollPages(target === 'page-up' ? -1 : 1);
    return false;
  });

  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!readOnly) terminal.paste(harmlessPaste(event.clipboardData?.getData('text/plain') ?? ''));
  };
  // Runs before the terminal's own handler, which would keep control codes.
  host.addEventListener('paste', paste, { capture: true });
  const stopWatching = watchTheme(() => {
    terminal.options.theme = readTheme(host);
  });

  /** Bytes not written to the terminal yet, and the promise for writers that wait. */
  let waitingBytes = 0;
  let drained: PromiseWithResolvers<void> | null = null;
  const resume = () => {
    drained?.resolve();
    drained = null;
  };
  const write = async (content: string | Uint8Array): Promise<void> => {
    waitingBytes += content.length;
    terminal.write(content, () => {
      waitingBytes -= content.length;
      if (waitingBytes <= maxWaitingBytes / 2) resume();
    });
    // The terminal works in slices. Waiting for each chunk would waste most of a slice.
    if (waitingBytes <= maxWaitingBytes) return;
    drained ??= Promise.withResolvers<void>();
    await drained.promise;
  };
  const fill = () => {
    if (host.clientWidth > 0 && host.clientHeight > 0) fitting.fit();
  };
  fill();

  return {
    get size() {
      return { columns: terminal.cols, rows: terminal.rows };
    },
    write,
    // Ends an incomplete escape code and resets colours first.
    note: (text) => write(`\u0018\u001b[0m${terminal.buffer.active.cursorX > 0 ? '\r\n' : ''}\u001b[2m${text}\u001b[0m\r\n`),
    focus: () => terminal.focus(),
    fill,
    setReadOnly(next) {
      readOnly = next;
      terminal.options.disableStdin = next;
    },
    setScreenReader(on) {
      terminal.options.screenReaderMode = on;
    },
    [Symbol.dispose]() {
      host.removeEventListener('paste', paste, { capture: true });
      stopWatching();
      resume();
      terminal.dispose();
    },
  };
}

/** Waits up to a second for the terminal's font. */
export async function terminalFont(): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, 1_000));
  await Promise.race([document.fonts.load(`${fontSizePx}px ${fontFamily}`), timeout]).catch(() => undefined);
}

function copySelection(terminal: Terminal): void {
  const text = terminal.getSelection();
  if (text === '') return;
  // Insecure origins have no clipboard API but can copy the selection.
  if (navigator.clipboard) void navigator.clipboard.writeText(text);
  else document.execCommand('copy');
  terminal.clearSelection();
}

/** Calls `onChange` when the page's colours may have changed, until the returned function is called. */
function watchTheme(onChange: () => void): () => void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', onChange);
  const attributes = new MutationObserver(onChange);
  attributes.observe(document.documentElement, { attributes: true });
  return () => {
    dark.removeEventListener('change', onChange);
    attributes.disconnect();
  };
}
