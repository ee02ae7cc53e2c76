import { mix } from '../color.ts';
import type { Sketch, When } from './sketch.ts';

interface At {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly depth: number;
  readonly index: number;
}

export function hill(base: number, height: number, pitch: number, salt: number): (x: number) => number {
  return (x) => base + height * (0.62 * Math.sin(x * pitch * 2.1 + salt) + 0.38 * Math.sin(x * pitch * 4.7 + salt * 2.3));
}

export function cloud(
  to: Sketch,
  { x, y, size, far, when, index }: { x: number; y: number; size: number; far: number; when: When; index: number },
): void {
  const drift = 0.006 + 0.012 * (1 - far);
  for (const [part, tint, lift] of [
    [1, '#dfe8f5', 0],
    [0.86, '#ffffff', 0.16],
  ] as const)
    for (let i = 0; i < 5; i += 1) {
      const across = (i - 2) * size * 0.62;
      const tall = size * (0.44 + 0.42 * to.chance(index * 7 + i, 5)) * (i === 0 || i === 4 ? 0.62 : 1);
      // All discs in a cloud wrap around the frame together.
      disc(to, { tint, far, when, drift }, x, x + across, y + tall * 0.55 + lift * size * 0.5, tall * part * 1.2, tall * part);
    }
}

function disc(
  to: Sketch,
  { tint, far, when, drift }: { tint: string; far: number; when: When; drift: number },
  anchor: number,
  x: number,
  y: number,
  radiusX: number,
  radiusY: number,
): void {
  to.disc({ depth: far, tint, foot: mix(tint, '#a9bcd8', 0.4), alpha: 0.9, when, drift, anchor }, x, y, radiusX, radiusY);
}

const greens = ['#4fa35a', '#5bb166', '#3f9160', '#6cb558'] as const;

export function tree(to: Sketch, { x, y, size, depth, index }: At): void {
  const tint = greens[index % greens.length] ?? greens[0];
  to.box({ depth, tint: '#7d5a43', foot: '#5a3f31' }, x - size * 0.035, y - size * 0.06, size * 0.07, size * 0.5);
  const sway = size * 0.012;
  const crown = (dx: number, dy: number, radius: number, color: string) =>
    to.disc(
      { depth, tint: color, foot: mix(color, '#123f33', 0.3), sway, anchor: x },
      x + dx * size,
      y + dy * size,
      radius * size,
    );
  crown(0, 0.55, 0.26, mix(tint, '#12463a', 0.22));
  crown(-0.17, 0.5, 0.19, tint);
  crown(0.18, 0.52, 0.18, mix(tint, '#12463a', 0.1));
  crown(0.02, 0.74, 0.2, tint);
  crown(-0.08, 0.68, 0.13, mix(tint, '#ffffff', 0.16));
}

export function pine(to: Sketch, { x, y, size, depth, index }: At, snow?: string): void {
  const tint = snow ?? ['#2f7a5e', '#3a8a63', '#28695a'][index % 3] ?? '#2f7a5e';
  if (snow === undefined) to.box({ depth, tint: '#5f4637' }, x - size * 0.025, y - size * 0.06, size * 0.05, size * 0.24);
  for (const [low, wide, high] of [
    [0.12, 0.25, 0.55],
    [0.34, 0.2, 0.76],
    [0.56, 0.15, 1],
  ] as const) {
    const part = snow === undefined ? 1 : 0.62;
    to.outline(
      {
        depth,
        tint: mix(tint, '#ffffff', 0.1),
        foot: mix(tint, '#0c3a36', snow === undefined ? 0.25 : 0.06),
        sway: size * 0.008,
        anchor: x,
      },
      [
        [x - wide * size * part, y + (snow === undefined ? low : high - (high - low) * 0.6) * size],
        [x + wide * size * part, y + (snow === undefined ? low : high - (high - low) * 0.6) * size],
        [x, y + high * size],
      ],
    );
  }
}

