import type { BufferGeometry } from 'three';
import { mix } from '../color.ts';
import { country } from './country.ts';
import { indoors } from './indoors.ts';
import { cactus, mesas, nebula, peaks, planet, snowcaps, weed } from './landforms.ts';
import { cloud, fence, flower, hill, house, lamp, palm, pine, skyline, tree, tuft } from './pieces.ts';
import { type Sketch, sketch } from './sketch.ts';

export type PlaceName = keyof typeof places;

interface Scenery {
  readonly back: (to: Sketch, accent: string) => void;
  readonly front?: (to: Sketch, accent: string) => void;
  readonly sunless?: true;
  readonly starry?: true;
  /** Whether the setting is under a roof or under water, where nothing falls. */
  readonly inside?: true;
}

const clouds = (to: Sketch, low = 0.36, high = 0.72): void => {
  for (let i = 0; i < 9; i += 1) {
    const x = (to.chance(i, 1) * 2 - 1) * to.half;
    const y = low + (high - low) * to.chance(i, 2);
    cloud(to, {
      x,
      y,
      size: 0.05 + 0.06 * to.chance(i, 3),
      far: 0.62 - 0.3 * to.chance(i, 3),
      when: i < 4 ? 'always' : 'clouds',
      index: i,
    });
  }
};

/** Draws rows of trees from back to front, with a gap in the middle for the cast. */
const trees = (
  to: Sketch,
  draw: typeof tree,
  rows: readonly (readonly [depth: number, y: number, size: number, gap: number])[],
): void => {
  rows.forEach(([depth, y, size, gap], row) => {
    for (let x = -to.half, i = 0; x < to.half; x += gap * (0.75 + 0.5 * to.chance(i, row)), i += 1) {
      if (depth < 0.35 && Math.abs(x) < 0.34 * to.half) continue;
      draw(to, {
        x,
        y: y - 0.01 * to.chance(i, row + 9),
        size: size * (0.8 + 0.45 * to.chance(i, row + 4)),
        depth,
        index: i + row * 50,
      });
    }
  });
};

const water = (to: Sketch, line: number, tints: readonly [far: string, near: string], layers = 6): void => {
  for (let i = 0; i < layers; i += 1) {
    const share = i / (layers - 1);
    const y = line - (line + 0.12) * share ** 1.4;
    const tint = mix(tints[0], tints[1], share);
    to.land({ depth: 0.72 * (1 - share), tint: mix(tint, '#ffffff', 0.1), foot: tint, swell: 0.0015 + 0.008 * share }, () => y);
  }
  for (let i = 0; i < 26; i += 1) {
    const share = to.chance(i, 60);
    const width = 0.02 + 0.07 * share;
    to.disc(
      { depth: 0.6 * (1 - share), tint: '#ffffff', alpha: 0.32, swell: 0.006, drift: 0.006 + 0.012 * share },
      (to.chance(i, 61) * 2 - 1) * to.half,
      line - 0.02 - (line + 0.06) * share,
      width,
      0.0022 + 0.002 * share,
    );
  }
};

const grass = (to: Sketch, tint: string, count = 70): void => {
  for (let i = 0; i < count; i += 1) {
    const near = to.chance(i, 71);
    tuft(
      to,
      { x: (to.chance(i, 70) * 2 - 1) * to.half, y: -0.2 - 0.03 * near, size: 0.035 + 0.035 * near, depth: 0, index: i },
      tint,
    );
  }
};

const field = (to: Sketch, far: string, near: string): void => {
  to.land({ depth: 0.5, tint: far, foot: mix(far, near, 0.5) }, hill(0.15, 0.025, 1.6, 3));
  to.land({ depth: 0.28, tint: mix(far, near, 0.5), foot: near }, hill(0.085, 0.022, 1.1, 5));
  to.land({ depth: 0.06, tint: near, foot: mix(near, '#0b3b2a', 0.3) }, hill(0.025, 0.006, 0.9, 8));
};

const paved = (to: Sketch, far: string, near: string): void => {
  to.land({ depth: 0.1, tint: far, foot: near }, () => 0.045);
};

