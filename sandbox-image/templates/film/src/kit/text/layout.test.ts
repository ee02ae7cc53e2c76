import { describe, expect, it } from 'vitest';
import { isJoinedScript, layoutText, splitGraphemes } from './layout.ts';

const measure = (run: string) => splitGraphemes(run).length * 0.5;
const request = { measure, size: 10, minSize: 3.5, boxWidth: 140, boxHeight: 40, lineHeight: 1.1, maxCharacters: 24 };

describe('layoutText', () => {
  it('keeps a short title on one line at its full size', () => {
    expect(layoutText({ ...request, text: 'Hello' })).toEqual({ lines: ['Hello'], size: 10 });
  });

  it('breaks into lines of similar length with at most 24 characters', () => {
    const { lines } = layoutText({ ...request, text: 'A small film about patience and light' });
    expect(lines.length).toBe(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(24);
    expect(lines.join(' ')).toBe('A small film about patience and light');
  });

  it('breaks after a pause rather than after a small word', () => {
    expect(layoutText({ ...request, text: 'Slow down, look at the sky' }).lines).toEqual(['Slow down,', 'look at the sky']);
  });

  it('gets smaller instead of being cut off', () => {
    const text = 'word '.repeat(60).trim();
    const { lines, size } = layoutText({ ...request, text });
    expect(lines.join(' ')).toBe(text);
    expect(lines.length * size * request.lineHeight).toBeLessThanOrEqual(request.boxHeight + 1e-6);
    for (const line of lines) expect(measure(line) * size).toBeLessThanOrEqual(request.boxWidth + 1e-6);
  });

  it('has longer lines before it becomes smaller than the smallest size', () => {
    const text = 'Slow down, look at the sky, and breathe in the cold clear air of the morning';
    const { lines, size } = layoutText({ ...request, text, boxHeight: request.minSize * request.lineHeight * 2.1 });
    expect(size).toBe(request.minSize);
    expect(lines).toHaveLength(2);
  });

  it('measures a line once, however many sizes and breaks are tried', () => {
    const measured = new Map<string, number>();
    const counting = (run: string) => {
      measured.set(run, (measured.get(run) ?? 0) + 1);
      return measure(run);
    };
    const text = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
    layoutText({ ...request, text, measure: counting });
    expect(Math.max(...measured.values())).toBeLessThan(5);
  });

  it('cuts a word only when it cannot be set in one piece, and loses nothing of it', () => {
    const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(3);
    const { lines, size } = layoutText({ ...request, text: word });
    expect(lines.join('')).toBe(word);
    for (const line of lines) expect(measure(line) * size).toBeLessThanOrEqual(request.boxWidth + 1e-6);
  });

  it('breaks scripts without spaces, and never before a closing sign', () => {
    const { lines } = layoutText({ ...request, maxCharacters: 6, text: '你好世界，这是一个动画。' });
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).not.toMatch(/^[，。]/u);
    expect(lines.join('')).toBe('你好世界，这是一个动画。');
  });

  it('prefers a break after a pause to slightly larger letters', () => {
    const wide = { ...request, text: 'Thank you, Anna', size: 400, boxWidth: 9 * 0.5 * 400, boxHeight: 2.4 * 400 };
    expect(layoutText(wide).lines).toEqual(['Thank you,', 'Anna']);
  });

  it('obeys line breaks in the text', () => {
    expect(layoutText({ ...request, text: 'one\ntwo' }).lines).toEqual(['one', 'two']);
  });
});

describe('splitGraphemes', () => {
  it('keeps an emoji with all its parts together', () => {
    expect(splitGraphemes('a👩‍👩‍👧é')).toEqual(['a', '👩‍👩‍👧', 'é']);
  });

  it('recognises scripts with joined letters', () => {
    expect(isJoinedScript('مرحبا')).toBe(true);
    expect(isJoinedScript('Привет')).toBe(false);
  });
});
