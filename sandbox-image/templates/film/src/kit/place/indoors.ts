import { mix } from '../color.ts';
import type { Sketch } from './sketch.ts';

/** Draws a room's wall around an opening, and its floor. */
function walls(
  to: Sketch,
  wall: string,
  floor: string,
  hole: { x: number; y: number; width: number; height: number } | null,
): void {
  const pen = { depth: 0.2, tint: mix(wall, '#ffffff', 0.12), foot: wall };
  const [left, right, low, high] = [-to.half, to.half, 0.06, 1.2];
  if (hole === null) to.box(pen, left, low, right - left, high - low);
  else {
    const { x, y, width, height } = hole;
    to.box(pen, left, low, x - left, high - low);
    to.box(pen, x + width, low, right - x - width, high - low);
    to.box({ ...pen, tint: wall }, x, low, width, y - low);
    to.box({ ...pen, foot: pen.tint }, x, y + height, width, high - y - height);
    frameOf(to, hole);
  }
  to.box({ depth: 0.18, tint: mix(wall, '#ffffff', 0.45) }, left, 0.055, right - left, 0.022);
  to.land({ depth: 0.1, tint: floor, foot: mix(floor, '#2a1620', 0.35) }, () => 0.056);
}

function frameOf(to: Sketch, { x, y, width, height }: { x: number; y: number; width: number; height: number }): void {
  const pen = { depth: 0.19, tint: '#fbf3e6', foot: '#e6d8c3' };
  const bar = 0.016;
  // A faint glass pane, so that the window is visible in front of a plain sky.
  to.box({ depth: 0.3, tint: '#ffffff', alpha: 0.06 }, x, y, width, height);
  for (const share of [0, 0.5, 1]) to.box(pen, x + share * width - bar / 2, y - bar / 2, bar, height + bar);
  for (const share of [0, 0.52, 1]) to.box(pen, x - bar / 2, y + share * height - bar / 2, width + bar, bar);
  to.box({ depth: 0.17, tint: '#fffaf0', foot: '#d8c8b0' }, x - 0.03, y - 0.03, width + 0.06, 0.024);
}

function outside(to: Sketch): void {
  to.land({ depth: 0.9, tint: '#8fae9c' }, (x) => 0.34 + 0.03 * Math.sin(x * 5));
  to.land({ depth: 0.7, tint: '#6f977f' }, (x) => 0.28 + 0.02 * Math.sin(x * 7 + 2));
}

function drops(
  to: Sketch,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  depth: number,
): void {
  const seat = (i: number, salt: number) => [x + width * to.chance(i, salt), y + height * to.chance(i, salt + 1)] as const;
  for (let i = 0; i < 90; i += 1) {
    const [dx, dy] = seat(i, 200);
    const size = 0.0025 + 0.0035 * to.chance(i, 203);
    to.disc({ depth, tint: '#eaf4ff', foot: '#7f98b5', alpha: 0.55, when: 'rain' }, dx, dy, size, size * 1.2);
  }
  for (let i = 0; i < 34; i += 1) {
    const [dx, dy] = seat(i, 210);
    const size = 0.004 + 0.004 * to.chance(i, 213);
    const fall = 0.06 + 0.16 * to.chance(i, 214);
    to.outline({ depth, tint: '#f4faff', foot: '#8fa8c4', alpha: 0.6, when: 'rain', fall, range: [y, y + height] }, [
      [dx - size, dy],
      [dx, dy - size * 1.3],
      [dx + size, dy],
      [dx + size * 0.2, dy + size * 9],
      [dx - size * 0.2, dy + size * 9],
    ]);
  }
}

function curtain(to: Sketch, x: number, width: number, low: number, high: number, tint: string, depth: number): void {
  const folds = 6;
  for (let i = 0; i < folds; i += 1)
    to.box(
      { depth, tint: i % 2 === 0 ? tint : mix(tint, '#1d0b1a', 0.18), foot: mix(tint, '#1d0b1a', 0.3), sway: 0 },
      x + (i * width) / folds,
      low,
      width / folds + 0.001,
      high - low,
    );
}

