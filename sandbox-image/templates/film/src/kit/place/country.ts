import { mix } from '../color.ts';
import { cloud, hill, house, lamp, pine, tree } from './pieces.ts';
import type { Sketch } from './sketch.ts';

const clouds = (to: Sketch, low: number): void => {
  for (let i = 0; i < 7; i += 1) {
    const share = to.chance(i, 3);
    const x = (to.chance(i, 1) * 2 - 1) * to.half;
    const y = low + (0.74 - low) * to.chance(i, 2);
    cloud(to, { x, y, size: 0.05 + 0.05 * share, far: 0.62 - 0.3 * share, when: i < 3 ? 'always' : 'clouds', index: i });
  }
};

const hedge = (to: Sketch, y: number, size: number, depth: number, gap: number): void => {
  for (let x = -to.half, i = 0; x < to.half; x += gap * (0.7 + 0.6 * to.chance(i, 21)), i += 1)
    tree(to, { x, y, size: size * (0.8 + 0.4 * to.chance(i, 22)), depth, index: i });
};

/** Draws crop rows that converge at the horizon, and the soil between them. */
function crop(to: Sketch, plant: string, earth: string, tall: number): void {
  const [horizon, near] = [0.15, -0.5];
  to.land({ depth: 0.5, tint: mix(plant, earth, 0.3), foot: earth }, () => horizon);
  for (let row = -9; row <= 9; row += 1) {
    const [far, close] = [row * 0.05, row * 0.42];
    to.outline({ depth: 0.3, tint: mix(plant, '#ffffff', 0.12), foot: mix(plant, '#1d2a20', 0.22) }, [
      [close - 0.13, near],
      [close + 0.13, near],
      [far + 0.016, horizon],
      [far - 0.016, horizon],
    ]);
  }
  for (let line = 0; line < 3; line += 1) {
    const y = horizon - 0.012 - line * 0.02;
    const size = tall * (0.5 + 0.35 * line);
    for (let x = -to.half, i = 0; x < to.half; x += size * 0.8, i += 1) {
      const tint = mix(plant, i % 2 === 0 ? '#ffffff' : '#1d2a20', 0.1);
      to.disc({ depth: 0.4 - line * 0.07, tint, foot: mix(tint, '#1d2a20', 0.3), sway: 0.004 }, x, y, size * 0.6, size);
    }
  }
}

const farmland = (plant: string, earth: string, tall: number) => ({
  back: (to: Sketch) => {
    clouds(to, 0.36);
    to.land({ depth: 0.8, tint: '#8db98a' }, hill(0.2, 0.04, 1.2, 4));
    hedge(to, 0.165, 0.06, 0.6, 0.2);
    crop(to, plant, earth, tall);
  },
});

/** Draws water from the far bank to the lower edge of the frame, with drifting streaks of light. */
function water(to: Sketch, bank: number, drift: number): void {
  to.land({ depth: 0.3, tint: '#6cc3dd', foot: '#1f7fae', swell: 0.003 }, () => bank);
  for (let i = 0; i < 26; i += 1) {
    const near = to.chance(i, 31);
    const x = (to.chance(i, 30) * 2 - 1) * to.half;
    to.disc(
      { depth: 0.25 - 0.2 * near, tint: '#d9f4fb', alpha: 0.5, drift },
      x,
      bank - 0.02 - 0.26 * near,
      0.03 + 0.07 * near,
      0.003,
    );
  }
}

/** Draws shallow water in front of floating bodies, up to half their height. */
const shallows = (to: Sketch): void => to.land({ depth: 0.02, tint: '#4fb3d6', foot: '#1f7fae', swell: 0.006 }, () => 0.014);

function reeds(to: Sketch, x: number, y: number, size: number): void {
  for (let i = 0; i < 7; i += 1) {
    const at = x + (i - 3) * size * 0.09;
    const high = size * (0.7 + 0.4 * to.chance(i, 33));
    to.outline({ depth: 0.05, tint: '#5f9a4c', foot: '#35663c', sway: size * 0.05, anchor: x }, [
      [at - size * 0.02, y],
      [at + size * 0.02, y],
      [at + size * 0.04, y + high],
    ]);
    if (i % 2 === 0)
      to.disc(
        { depth: 0.05, tint: '#8a5a38', sway: size * 0.05, anchor: x },
        at + size * 0.03,
        y + high,
        size * 0.025,
        size * 0.09,
      );
  }
}

