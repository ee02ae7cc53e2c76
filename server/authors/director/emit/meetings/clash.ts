import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { bakedStops } from './baked.ts';
import { type Meeting, type Part, type Player, pressed, type Setting } from './players.ts';
import { type Contact, type Sample, type SimulatedBody, samplesPerSecond, simulate } from './simulate.ts';

/** How a clash differs from others. */
interface Clash {
  /** Of who runs, against the speed that reaches the other in half a second. */
  readonly speed: number;
  /** Against who runs. */
  readonly weightOfWhom: number;
  readonly restitution: number;
  /** Both run towards each other. */
  readonly both: boolean;
}

export const clashes = {
  hit: { speed: 1, weightOfWhom: 0.7, restitution: 0.35, both: false },
  knock: { speed: 1.6, weightOfWhom: 0.06, restitution: 0.25, both: false },
  'bounce-off': { speed: 1.1, weightOfWhom: 12, restitution: 0.85, both: false },
  collide: { speed: 0.8, weightOfWhom: 1, restitution: 0.55, both: true },
  kick: { speed: 1.5, weightOfWhom: 0.3, restitution: 0.75, both: false },
} as const satisfies Record<string, Clash>;

const runUpSeconds = 0.34;
/** Share of its radius that a body goes back before it runs. */
const runUpWay = 0.5;
const tolerance = { place: 0.012, angle: 0.6 };
/** Slower contacts are no hits. */
const slowestHit = 1.2;

/** Who runs into whom: a short run-up, and from then on physics, computed here and kept as keyframes. */
export function clash(kind: keyof typeof clashes, who: readonly Player[], whom: readonly Player[], setting: Setting): Meeting {
  const rules: Clash = clashes[kind];
  const { frame, manner, speed } = setting;
  const stood = stacked(whom, setting);
  const toRight = mean(who.map(({ place }) => place[0])) <= mean(stood.map(({ x }) => x));
  const sign = toRight ? 1 : -1;
  const way = Math.max(0.8, Math.abs(mean(stood.map(({ x }) => x)) - mean(who.map(({ place }) => place[0]))));
  const pace = Math.max(frame.width * 0.32, way / 0.5) * rules.speed * speed;
  const gravity = frame.height / manner.fallSeconds ** 2;
  // A pile is hit where it is high enough to fall, not at its foot: who runs into one leaps.
  const pile = Math.max(0, ...stood.map(({ y }) => y - frame.groundY)) * 0.4;
  const flightSeconds = way / pace;
  const leap = kind === 'knock' && whom.length > 2 ? pile / flightSeconds + (gravity * flightSeconds) / 2 : 0;
  const run = (player: Player, x: number, y: number, direction: number, weight: number): SimulatedBody => ({
    x,
    y,
    shape: player.round ? { radius: player.radius } : { halfWidth: player.radius * 0.86, halfHeight: player.halfHeight },
    density: weight,
    restitution: rules.restitution,
    // Who runs on legs or slides is not stopped by the floor; what it runs into is.
    friction: direction !== 0 && !player.round ? 0.05 : 0.6,
    velocity: {
      x: direction * pace,
      y: direction === 0 ? 0 : leap,
      spin: player.round ? (-direction * pace) / player.radius : 0,
    },
  });
  const starts = who.map((player, index) => ({
    x: player.place[0] - sign * runUpWay * player.radius - sign * index * 0.01,
    y: player.place[1],
  }));
  const bodies = [
    ...who.map((player, index) => run(player, starts[index]?.x ?? 0, floorOf(player, frame.groundY), sign, 1)),
    ...whom.map((player, index) =>
      run(player, stood[index]?.x ?? 0, stood[index]?.y ?? 0, rules.both ? -sign : 0, rules.weightOfWhom),
    ),
  ];
  const begin = setting.start + runUpSeconds;
  const seconds = Math.max(0.8, setting.until - begin);
  const { paths, contacts } = simulate(bodies, {
    floor: frame.groundY,
    halfWidth: frame.width / 2,
    kept: rules.both ? bodies.length : who.length,
    gravity,
    seconds,
  });
  const part = (player: Player, index: number, start: { x: number; y: number }, runsUp: boolean): Part => {
    const path = paths[index] ?? [];
    const hits = hitsOf(contacts, index);
    const at = { startSeconds: begin, perSecond: samplesPerSecond };
    const [left, bottom] = [player.place[0], player.place[1]];
    const before = (value: number): KeyStop[] => [stop(0, round(value))];
    const from = runsUp ? 0 : start.x - left;
    const x = [
      ...(runsUp
        ? [
            stop(0, 0),
            stop(round(setting.start), 0, 'linear'),
            stop(round(begin), round(start.x - left), 'easeInOutCubic', 'runs up'),
          ]
        : before(from)),
      ...bakedStops(
        path.map((sample) => sample.x - left),
        { ...at, tolerance: tolerance.place },
      ).slice(runsUp ? 1 : 0),
    ];
    const y = [
      ...before(start.y - bottom),
      ...bakedStops(
        path.map((sample) => sample.y - bottom),
        { ...at, tolerance: tolerance.place },
      ),
    ];
    const turned = bakedStops(path.map(degrees), { ...at, tolerance: tolerance.angle });
    const first = hits[0];
    return {
      moves: {
        x,
        ...(y.length > 1 || y[0]?.value !== 0 ? { y } : {}),
        ...(turned.length > 0 ? { rotateZ: [stop(0, 0), ...turned] } : {}),
        ...(player.place[2] === 0 ? {} : { z: before(-player.place[2]) }),
        ...(first !== undefined && player.round ? { squash: [stop(0, 1), ...pressed(begin + first.time, 0.4, setting)] } : {}),
      },
      touches: hits
        .slice(0, 3)
        .map(({ time, speed: hard }) => ({ time: round(begin + time), strength: Math.min(1, round(hard / 12, 2)) })),
    };
  };
  return {
    comment: `Computed: ${contacts.filter(({ other }) => other !== null).length} contacts from ${round(begin, 2)} s on.`,
    who: who.map((player, index) => part(player, index, starts[index] ?? { x: 0, y: 0 }, true)),
    whom: whom.map((player, index) => part(player, who.length + index, stood[index] ?? { x: 0, y: 0 }, false)),
  };
}

