import { between, hash } from './random.ts';

export type ParticlePreset = 'confetti' | 'snow' | 'stars' | 'sparkles' | 'rain' | 'bubbles' | 'fireworks' | 'leaves';

/** Volume that particles fill: the frame in world units, centred at (0, y). */
export interface Air {
  readonly width: number;
  readonly height: number;
}

export interface ParticleState {
  x: number;
  y: number;
  z: number;
  size: number;
  /** Ratio of height to width. */
  stretch: number;
  rotateX: number;
  rotateY: number;
  rotateZ: number;
  opacity: number;
  colorIndex: number;
  blur?: number;
}

function wrap(value: number, half: number): number {
  const span = half * 2;
  return ((((value + half) % span) + span) % span) - half;
}

function fadeEnds(value: number, half: number, margin: number): number {
  return Math.min(1, Math.max(0, (half - Math.abs(value)) / margin));
}

type Recipe = (index: number, count: number, seed: number, t: number, air: Air) => ParticleState;

function depthOf(index: number, seed: number): number {
  return hash(index, seed, 20) ** 1.4;
}

/**
 * Half of the confetti is shot from both lower corners, slowed by drag, then flutters down. The other half rains from above.
 */
const confetti: Recipe = (index, _count, seed, t, air) => {
  const depth = depthOf(index, seed);
  const z = -3 + depth * 5;
  const flutter = between(2.2, 4.5, index, seed, 1);
  const phase = hash(index, seed, 2) * Math.PI * 2;
  const sway = Math.sin(t * flutter * 0.6 + phase) * 0.35;
  const base = {
    z,
    size: air.height * (0.011 + 0.012 * depth),
    stretch: between(0.45, 1.5, index, seed, 3),
    rotateX: t * flutter * 1.7 + phase,
    rotateY: t * flutter * 1.1 + phase * 2,
    rotateZ: t * flutter * 0.5 + phase,
    colorIndex: Math.floor(hash(index, seed, 4) * 997),
  };
  const terminal = between(1.1, 2.1, index, seed, 5) * (air.height / 9);
  if (index % 2 === 0) {
    const side = index % 4 === 0 ? -1 : 1;
    const late = t - hash(index, seed, 6) * 0.28 + 0.12;
    if (late <= 0) return { ...base, x: side * air.width, y: -air.height, opacity: 0 };
    const drag = 1.5;
    const slowed = (1 - Math.exp(-drag * late)) / drag;
    const speedX = -side * between(1.2, 11, index, seed, 7) * (air.width / 16);
    const speedY = between(7.5, 17, index, seed, 8) * (air.height / 9);
    const x = side * air.width * 0.47 + speedX * slowed + sway * Math.min(1, late);
    const y = -air.height * 0.5 + (speedY + terminal) * slowed - terminal * late;
    return { ...base, x, y, opacity: fadeEnds(Math.min(0, y), air.height * 0.6, air.height * 0.06) };
  }
  const half = air.height * 0.62;
  const start = half + hash(index, seed, 9) * air.height * 1.1;
  const fallen = start - terminal * Math.max(0, t - 0.25) * 1.25;
  const y = fallen > half ? half : wrap(fallen, half);
  return {
    ...base,
    x: between(-0.55, 0.55, index, seed, 10) * air.width + sway,
    y,
    opacity: fadeEnds(y, half, air.height * 0.05),
  };
};

/**
 * Three layers of snow: many small distant flakes, some in the middle, a few large ones out of focus. A layer falls as a
 * whole, so its flakes stay evenly spread.
 */
const snowLayers = [
  { until: 0.58, z: [-6, -2.5], fall: 0.55, size: [0.004, 0.007], blur: 0.35, opacity: [0.4, 0.65], sway: 0.2 },
  { until: 0.9, z: [-2, 1], fall: 0.95, size: [0.008, 0.013], blur: 0.1, opacity: [0.75, 0.95], sway: 0.35 },
  { until: 1, z: [2, 4.5], fall: 1.7, size: [0.022, 0.036], blur: 1, opacity: [0.3, 0.5], sway: 0.5 },
] as const;

