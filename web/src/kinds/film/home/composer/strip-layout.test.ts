import { describe, expect, it } from 'vitest';
import { landing, stripGap, stripLayout } from './strip-layout.ts';

describe('the strip', () => {
  it('divides its width by the scenes’ lengths, with a narrowest tile', () => {
    const { widths } = stripLayout([4, 6, 1, 5], '16:9', 1136);
    expect(widths[2]).toBe(132);
    expect(widths[1]).toBeGreaterThan(widths[0] ?? 0);
    expect(widths.reduce((sum, width) => sum + width, 0) + 3 * stripGap).toBeLessThanOrEqual(1136);
  });
  it('scrolls when there are many scenes or little room', () => {
    expect(new Set(stripLayout(Array(9).fill(4), '16:9', 1136).widths).size).toBe(1);
    const phone = stripLayout([4, 6, 5], '16:9', 358);
    expect(phone.widths.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(358);
  });
  it('lets a dragged tile land where its middle passes those of others', () => {
    const widths = [200, 200, 200];
    expect(landing(widths, 2, 0)).toBe(2);
    expect(landing(widths, 2, -230)).toBe(1);
    expect(landing(widths, 0, 500)).toBe(2);
  });
});
