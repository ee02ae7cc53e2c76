import { afterEach, expect, it, vi } from 'vitest';
import { Terminal } from './terminal.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('A20: removes terminal control characters from model output', () => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const terminal = new Terminal();
  terminal.note('Done.\u001b]52;c;cm0gLXJmIH4=\u0007');
  terminal.progress('Writing\r\u009b2J');
  expect(written.join('')).toBe('Done.\uFFFD]52;c;cm0gLXJmIH4=\uFFFD\nWriting\uFFFD\uFFFD2J\n');
});
