import { Terminal } from '@xterm/xterm';
import { describe, expect, it } from 'vitest';
import { harmlessPaste, keyTarget, leavesNext, makeHarmless } from './harmless.ts';

const characters = (from: string, to: string) =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, index) =>
    String.fromCharCode(from.charCodeAt(0) + index),
  );

/** Generates every escape code, with the parameters that turn codes into queries. */
function* everyCode(): Generator<string> {
  yield '\u0005';
  yield* controlSequences();
  yield* systemCommands();
  yield* deviceControls();
  for (const final of characters('0', '~')) if (!'P[]X^_'.includes(final)) yield `\u001b${final}`;
}

function* controlSequences(): Generator<string> {
  const parameters = ['', '0', '1', '5', '6', '11', '14', '15', '16', '18', '19', '20', '21', '22;0', '25', '996', '2026'];
  for (const prefix of ['', '?', '>', '<', '='])
    for (const intermediate of ['', ' ', '!', '"', '#', '$', "'", '*', '+'])
      for (const final of characters('@', '~'))
        for (const parameter of parameters) yield `\u001b[${prefix}${parameter}${intermediate}${final}`;
}

function* systemCommands(): Generator<string> {
  for (let number = 0; number <= 200; number += 1)
    for (const text of ['?', '1;?', '0;?;1;?', 'c;?', 'c;eA==']) yield `\u001b]${number};${text}\u0007`;
}

function* deviceControls(): Generator<string> {
  for (const introducer of ['', '$', '+', '>', '='])
    for (const final of characters('@', '~'))
      for (const text of ['', 'm', '"p', '"q', 'r', ' q', '544e', 's']) yield `\u001bP${introducer}${final}${text}\u001b\\`;
}

/** Returns what a terminal sends to the shell when it displays these codes. */
async function responsesTo(codes: readonly string[], { harmless }: { harmless: boolean }) {
  const terminal = new Terminal({ cols: 80, rows: 24 });
  const answers: string[] = [];
  const titles: string[] = [];
  if (harmless) makeHarmless(terminal);
  terminal.onData((answer) => answers.push(answer));
  terminal.onBinary((answer) => answers.push(answer));
  terminal.onTitleChange((title) => titles.push(title));
  const write = (text: string) => new Promise<void>((done) => terminal.write(text, done));
  // Each code starts where the previous one left the cursor. Chunks let other work run.
  for (let at = 0; at < codes.length; at += 1000) await write(codes.slice(at, at + 1000).join(''));
  await write('\u001b[?1000h\u001b[?1003;1006h\u001b[?1004h');
  const { mouseTrackingMode, sendFocusMode } = terminal.modes;
  terminal.dispose();
  return { answers: answers.length, titles: titles.length, mouseTrackingMode, sendFocusMode };
}

describe('display-only terminal', () => {
  it('T2: sends no response and no report, and sets no title, whatever a program writes', async () => {
    expect(await responsesTo([...everyCode()], { harmless: true })).toEqual({
      answers: 0,
      titles: 0,
      mouseTrackingMode: 'none',
      sendFocusMode: false,
    });
  });

  it('T2: a plain terminal does all of that', async () => {
    const questions = ['\u001b[c', '\u001b[>c', '\u001b[6n', '\u001b[?6n', '\u001b[5n', '\u001b[?25$p', '\u001bP$qm\u001b\\'];
    const plain = await responsesTo([...questions, '\u001b]2;a title\u0007'], { harmless: false });
    expect(plain).toEqual({
      // There is one more response, because the terminal immediately reports that it has no focus.
      answers: questions.length + 1,
      titles: 1,
      mouseTrackingMode: 'any',
      sendFocusMode: true,
    });
  });

  it('T2: survives codes that break a terminal', async () => {
    const terminal = new Terminal({ cols: 20, rows: 3 });
    makeHarmless(terminal);
    const huge = ['@', 'I', 'L', 'M', 'P', 'S', 'T', 'X', 'Z', 'b', ' @', ' A', "'}", "'~"].map(
      (code) => `x\u001b[2000000000${code}`,
    );
    for (const text of ['\u001b[3;20H\u001b[1J', '\u001b[3;20Hx\u001b[?1J', ...huge, 'on it goes'])
      await new Promise<void>((done) => terminal.write(text, done));
    expect(terminal.buffer.active.getLine(terminal.buffer.active.length - 1)?.translateToString(true)).toContain('goes');
    terminal.dispose();
  });

  it('T2: still shows colours, clears, moves and has a second screen', async () => {
    const terminal = new Terminal({ cols: 20, rows: 3 });
    makeHarmless(terminal);
    const write = (text: string) => new Promise<void>((done) => terminal.write(text, done));
    await write('one\u001b[2J\u001b[H\u001b[31mred\u001b[0m\u001b[2;5Hhere');
    const { active } = terminal.buffer;
    expect(active.getLine(0)?.translateToString(true)).toBe('red');
    expect(active.getLine(0)?.getCell(0)?.getFgColor()).toBe(1);
    expect(active.getLine(1)?.translateToString(true)).toBe('    here');
    await write('\u001b[?1049h');
    expect(terminal.buffer.active.type).toBe('alternate');
    await write('\u001b[?1049l\u001b[?2004h');
    expect([terminal.buffer.active.type, terminal.modes.bracketedPasteMode]).toEqual(['normal', true]);
    terminal.dispose();
  });
});

it('T2: removes control codes from pasted text, including the end of a paste', () => {
  expect(harmlessPaste('a\tb\r\nc\u001b[201~\u0003d\u009be\u007f日本')).toBe('a\tb\r\nc[201~de日本');
});

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const typing = { leaving: false, hasSelection: false, readOnly: false };

it('Tab goes to the program, and leaves the terminal after Escape', () => {
  const tab = { ...none, key: 'Tab' };
  expect(keyTarget(tab, typing)).toBe('program');
  const leave = { ...none, key: 'Escape' };
  expect(keyTarget(leave, typing)).toBe('program');
  expect(leavesNext(leave, false)).toBe(true);
  expect(keyTarget(tab, { ...typing, leaving: true })).toBe('browser');
  expect(leavesNext({ ...none, key: 'Shift', shiftKey: true }, true)).toBe(true);
  expect(keyTarget({ ...tab, shiftKey: true }, { ...typing, leaving: true })).toBe('browser');
  expect(leavesNext({ ...none, key: 'a' }, true)).toBe(false);
  expect(leavesNext({ ...leave, altKey: true }, false)).toBe(false);
});

it('a view-only shell never traps the focus, and scrolls', () => {
  const watching = { ...typing, readOnly: true };
  expect(keyTarget({ ...none, key: 'Tab' }, watching)).toBe('browser');
  expect(keyTarget({ ...none, key: 'PageUp' }, watching)).toBe('page-up');
  expect(keyTarget({ ...none, key: 'PageUp' }, typing)).toBe('program');
});

it('Ctrl+C interrupts or copies the selection; pasting is left to the browser', () => {
  const interrupt = { ...none, key: 'c', ctrlKey: true };
  expect(keyTarget(interrupt, typing)).toBe('program');
  expect(keyTarget(interrupt, { ...typing, hasSelection: true })).toBe('copy');
  expect(keyTarget({ ...interrupt, key: 'C', shiftKey: true }, typing)).toBe('copy');
  expect(keyTarget({ ...none, key: 'c', metaKey: true }, { ...typing, hasSelection: true })).toBe('copy');
  expect(keyTarget({ ...none, key: 'v', ctrlKey: true }, typing)).toBe('browser');
  expect(keyTarget({ ...none, key: 'F5' }, typing)).toBe('browser');
});