function floorLamp(to: Sketch, x: number): void {
  const pen = { depth: 0.12, tint: '#6b5344' };
  to.box(pen, x - 0.004, 0.03, 0.008, 0.34);
  to.disc(pen, x, 0.03, 0.035, 0.008);
  to.disc({ depth: 0.12, tint: '#fff0c8', glow: 0.01, alpha: 0.16, when: 'night' }, x, 0.36, 0.2);
  to.disc({ depth: 0.12, tint: '#fff0c8', glow: 0.01, alpha: 0.16, when: 'night' }, x, 0.36, 0.12);
  to.outline({ depth: 0.12, tint: '#f6e3bd', foot: '#eecf98', glow: 0.15 }, [
    [x - 0.07, 0.33],
    [x + 0.07, 0.33],
    [x + 0.042, 0.43],
    [x - 0.042, 0.43],
  ]);
}

function plant(to: Sketch, x: number, y: number, size: number): void {
  to.outline({ depth: 0.12, tint: '#c9694a', foot: '#a24f3a' }, [
    [x - size * 0.18, y + size * 0.34],
    [x + size * 0.18, y + size * 0.34],
    [x + size * 0.13, y],
    [x - size * 0.13, y],
  ]);
  for (const lean of [-0.8, -0.4, 0, 0.45, 0.85])
    to.outline({ depth: 0.12, tint: '#4c9a66', foot: '#2f7652', sway: size * 0.02, anchor: x }, [
      [x, y + size * 0.32],
      [x + lean * size * 0.4 - size * 0.06, y + size * (0.72 - Math.abs(lean) * 0.1)],
      [x + lean * size * 0.56, y + size * (1.05 - Math.abs(lean) * 0.3)],
      [x + lean * size * 0.4 + size * 0.07, y + size * (0.66 - Math.abs(lean) * 0.1)],
    ]);
}

function picture(to: Sketch, x: number, y: number, width: number, height: number, tint: string): void {
  to.box({ depth: 0.2, tint: '#7a5c47' }, x, y, width, height);
  to.box({ depth: 0.2, tint: mix(tint, '#ffffff', 0.55) }, x + 0.01, y + 0.01, width - 0.02, height - 0.02);
  to.disc({ depth: 0.2, tint }, x + width / 2, y + height * 0.45, width * 0.22);
}

function bed(to: Sketch, x: number, quilt: string): void {
  const wide = 0.62;
  to.box({ depth: 0.15, tint: '#7a5442', foot: '#5f4033' }, x - 0.02, 0.02, 0.03, 0.34);
  to.box({ depth: 0.15, tint: '#7a5442', foot: '#5f4033' }, x + wide, 0.02, 0.03, 0.2);
  to.box({ depth: 0.14, tint: '#6b4a3a' }, x, 0.05, wide, 0.07);
  to.box({ depth: 0.13, tint: '#f7f2ea', foot: '#ddd3c6' }, x, 0.11, wide, 0.07);
  to.disc({ depth: 0.13, tint: '#ffffff', foot: '#e3dceb' }, x + 0.1, 0.2, 0.09, 0.035);
  to.outline({ depth: 0.12, tint: mix(quilt, '#ffffff', 0.25), foot: mix(quilt, '#20183a', 0.15) }, [
    [x + 0.2, 0.06],
    [x + wide + 0.006, 0.06],
    [x + wide + 0.006, 0.19],
    [x + 0.24, 0.205],
  ]);
}

function board(to: Sketch, low: number, tint: string): void {
  to.box({ depth: 0.06, tint: mix(tint, '#ffffff', 0.16), foot: tint }, -to.half, low - 0.05, to.half * 2, 0.05 + 0.045);
  to.box(
    { depth: 0.04, tint: mix(tint, '#1d0f12', 0.3), foot: mix(tint, '#1d0f12', 0.5) },
    -to.half,
    low - 0.5,
    to.half * 2,
    0.45,
  );
  for (let i = 0; i < 9; i += 1)
    to.box(
      { depth: 0.05, tint: mix(tint, '#1d0f12', 0.12), alpha: 0.5 },
      -to.half + to.chance(i, 230) * to.half * 2,
      low - 0.04 + 0.075 * to.chance(i, 231),
      0.3,
      0.003,
    );
}