function lily(to: Sketch, x: number, y: number, size: number, flower: string): void {
  to.disc({ depth: 0.02, tint: '#4ba35f', foot: '#2f7d4b', swell: 0.004 }, x, y, size, size * 0.28);
  to.disc({ depth: 0.02, tint: flower, swell: 0.004 }, x + size * 0.2, y + size * 0.2, size * 0.24, size * 0.2);
  to.disc({ depth: 0.02, tint: '#ffe08a', swell: 0.004 }, x + size * 0.2, y + size * 0.24, size * 0.1, size * 0.09);
}

const banks = (to: Sketch): void => {
  clouds(to, 0.36);
  to.land({ depth: 0.8, tint: '#8dc192' }, hill(0.2, 0.04, 1.2, 2));
  hedge(to, 0.15, 0.12, 0.5, 0.16);
  to.land({ depth: 0.4, tint: '#86c76c', foot: '#5ba557' }, hill(0.13, 0.012, 1.5, 3));
};

export const country = {
  cornfield: farmland('#e3bc4f', '#b98a3c', 0.04),
  vineyard: farmland('#6a9c46', '#b58a5c', 0.045),
  'lavender field': farmland('#9a7fd8', '#8f8a5a', 0.034),
  pond: {
    back: (to: Sketch, accent: string) => {
      banks(to);
      water(to, 0.085, 0.002);
      for (const side of [-1, 1]) reeds(to, side * to.half * 0.62, 0.06, 0.2);
      for (const [x, y, size] of [
        [-0.55, -0.04, 0.06],
        [0.6, -0.09, 0.075],
        [0.42, 0.03, 0.045],
      ] as const)
        lily(to, x * to.half, y, size, mix(accent, '#ffffff', 0.5));
    },
    front: (to: Sketch) => {
      shallows(to);
      for (const side of [-1, 1]) reeds(to, side * to.half * 0.84, -0.26, 0.3);
    },
  },
  river: {
    back: (to: Sketch) => {
      banks(to);
      water(to, 0.09, 0.05);
    },
    front: (to: Sketch) => {
      shallows(to);
      to.land({ depth: 0, tint: '#6fb85c', foot: '#3f8648' }, hill(-0.2, 0.01, 1.3, 5));
    },
  },
  hills: {
    back: (to: Sketch) => {
      clouds(to, 0.5);
      to.land({ depth: 0.8, tint: '#9ccf9a' }, (x) => 0.12 + 0.26 * Math.exp(-(((x - to.half * 0.55) / 0.5) ** 2)));
      to.land(
        { depth: 0.55, tint: '#7fc277', foot: '#62ad66' },
        (x) => 0.06 + 0.34 * Math.exp(-(((x + to.half * 0.5) / 0.55) ** 2)),
      );
      tree(to, { x: -to.half * 0.5, y: 0.385, size: 0.13, depth: 0.5, index: 2 });
      to.land(
        { depth: 0.3, tint: '#66b463', foot: '#4a9a58' },
        (x) => 0.03 + 0.16 * Math.exp(-(((x - to.half * 0.8) / 0.5) ** 2)),
      );
      hedge(to, 0.035, 0.06, 0.25, 0.5);
      to.land({ depth: 0.06, tint: '#58a85a', foot: '#337a49' }, hill(0.025, 0.006, 0.9, 8));
    },
  },
  village: {
    back: (to: Sketch) => {
      clouds(to, 0.5);
      to.land({ depth: 0.85, tint: '#8fb99c' }, hill(0.24, 0.06, 1.3, 2));
      for (let x = -to.half, i = 0; x < to.half; i += 1) {
        const width = 0.13 + 0.06 * to.chance(i, 40);
        if (i % 3 === 2) tree(to, { x: x + 0.05, y: 0.09, size: 0.17, depth: 0.45, index: i });
        else house(to, { x, y: 0.085, width, height: 0.11 + 0.05 * to.chance(i, 41), depth: 0.45, index: i });
        x += i % 3 === 2 ? 0.11 : width + 0.03;
      }
      const x = to.half * 0.34;
      to.box({ depth: 0.5, tint: '#f2e8d8', foot: '#d9c9b2' }, x - 0.03, 0.08, 0.06, 0.3);
      to.outline({ depth: 0.5, tint: '#b5533f', foot: '#93402f' }, [
        [x - 0.04, 0.38],
        [x + 0.04, 0.38],
        [x, 0.52],
      ]);
      to.disc({ depth: 0.5, tint: '#ffe9b8', glow: 0.3 }, x, 0.33, 0.014);
      to.land({ depth: 0.3, tint: '#9ccf7c', foot: '#78b565' }, hill(0.09, 0.01, 1.2, 6));
      to.land({ depth: 0.08, tint: '#d9c7a4', foot: '#bda57e' }, hill(0.035, 0.006, 1, 4));
    },
  },
  station: {
    back: (to: Sketch, accent: string) => {
      clouds(to, 0.5);
      to.land({ depth: 0.8, tint: '#9db4b8' }, hill(0.16, 0.03, 1.2, 3));
      to.box({ depth: 0.5, tint: '#d8a27c', foot: '#b9805c' }, -to.half, 0.06, to.half * 2, 0.3);
      for (let x = -to.half + 0.06, i = 0; x < to.half; x += 0.24, i += 1) {
        to.box({ depth: 0.48, tint: '#8a5a42' }, x - 0.008, 0.112, 0.116, 0.176);
        to.box({ depth: 0.48, tint: '#bfe0ee', foot: '#9cc4d8', glow: 0.2 + 0.5 * to.chance(i, 50) }, x, 0.12, 0.1, 0.16);
      }
      to.outline({ depth: 0.3, tint: mix(accent, '#3a4660', 0.45), foot: '#2f3a52' }, [
        [-to.half, 0.4],
        [to.half, 0.4],
        [to.half, 0.47],
        [-to.half, 0.47],
      ]);
      for (let x = -to.half * 0.9; x < to.half; x += to.half * 0.45)
        to.box({ depth: 0.3, tint: '#45506a', foot: '#333d55' }, x, 0.05, 0.016, 0.36);
      to.disc({ depth: 0.28, tint: '#38435c' }, 0, 0.36, 0.05);
      to.disc({ depth: 0.28, tint: '#fff6df', glow: 0.1 }, 0, 0.36, 0.042);
      to.box({ depth: 0.28, tint: '#2b3347' }, -0.002, 0.36, 0.004, 0.032);
      to.box({ depth: 0.28, tint: '#2b3347' }, 0, 0.358, 0.022, 0.004);
      to.land({ depth: 0.1, tint: '#d3ccc2', foot: '#b2aaa0' }, () => 0.052);
      to.box({ depth: 0.03, tint: '#f4cf52' }, -to.half, -0.1, to.half * 2, 0.014);
      to.land({ depth: 0.02, tint: '#8b8580', foot: '#5e5a58' }, () => -0.13);
      for (const y of [-0.17, -0.215]) to.box({ depth: 0.01, tint: '#c3c9d3' }, -to.half, y, to.half * 2, 0.012);
      for (const x of [-0.8, 0.8]) lamp(to, x * to.half, 0.045, 0.3);
    },
  },
  ice: {
    back: (to: Sketch) => {
      clouds(to, 0.45);
      to.land({ depth: 0.8, tint: '#dfeaf6', foot: '#c8d9ec' }, hill(0.18, 0.05, 1.3, 2));
      for (let x = -to.half, i = 0; x < to.half; x += 0.12 + 0.1 * to.chance(i, 60), i += 1)
        pine(to, { x, y: 0.11, size: 0.1 + 0.07 * to.chance(i, 61), depth: 0.5, index: i });
      to.land({ depth: 0.4, tint: '#f2f8fd', foot: '#dbe8f4' }, hill(0.1, 0.012, 1.4, 5));
      to.land({ depth: 0.15, tint: '#c5e6f5', foot: '#8fc3e0' }, () => 0.065);
      for (let i = 0; i < 16; i += 1) {
        const near = to.chance(i, 63);
        const [x, y] = [(to.chance(i, 62) * 2 - 1) * to.half, 0.05 - 0.28 * near];
        const long = 0.06 + 0.16 * near;
        to.outline({ depth: 0.05, tint: '#ffffff', alpha: 0.55 }, [
          [x, y],
          [x + long, y + 0.012],
          [x + long * 0.8, y + 0.016],
        ]);
      }
    },
  },
} as const;
