import type { Motion, Style } from '../../../../contract/film.ts';
import { fromOutside, programOf } from '../../programs.ts';
import { round } from '../frame.ts';
import { joinStops, type KeyChannels, type KeyStop, stop } from '../keyframes.ts';
import { act } from './act.ts';
import { appear, explode, float, fly, pulse, resize, slide, spin, swing } from './air.ts';
import { type Body, enteredAt, type MotionKeys, sway, type Touch } from './body.ts';
import { bounce, drop, jump, roll } from './ground.ts';
import { breathe } from './rest.ts';

function motionKeys(motion: Motion, body: Body): MotionKeys {
  switch (motion.type) {
    case 'act':
      return act(motion, body);
    case 'bounce':
      return bounce(motion.times, motion.height, body);
    case 'roll':
      return roll(motion.direction, body);
    case 'slide':
      return slide(motion.direction, body);
    case 'spin':
      return spin(motion.turns, body);
    case 'float':
      return float(body);
    case 'pulse':
      return pulse(motion.times, body);
    case 'grow':
    case 'shrink':
      return resize(motion.type, body);
    case 'drop':
      return drop(body);
    case 'jump':
      return jump(motion.times, motion.height, body);
    case 'swing':
      return swing(body);
    case 'explode':
      return explode(body);
    case 'fly':
      return fly(body);
    case 'appear':
      return appear(body);
  }
}

/** Ways in from outside are ways on for who is there already. */
export function movesOn(motion: Motion, body: Body): Motion {
  if (body.pose === null) return motion;
  const freeSide = body.x <= body.frame.width * 0.08 ? ('right' as const) : ('left' as const);
  switch (motion.type) {
    case 'roll':
      return { type: 'act', program: 'pass', verb: 'roll', direction: motion.direction };
    case 'slide': {
      const program = { left: 'pass', right: 'pass', up: 'climb', down: 'descend' }[motion.direction];
      return { type: 'act', program, verb: 'slide', direction: motion.direction };
    }
    case 'fly':
      return { type: 'act', program: 'fly', verb: 'fly', direction: freeSide };
    case 'drop':
      return body.aloft > body.halfHeight * 0.3
        ? { type: 'act', program: 'land', verb: 'drop' }
        : { type: 'jump', times: 1, height: 0.5 };
    case 'act':
      return motion.direction === undefined && fromOutside.includes(programOf(motion.program).way)
        ? { ...motion, direction: freeSide }
        : motion;
    default:
      return motion;
  }
}

/** Channels that begin where the scene before left the body. */
function fromPose(channels: KeyChannels, pose: Readonly<Record<string, number>>): KeyChannels {
  const begun: Record<string, KeyChannels[string]> = { ...channels };
  for (const [channel, value] of Object.entries({ x: 0, y: 0, z: 0, scale: 1, ...pose })) {
    const stops = channels[channel];
    const rest = ['scale', 'squash', 'opacity'].includes(channel) ? 1 : 0;
    if (stops === undefined) {
      if (value !== rest) begun[channel] = value;
    } else if (typeof stops !== 'number')
      begun[channel] = [
        stop(0, value),
        ...stops
          .filter(({ time }) => time > 0.02)
          .map((key) => (key.ease === null ? { ...key, ease: 'easeInOutCubic' as const } : key)),
      ];
  }
  return begun;
}

/** Rest that is long enough to look dead. */
const longRestSeconds = 0.9;
type Moves = Readonly<Record<string, readonly KeyStop[]>>;

/** How far a body turns on, in degrees, where its style does not hop. */
const turnOn = { flat: 9, solid: 22 } as const;

/** What has done its part stays alive until it leaves: on its foot it breathes or turns on, in the air it hovers. */
function withAfterlife(moves: Moves, body: Body, ownExit: boolean): Moves {
  const { durationSeconds } = body.timing;
  const { squash = [], ...others } = moves;
  const endOf = (stops: readonly KeyStop[]): number => stops.at(-1)?.time ?? 0;
  const over = Math.max(enteredAt(body), ...Object.values(others).map(endOf));
  if (body.still || ownExit || durationSeconds - over < longRestSeconds) return moves;
  if (!body.stands) {
    const { y = [stop(0, 0)] } = moves;
    const rest = y.at(-1)?.value ?? 0;
    const hover = sway(over, durationSeconds, body.halfHeight * body.manner.idle, 1.3);
    const onward = hover.map((key, index) => ({
      ...key,
      value: round(key.value + rest),
      ease: index === 0 ? ('linear' as const) : key.ease,
    }));
    return { ...moves, y: joinStops(y, onward) };
  }
  const stands = Math.max(over, endOf(squash));
  const breathing = { ...moves, squash: joinStops(squash.length > 0 ? squash : [stop(0, 1)], breathe(stands + 0.1, body)) };
  if (body.playful) return breathing;
  const { rotateY = [stop(0, 0)] } = moves;
  const from = rotateY.at(-1)?.value ?? 0;
  const turning = [
    stop(round(over), from, 'linear'),
    stop(round(durationSeconds), round(from + turnOn[body.flat ? 'flat' : 'solid']), 'easeInOutCubic'),
  ];
  return { ...breathing, rotateY: joinStops(rotateY, turning) };
}