const snow: Recipe = (index, count, seed, t, air) => {
  const nth = snowLayers.findIndex(({ until }) => (index + 0.5) / count < until);
  const layer = snowLayers[nth] ?? snowLayers[2];
  const from = (snowLayers[nth - 1]?.until ?? 0) * count;
  const rank = index - Math.ceil(from - 0.5);
  const half = air.height * 0.62;
  // The R2 sequence (Roberts 2018) fills a rectangle evenly with any number of points. Each layer has its own offset.
  const evenX = (rank * 0.7548776662 + hash(nth, seed, 1)) % 1;
  const evenY = (rank * 0.569840291 + hash(nth, seed, 2)) % 1;
  const y = wrap((evenY * 2 - 1) * half - t * layer.fall * (air.height / 9), half);
  const sway = Math.sin(t * between(0.4, 0.9, index, seed, 3) + hash(index, seed, 4) * 7) * layer.sway;
  return {
    x: wrap((evenX - 0.5) * 1.24 * air.width + sway + t * 0.15 * (1 + nth), air.width * 0.62),
    y,
    z: between(layer.z[0], layer.z[1], index, seed, 5),
    size: air.height * between(layer.size[0], layer.size[1], index, seed, 6),
    stretch: 1,
    rotateX: 0,
    rotateY: 0,
    rotateZ: 0,
    opacity: between(layer.opacity[0], layer.opacity[1], index, seed, 7) * fadeEnds(y, half, air.height * 0.03),
    colorIndex: index,
    blur: layer.blur,
  };
};

const stars: Recipe = (index, _count, seed, t, air) => {
  const depth = depthOf(index, seed);
  const twinkle = 0.5 + 0.5 * Math.sin(t * between(0.8, 2.6, index, seed, 1) + hash(index, seed, 2) * 7);
  const large = hash(index, seed, 3) > 0.86;
  return {
    x: wrap(between(-0.75, 0.75, index, seed, 4) * air.width - t * 0.06 * (0.4 + depth), air.width * 0.75),
    y: between(-0.7, 0.7, index, seed, 5) * air.height,
    z: -7 + depth * 4,
    size: air.height * (large ? 0.03 : 0.006 + 0.007 * depth) * (0.75 + 0.35 * twinkle),
    stretch: 1,
    rotateX: 0,
    rotateY: 0,
    rotateZ: 0,
    opacity: (large ? 0.9 : 0.8) * (0.35 + 0.65 * twinkle),
    colorIndex: index,
  };
};

const sparkles: Recipe = (index, _count, seed, t, air) => {
  const period = between(1.1, 2.3, index, seed, 1);
  const clock = t / period + hash(index, seed, 2);
  const cycle = Math.floor(clock);
  const life = clock - cycle;
  // Each life starts at a new position, more often near the centre.
  const angle = hash(index, seed, 100 + cycle) * Math.PI * 2;
  const radius = Math.sqrt(hash(index, seed, 300 + cycle)) * 0.5;
  const glow = Math.sin(Math.PI * life) ** 2;
  return {
    x: Math.cos(angle) * radius * air.width,
    y: Math.sin(angle) * radius * air.height + life * 0.2,
    z: between(-3, 2, index, seed, 3),
    size: air.height * between(0.018, 0.062, index, seed, 4) * glow,
    stretch: 1,
    rotateX: 0,
    rotateY: 0,
    rotateZ: (life - 0.5) * 0.6,
    opacity: Math.min(1, glow * 1.4),
    colorIndex: index,
  };
};

const rain: Recipe = (index, _count, seed, t, air) => {
  const depth = depthOf(index, seed);
  const half = air.height * 0.65;
  const slant = 0.07;
  const y = wrap(between(-half, half, index, seed, 1) - t * (9 + 8 * depth) * (air.height / 9), half);
  return {
    x: between(-0.62, 0.62, index, seed, 2) * air.width + y * slant,
    y,
    z: -5 + depth * 7,
    size: air.height * (0.0022 + 0.0022 * depth),
    stretch: 22 + 14 * depth,
    rotateX: 0,
    rotateY: 0,
    rotateZ: -slant,
    opacity: 0.18 + 0.42 * depth,
    colorIndex: index,
  };
};

const bubbles: Recipe = (index, _count, seed, t, air) => {
  const depth = depthOf(index, seed);
  const half = air.height * 0.65;
  const y = wrap(between(-half, half, index, seed, 1) + t * (0.5 + 0.9 * depth) * (air.height / 9), half);
  const wobble = Math.sin(t * between(1.2, 2.4, index, seed, 2) + hash(index, seed, 3) * 7);
  return {
    x: between(-0.55, 0.55, index, seed, 4) * air.width + wobble * 0.18,
    y,
    z: -4 + depth * 6,
    size: air.height * (0.018 + 0.06 * depth ** 2),
    stretch: 1 + 0.05 * Math.sin(t * 3 + index),
    rotateX: 0,
    rotateY: 0,
    rotateZ: 0,
    opacity: (0.5 + 0.4 * depth) * fadeEnds(y, half, air.height * 0.1),
    colorIndex: index,
  };
};