export function palm(to: Sketch, { x, y, size, depth }: At): void {
  const lean = size * 0.22;
  const steps = 8;
  for (let i = 0; i < steps; i += 1) {
    const [from, until] = [i / steps, (i + 1) / steps];
    const wide = size * (0.032 - 0.014 * from);
    to.outline({ depth, tint: i % 2 === 0 ? '#9c7350' : '#8a6446', sway: 0 }, [
      [x + lean * from ** 2 - wide, y + size * from],
      [x + lean * from ** 2 + wide, y + size * from],
      [x + lean * until ** 2 + wide * 0.9, y + size * until],
      [x + lean * until ** 2 - wide * 0.9, y + size * until],
    ]);
  }
  const [tipX, tipY] = [x + lean, y + size];
  for (const angle of [-0.5, 0.05, 0.55, 1.1, 2.05, 2.6, 3.1, 3.65]) {
    const [dx, dy] = [Math.cos(angle), Math.sin(angle) * 0.8];
    const length = size * 0.46;
    to.outline({ depth, tint: angle > 1.6 ? '#3f9a5c' : '#4faf67', foot: '#2c7d55', sway: size * 0.018, anchor: x }, [
      [tipX, tipY],
      [tipX + dx * length * 0.5 - dy * size * 0.06, tipY + dy * length * 0.5 + size * 0.09],
      [tipX + dx * length, tipY + dy * length - size * 0.12],
      [tipX + dx * length * 0.5, tipY + dy * length * 0.5 + size * 0.015],
    ]);
  }
}

export function tuft(to: Sketch, { x, y, size, depth, index }: At, tint: string): void {
  const own = mix(tint, index % 2 === 0 ? '#ffffff' : '#0d3b2c', 0.12);
  for (const lean of [-0.5, 0.1, 0.6])
    to.outline({ depth, tint: own, foot: mix(own, '#0d3b2c', 0.3), sway: size * 0.16, anchor: x }, [
      [x - size * 0.12 + lean * size * 0.2, y],
      [x + size * 0.12 + lean * size * 0.2, y],
      [x + lean * size * 0.7, y + size * (1.3 - Math.abs(lean) * 0.4)],
    ]);
}

export function flower(to: Sketch, at: At, tint: string): void {
  const { x, y, size, depth } = at;
  const sway = size * 0.1;
  to.outline({ depth, tint: '#4a9d4c', foot: '#2f7a45', sway, anchor: x }, [
    [x - size * 0.05, y],
    [x + size * 0.05, y],
    [x + size * 0.04, y + size],
    [x - size * 0.04, y + size],
  ]);
  for (let i = 0; i < 5; i += 1) {
    const angle = (i / 5) * Math.PI * 2 + 0.3;
    to.disc(
      { depth, tint, sway, foot: tint, anchor: x, stiff: true },
      x + Math.cos(angle) * size * 0.2,
      y + size + Math.sin(angle) * size * 0.2,
      size * 0.17,
    );
  }
  to.disc({ depth, tint: '#ffcf4a', sway, anchor: x, stiff: true }, x, y + size, size * 0.13);
}

/** Draws a row of houses whose windows light up one by one at nightfall. */
export function skyline(
  to: Sketch,
  {
    depth,
    base,
    low,
    high,
    gap,
    tint,
    salt,
  }: { depth: number; base: number; low: number; high: number; gap: number; tint: string; salt: number },
): void {
  for (let i = 0, x = -to.half; x < to.half; i += 1) {
    const width = gap * (0.7 + 0.6 * to.chance(i, salt));
    // The skyline is lower in the middle, behind the cast and below a title.
    const valley = 0.72 + 0.28 * Math.min(1, Math.abs(x + width / 2) / (to.half * 0.6));
    const height = (low + (high - low) * to.chance(i, salt + 1)) * valley;
    const own = mix(tint, to.chance(i, salt + 2) > 0.5 ? '#ffffff' : '#1b2a55', 0.1);
    to.box({ depth, tint: own, foot: mix(own, '#b8c8e6', 0.35) }, x, base, width - gap * 0.06, height);
    if (to.chance(i, salt + 3) > 0.72) to.box({ depth, tint: own }, x + width * 0.42, base + height, width * 0.04, height * 0.14);
    else if (to.chance(i, salt + 3) > 0.45)
      to.box({ depth, tint: own }, x + width * 0.24, base + height, width * 0.36, gap * 0.1);
    windows(to, {
      x: x + width * 0.1,
      y: base + 0.03,
      width: width * 0.74,
      height: height - 0.045,
      depth,
      tint: own,
      cell: gap * 0.2,
      index: i * 97 + salt,
    });
    x += width;
  }
}

