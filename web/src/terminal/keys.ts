export interface KeyContext {
  /** Escape was the key before: the next Tab leaves the terminal. */
  readonly leaving: boolean;
  readonly hasSelection: boolean;
  /** Nothing can be typed: keys only move about. */
  readonly readOnly: boolean;
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Reload, full screen, the browser's tools: of no use to a shell, and missed by people. */
const browserKeys = new Set(['F5', 'F11', 'F12']);

/** Who a key in the terminal is for: the program in it, the browser, or the page, which copies or scrolls. */
export function keyTarget(event: Key, context: KeyContext): 'program' | 'browser' | 'copy' | 'page-up' | 'page-down' {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key === 'Tab' && (context.leaving || context.readOnly)) return 'browser';
  if (browserKeys.has(key)) return 'browser';
  const letter = key.toLowerCase();
  if ((ctrlKey || metaKey) && !altKey) {
    // With nothing selected, Ctrl-C interrupts.
    if (letter === 'c' && (context.hasSelection || event.shiftKey)) return 'copy';
    if (letter === 'v') return 'browser';
  }
  if (context.readOnly && key === 'PageUp') return 'page-up';
  if (context.readOnly && key === 'PageDown') return 'page-down';
  return 'program';
}

/** Whether the next Tab leaves the terminal. Keys that are only held change nothing. */
export function leavesNext({ key, ctrlKey, metaKey, altKey }: Key, leaving: boolean): boolean {
  if (key === 'Shift') return leaving;
  return key === 'Escape' && !ctrlKey && !metaKey && !altKey;
}