const sparksPerShell = 46;
const shellSeconds = 2.1;

const fireworks: Recipe = (index, count, seed, t, air) => {
  const shells = Math.max(2, Math.round(count / sparksPerShell));
  const shell = index % shells;
  const period = Math.max(shellSeconds + 0.3, shells * 0.55);
  const clock = t - shell * (period / shells) + 0.25;
  const cycle = Math.floor(clock / period);
  const since = clock - cycle * period;
  const name = shell + cycle * shells;
  const x = between(-0.36, 0.36, name, seed, 31) * air.width;
  const y = between(0.02, 0.34, name, seed, 32) * air.height;
  const colorIndex = Math.floor(hash(name, seed, 33) * 997);
  const still = { z: -2, stretch: 1, rotateX: 0, rotateY: 0, rotateZ: 0, colorIndex };
  if (clock < 0 || since > shellSeconds) return { ...still, x, y, size: 0, opacity: 0 };
  // Directions spread evenly over a sphere (golden angle), with some jitter.
  const rank = Math.floor(index / shells) + hash(index, seed, 34) * 0.6;
  const perShell = Math.max(1, count / shells);
  const up = 1 - 2 * ((rank + 0.5) / perShell);
  const around = rank * 2.39996;
  const flat = Math.sqrt(Math.max(0, 1 - up * up));
  const reach = air.height * 0.34 * between(0.72, 1.08, index, seed, 35);
  const way = reach * (1 - Math.exp(-2.6 * since));
  // A spark starts as a streak along its direction and ends as a glowing dot.
  const streak = 1 + 5 * Math.exp(-3.2 * since);
  const flicker = 0.7 + 0.3 * Math.sin(since * 30 + index * 1.7);
  return {
    ...still,
    x: x + Math.cos(around) * flat * way,
    y: y + up * way - 0.55 * since * since * (air.height / 9),
    z: -2 + Math.sin(around) * flat * way * 0.5,
    size: air.height * 0.0125 * (1 - 0.5 * (since / shellSeconds)) * Math.min(1, since * 14),
    stretch: streak,
    rotateZ: Math.atan2(up, Math.cos(around) * flat) - Math.PI / 2,
    opacity: Math.max(0, 1 - (since / shellSeconds) ** 2.2) * (since > 1 ? flicker : 1),
  };
};

const leaves: Recipe = (index, _count, seed, t, air) => {
  const depth = depthOf(index, seed);
  const half = air.height * 0.62;
  const fall = (0.55 + 0.6 * depth) * (air.height / 9);
  const rate = between(0.9, 1.5, index, seed, 1);
  const phase = hash(index, seed, 2) * 7;
  const swing = Math.sin(t * rate + phase);
  const y = wrap(between(-half, half, index, seed, 3) - fall * t - 0.16 * Math.cos(2 * (t * rate + phase)), half);
  return {
    x: wrap(between(-0.58, 0.58, index, seed, 4) * air.width + swing * 0.8 + t * 0.22, air.width * 0.6),
    y,
    z: -4 + depth * 7,
    size: air.height * (0.022 + 0.028 * depth),
    stretch: 0.62,
    rotateX: 0.7 * Math.sin(t * rate * 1.3 + phase),
    rotateY: 0.9 * Math.sin(t * rate * 0.9 + phase * 2),
    rotateZ: phase + swing * 0.9,
    opacity: fadeEnds(y, half, air.height * 0.06),
    colorIndex: Math.floor(hash(index, seed, 5) * 997),
  };
};

const recipes: Readonly<Record<ParticlePreset, Recipe>> = { confetti, snow, stars, sparkles, rain, bubbles, fireworks, leaves };

/** Returns one particle's state, which depends only on its index, the seed and the time. */
export function particleAt(
  preset: ParticlePreset,
  index: number,
  count: number,
  seed: number,
  t: number,
  air: Air,
): ParticleState {
  return recipes[preset](index, count, seed, t, air);
}