function windows(
  to: Sketch,
  area: { x: number; y: number; width: number; height: number; depth: number; tint: string; cell: number; index: number },
): void {
  const { x, y, width, height, depth, tint, cell, index } = area;
  const [columns, rows] = [Math.max(1, Math.floor(width / cell)), Math.max(0, Math.floor(height / (cell * 1.15)))];
  for (let column = 0; column < columns; column += 1)
    for (let row = 0; row < rows; row += 1) {
      const chance = to.chance(index + column * 13 + row * 31, 17);
      if (chance < 0.14) continue;
      to.box(
        { depth, tint: mix(tint, '#17305f', 0.22), ...(chance > 0.5 ? { glow: 0.25 + (chance - 0.5) * 1.5 } : {}) },
        x + (column + 0.2) * (width / columns),
        y + (row + 0.2) * (height / rows),
        (width / columns) * 0.56,
        (height / rows) * 0.52,
      );
    }
}

const walls = ['#e8836b', '#f0b56b', '#8fb7a8', '#d9a3b5', '#8ea6cf', '#e6cfa0'] as const;

export function house(
  to: Sketch,
  { x, y, width, height, depth, index }: { x: number; y: number; width: number; height: number; depth: number; index: number },
): void {
  const tint = walls[Math.floor(to.chance(index, 43) * walls.length)] ?? walls[0];
  to.box({ depth, tint, foot: mix(tint, '#4a3550', 0.2) }, x, y, width, height);
  to.box({ depth, tint: mix(tint, '#ffffff', 0.3) }, x - 0.004, y + height, width + 0.008, 0.012);
  if (to.chance(index, 44) > 0.5)
    to.outline({ depth, tint: mix(tint, '#40294a', 0.55) }, [
      [x - 0.008, y + height + 0.012],
      [x + width + 0.008, y + height + 0.012],
      [x + width * 0.78, y + height + 0.08],
      [x + width * 0.22, y + height + 0.08],
    ]);
  windows(to, {
    x: x + width * 0.08,
    y: y + 0.1,
    width: width * 0.84,
    height: height - 0.11,
    depth,
    tint,
    cell: 0.062,
    index: index * 53,
  });
  to.box({ depth, tint: mix(tint, '#2b2140', 0.6) }, x + width * 0.1, y, width * 0.2, 0.075);
  to.box({ depth, tint: '#bcd3e3', glow: 0.3 }, x + width * 0.42, y + 0.016, width * 0.48, 0.05);
  to.outline({ depth, tint: mix(tint, '#b3263a', 0.55) }, [
    [x + width * 0.38, y + 0.068],
    [x + width * 0.94, y + 0.068],
    [x + width * 0.9, y + 0.088],
    [x + width * 0.42, y + 0.088],
  ]);
}

export function lamp(to: Sketch, x: number, y: number, height: number): void {
  const pen = { depth: 0.1, tint: '#39405a' };
  to.box(pen, x - 0.005, y, 0.01, height);
  to.box(pen, x - 0.014, y, 0.028, 0.02);
  to.outline(pen, [
    [x - 0.03, y + height],
    [x + 0.03, y + height],
    [x + 0.012, y + height + 0.022],
    [x - 0.012, y + height + 0.022],
  ]);
  to.box({ depth: 0.1, tint: '#e9edf2', glow: 0.2 }, x - 0.02, y + height - 0.03, 0.04, 0.03);
  // The lamp's light at night: a cone and a pool.
  to.outline({ depth: 0.1, tint: '#ffffff', glow: 0.01, alpha: 0.13, when: 'night' }, [
    [x - 0.03, y + height - 0.02],
    [x + 0.03, y + height - 0.02],
    [x + 0.2, y - 0.05],
    [x - 0.2, y - 0.05],
  ]);
  to.disc({ depth: 0.1, tint: '#ffffff', glow: 0.01, alpha: 0.2, when: 'night' }, x, y - 0.05, 0.2, 0.025);
}

export function fence(to: Sketch, y: number, height: number, depth: number): void {
  const pen = { depth, tint: '#fdf7ea', foot: '#e2d6bf' };
  for (const rail of [0.3, 0.68]) to.box(pen, -to.half, y + height * rail, to.half * 2, height * 0.09);
  for (let x = -to.half; x < to.half; x += 0.045)
    to.outline(pen, [
      [x, y],
      [x + 0.026, y],
      [x + 0.026, y + height * 0.86],
      [x + 0.013, y + height],
      [x, y + height * 0.86],
    ]);
}
