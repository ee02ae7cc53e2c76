import type { Terminal } from '@xterm/xterm';

/** Modes that report clicks, mouse moves and focus to the program. These reports would be typed into the shell. */
const reportingModes = new Set([9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016]);

/** Maximum repeat count or distance in one escape code. No screen has as many rows or columns. */
const maxCount = 10_000;

/**
 * Limits the terminal to displaying output, because output may come from anywhere: a fetched page, a project file. It ignores
 * every escape code that makes the terminal respond (by typing into the shell) or that affects more than the screen: titles,
 * links, the clipboard, the page's colours.
 */
export function makeHarmless(terminal: Pick<Terminal, 'parser' | 'buffer' | 'cols'>): void {
  const { parser } = terminal;
  const swallow = () => true;
  // Queries for the terminal's type, state, cursor position, window size, modes and settings.
  for (const final of ['c', 'n', 't', 'x']) parser.registerCsiHandler({ final }, swallow);
  for (const prefix of ['>', '=']) parser.registerCsiHandler({ prefix, final: 'c' }, swallow);
  for (const final of ['n', 'u']) parser.registerCsiHandler({ prefix: '?', final }, swallow);
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, swallow);
  parser.registerCsiHandler({ intermediates: '$', final: 'p' }, swallow);
  parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, swallow);
  for (const intermediates of ['$', '+']) parser.registerDcsHandler({ intermediates, final: 'q' }, swallow);
  // Titles, the folder, links, messages, the clipboard.
  for (const number of [0, 1, 2, 7, 8, 9, 52, 777, 1337]) parser.registerOscHandler(number, swallow);
  // Colours: the same codes query and set them; others reset them.
  for (const number of [4, 5, 10, 11, 12, 13, 14, 17, 19, 104, 105, 110, 111, 112]) parser.registerOscHandler(number, swallow);
  // Clearing everything before the last cell of the last line permanently breaks xterm.js on the next line.
  for (const prefix of ['', '?'])
    parser.registerCsiHandler({ ...(prefix && { prefix }), final: 'J' }, ([mode]) => mode === 1 && isAtTheVeryEnd(terminal));
  // xterm loops up to any count, which would block the page for minutes.
  const isExcessive = (parameters: readonly (number | number[])[]) =>
    parameters.some((count) => typeof count === 'number' && count > maxCount);
  for (const final of '@ABCDEFILMPSTXZabde') parser.registerCsiHandler({ final }, isExcessive);
  for (const final of '@A') parser.registerCsiHandler({ intermediates: ' ', final }, isExcessive);
  for (const final of '}~') parser.registerCsiHandler({ intermediates: "'", final }, isExcessive);
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (parameters) =>
    parameters.some((mode) => typeof mode === 'number' && reportingModes.has(mode)),
  );
}

function isAtTheVeryEnd({ buffer: { active }, cols }: Pick<Terminal, 'buffer' | 'cols'>): boolean {
  return active.cursorX + 1 >= cols && active.baseY + active.cursorY + 1 >= active.length;
}

export function harmlessPaste(text: string): string {
  return text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '');
}

interface KeyContext {
  /** Whether Escape was the previous key, so that the next Tab leaves the terminal. */
  readonly leaving: boolean;
  readonly hasSelection: boolean;
  /** Whether the terminal accepts no input, so that keys only scroll and select. */
  readonly readOnly: boolean;
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Keys for reload, full screen and developer tools, which are useless to a shell and expected by users. */
const browserKeys = new Set(['F5', 'F11', 'F12']);

/** Returns the target of a key in the terminal: its program, the browser, or the page, which copies or scrolls. */
export function keyTarget(event: Key, context: KeyContext): 'program' | 'browser' | 'copy' | 'page-up' | 'page-down' {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key === 'Tab' && (context.leaving || context.readOnly)) return 'browser';
  if (browserKeys.has(key)) return 'browser';
  const letter = key.toLowerCase();
  if ((ctrlKey || metaKey) && !altKey) {
    // Without a selection, Ctrl+C interrupts.
    if (letter === 'c' && (context.hasSelection || event.shiftKey)) return 'copy';
    if (letter === 'v') return 'browser';
  }
  if (context.readOnly && key === 'PageUp') return 'page-up';
  if (context.readOnly && key === 'PageDown') return 'page-down';
  return 'program';
}

/** Returns whether the next Tab leaves the terminal. Holding Shift changes nothing. */
export function leavesNext({ key, ctrlKey, metaKey, altKey }: Key, leaving: boolean): boolean {
  if (key === 'Shift') return leaving;
  return key === 'Escape' && !ctrlKey && !metaKey && !altKey;
}
