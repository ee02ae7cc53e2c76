import { describe, expect, it } from 'vitest';
import { sectorsOf } from '../pie.tsx';
import { fineness, partsOf } from './parts.ts';
import { counted, disturbed, emphasised, hop, ofPart, scrambled, textPrograms } from './programs.ts';

const programs = Object.entries(textPrograms);
const styles = ['playful', 'smooth', 'cinematic'] as const;

describe('text programs', () => {
  it.each(programs)('A9: %s begins unseen and ends at rest, in every style', (_, { pose }) => {
    for (const style of styles) {
      for (const side of [undefined, 'left', 'bottom'] as const) {
        expect(pose({ style, x: 0, part: 3, side }).opacity).toBe(0);
        const rest = pose({ style, x: 1, part: 3, side });
        expect(rest.opacity).toBeCloseTo(1, 5);
        expect(Math.abs(Number.parseFloat(rest.x ?? '0'))).toBeLessThan(1e-6);
        expect(Math.abs(Number.parseFloat(rest.y ?? '0'))).toBeLessThan(1e-6);
        expect(rest.scale ?? 1).toBeCloseTo(1, 5);
        expect(rest.flip ?? 0).toBeCloseTo(0, 5);
        expect(rest.written ?? 1).toBe(1);
        expect(rest.noise ?? 0).toBe(0);
      }
    }
  });

  it('A9: parts enter in turn, and all of them have entered at the end', () => {
    for (const [, { share }] of programs) {
      for (const turn of [0, 0.5, 1]) {
        expect(ofPart(0, turn, share)).toBe(0);
        expect(ofPart(1, turn, share)).toBeCloseTo(1, 6);
      }
      expect(ofPart(0.4, 0, share)).toBeGreaterThanOrEqual(ofPart(0.4, 1, share));
    }
  });

  it('A9: an emphasis begins and ends at rest', () => {
    for (const x of [0, 1]) {
      expect(emphasised('pulse', x)).toMatchObject({ scale: 1, width: 1, x: 0, turn: 0, opacity: 1 });
      expect(emphasised('shake', x)).toMatchObject({ scale: 1, width: 1, x: 0, turn: 0, opacity: 1 });
      expect(disturbed(x, 0.3, 7).strength).toBe(0);
      expect(hop(x, 0.5)).toBeCloseTo(0, 6);
    }
    expect(emphasised('pulse', 0.5).scale).toBeGreaterThan(1.05);
  });

  it('A9: what is decoded is itself at last, and the same at the same time', () => {
    expect(scrambled('A', 0, 1, 0.7)).toBe('A');
    expect(scrambled(' ', 1, 1, 0.7)).toBe(' ');
    expect(scrambled('A', 0.6, 1, 0.7)).toBe(scrambled('A', 0.6, 1, 0.7));
  });

  it('A9: numbers in words are counted with their decimals and groups', () => {
    expect(counted('Up 40 %', 0)).toBe('Up 0 %');
    expect(counted('Up 40 %', 0.5)).toBe('Up 20 %');
    expect(counted('Up 40 %', 1)).toBe('Up 40 %');
    expect(counted('10,000 users', 0.5)).toBe('5,000 users');
    expect(counted('1,5 Mio', 1)).toBe('1,5 Mio');
    expect(counted('no number', 0.3)).toBe('no number');
  });
});

describe('parts of a text', () => {
  const texts = (parts: readonly (readonly { text: string }[])[]) => parts.map((line) => line.map(({ text }) => text));

  it('A9: nothing of the text is lost, however it is cut', () => {
    const lines = ['Fresh bread,', 'every day 👩‍👩‍👧'];
    for (const cut of ['lines', 'words', 'letters'] as const)
      expect(texts(partsOf(lines, cut)).map((line) => line.join(''))).toEqual(lines);
    expect(texts(partsOf(lines, 'words'))[0]).toEqual(['Fresh', ' ', 'bread,']);
  });

  it('A9: turns run from the first part to the last', () => {
    const parts = partsOf(['one two', 'three'], 'letters').flat();
    expect(parts.at(0)?.turn).toEqual({ lines: 0, words: 0, letters: 0 });
    expect(parts.at(-1)?.turn).toEqual({ lines: 1, words: 1, letters: 1 });
  });

  it('A9: letters that join are never parted, and numbers that count stay whole', () => {
    const typed = [{ program: 'typewriter', by: undefined }] as const;
    expect(fineness('hello', typed, false)).toBe('letters');
    expect(fineness('مرحبا', typed, false)).toBe('words');
    expect(fineness('up 40', typed, true)).toBe('words');
    expect(fineness('hello', [{ program: 'particles', by: undefined }], false)).toBe('lines');
  });
});

describe('the sectors of a pie', () => {
  it('A9: they close the circle, clockwise, and the largest that has a name is the largest', () => {
    const sectors = sectorsOf({
      bars: [
        { label: 'yes', value: 30 },
        { label: '', value: 70 },
      ],
    });
    expect(sectors.map(({ from }) => from)).toEqual([0, 0.3 * Math.PI * 2]);
    expect(sectors.reduce((sum, { angle }) => sum + angle, 0)).toBeCloseTo(Math.PI * 2, 6);
    expect(sectors.map(({ largest }) => largest)).toEqual([true, false]);
  });
});
