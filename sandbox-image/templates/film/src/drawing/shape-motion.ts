import { hash } from '../kit/random.ts';
import { ease, easeInOutCubic, easeInOutQuart, easeOutCubic } from '../stage/easing.ts';
import { blend, type Outline, outlines, type ShapeName } from './shape-outlines.ts';

export type ShapeMotion = 'bounce' | 'roll' | 'spin' | 'orbit' | 'wave' | 'morph' | 'pulse' | 'collide' | 'float' | 'drop';

export interface Slot {
  readonly x: number;
  readonly floor: number;
  readonly size: number;
}

export interface Pose {
  readonly x: number;
  readonly floor: number;
  /** Distance between the floor and the lowest point of the body. */
  readonly height: number;
  readonly turn: number;
  readonly yaw: number;
  readonly wide: number;
  readonly tall: number;
  readonly size: number;
  readonly outline: Outline | null;
}

/** All inputs of a pose except the time. */
export interface Field {
  readonly slots: readonly Slot[];
  readonly shapes: readonly ShapeName[];
  readonly width: number;
  readonly top: number;
  readonly times: number | null;
  readonly style: 'playful' | 'smooth' | 'cinematic';
  readonly seed: number;
  /** Time range of the motion, in seconds. */
  readonly from: number;
  readonly length: number;
}

const squash = { playful: 1.3, smooth: 0.8, cinematic: 0.4 };
const contactSeconds = 0.05;

/**
 * A fall or a hop, and the flights after it. Every flight is a parabola, with e² times the height and e times the duration of
 * the previous one.
 */
export interface BouncePlan {
  readonly height: number;
  readonly fall: number;
  /** Flights in order, with their duration in seconds and their height. A fall starts with half a flight. */
  readonly flights: readonly { readonly seconds: number; readonly height: number }[];
  readonly falls: boolean;
  readonly seconds: number;
}

/** Plans `count` rebounds or hops over a duration. After the last one, all remaining energy is lost. */
export function planBounces({
  height,
  count,
  length,
  falls,
  restitution,
}: {
  readonly height: number;
  readonly count: number;
  readonly length: number;
  readonly falls: boolean;
  readonly restitution: number;
}): BouncePlan {
  const shares = Array.from({ length: count }, (_, index) => restitution ** (falls ? index + 1 : index));
  shares.push((shares.at(-1) ?? 1) * 0.3);
  const units = (falls ? 1 : 0) + 2 * shares.reduce((sum, share) => sum + share, 0);
  const contacts = shares.length * contactSeconds;
  const fall = Math.min((length - contacts) / units, 0.95);
  const flights = shares.map((share) => ({ seconds: 2 * fall * share, height: height * share ** 2 }));
  if (falls) flights.unshift({ seconds: fall, height });
  return { height, fall, flights, falls, seconds: fall * units + contacts };
}

/**
 * Returns the fraction of its speed that a body keeps in a bounce. With many bounces it is larger, so that the last ones are
 * visible.
 */
const restitutionFor = ({ style }: Field, count: number) =>
  Math.min(0.93, Math.max(style === 'playful' ? 0.8 : 0.75, 0.14 ** (1 / (2 * count))));

export interface BounceState {
  readonly height: number;
  readonly speed: number;
  readonly contact: number;
}

export function bounceAt(plan: BouncePlan, seconds: number): BounceState {
  const gravity = (2 * plan.height) / plan.fall ** 2;
  const top = gravity * plan.fall;
  let left = Math.max(0, seconds);
  for (const [index, flight] of plan.flights.entries()) {
    const fallsHere = plan.falls && index === 0;
    if (left < flight.seconds) {
      const start = fallsHere ? 0 : (gravity * flight.seconds) / 2;
      const height = (fallsHere ? flight.height : 0) + start * left - (gravity * left ** 2) / 2;
      return { height, speed: (start - gravity * left) / top, contact: 0 };
    }
    left -= flight.seconds;
    const hit = Math.sqrt(flight.height / plan.height);
    if (left < contactSeconds) return { height: 0, speed: 0, contact: hit * Math.sin((left / contactSeconds) * Math.PI) };
    left -= contactSeconds;
  }
  return { height: 0, speed: 0, contact: 0 };
}

