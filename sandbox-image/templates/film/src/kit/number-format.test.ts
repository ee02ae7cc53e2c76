import { describe, expect, it } from 'vitest';
import { figureOf, formatNumber, isGrouped } from './number-format.ts';

describe('numbers that count', () => {
  it('groups thousands all the way when the largest number is grouped, and never otherwise', () => {
    expect(formatNumber(1107, 0, isGrouped(10_000))).toBe('1,107');
    expect(formatNumber(10_000, 0, isGrouped(10_000))).toBe('10,000');
    expect(formatNumber(1107, 0, isGrouped(2026))).toBe('1107');
    expect(formatNumber(-1234.56, 1, isGrouped(-50_000))).toBe('−1,234.6');
  });

  it('takes the same room from the first number to the last', () => {
    const width = (value: number) =>
      figureOf(formatNumber(value, 0, true), '10,000', '$', '+')
        .map(({ look }) => look.split(' ')[0])
        .join();
    for (const value of [0, 9, 87, 999, 1000, 9999]) expect(width(value)).toBe(width(10_000));
  });

  it('shows what the number has not reached yet as unlit zeros, but leaves short numbers alone', () => {
    const text = (number: string, widest: string) => figureOf(number, widest, '', '').map(({ sign }) => sign);
    expect(text('87', '10,000')).toEqual(['0', '0', ',', '0', '8', '7']);
    expect(figureOf('87', '10,000', '', '').filter(({ look }) => !look.endsWith('unlit')).length).toBe(2);
    expect(text('7', '98')).toEqual(['7']);
  });
});