const degrees = ({ angle }: Sample): number => (angle * 180) / Math.PI;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const floorOf = ({ halfHeight, radius, round: rolls }: Player, groundY: number): number =>
  groundY + (rolls ? radius : halfHeight);

/** The contacts of a body with others that can be seen and heard, the first of each tenth of a second. */
function hitsOf(contacts: readonly Contact[], body: number): Contact[] {
  const own = contacts.filter(
    ({ body: one, other, speed }) => other !== null && (one === body || other === body) && speed > slowestHit,
  );
  return own.filter(({ time }, index) => index === 0 || time - (own[index - 1]?.time ?? 0) > 0.1);
}

/** Several bodies that are run into stand as a pyramid, one alone where it is. */
function stacked(players: readonly Player[], { frame }: Setting): { x: number; y: number }[] {
  const [first] = players;
  if (first === undefined) return [];
  const middle = mean(players.map(({ place }) => place[0]));
  if (players.length === 1) return [{ x: middle, y: floorOf(first, frame.groundY) }];
  const [width, height] = [first.radius * 2.02, (first.round ? first.radius : first.halfHeight) * 2];
  const tallest = Math.max(1, Math.floor((frame.height * 0.62) / height));
  let columns = 1;
  while (rowsFor(players.length, columns) > tallest) columns += 1;
  const spots: { x: number; y: number }[] = [];
  for (let row = 0; spots.length < players.length; row += 1) {
    const inRow = Math.min(Math.max(1, columns - (columns > 1 ? row : 0)), players.length - spots.length);
    for (let index = 0; index < inRow; index += 1)
      spots.push({ x: middle + (index - (inRow - 1) / 2) * width, y: floorOf(first, frame.groundY) + row * height });
  }
  return spots;
}

/** Rows of a pyramid of so many bodies that stands on `columns` of them. */
function rowsFor(count: number, columns: number): number {
  if (columns === 1) return count;
  let [left, rows] = [count, 0];
  for (let inRow = columns; left > 0; inRow = Math.max(1, inRow - 1)) [left, rows] = [left - inRow, rows + 1];
  return rows;
}