/** Half of the width that is visible without camera motion. */
const seen = ({ half }: Sketch): number => half - 0.4;
const roomWindow = (to: Sketch) => ({ x: -seen(to) * 0.8, y: 0.24, width: Math.min(0.5, seen(to) * 0.8), height: 0.42 });
const wideWindow = (to: Sketch) => ({ x: -seen(to) * 0.78, y: 0.1, width: seen(to) * 1.56, height: 0.66 });

export const indoors = {
  room: {
    inside: true,
    back: (to: Sketch, accent: string) => {
      outside(to);
      const hole = roomWindow(to);
      drops(to, hole, 0.25);
      walls(to, '#e9b98f', '#a8704d', hole);
      curtain(to, hole.x - 0.1, 0.1, hole.y - 0.07, hole.y + hole.height + 0.04, '#c75b4f', 0.17);
      curtain(to, hole.x + hole.width, 0.1, hole.y - 0.07, hole.y + hole.height + 0.04, '#c75b4f', 0.17);
      picture(to, seen(to) * 0.4, 0.42, 0.17, 0.13, accent);
      picture(to, seen(to) * 0.4 + 0.2, 0.44, 0.1, 0.13, '#5b8fa8');
      floorLamp(to, seen(to) * 0.78);
      plant(to, -seen(to) * 0.92, 0.02, 0.24);
      to.disc({ depth: 0.02, tint: mix(accent, '#f6e3d0', 0.4), foot: mix(accent, '#6b3a3a', 0.35) }, 0, -0.045, 0.62, 0.075);
      to.disc({ depth: 0.02, tint: mix(accent, '#f6e3d0', 0.65) }, 0, -0.043, 0.5, 0.056);
    },
  },
  bedroom: {
    inside: true,
    back: (to: Sketch, accent: string) => {
      outside(to);
      const hole = roomWindow(to);
      drops(to, hole, 0.25);
      walls(to, '#b9c3dd', '#8f7360', hole);
      curtain(to, hole.x - 0.1, 0.1, hole.y - 0.07, hole.y + hole.height + 0.04, '#6f7fb8', 0.17);
      curtain(to, hole.x + hole.width, 0.1, hole.y - 0.07, hole.y + hole.height + 0.04, '#6f7fb8', 0.17);
      bed(to, seen(to) * 0.34, accent);
      floorLamp(to, seen(to) * 0.24);
      to.disc({ depth: 0.02, tint: mix(accent, '#e6dcea', 0.6) }, -seen(to) * 0.2, -0.06, 0.4, 0.05);
    },
  },
  window: {
    inside: true,
    back: (to: Sketch) => {
      outside(to);
      const hole = wideWindow(to);
      drops(to, hole, 0.25);
      walls(to, '#d9a988', '#9a6a4c', hole);
      for (const side of [-1, 1])
        curtain(to, side < 0 ? -to.half : seen(to) * 0.76, to.half - seen(to) * 0.76, 0.02, 1.1, '#b9524f', 0.12);
      to.box({ depth: 0.12, tint: '#7a5c47' }, -to.half, 0.8, to.half * 2, 0.014);
      board(to, 0.01, '#e2cba8');
      plant(to, seen(to) * 0.6, 0.03, 0.22);
    },
  },
  kitchen: {
    inside: true,
    back: (to: Sketch, accent: string) => {
      outside(to);
      const hole = { x: -0.2, y: 0.36, width: 0.4, height: 0.3 };
      drops(to, hole, 0.25);
      walls(to, '#f0d9b8', '#b98e66', hole);
      for (let x = -to.half, i = 0; x < to.half; x += 0.062, i += 1)
        for (const row of [0, 1])
          to.box({ depth: 0.2, tint: (i + row) % 2 === 0 ? '#fdf6ea' : '#cfe3e0' }, x, 0.22 + row * 0.05, 0.058, 0.046);
      for (const side of [-1, 1]) {
        const x = side < 0 ? -to.half : 0.34;
        to.box({ depth: 0.17, tint: '#5f9a94', foot: '#4b827f' }, x, 0.52, to.half - 0.34, 0.24);
        for (let i = 1; i < 4; i += 1)
          to.box({ depth: 0.17, tint: '#47797a' }, x + (i * (to.half - 0.34)) / 4, 0.53, 0.004, 0.22);
        to.disc({ depth: 0.16, tint: '#fff0c8', glow: 0.15, alpha: 0.9 }, side * 0.42, 0.83, 0.045, 0.03);
      }
      plant(to, 0.3, 0.2, 0.14);
      to.disc({ depth: 0.12, tint: accent }, -0.34, 0.235, 0.045, 0.04);
      board(to, 0.02, '#d8a878');
    },
  },
  classroom: {
    inside: true,
    back: (to: Sketch, accent: string) => {
      walls(to, '#e9dfc4', '#b58a60', null);
      const wide = Math.min(0.62, to.half * 0.72);
      to.box({ depth: 0.19, tint: '#9a7048' }, -wide - 0.018, 0.27, wide * 2 + 0.036, 0.46);
      to.box({ depth: 0.19, tint: '#3c7a63', foot: '#2f6653' }, -wide, 0.288, wide * 2, 0.424);
      to.box({ depth: 0.18, tint: '#b88a5c' }, -wide, 0.262, wide * 2, 0.014);
      for (const [x, tint] of [
        [-0.2, '#ffffff'],
        [-0.12, accent],
        [0.3, '#ffffff'],
      ] as const)
        to.box({ depth: 0.18, tint }, x, 0.276, 0.05, 0.008);
      for (const side of [-1, 1]) {
        const x = side * to.half * 0.8;
        to.box({ depth: 0.18, tint: '#c9a06d' }, x - 0.1, 0.056, 0.2, 0.26);
        for (let i = 0; i < 9; i += 1)
          to.box(
            { depth: 0.17, tint: [accent, '#5b8fa8', '#f0c05a', '#c75b4f'][i % 4] ?? accent },
            x - 0.09 + i * 0.02,
            0.2,
            0.016,
            0.07 + 0.03 * to.chance(i, 240 + side),
          );
      }
    },
  },
  table: {
    inside: true,
    back: (to: Sketch, accent: string) => {
      outside(to);
      const hole = { x: to.half * 0.2, y: 0.3, width: to.half * 0.56, height: 0.44 };
      drops(to, hole, 0.25);
      walls(to, '#d7c3ae', '#a8845f', hole);
      to.box({ depth: 0.16, tint: '#a8754c' }, -to.half * 0.82, 0.42, to.half * 0.62, 0.018);
      for (let i = 0; i < 8; i += 1)
        to.box(
          { depth: 0.15, tint: [accent, '#5b8fa8', '#e8c98f', '#7a5c86', '#c75b4f'][i % 5] ?? accent },
          -to.half * 0.78 + i * 0.034,
          0.438,
          0.028,
          0.09 + 0.05 * to.chance(i, 250),
        );
      plant(to, -to.half * 0.3, 0.436, 0.15);
      board(to, 0.03, '#c98f5c');
    },
  },
  stage: {
    sunless: true,
    inside: true,
    back: (to: Sketch) => {
      curtain(to, -to.half, to.half, 0.05, 1.1, '#8f1f36', 0.3);
      curtain(to, 0, to.half, 0.05, 1.1, '#8f1f36', 0.3);
      to.land({ depth: 0.1, tint: '#a8683f', foot: '#4f2a1f' }, () => 0.06);
      for (const x of [-0.42, 0, 0.42]) {
        to.outline({ depth: 0.15, tint: '#fff1cf', alpha: 0.12, foot: '#fff1cf', glow: 0 }, [
          [x * to.half - 0.03, 1],
          [x * to.half + 0.03, 1],
          [x * to.half * 0.3 + 0.26, -0.02],
          [x * to.half * 0.3 - 0.26, -0.02],
        ]);
      }
      to.disc({ depth: 0.02, tint: '#ffe6b0', alpha: 0.34 }, 0, -0.03, 0.5, 0.055);
      for (const side of [-1, 1])
        curtain(to, side < 0 ? -to.half : seen(to) * 0.74, to.half - seen(to) * 0.74, -0.02, 1.1, '#c22b45', 0.08);
      for (let i = 0; i < 11; i += 1)
        to.disc({ depth: 0.08, tint: '#b3263f', foot: '#7d1730' }, -to.half + (i * to.half) / 5, 0.83, to.half * 0.13, 0.1);
    },
    front: (to: Sketch) => to.box({ depth: 0, tint: '#3a1c1a', foot: '#1d0d10' }, -to.half, -0.6, to.half * 2, 0.44),
  },
} as const;
