import { describe, expect, it } from 'vitest';
import { type Box, cropBox, fitInto, isUpright, layOut } from './layout.ts';

const wide = 16 / 9;
const plain = { aspect: wide, phone: false, split: false };
const inside = (inner: Box, outer: Box) =>
  inner.left >= outer.left - 1e-6 &&
  inner.top >= outer.top - 1e-6 &&
  inner.left + inner.width <= outer.left + outer.width + 1e-6 &&
  inner.top + inner.height <= outer.top + outer.height + 1e-6;

describe('preview layout', () => {
  it('A15: a film is as large as the pane allows, in its own proportions', () => {
    expect(layOut({ width: 1600, height: 1000 }, plain).film).toEqual({ left: 0, top: 50, width: 1600, height: 900 });
    expect(layOut({ width: 1600, height: 450 }, plain).film).toEqual({ left: 400, top: 0, width: 800, height: 450 });
  });

  it('A15: a phone is oriented like the film, which stays within its screen', () => {
    const room = { left: 0, top: 0, width: 1200, height: 700 };
    for (const aspect of [wide, 9 / 16, 1]) {
      const { film, phone } = layOut(room, { aspect, phone: true, split: false });
      expect(phone && inside(phone, room)).toBe(true);
      expect(phone && inside(film, phone)).toBe(true);
      expect(film.width / film.height).toBeCloseTo(aspect);
      expect((phone?.width ?? 0) > (phone?.height ?? 0)).toBe(aspect > 1);
    }
  });

  it('A15: two films are side by side or one below the other, whichever is larger', () => {
    const broad = layOut({ width: 1612, height: 500 }, { ...plain, split: true });
    expect([broad.other?.width, broad.film.left - (broad.other?.left ?? 0)]).toEqual([800, 812]);
    const tall = layOut({ width: 400, height: 700 }, { ...plain, split: true });
    expect(tall.other?.left).toBe(tall.film.left);
    expect(tall.film.top).toBeGreaterThan((tall.other?.top ?? 0) + (tall.other?.height ?? 0));
    expect(layOut({ width: 400, height: 700 }, { aspect: 9 / 16, phone: false, split: true }).other?.top).toBe(
      layOut({ width: 400, height: 700 }, { aspect: 9 / 16, phone: false, split: true }).film.top,
    );
  });
});

it('A15: a crop to another aspect is centred and keeps one side', () => {
  expect(cropBox(wide, '16:9')).toBeNull();
  const square = cropBox(wide, '1:1');
  expect(square?.height).toBeCloseTo(1);
  expect(square?.width).toBeCloseTo(9 / 16);
  expect(square?.left).toBeCloseTo((1 - 9 / 16) / 2);
  const wideOfUpright = cropBox(9 / 16, '16:9');
  expect(wideOfUpright?.width).toBeCloseTo(1);
  expect(wideOfUpright?.height).toBeCloseTo((9 / 16) ** 2);
});

it('A15: app areas apply to upright films only', () => {
  expect(isUpright(1080 / 1920)).toBe(true);
  expect(isUpright(4 / 5)).toBe(false);
  expect(fitInto({ left: 10, top: 0, width: 20, height: 20 }, 1)).toEqual({ left: 10, top: 0, width: 20, height: 20 });
});
