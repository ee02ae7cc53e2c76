import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatBytes,
  formatDollars,
  formatDurationMs,
  formatExactSeconds,
  formatSeconds,
  formatSecondsLeft,
  formatSpan,
  formatTimecode,
} from './display.ts';

describe('number formats', () => {
  it('A4: formats lengths', () => {
    expect([0, 5.5, 8, 59.96, 65.5, 90].map(formatSeconds)).toEqual([
      '0 s',
      '5.5 s',
      '8 s',
      '1:00 min',
      '1:05.5 min',
      '1:30 min',
    ]);
  });
  it('A4: formats sums of lengths without spurious digits', () => {
    expect(formatExactSeconds(0.1 + 0.2)).toBe('0.3 s');
    expect(formatExactSeconds(3.125)).toBe('3.125 s');
    expect(formatSpan(3.2, 3.2 + 5.4)).toBe('3.2–8.6 s');
  });
  it('A15: formats timecodes with valid frame numbers', () => {
    expect(formatTimecode(0, 60)).toBe('00:00:00');
    expect(formatTimecode(1.999, 60)).toBe('00:02:00');
    expect(formatTimecode(61.5, 30)).toBe('01:01:15');
    expect(formatTimecode(-1, 30)).toBe('00:00:00');
  });
  it('A18: formats sizes, durations and remaining time', () => {
    expect([0, 812, 3400, 999_950, 6_412_333, 41_200_000_000].map(formatBytes)).toEqual([
      '0 B',
      '812 B',
      '3.4 kB',
      '1.0 MB',
      '6.4 MB',
      '41.2 GB',
    ]);
    expect([340, 4210, 125_000].map(formatDurationMs)).toEqual(['340 ms', '4.2 s', '2 min 05 s']);
    expect([0.2, 7, 42, 150].map(formatSecondsLeft)).toEqual(['1 s', '7 s', '40 s', '3 min']);
  });
  it('T17: formats costs', () => {
    expect([0.0004, 0.01, 0.0849, 0.999, 12, 1204.5].map(formatDollars)).toEqual([
      '<$0.01',
      '$0.01',
      '$0.08',
      '$1.00',
      '$12.00',
      '$1,204.50',
    ]);
  });
  it('A1: formats ages', () => {
    const now = Date.parse('2026-05-05T12:00:00Z');
    expect(formatAgo('2026-05-05T11:59:40Z', now)).toBe('just now');
    expect(formatAgo('2026-05-05T11:55:00Z', now)).toBe('5 min ago');
    expect(formatAgo('2026-05-05T09:00:00Z', now)).toBe('3 h ago');
    expect(formatAgo('2026-05-01T09:00:00Z', now)).toBe('May 1, 2026');
  });
});
