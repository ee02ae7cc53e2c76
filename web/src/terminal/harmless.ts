import type { IParser } from '@xterm/xterm';

/** The program is told of clicks, of moves of the mouse, and of the focus: all of it would be typed into the shell. */
const reportingModes = new Set([9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016]);

/**
 * What a program writes may be written by anybody: a page that was fetched, a file of the project. So a terminal only
 * shows. Everything in its language that would be answered (and so typed into the shell), or that reaches out of the
 * screen, is taken here and comes to nothing: titles, links, the clipboard, colours of the page.
 */
export function makeHarmless(parser: IParser): void {
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
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (parameters) =>
    parameters.some((mode) => typeof mode === 'number' && reportingModes.has(mode)),
  );
}

/** Pasted text without what only a program would send, such as the code that says where pasted text ends. */
export function harmlessPaste(text: string): string {
  return text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '');
}
