import { describe, expect, it } from 'vitest';
import { ConsoleLog, consoleText, countLevels, maxEntries, mergeConsole } from './console-log.ts';

describe('preview console', () => {
  it('A15: keeps the newest 2,000 lines', () => {
    const log = new ConsoleLog();
    for (let line = 0; line < 5000; line += 1) log.add('info', `line ${line}`, line * 10);
    const entries = log.take() ?? [];
    expect(entries).toHaveLength(maxEntries);
    expect(entries.at(-1)?.text).toBe('line 4999');
    expect(new Set(entries.map(({ key }) => key)).size).toBe(maxEntries);
    expect(log.take()).toBeNull();
  });

  it('A15: shows 2,000 lines at once, and reports dropped ones', () => {
    const log = new ConsoleLog();
    for (let line = 0; line < 2000; line += 1) log.add('info', `line ${line}`, 5000);
    expect(log.take()?.map(({ text }) => text)).toEqual(Array.from({ length: 2000 }, (_, line) => `line ${line}`));
    for (let line = 0; line < 8000; line += 1) log.add('error', `more ${line}`, 5100);
    const entries = log.take() ?? [];
    expect(entries.slice(-2).map(({ level, text }) => [level, text])).toEqual([
      ['info', 'line 1999'],
      ['warning', expect.stringContaining('8,000 more lines')],
    ]);
    log.add('error', 'later', 6000);
    expect(log.take()?.at(-1)?.text).toBe('later');
  });

  it('A15: a burst that a slow browser delivers over seconds is one, and lines return after it', () => {
    const log = new ConsoleLog();
    for (let line = 0; line < 10_000; line += 1) log.add('info', `line ${line}`, line);
    const reports = (log.take() ?? []).filter(({ level }) => level === 'warning');
    expect(reports.length).toBeGreaterThan(0);
    expect(new Set(reports.map(({ key }) => key)).size).toBe(reports.length);
    log.add('info', 'later', 11_000);
    expect(log.take()?.at(-1)?.text).toBe('later');
  });

  it("A15: truncates an overlong line and still matches the server's copy", () => {
    const log = new ConsoleLog();
    const long = 'x'.repeat(20_000);
    log.add('error', long, 1000);
    const entries = log.take() ?? [];
    expect(entries.map(({ text }) => text.length)).toEqual([4001]);
    expect(mergeConsole(entries, [{ seq: 1, at: new Date(1000).toISOString(), text: long }])).toHaveLength(1);
  });

  it('A15: counts repeated lines', () => {
    const log = new ConsoleLog();
    for (let times = 0; times < 3; times += 1) log.add('warning', 'again', 1000 + times);
    log.add('error', 'again', 1010);
    const entries = log.take() ?? [];
    expect(entries.map(({ level, count }) => [level, count])).toEqual([
      ['warning', 3],
      ['error', 1],
    ]);
    expect(countLevels(entries)).toEqual({ error: 1, warning: 3, info: 0 });
  });

  it('A15: shows an error once if page and server both report it', () => {
    const log = new ConsoleLog();
    log.add('error', 'x is not defined', 2000);
    const server = [
      { seq: 7, at: new Date(1000).toISOString(), text: 'vite: no such file' },
      { seq: 8, at: new Date(2100).toISOString(), text: 'x is not defined' },
    ];
    const entries = mergeConsole(log.take() ?? [], server);
    expect(entries.map(({ text }) => text)).toEqual(['vite: no such file', 'x is not defined']);
    expect(consoleText(entries)).toBe(
      '1970-01-01T00:00:01.000Z error: vite: no such file\n1970-01-01T00:00:02.000Z error: x is not defined',
    );
  });
});
