import type { Motion, MotionType, Palette, ParticlePreset, Style, Subject } from '../../../contract/film.ts';
import type { CounterWish, MotionWish, SubjectWish } from '../brief/brief.ts';
import { newMotion } from '../brief/wishes.ts';
import { normalizeHex, shift } from '../color.ts';
import { companions, festive } from '../palette.ts';

/** Heights leave air above, so that "higher" has somewhere to go. */
export const usualHeight = 0.75;
/** Beyond this a body would leave the frame. */
export const maxHeight = 1.1;
/** More bodies than this become a pattern; particles are what is meant then. */
export const maxCount = 24;
export const maxTimes = 20;

const usualTimes: Readonly<Record<'bounce' | 'jump' | 'pulse', number>> = { bounce: 3, jump: 2, pulse: 3 };

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const count = (value: number): number => within(Math.round(value), 1, maxTimes);

/** A motion with everything decided that the wish left open. */
export function motionOf(wish: MotionWish): Motion {
  const type = wish.type;
  switch (type) {
    case 'bounce':
    case 'jump':
      return { type, times: count(wish.times ?? usualTimes[type]), height: within(wish.height ?? usualHeight, 0.2, maxHeight) };
    case 'pulse':
      return { type, times: count(wish.times ?? usualTimes.pulse) };
    case 'roll':
      return { type, direction: wish.direction === 'left' ? 'left' : 'right' };
    case 'slide':
      return { type, direction: wish.direction ?? 'right' };
    case 'act': {
      const { program, verb } = wish.act ?? { program: 'hover', verb: 'hover' };
      return {
        type,
        program,
        verb,
        ...(wish.times === null ? {} : { times: count(wish.times) }),
        ...(wish.rate === null ? {} : { rate: within(wish.rate, 0.05, 12) }),
        ...(wish.direction === null ? {} : { direction: wish.direction }),
      };
    }
    case 'spin':
      return { type, turns: within(wish.turns ?? wish.times ?? 1, 0.25, 20) };
    case 'drop':
      // "Falls from the left": in from that side, and down.
      return wish.direction === 'left' || wish.direction === 'right'
        ? { type: 'act', program: 'land', verb: 'fall', direction: wish.direction }
        : { type };
    default:
      return { type };
  }
}

/** What a thing does that was only named. */
const idleMotion: Readonly<Record<SubjectWish['ref']['kind'], MotionType>> = {
  ball: 'float',
  cube: 'float',
  shape: 'float',
  figure: 'appear',
  logo: 'appear',
  bars: 'grow',
  counter: 'appear',
  particles: 'float',
  wave: 'float',
  orbit: 'spin',
  loader: 'spin',
};

/** Particles on the screen at once, in the usual amount. */
const particleCounts: Readonly<Record<ParticlePreset, number>> = {
  confetti: 160,
  snow: 180,
  stars: 200,
  sparkles: 80,
  rain: 220,
  bubbles: 45,
  fireworks: 240,
  leaves: 50,
};

const particleColors: Readonly<Record<ParticlePreset, readonly string[] | null>> = {
  confetti: null,
  snow: ['#ffffff', '#e8f1fb'],
  stars: ['#fff6dc', '#ffffff', '#cfe0ff'],
  sparkles: null,
  rain: ['#8fb6d9', '#b9d2e8'],
  bubbles: ['#9fd8ee', '#d6f1fa'],
  fireworks: ['#ffcf4d', '#ff5d6c', '#5ec8ff', '#b18cff'],
  leaves: ['#d9772b', '#b5532a', '#e3a63a', '#8f3d23'],
};

/** The colour that a thing has by nature and that the ground has to show; null = it takes the palette's. */
export function naturalColor(wish: SubjectWish): string | null {
  if (wish.color !== null) return wish.color;
  if (wish.ref.kind === 'shape' && wish.ref.shape === 'star') return '#f7b731';
  return wish.ref.kind === 'particles' ? (particleColors[wish.ref.preset]?.[0] ?? null) : null;
}

export interface SubjectContext {
  readonly palette: Palette;
  /** Colour for a thing whose colour nobody named. */
  readonly fallbackColor: string;
  readonly style: Style;
  /** True when it has its place by another thing, or another has its place by it: then it stands and does not hover. */
  readonly arranged?: boolean;
}

/** Figures beyond this are noise on a screen, and lose digits in a double. */
const maxFigure = 1e12;

/** Three rising values for a chart that was asked for without numbers. */
export const sampleBars = [
  { label: 'A', value: 24 },
  { label: 'B', value: 38 },
  { label: 'C', value: 57 },
] as const;

function counterOf(wish: CounterWish | null): { from: number; to: number; prefix: string; suffix: string; label: string } {
  const down = wish?.down ?? false;
  const figure = (value: number): number => within(value, -maxFigure, maxFigure);
  const from = wish?.from ?? (down ? (wish?.to ?? 5) : 0);
  const to = down && (wish?.from ?? null) === null ? 0 : (wish?.to ?? (down ? 0 : 100));
  return { from: figure(from), to: figure(to), prefix: wish?.prefix ?? '', suffix: wish?.suffix ?? '', label: wish?.label ?? '' };
}