/** Softness of each shape: a ball deforms, a cube hardly does. */
const softness = (shape: ShapeName) => ({ ball: 0.17, cube: 0.08, cone: 0.06 })[shape as 'ball'] ?? 0.12;

const still = ({ x, floor, size }: Slot): Pose => ({
  x,
  floor,
  size,
  height: 0,
  turn: 0,
  yaw: 0,
  wide: 1,
  tall: 1,
  outline: null,
});

function deform(pose: Pose, tall: number): Pose {
  return { ...pose, tall: pose.tall * tall, wide: pose.wide / Math.sqrt(tall) };
}

function bounced(slot: Slot, state: BounceState, shape: ShapeName, style: Field['style']): Pose {
  const pressed = 1 - softness(shape) * squash[style] * state.contact;
  return deform({ ...still(slot), height: state.height }, pressed * (1 + 0.05 * Math.abs(state.speed)));
}

/** Progress of the motion, 0 to 1, slow at both ends. */
const course = (field: Field, seconds: number) => ease(easeInOutCubic, (seconds - field.from) / field.length);

type Mover = (field: Field, seconds: number, index: number) => Pose;

/** Returns a single body's flight through the whole frame. */
export function flightOf(field: Field): { readonly plan: BouncePlan; readonly xAt: (seconds: number) => number } {
  const slot = field.slots[0] as Slot;
  const count = field.times ?? 3;
  const plan = planBounces({
    height: slot.floor - field.top - slot.size * 2.1,
    count,
    length: field.length - 0.4,
    falls: true,
    restitution: restitutionFor(field, count),
  });
  const [start, end] = [field.width * 0.12, field.width * 0.84];
  const roll = 0.25;
  const speed = (end - start) / (plan.seconds + roll);
  const xAt = (seconds: number) => {
    const flown = Math.min(Math.max(0, seconds), plan.seconds);
    return start + speed * (flown + roll * (1 - Math.exp(-Math.max(0, seconds - plan.seconds) / roll)));
  };
  return { plan, xAt };
}

/** A single body flies through the frame; several hop in sequence, each in place. */
const bounce: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const shape = field.shapes[index] as ShapeName;
  if (field.slots.length === 1) {
    const { plan, xAt } = flightOf(field);
    const since = seconds - field.from;
    return { ...bounced(slot, bounceAt(plan, since), shape, field.style), x: xAt(since) };
  }
  const stagger = Math.min(0.28, 1.1 / field.slots.length);
  const crouch = field.style === 'smooth' ? 0.06 : 0.14;
  const start = field.from + index * stagger;
  const count = field.times ?? 3;
  const plan = planBounces({
    height: Math.min(slot.floor - field.top - slot.size * 2.4, slot.size * 3.4),
    count,
    length: field.length - stagger * (field.slots.length - 1) - crouch,
    falls: false,
    restitution: restitutionFor(field, count),
  });
  if (seconds < start + crouch) {
    const low = Math.sin(Math.min(1, Math.max(0, (seconds - start) / crouch)) * Math.PI);
    return deform(still(slot), 1 - 0.1 * low);
  }
  return bounced(slot, bounceAt(plan, seconds - start - crouch), shape, field.style);
};

const degreesFor = (distance: number, size: number) => (distance / size) * (180 / Math.PI);

