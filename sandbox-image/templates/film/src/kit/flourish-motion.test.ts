import { describe, expect, it } from 'vitest';
import { beads, fitRings, lineWave, piecePose, pieces, ringAngle } from './flourish-motion.ts';

const formats = [177.8, 100, 80, 56.25];

describe('the ornament of words', () => {
  it.each(formats)('A19: stays clear of the words in a frame %s wide', (width) => {
    const box = { x: width * 0.15, y: 30, width: width * 0.7, height: 40 };
    for (let seed = 0; seed < 40; seed += 1) {
      for (const { x, y, size } of pieces(width, box, seed)) {
        const aside = x + size < box.x || x - size > box.x + box.width;
        const away = y + size < box.y || y - size > box.y + box.height;
        expect(aside || away, `${seed} ${x} ${y}`).toBe(true);
      }
    }
    const corner = { x: width, y: 0, radius: 60, from: 120 };
    const [ring] = fitRings(width, box, [corner]);
    const nearest = Math.hypot(width - (box.x + box.width), box.y);
    expect(ring?.radius).toBeLessThan(nearest);
  });

  it('A19: is a function of seed and time alone, and comes in from nothing', () => {
    const box = { x: 60, y: 40, width: 50, height: 20 };
    expect(pieces(177.8, box, 7)).toEqual(pieces(177.8, box, 7));
    expect(pieces(177.8, box, 7)).not.toEqual(pieces(177.8, box, 8));
    expect(beads(177.8, 3)).toEqual(beads(177.8, 3));
    const [piece] = pieces(177.8, box, 7);
    if (!piece) throw new Error('no piece');
    const at = (grow: number, beat: number, seconds: number) => piecePose(piece, { grow, beat, seconds, turn: 0.3 });
    expect(at(0, 0, 0).scale).toBeLessThan(0.01);
    expect(at(1, 0, 1).scale).toBeCloseTo(piece.size);
    expect(at(1, 0, 2)).not.toEqual(at(1, 0, 3));
    expect(at(1, 1, 2).turn - at(1, 0, 2).turn).toBeCloseTo(180);
    expect(lineWave(10, 50, 20, 1)).not.toEqual(lineWave(10, 50, 20, 1.5));
  });

  it('A19: an arc never leaves the quarter of its ring that is seen', () => {
    for (let seconds = 0; seconds < 60; seconds += 0.1) {
      for (const beat of [0, 0.25, 0.5, 0.75, 1]) {
        const angle = ringAngle(117, { index: 0, seconds, grow: 1, beat });
        expect(angle).toBeGreaterThan(90);
        expect(angle + 36).toBeLessThan(180);
      }
    }
  });
});