/** The values of a chart; shares of a pie that make no whole are told with the rest. */
function whole({ bars, unit }: SubjectWish, chart: 'pie' | 'line' | undefined): SubjectWish['bars'] {
  const values = bars.map((bar) => ({ ...bar, value: within(bar.value, 0, maxFigure) }));
  const rest = 100 - values.reduce((sum, { value }) => sum + value, 0);
  return chart === 'pie' && unit === '%' && rest > 0 ? [...values, { label: '', value: Math.round(rest * 100) / 100 }] : values;
}

/** Drawings of what is in the air by nature; everything else stands. */
const airborne =
  /^(?:butterfly|(?:honey)?bee|bird|eagle|dove|owl|bat|parrot|swan|phoenix-bird|airplane|small-airplane|airplane-.*|helicopter|rocket|kite|cloud.*|star|comet|shooting-star|flying-saucer|parachute|mosquito|fly|lady-beetle|ghost|baby-angel|person-fairy|full-moon|crescent-moon|sun.*|rainbow|mdi-(?:quadcopter|airballoon|submarine|meteor)|heart.*|sparkles|snowflake|feather|leaf-.*|bubbles|musical-note.*|fish|tropical-fish|whale|dolphin|shark|jellyfish|octopus|squid|turtle|blowfish|satellite)$/;

/** What a thing does that was only named. */
function idleOf({ ref }: SubjectWish): MotionType {
  return ref.kind === 'figure' && airborne.test(ref.drawing) ? 'float' : idleMotion[ref.kind];
}

/** A wish with everything decided. `id` must be unique in the film. */
export function subjectOf(wish: SubjectWish, id: string, context: SubjectContext): Subject {
  const { ref } = wish;
  const color = normalizeHex(wish.color ?? '') ?? naturalColor(wish) ?? context.fallbackColor;
  const base = {
    id,
    color,
    size: within(wish.size ?? 1, 0.3, 2.2),
    motion: motionOf(wish.motion ?? newMotion(context.arranged === true ? 'appear' : idleOf(wish))),
  };
  const several = within(wish.count ?? (wish.plural ? (wish.amount !== null && wish.amount > 1 ? 7 : 3) : 1), 1, maxCount);
  const becomes = normalizeHex(wish.becomes ?? '');
  const countable = {
    ...base,
    count: several,
    ...(wish.formation === null || several < 2 ? {} : { formation: wish.formation }),
    ...(becomes === null ? {} : { becomes }),
  };
  switch (ref.kind) {
    case 'ball':
      // What has a colour of its own by nature is no toy ball.
      return { ...countable, kind: 'ball', ...(ref.color === undefined ? {} : { plain: true }) };
    case 'cube':
      return { ...countable, kind: 'cube' };
    case 'shape':
      return { ...countable, kind: 'shape', shape: ref.shape };
    case 'figure':
      return {
        ...countable,
        color: normalizeHex(wish.color ?? '') ?? ref.color ?? color,
        kind: 'figure',
        drawing: ref.drawing,
        noun: ref.noun,
      };
    case 'logo':
      return { ...base, kind: 'logo', src: '/assets/logo.png', aspectRatio: 1, ...ref.picture };
    case 'bars':
      return {
        ...base,
        kind: 'bars',
        ...(ref.chart === undefined ? {} : { chart: ref.chart }),
        bars: wish.bars.length > 0 ? whole(wish, ref.chart) : sampleBars,
        unit: wish.unit,
      };
    case 'counter':
      return { ...base, kind: 'counter', ...counterOf(wish.counter), ...(ref.gauge === undefined ? {} : { gauge: ref.gauge }) };
    case 'particles': {
      const named =
        wish.colors.length > 0 ? wish.colors : wish.color !== null ? [wish.color, shift(wish.color, { lightness: 0.1 })] : null;
      const colors =
        named ??
        particleColors[ref.preset] ??
        (ref.preset === 'confetti' ? festive : companions)(context.palette, context.palette.accent);
      const amount = wish.count ?? particleCounts[ref.preset] * (wish.amount ?? 1);
      return { ...base, kind: 'particles', preset: ref.preset, count: within(Math.round(amount), 1, 600), colors };
    }
    case 'wave':
      return { ...base, kind: 'wave', lines: within(wish.count ?? 4, 1, 12) };
    case 'orbit': {
      const bodies = within(wish.count ?? ref.bodies ?? 3, 1, 9);
      // The core has its colour to itself; the others are all different from it.
      const own = wish.colors.length > 0 ? wish.colors : festive(context.palette, color).slice(1);
      return {
        ...base,
        kind: 'orbit',
        bodies,
        bodyColors: Array.from({ length: bodies }, (_, i) => own[i % own.length] ?? color),
      };
    }
    case 'loader':
      return { ...base, kind: 'loader', variant: ref.variant };
  }
}