/** Rolls in, back and forth, and to its position. Each body rotates by the distance travelled. */
const roll: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const passes = field.times ?? 2;
  const at = Math.min(passes, Math.max(0, ((seconds - field.from) / field.length) * passes));
  const pass = Math.min(passes - 1, Math.floor(at));
  const crowd = field.slots.length === 1 ? 1 : 0.62;
  const placeOf = (x: number) => field.width / 2 + (x - field.width / 2) * crowd;
  const lead = Math.max(...field.slots.map(({ x, size }) => placeOf(x) + size * 1.5));
  const turningPoint = (count: number) => {
    if (count === 0) return -lead;
    return count === passes ? 0 : field.width * (count % 2 === 1 ? 0.26 : -0.26);
  };
  const along = ease(pass === 0 ? easeOutCubic : easeInOutCubic, at - pass);
  const offset = turningPoint(pass) + (turningPoint(pass + 1) - turningPoint(pass)) * along;
  return { ...still(slot), x: placeOf(slot.x) + offset, turn: degreesFor(offset, slot.size * 1.05) };
};

const spin: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const turns = field.times ?? 3;
  const delay = index * 0.08;
  return { ...still(slot), yaw: 360 * turns * course({ ...field, length: field.length - 0.4 }, seconds - delay) };
};

/** If there are several bodies, the first is in the middle and the others orbit it on the floor. */
const orbit: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const central = field.slots.length > 1;
  if (central && index === 0) return { ...still(slot), x: field.width / 2, yaw: 40 * course(field, seconds) };
  const others = field.slots.length - (central ? 1 : 0);
  const place = (index - (central ? 1 : 0)) / others;
  const angle = (place + (field.times ?? 2) * course(field, seconds)) * 2 * Math.PI - Math.PI * 0.8;
  const ring = orbitRing(field);
  const near = Math.sin(angle);
  const x = ring.x + Math.cos(angle) * ring.width;
  const size = slot.size * (1 + 0.16 * near);
  return {
    ...still(slot),
    x,
    size,
    floor: ring.y + near * ring.height,
    turn: degreesFor(x - ring.x, size),
    yaw: (angle * 180) / Math.PI,
  };
};

/** Returns the ellipse on the floor along which bodies orbit. */
export function orbitRing({ slots, width }: Field): { x: number; y: number; width: number; height: number } {
  const slot = slots[0] as Slot;
  const reach = Math.min(width * 0.34, slot.size * 4.6);
  return { x: width / 2, y: slot.floor - slot.size * 0.4, width: reach, height: Math.min(reach * 0.3, slot.size * 1.1) };
}

const wave: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const strength =
    Math.min(1, Math.max(0, (seconds - field.from) / 0.6)) *
    Math.min(1, Math.max(0, (field.from + field.length - seconds) / 0.6));
  const phase = ((seconds - field.from) / field.length) * (field.times ?? 3) - index * Math.min(0.16, 1 / field.slots.length);
  const reach = Math.min(slot.size * 1.7, (slot.floor - field.top) * 0.4);
  const up = (1 - Math.cos(phase * 2 * Math.PI)) / 2;
  return { ...still(slot), height: reach * up * strength, turn: Math.sin(phase * 2 * Math.PI) * 6 * strength };
};

const morphOrder: readonly ShapeName[] = ['circle', 'square', 'triangle', 'star', 'heart', 'hexagon', 'ring'];

const morph: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const own = field.shapes[index] as ShapeName;
  const kinds = [...new Set(field.shapes)];
  const order = kinds.length > 1 ? kinds : [own, ...morphOrder.filter((shape) => outlines[shape] !== outlines[own])];
  const start = Math.max(0, order.indexOf(own));
  const steps = field.times ?? Math.min(4, order.length);
  const at = Math.min(steps, Math.max(0, ((seconds - field.from - index * 0.05) / (field.length - 0.3)) * steps));
  const step = Math.min(steps - 1, Math.floor(at));
  // Holds each shape for half of its time.
  const share = ease(easeInOutQuart, Math.min(1, Math.max(0, (at - step) * 1.9 - 0.5)));
  const shapeAt = (place: number) => outlines[order[(start + place) % order.length] as ShapeName];
  const outline = blend(shapeAt(step), shapeAt(step + 1), share);
  const effort = Math.sin(share * Math.PI);
  return deform({ ...still(slot), outline, height: effort * slot.size * 0.5, turn: 0 }, 1 + 0.12 * effort);
};

