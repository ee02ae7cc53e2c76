import type { Terminal } from '@xterm/xterm';

/** The program is told of clicks, of moves of the mouse, and of the focus: all of it would be typed into the shell. */
const reportingModes = new Set([9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016]);

/** How often a program may have something repeated by one code, or how far moved: more than any screen has lines and columns. */
const maxCount = 10_000;

/**
 * What a program writes may be written by anybody: a page that was fetched, a file of the project. So a terminal only
 * shows. Everything in its language that would be answered (and so typed into the shell), or that reaches out of the
 * screen, is taken here and comes to nothing: titles, links, the clipboard, colours of the page.
 */
export function makeHarmless(terminal: Pick<Terminal, 'parser' | 'buffer' | 'cols'>): void {
  const { parser } = terminal;
  const swallow = () => true;
  // Questions: what the terminal is, its state, the place of the cursor, sizes of windows, modes, settings.
  for (const final of ['c', 'n', 't', 'x']) parser.registerCsiHandler({ final }, swallow);
  for (const prefix of ['>', '=']) parser.registerCsiHandler({ prefix, final: 'c' }, swallow);
  for (const final of ['n', 'u']) parser.registerCsiHandler({ prefix: '?', final }, swallow);
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, swallow);
  parser.registerCsiHandler({ intermediates: '$', final: 'p' }, swallow);
  parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, swallow);
  for (const intermediates of ['$', '+']) parser.registerDcsHandler({ intermediates, final: 'q' }, swallow);
  // Titles, the folder, links, messages, the clipboard.
  for (const number of [0, 1, 2, 7, 8, 9, 52, 777, 1337]) parser.registerOscHandler(number, swallow);
  // Colours, which are asked for and set by the same codes; and set back.
  for (const number of [4, 5, 10, 11, 12, 13, 14, 17, 19, 104, 105, 110, 111, 112]) parser.registerOscHandler(number, swallow);
  // Clearing all before the last cell of the last line makes the terminal stumble over the line that would follow, for good.
  for (const prefix of ['', '?'])
    parser.registerCsiHandler({ ...(prefix && { prefix }), final: 'J' }, ([mode]) => mode === 1 && isAtTheVeryEnd(terminal));
  // The terminal counts to whatever it is told, and the page would stand still for minutes.
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

/** Pasted text without what only a program would send, such as the code that says where pasted text ends. */
export function harmlessPaste(text: string): string {
  return text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '');
}

interface KeyContext {
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