export const places = {
  sky: {
    back: (to) => {
      clouds(to, 0.2, 0.75);
      to.land({ depth: 0.7, tint: '#8fc4a0' }, hill(0.07, 0.03, 1.1, 2));
      to.land({ depth: 0.4, tint: '#6cb583', foot: '#3f8f6b' }, hill(0.02, 0.02, 0.9, 6));
      to.land({ depth: 0.1, tint: '#55a66d', foot: '#2f7a58' }, hill(-0.02, 0.01, 0.8, 9));
    },
  },
  sea: {
    back: (to) => {
      clouds(to, 0.34, 0.7);
      to.land({ depth: 0.9, tint: '#7fa6b8' }, (x) => 0.165 + Math.max(0, 0.035 * Math.sin(x * 2.1 + 1.2) - 0.012));
      water(to, 0.18, ['#4fb6d8', '#1173a8']);
    },
    front: (to) => {
      to.land({ depth: 0.02, tint: '#3aa3cf', foot: '#0d5f96', swell: 0.012 }, () => 0.018);
      to.land({ depth: 0, tint: '#2a8fc2', foot: '#0a4f83', swell: 0.014 }, () => -0.07);
    },
  },
  beach: {
    back: (to) => {
      clouds(to, 0.38, 0.7);
      to.land({ depth: 0.9, tint: '#6fa58f' }, (x) => 0.15 + Math.max(0, 0.07 * Math.sin(x * 1.7 - 1.1) - 0.03));
      water(to, 0.17, ['#54c3dd', '#31a9cf'], 4);
      to.land({ depth: 0.16, tint: '#ffffff', swell: 0.006 }, hill(0.056, 0.008, 1.4, 2));
      to.land({ depth: 0.12, tint: '#f5dca4', foot: '#e3b873' }, hill(0.042, 0.009, 1.3, 2));
      const side = to.half * 0.66;
      palm(to, { x: -side, y: 0.0, size: 0.5, depth: 0.08, index: 1 });
      palm(to, { x: -side - 0.16, y: -0.02, size: 0.38, depth: 0.05, index: 2 });
    },
  },
  mountains: {
    back: (to) => {
      clouds(to, 0.45, 0.74);
      to.land({ depth: 0.92, tint: '#7d8fb8' }, peaks(to, 0.3, 0.17, 3, 1));
      snowcaps(to, 0.78, peaks(to, 0.22, 0.24, 2.1, 7), 0.36, '#5c719c');
      to.land({ depth: 0.55, tint: '#4d7a76', foot: '#6f9c8a' }, peaks(to, 0.12, 0.1, 3.4, 12));
      trees(to, pine, [
        [0.42, 0.09, 0.07, 0.045],
        [0.26, 0.045, 0.12, 0.1],
      ]);
      field(to, '#6fae6e', '#57a05c');
    },
    front: (to) => grass(to, '#3f8a4c', 40),
  },
  city: {
    back: (to) => {
      clouds(to, 0.45, 0.74);
      skyline(to, { depth: 0.86, base: 0.05, low: 0.2, high: 0.42, gap: 0.1, tint: '#7f9cc7', salt: 10 });
      skyline(to, { depth: 0.62, base: 0.04, low: 0.16, high: 0.36, gap: 0.13, tint: '#5b7fb0', salt: 20 });
      skyline(to, { depth: 0.36, base: 0.03, low: 0.1, high: 0.25, gap: 0.17, tint: '#46618f', salt: 30 });
      paved(to, '#b9c2d2', '#8f9bb3');
    },
  },
  street: {
    back: (to) => {
      clouds(to, 0.5, 0.74);
      skyline(to, { depth: 0.75, base: 0.05, low: 0.2, high: 0.38, gap: 0.12, tint: '#8aa0c4', salt: 10 });
      for (let i = 0, x = -to.half; x < to.half; i += 1) {
        const width = 0.22 + 0.1 * to.chance(i, 40);
        house(to, { x, y: 0.06, width, height: 0.24 + 0.17 * to.chance(i, 41), depth: 0.3, index: i });
        x += width + 0.004;
      }
      to.land({ depth: 0.2, tint: '#c9c3bb', foot: '#b3aca3' }, () => 0.062);
      to.land({ depth: 0.08, tint: '#6b7080', foot: '#4c5161' }, () => 0.036);
      for (let x = -to.half; x < to.half; x += 0.28)
        to.box({ depth: 0.02, tint: '#f1e6c4', alpha: 0.85 }, x, -0.105, 0.14, 0.012);
      for (const x of [-0.72, 0.72]) lamp(to, x * to.half, 0.045, 0.34);
    },
  },
  road: {
    back: (to) => {
      clouds(to);
      to.land({ depth: 0.85, tint: '#7f97b0' }, peaks(to, 0.2, 0.08, 2.4, 3));
      field(to, '#a8bf6a', '#86ab58');
      trees(to, tree, [[0.4, 0.1, 0.07, 0.2]]);
      to.land({ depth: 0.05, tint: '#6d7280', foot: '#535867' }, () => 0.03, -0.15);
      for (let x = -to.half; x < to.half; x += 0.3) to.box({ depth: 0.01, tint: '#fff6d8' }, x, -0.066, 0.15, 0.01);
      to.land({ depth: 0, tint: '#7aa04f', foot: '#5b8541' }, () => -0.15);
    },
    front: (to) => grass(to, '#5b8541', 30),
  },
  forest: {
    back: (to) => {
      trees(to, pine, [
        [0.9, 0.12, 0.34, 0.06],
        [0.72, 0.09, 0.34, 0.1],
      ]);
      to.land({ depth: 0.6, tint: '#6fa36b' }, hill(0.09, 0.02, 1.4, 3));
      trees(to, tree, [
        [0.5, 0.07, 0.3, 0.2],
        [0.3, 0.03, 0.44, 0.3],
        [0.1, -0.01, 0.62, 0.34],
      ]);
      to.land({ depth: 0.06, tint: '#4f8f55', foot: '#2c5f3f' }, hill(0.03, 0.008, 1, 8));
    },
    front: (to) => grass(to, '#2f6b45', 90),
  },
  meadow: {
    back: (to) => {
      clouds(to);
      to.land({ depth: 0.8, tint: '#7fb58c' }, hill(0.2, 0.04, 1.2, 1));
      trees(to, tree, [[0.6, 0.16, 0.06, 0.16]]);
      field(to, '#8fcf72', '#6bbf5c');
    },
    front: (to, accent) => {
      grass(to, '#4a9d4c', 90);
      for (let i = 0; i < 26; i += 1)
        flower(
          to,
          { x: (to.chance(i, 90) * 2 - 1) * to.half, y: -0.13 - 0.08 * to.chance(i, 91), size: 0.03, depth: 0, index: i },
          [accent, '#ffffff'][i % 3] ?? '#ffd34d',
        );
    },
  },
  garden: {
    back: (to) => {
      clouds(to);
      trees(to, tree, [
        [0.7, 0.12, 0.16, 0.12],
        [0.5, 0.09, 0.12, 0.16],
      ]);
      house(to, { x: to.half * 0.36, y: 0.075, width: 0.3, height: 0.2, depth: 0.45, index: 3 });
      fence(to, 0.055, 0.1, 0.3);
      to.land({ depth: 0.1, tint: '#7cc463', foot: '#4f9d4a' }, hill(0.06, 0.006, 1, 4));
      trees(to, tree, [[0.12, 0.01, 0.36, 0.5]]);
    },
    front: (to, accent) => {
      grass(to, '#3f8d45', 60);
      for (let i = 0; i < 34; i += 1)
        flower(
          to,
          { x: (to.chance(i, 90) * 2 - 1) * to.half, y: -0.13 - 0.08 * to.chance(i, 91), size: 0.04, depth: 0, index: i },
          [accent, '#ff7aa8', '#ffd34d', '#ffffff'][i % 4] ?? accent,
        );
    },
  },
  desert: {
    back: (to) => {
      clouds(to, 0.5, 0.74);
      to.land({ depth: 0.88, tint: '#d99b6a' }, mesas(to));
      to.land({ depth: 0.6, tint: '#eec07f', foot: '#e3aa66' }, hill(0.16, 0.05, 1.3, 2));
      to.land({ depth: 0.34, tint: '#e8b26b', foot: '#d99a55' }, hill(0.09, 0.035, 0.9, 6));
      for (const [x, size] of [
        [-0.62, 0.2],
        [0.7, 0.15],
        [-0.8, 0.12],
      ] as const)
        cactus(to, x * to.half, 0.06, size);
      to.land({ depth: 0.06, tint: '#f0c07a', foot: '#cf9050' }, hill(0.03, 0.012, 0.8, 9));
    },
  },
  snow: {
    back: (to) => {
      clouds(to, 0.4, 0.74);
      snowcaps(to, 0.86, peaks(to, 0.22, 0.15, 2.2, 4), 0.24, '#8ea6c8');
      to.land({ depth: 0.6, tint: '#dfeaf6', foot: '#cfdff0' }, hill(0.15, 0.04, 1.2, 2));
      trees(to, snowyPine, [
        [0.5, 0.11, 0.1, 0.12],
        [0.28, 0.06, 0.19, 0.22],
      ]);
      to.land({ depth: 0.24, tint: '#eaf2fb', foot: '#d5e3f3' }, hill(0.07, 0.02, 1, 6));
      to.land({ depth: 0.05, tint: '#f6faff', foot: '#c7d8ec' }, hill(0.028, 0.008, 0.8, 9));
    },
  },
  underwater: {
    sunless: true,
    inside: true,
    back: (to) => {
      for (let i = 0; i < 6; i += 1) {
        const x = to.half * (-0.8 + 0.32 * i);
        to.outline({ depth: 0.5, tint: '#d9fbff', alpha: 0.13, foot: '#3fb5cc', sway: 0.03 }, [
          [x + 0.12, 0.9],
          [x + 0.24, 0.9],
          [x - 0.06, 0.02],
          [x - 0.34, 0.02],
        ]);
      }
      to.land({ depth: 0.8, tint: '#3d90a8' }, peaks(to, 0.14, 0.1, 2.6, 3));
      to.land({ depth: 0.45, tint: '#4a9e96', foot: '#3a8a8f' }, hill(0.08, 0.04, 1.6, 6));
      for (let i = 0; i < 22; i += 1) {
        const x = (to.chance(i, 50) * 2 - 1) * to.half;
        if (Math.abs(x) < to.half * 0.3) continue;
        weed(to, x, 0.02 - 0.05 * to.chance(i, 51), 0.12 + 0.2 * to.chance(i, 52), i);
      }
      to.land({ depth: 0.06, tint: '#e6d3a0', foot: '#a9a58a' }, hill(0.03, 0.012, 1.2, 8));
      for (let i = 0; i < 40; i += 1)
        to.disc(
          { depth: 0.3, tint: '#e8ffff', alpha: 0.35, fall: -0.05 - 0.05 * to.chance(i, 57), sway: 0.006 },
          (to.chance(i, 55) * 2 - 1) * to.half,
          to.chance(i, 56),
          0.003 + 0.007 * to.chance(i, 58),
        );
    },
  },
  space: {
    sunless: true,
    starry: true,
    inside: true,
    back: (to, accent) => {
      nebula(to, -0.34, 0.5, '#5b3fae');
      nebula(to, 0.4, 0.34, mix(accent, '#3a2a80', 0.6));
      planet(to, to.half * 0.58, 0.54, 0.1);
      to.land({ depth: 0.5, tint: '#5d5a7c', foot: '#3f3c5c' }, hill(0.06, 0.03, 1.5, 3));
      to.land({ depth: 0.1, tint: '#8b88a8', foot: '#55527a' }, hill(0.025, 0.01, 1.1, 7));
      for (let i = 0; i < 12; i += 1) {
        const near = to.chance(i, 83);
        const x = (to.chance(i, 81) * 2 - 1) * to.half;
        to.disc({ depth: 0.05, tint: '#6a6788' }, x, -0.02 - 0.15 * near, 0.03 + 0.05 * near, 0.006 + 0.012 * near);
        to.disc({ depth: 0.05, tint: '#757294' }, x, -0.023 - 0.15 * near, 0.026 + 0.046 * near, 0.004 + 0.009 * near);
      }
    },
  },
  ...country,
  ...indoors,
} as const satisfies Record<string, Scenery>;

const snowyPine: typeof tree = (to, at) => {
  pine(to, at);
  pine(to, { ...at, y: at.y + at.size * 0.12, size: at.size * 0.9 }, '#ffffff');
};

/** Returns a setting's meshes for a frame's aspect ratio, and its sky. Pure: the seed determines all positions. */
export function drawPlace(
  name: PlaceName,
  { aspect, seed, accent }: { aspect: number; seed: number; accent: string },
): { back: BufferGeometry; front: BufferGeometry; discs: number; starry: number; inside: boolean; roofed: boolean } {
  const { back, front, sunless, starry, inside }: Scenery = places[name];
  const half = aspect / 2 + 0.4;
  const [behind, before] = [sketch(half, seed), sketch(half, seed + 1)];
  back(behind, accent);
  front?.(before, accent);
  return {
    back: behind.geometry(),
    front: before.geometry(),
    discs: sunless ? 0 : 1,
    starry: starry ? 1 : 0,
    inside: inside === true,
    roofed: name in indoors,
  };
}