/** Returns a heartbeat: two quick beats, then a pause. */
export function beatAt({ from, length, times }: Field, seconds: number): number {
  const beats = times ?? 4;
  const at = ((seconds - from) / length) * beats;
  if (at < 0 || at >= beats) return 0;
  const within = at % 1;
  return Math.exp(-(((within - 0.16) / 0.075) ** 2)) + 0.55 * Math.exp(-(((within - 0.4) / 0.08) ** 2));
}

const pulse: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const grown = 1 + 0.17 * beatAt(field, seconds - index * 0.03);
  return { ...still(slot), wide: grown, tall: grown };
};

/** Two halves collide repeatedly; a single body hits the edge of the frame. */
const collide: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const hits = field.times ?? 2;
  const phase = Math.min(1, Math.max(0, (seconds - field.from) / field.length)) * hits * Math.PI;
  const apart = Math.abs(Math.cos(phase));
  const contact = Math.max(0, 1 - apart / 0.09);
  const count = field.slots.length;
  if (count === 1) {
    const wall = field.width - slot.size;
    const x = wall - apart * field.width * 0.6;
    return { ...still(slot), x, turn: degreesFor(x - wall, slot.size), wide: 1 - 0.14 * contact, tall: 1 + 0.07 * contact };
  }
  const half = Math.ceil(count / 2);
  const first = index < half;
  // Both halves meet in the middle, in their order.
  const rank = first ? half - 1 - index : index - half;
  const side = first ? -1 : 1;
  const before = field.slots.slice(...(first ? [index + 1, half] : [half, index])).reduce((sum, { size }) => sum + size * 2.1, 0);
  const touching = side * (slot.size + before);
  const extent = field.slots.slice(first ? 0 : half, first ? half : count).reduce((sum, { size }) => sum + size * 2.1, 0);
  const reach = Math.max(field.width * 0.08, Math.min(field.width * 0.26, field.width * 0.46 - extent));
  const travel = side * apart * reach * (1 + 0.05 * rank);
  return {
    ...still(slot),
    x: field.width / 2 + touching + travel,
    turn: degreesFor(travel, slot.size),
    wide: 1 - 0.13 * contact * squash[field.style],
    tall: 1 + 0.065 * contact * squash[field.style],
  };
};

const float: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const phase = hash(index, field.seed, 61) * 2 * Math.PI;
  const period = 3.2 + hash(index, field.seed, 62) * 1.4;
  const reach = slot.size * 0.3;
  const room = slot.floor - field.top - slot.size * 2.6;
  const base = Math.min(slot.size * (0.7 + 0.5 * hash(index, field.seed, 63)), Math.max(reach, room));
  const swing = Math.sin((seconds / period) * 2 * Math.PI + phase);
  return {
    ...still(slot),
    height: base + reach * swing,
    turn: 5 * Math.cos((seconds / period) * 2 * Math.PI + phase),
    yaw: 14 * swing,
  };
};

/** Bodies fall from above the frame in sequence. */
const drop: Mover = (field, seconds, index) => {
  const slot = field.slots[index] as Slot;
  const count = field.slots.length;
  const stagger = Math.min(0.25, 1.2 / count);
  const since = seconds - field.from - stagger * index;
  const plan = planBounces({
    height: slot.floor + slot.size,
    count: Math.min(4, field.times ?? 2),
    length: Math.min(1.5, field.length - stagger * (count - 1)),
    falls: true,
    restitution: field.style === 'playful' ? 0.55 : 0.42,
  });
  const tumble = (1 - Math.min(1, Math.max(0, since) / plan.fall)) ** 2;
  return {
    ...bounced(slot, bounceAt(plan, since), field.shapes[index] as ShapeName, field.style),
    turn: (hash(index, field.seed, 64) - 0.5) * 90 * tumble,
  };
};

export const movers: Readonly<Record<ShapeMotion, Mover>> = {
  bounce,
  roll,
  spin,
  orbit,
  wave,
  morph,
  pulse,
  collide,
  float,
  drop,
};
