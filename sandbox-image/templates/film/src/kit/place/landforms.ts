import { mix } from '../color.ts';
import type { Sketch } from './sketch.ts';

export function peaks(to: Sketch, base: number, height: number, pitch: number, salt: number): (x: number) => number {
  return (x) => {
    const at = x * pitch + salt * 3.7;
    const cell = Math.floor(at);
    const corner = (index: number) =>
      ((index % 2) + 2) % 2 === 0 ? 0.55 + 0.45 * to.chance(index + 400, salt) : 0.12 * to.chance(index + 400, salt);
    const share = at - cell;
    const rough = 0.05 * Math.sin(at * 9 + salt) + 0.035 * Math.sin(at * 23);
    return base - height * 0.35 + height * (corner(cell) * (1 - share) + corner(cell + 1) * share + rough);
  };
}

/** Colours the peaks above a line white. */
export function snowcaps(to: Sketch, depth: number, height: (x: number) => number, line: number, tint: string): void {
  to.land({ depth, tint: '#f4f8ff' }, height);
  to.land({ depth, tint, foot: mix(tint, '#b9cad8', 0.5) }, (x) =>
    Math.min(
      height(x),
      line - 0.02 + 0.022 * Math.sin(x * 31) + 0.012 * Math.sin(x * 67) - (height(x) > line ? 0.18 * (height(x) - line) : 0),
    ),
  );
}

export function mesas(to: Sketch): (x: number) => number {
  return (x) => {
    const at = x * 1.5 + 20;
    const tall = to.chance(Math.floor(at), 33);
    const share = Math.abs(at - Math.floor(at) - 0.5) * 2;
    return 0.17 + (tall > 0.45 ? 0.16 * tall * Math.min(1, Math.max(0, (0.8 - share) * 7)) : 0);
  };
}

export function cactus(to: Sketch, x: number, y: number, size: number): void {
  const pen = { depth: 0.12, tint: '#4f9a63', foot: '#2f7350' };
  const arm = (ax: number, ay: number, height: number) => {
    to.box(pen, ax - size * 0.06, ay, size * 0.12, height);
    to.disc({ depth: pen.depth, tint: pen.tint }, ax, ay + height, size * 0.06);
  };
  arm(x, y - 0.03, size);
  for (const side of [-1, 1]) {
    const ax = x + side * size * 0.26;
    const ay = y + size * (side < 0 ? 0.42 : 0.3);
    to.box(pen, Math.min(x, ax), ay - size * 0.05, size * 0.26, size * 0.1);
    arm(ax, ay - size * 0.05, size * 0.3);
  }
}

export function weed(to: Sketch, x: number, y: number, height: number, index: number): void {
  const tint = ['#3fae7c', '#2f9a8a', '#e8708a', '#f0a04b'][index % 4] ?? '#3fae7c';
  for (const lean of [-0.35, 0, 0.4]) {
    const tip = x + lean * height * 0.5;
    to.outline({ depth: 0.2, tint, foot: mix(tint, '#0d4a66', 0.5), sway: 0.02 }, [
      [x - 0.008, y],
      [x + 0.008, y],
      [tip + 0.012, y + height * 0.6],
      [tip, y + height * (1 - Math.abs(lean) * 0.5)],
      [tip - 0.012, y + height * 0.6],
    ]);
  }
}

export function nebula(to: Sketch, x: number, y: number, tint: string): void {
  for (let i = 0; i < 9; i += 1)
    to.disc(
      { depth: 0.95, tint, alpha: 0.1, sway: 0.008 },
      x * to.half * 2 + 0.3 * (to.chance(i, 75) - 0.5),
      y + 0.2 * (to.chance(i, 76) - 0.5),
      0.12 + 0.16 * to.chance(i, 77),
      0.07 + 0.1 * to.chance(i, 78),
    );
}

export function planet(to: Sketch, x: number, y: number, size: number): void {
  to.disc({ depth: 0.8, tint: '#e0a06a' }, x, y, size);
  for (const [dy, height, tint] of [
    [0.35, 0.16, '#f0bd86'],
    [-0.05, 0.12, '#c98255'],
    [-0.45, 0.14, '#f0bd86'],
  ] as const)
    to.disc({ depth: 0.8, tint }, x, y + dy * size, size * Math.sqrt(1 - dy * dy) * 0.98, size * height * 0.6);
  to.disc({ depth: 0.8, tint: '#05061a', alpha: 0.34 }, x + size * 0.16, y - size * 0.08, size * 0.86);
  to.outline({ depth: 0.8, tint: '#f3d9b0', alpha: 0.75 }, [
    [x - size * 1.8, y - size * 0.5],
    [x, y - size * 0.12],
    [x + size * 1.8, y + size * 0.5],
    [x, y - size * 0.02],
  ]);
}