interface InOut {
  readonly scale: readonly KeyStop[];
  readonly opacity: readonly KeyStop[];
}

/** The style's way to come on stage: playful pops, smooth grows out of the air, cinematic comes out of the dark. */
function entrance(style: Style, firstSize: number, body: Body): InOut {
  const seconds = round(enteredAt(body));
  const { enterEase } = body.manner;
  // The very first frame of a film is not empty: the body is already on its way in.
  const ahead = body.timing.first;
  if (style === 'playful')
    return { scale: [stop(0, round(ahead ? firstSize * body.firstShare : 0)), stop(seconds, firstSize, enterEase)], opacity: [] };
  const from = style === 'smooth' ? 0.82 : 0.93;
  return {
    scale: [stop(0, round(firstSize * from)), stop(seconds, firstSize, enterEase)],
    opacity: [stop(0, ahead ? 0.4 : 0), stop(round(seconds * 0.7), 1, 'easeOutCubic')],
  };
}

/** The style's way to leave, faster than it came. */
function exit(style: Style, lastSize: number, body: Body): InOut {
  if (body.timing.last) return { scale: [], opacity: [] };
  const from = body.exitAt;
  const until = round(from + body.manner.exitSeconds);
  const { exitEase } = body.manner;
  if (style === 'playful') return { scale: [stop(from, lastSize, 'linear'), stop(until, 0, exitEase, 'exit')], opacity: [] };
  return {
    scale: [stop(from, lastSize, 'linear'), stop(until, round(lastSize * 0.9), exitEase)],
    opacity: [stop(from, 1, 'linear'), stop(until, 0, exitEase, 'exit')],
  };
}

/** How far a box turns its corner to the camera, in degrees. */
const cornerYaw = -32;

/** The keyframes of a body: how it enters, what it does, how it leaves. */
export function bodyChannels(
  motion: Motion,
  style: Style,
  body: Body,
): { comment: string; channels: KeyChannels; touches: readonly Touch[] } {
  return channelsOf(motionKeys(motion, body), {
    style,
    body,
    turnsCorner: motion.type !== 'roll',
    spins: motion.type === 'spin',
  });
}

/** The same for moves that are known; `turnsCorner`: a box may show two of its sides, `spins`: while it turns. */
export function channelsOf(
  keys: MotionKeys,
  { style, body, turnsCorner, spins }: { style: Style; body: Body; turnsCorner: boolean; spins: boolean },
): { comment: string; channels: KeyChannels; touches: readonly Touch[] } {
  const { comment, scale = [], opacity = [], touches = [], ownEntrance = false, ownExit = false, ...moves } = keys;
  const entering = ownEntrance || body.pose !== null ? { scale: [], opacity: [] } : entrance(style, scale[0]?.value ?? 1, body);
  const leaving = ownExit ? { scale: [], opacity: [] } : exit(style, scale.at(-1)?.value ?? 1, body);
  const wanted: Record<string, readonly KeyStop[]> = {
    ...withAfterlife({ ...moves, ...(scale.length > 0 ? { scale } : {}) }, body, ownExit),
    scale: joinStops(entering.scale, scale, leaving.scale),
    opacity: joinStops(entering.opacity, opacity, leaving.opacity),
  };
  const channels: Record<string, readonly KeyStop[] | number> = {};
  // A box shows two of its sides, unless it tips over its edges.
  const cornered = body.square && !body.flat;
  if (cornered && wanted['rotateY'] === undefined && turnsCorner) channels['rotateY'] = cornerYaw;
  if (cornered && spins)
    wanted['rotateY'] = (wanted['rotateY'] ?? []).map((key) => ({ ...key, value: round(key.value + cornerYaw) }));
  for (const name of ['x', 'y', 'z', 'scale', 'squash', 'rotateX', 'rotateY', 'rotateZ', 'opacity', 'glow']) {
    const stops = wanted[name] ?? [];
    if (stops.length === 0) continue;
    channels[name] = stops.map((key, index) => (index === 0 ? { ...key, ease: null } : key));
  }
  return { comment, channels: body.pose === null ? channels : fromPose(channels, body.pose), touches };
}
