import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { Expiry } from './expiry.ts';

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;
let wall: number;
let running: number;
let stored: Record<string, number> | null;
let warnings: string[];

const clock = { wallMs: () => wall, runningMs: () => running };
const file = {
  read: async () => stored,
  write: async (value: Record<string, number>) => {
    stored = value;
  },
};
const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(JSON.parse(line).msg) });
const open = () => Expiry.open({ clock, file, log });
const pass = (ms: number) => {
  wall += ms;
  running += ms;
};

beforeEach(() => {
  [wall, running, stored, warnings] = [Date.UTC(2026, 0, 1), 1_000, null, []];
});

describe('permanent deletion', () => {
  it('M9: is confirmed after an hour in which the thing was always found expired', async () => {
    const expiry = await open();
    for (let minute = 0; minute < 60; minute += 1) {
      expect([...(await expiry.confirmed('prj_', ['prj_a']))]).toEqual([]);
      pass(60_000);
    }
    expect([...(await expiry.confirmed('prj_', ['prj_a', 'prj_new']))]).toEqual(['prj_a']);
    expect(warnings).toEqual([]);
  });

  it('M9: starts again for a thing that was not expired in between, and does not affect other kinds', async () => {
    const expiry = await open();
    await expiry.confirmed('prj_', ['prj_a']);
    await expiry.confirmed('rnd_', ['rnd_a']);
    pass(hourMs / 2);
    await expiry.confirmed('prj_', []);
    pass(hourMs / 2);
    expect([...(await expiry.confirmed('prj_', ['prj_a']))]).toEqual([]);
    expect([...(await expiry.confirmed('rnd_', ['rnd_a']))]).toEqual(['rnd_a']);
  });

  it.each([
    ['10 years forward', 10 * yearMs],
    ['10 years back', -10 * yearMs],
    ['25 hours forward', 25 * hourMs],
  ])('M9: a clock that jumps %s deletes nothing early, and is reported', async (_name, jumpMs) => {
    const expiry = await open();
    await expiry.confirmed('prj_', ['prj_old']);
    pass(59 * 60_000);
    wall += jumpMs;
    expect([...(await expiry.confirmed('prj_', ['prj_old', 'prj_new']))]).toEqual([]);
    expect(expiry.isPaused()).toBe(true);
    for (let minute = 0; minute < 59; minute += 1) {
      pass(60_000);
      expect([...(await expiry.confirmed('prj_', ['prj_old', 'prj_new']))]).toEqual([]);
    }
    // The clock is set right again.
    wall -= jumpMs;
    pass(60_000);
    expect([...(await expiry.confirmed('prj_', ['prj_old']))]).toEqual([]);
    pass(hourMs);
    expect([...(await expiry.confirmed('prj_', ['prj_old']))]).toEqual(['prj_old']);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('the system clock has jumped');
  });

  it('M9: counts the running time of earlier servers', async () => {
    const first = await open();
    await first.confirmed('prj_', ['prj_a']);
    pass(hourMs / 2);
    await first.confirmed('prj_', ['prj_a']);
    // The computer was off for a week.
    wall += 7 * 24 * hourMs;
    running = 0;
    const second = await open();
    expect([...(await second.confirmed('prj_', ['prj_a']))]).toEqual([]);
    pass(hourMs / 2);
    expect([...(await second.confirmed('prj_', ['prj_a']))]).toEqual(['prj_a']);
  });

  it('M9: a damaged or unwritable record delays deletions only', async () => {
    const broken = {
      read: () => Promise.reject(new Error('damaged')),
      write: () => Promise.reject(new Error('disk full')),
    };
    const expiry = await Expiry.open({ clock, file: broken, log });
    await expiry.confirmed('prj_', ['prj_a']);
    pass(hourMs);
    expect([...(await expiry.confirmed('prj_', ['prj_a']))]).toEqual(['prj_a']);
  });
});
