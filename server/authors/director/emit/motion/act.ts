import { type Act, type Course, fromOutside, type Program, programOf, type Swing, toOutside, type Way } from '../../programs.ts';
import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { type Body, enteredAt, type MotionKeys, type Touch } from './body.ts';
import { rollDegrees } from './ground.ts';

type Moves = Readonly<Partial<Record<Swing['channel'], readonly KeyStop[]>>>;

/** What the program sets out to do between the two times; lengths are world units. */
function wayOf(act: Act, way: Way, [from, until]: readonly [number, number], body: Body): Moves {
  const { frame, timing } = body;
  const seconds = until - from;
  const sign = act.direction === 'left' ? -1 : 1;
  const out = frame.width / 2 + body.radius * 1.5;
  const [behind, ahead] = [-sign * out - body.x, sign * out - body.x];
  const above = frame.height / 2 + body.halfHeight * 1.5 - body.y;
  const below = -frame.height / 2 - body.halfHeight * 1.5 - body.y;
  const at = (share: number, value: number, ease: KeyStop['ease'] = 'easeInOutCubic'): KeyStop =>
    stop(round(from + seconds * share), round(value), share === 0 ? null : ease);
  const started = timing.first ? 0.72 : 1;
  if (body.pose !== null && fromOutside.includes(way)) return onward(act, way, body, at);
  switch (way) {
    case 'stay':
      return {};
    case 'cross': {
      const vertical = act.direction === 'up' || act.direction === 'down';
      const [start, end] = !vertical ? [behind, ahead] : act.direction === 'up' ? [below, above] : [above, below];
      return { [vertical ? 'y' : 'x']: crossings(start, end, act, [from, until], body) };
    }
    case 'enter':
      return { x: [at(0, behind * started), at(1, 0, 'easeOutCubic')] };
    case 'leave':
      return { x: [at(0, 0), at(0.3, 0, 'linear'), at(0.42, -sign * body.radius * 0.3), at(1, ahead, 'easeInCubic')] };
    case 'rise':
      return { y: [at(0, below * started), at(1, Math.max(0, above * 0.25), 'easeOutCubic')] };
    case 'set':
      return {
        y: [at(0, Math.max(0, above * 0.25)), at(0.12, Math.max(0, above * 0.25), 'linear'), at(1, below, 'easeInCubic')],
      };
    case 'climb':
      return { y: [at(0, 0), at(0.1, 0, 'linear'), at(1, body.headroom * 0.85, 'easeInOutCubic')] };
    case 'descend':
      return { y: [at(0, body.headroom * 0.85), at(0.1, body.headroom * 0.85, 'linear'), at(1, body.stands ? 0 : below * 0.4)] };
    case 'takeoff':
      return {
        x: [at(0, 0), at(0.35, 0, 'linear'), at(1, ahead, 'easeInCubic')],
        y: [at(0, 0), at(0.4, body.halfHeight * 0.3), at(1, above, 'easeInCubic')],
        rotateZ: [at(0, 0), at(0.35, -sign * 4), at(0.8, sign * 18)],
      };
    case 'land':
      return {
        x: [at(0, behind * started), at(0.9, 0, 'easeOutCubic')],
        y: [at(0, above * 0.7), at(0.9, 0, 'easeOutCubic')],
        rotateZ: [at(0, -sign * 14), at(0.7, sign * 5), at(1, 0)],
      };
    case 'leaf': {
      const reach = Math.min(body.sideroom, frame.width * 0.14);
      const sways = 5;
      const middles = Array.from({ length: sways + 1 }, (_, index) => ({ share: index / sways, side: index % 2 === 0 ? -1 : 1 }));
      return {
        x: middles.map(({ share, side }) => at(share, side * reach * (1 - share * 0.6), 'swingOver')),
        y: [at(0, above * started), ...middles.slice(1).map(({ share }) => at(share, above * started * (1 - share), 'linear'))],
        rotateZ: middles.map(({ share, side }) => at(share, side * 26 * (1 - share * 0.7), 'swingOver')),
      };
    }
    case 'circle':
    case 'spiral': {
      const reach = Math.min(Math.max(body.sideroom, body.radius), frame.height * 0.24);
      const turns = Math.max(1, Math.round(act.times ?? 2));
      const points = Array.from({ length: turns * 12 + 1 }, (_, index) => index / (turns * 12));
      const radius = (share: number) => reach * (way === 'circle' ? 1 : 1 - share);
      const lift = body.stands ? reach : 0;
      return {
        x: points.map((share) => at(share, sign * radius(share) * Math.cos(2 * Math.PI * turns * share), 'linear')),
        y: points.map((share) => at(share, lift + radius(share) * Math.sin(2 * Math.PI * turns * share), 'linear')),
      };
    }
    case 'zigzag': {
      const turns = 6;
      const corners = Array.from({ length: turns + 1 }, (_, index) => index / turns);
      const lift = Math.min(body.headroom * 0.6, frame.height * 0.25);
      return {
        x: corners.map((share) => at(share, behind * started + (ahead * 0.5 - behind * started) * share, 'linear')),
        y: corners.map((share, index) => at(share, index % 2 === 0 ? 0 : lift, 'linear')),
      };
    }
    case 'wander': {
      const [wide, high] = [Math.min(body.sideroom, frame.width * 0.25), body.stands ? 0 : frame.height * 0.12];
      const points = [
        [0, 0],
        [-0.6, 0.5],
        [0.5, 0.9],
        [0.9, -0.3],
        [-0.2, -0.6],
        [-0.9, 0.3],
        [0, 0],
      ] as const;
      return {
        x: points.map(([x], index) => at(index / (points.length - 1), x * wide)),
        ...(high === 0 ? {} : { y: points.map(([, y], index) => at(index / (points.length - 1), y * high)) }),
      };
    }
    case 'dive':
      return {
        x: [at(0, -sign * body.radius), at(1, sign * body.radius * 1.6, 'linear')],
        y: [at(0, 0), at(0.4, above * 0.55, 'rise'), at(1, below, 'fall')],
        rotateZ: [at(0, sign * 24), at(0.4, 0, 'linear'), at(1, -sign * 60, 'linear')],
      };
    case 'approach':
      return { scale: [at(0, 0.3), at(1, 1.3, 'easeInOutCubic')] };
    case 'recede':
      return { scale: [at(0, 1.2), at(1, 0.3, 'easeInOutCubic')] };
    case 'arc':
      return {
        x: [at(0, behind * started), at(1, timing.last ? sign * body.radius : ahead, 'linear')],
        y: [at(0, 0), at(0.5, Math.max(body.halfHeight, above * 0.6), 'rise'), at(1, 0, 'fall')],
        rotateZ: [at(0, sign * 22), at(1, -sign * 22, 'linear')],
      };
  }
}

/** Who is there already goes on from where it is: out of the frame, or, when it is still to be seen, to where there is space. */
function onward(
  { direction }: Act,
  way: Way,
  body: Body,
  at: (share: number, value: number, ease?: KeyStop['ease']) => KeyStop,
): Moves {
  const { frame, timing } = body;
  const sign = direction === 'left' ? -1 : 1;
  // What stands on something falls off it.
  const off = { x: [at(0, 0), at(0.1, 0, 'linear'), at(0.6, sign * body.radius * 2.4, 'linear')] };
  if (way === 'rise' || direction === 'up') return { y: [at(0, 0), at(1, body.headroom * 0.8)] };
  if (way === 'enter' || way === 'land' || way === 'leaf' || direction === 'down')
    return body.aloft > 0
      ? { ...(body.stands ? off : {}), y: [at(0, 0), at(0.1, 0, 'linear'), at(0.6, -body.aloft, 'fall')] }
      : {};
  const end = timing.last ? sign * frame.width * 0.34 : sign * (frame.width / 2 + body.radius * 1.5);
  return { x: [at(0, 0), at(0.08, 0, 'linear'), at(1, end - body.x)] };
}

/**
 * From one side to the other as often as there is time for at the program's pace; between two crossings nobody sees it.
 * What the film ends with stops within the frame.
 */
function crossings(
  start: number,
  end: number,
  act: Act,
  [from, until]: readonly [number, number],
  { timing, shared }: Body,
): KeyStop[] {
  const natural = programOf(act.program).seconds / timing.speed;
  const passes = Math.min(20, Math.max(1, act.times ?? Math.round((until - from) / natural)));
  const each = (until - from) / passes;
  return Array.from({ length: passes }, (_, index) => {
    const begins = from + each * index;
    const first =
      index === 0
        ? [stop(round(begins), round(start * (timing.first ? 0.72 : 1)))]
        : [stop(round(begins + 0.02), round(start), 'linear')];
    const stays = timing.last && index === passes - 1;
    return [
      ...first,
      stop(
        round(begins + each),
        round(stays ? (shared ? 0 : start + (end - start) * 0.62) : end),
        stays ? 'easeOutCubic' : 'linear',
      ),
    ];
  }).flat();
}

/** More stops than this in one channel are no motion that anybody could follow. */
const mostCycles = 60;

function swingStops(
  { channel, size, shape, keeps = 1, rate }: Swing,
  act: Pick<Act, 'rate' | 'times'>,
  [from, until]: readonly [number, number],
  { halfHeight, speed }: { readonly halfHeight: number; readonly speed: number },
): { stops: KeyStop[]; touches: Touch[] } {
  const pace = act.rate ?? rate * speed;
  const cycles = Math.min(
    mostCycles,
    Math.max(
      1,
      act.rate === undefined && act.times !== undefined && shape !== 'hop' ? act.times : Math.floor((until - from) * pace),
    ),
  );
  const period = Math.min(1 / pace, (until - from) / cycles);
  const unit = channel === 'x' || channel === 'y' || channel === 'z' ? halfHeight : 1;
  const rest = channel === 'scale' || channel === 'squash' || channel === 'opacity' ? 1 : 0;
  const touches: Touch[] = [];
  const stops = [stop(round(from), rest, 'linear')];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const start = from + cycle * period;
    const reach = size * unit * keeps ** (cycles < 2 ? 0 : cycle / (cycles - 1));
    const at = (share: number, value: number, ease: KeyStop['ease']) => stop(round(start + period * share), round(value), ease);
    if (shape === 'hop') {
      stops.push(at(0.5, rest + reach, 'rise'), at(1, rest, 'fall'));
      if (size > 0.5) touches.push({ time: round(start + period), strength: Math.min(1, size * 0.6) });
    } else if (shape === 'blink')
      stops.push(
        at(0.48, rest, 'linear'),
        at(0.52, rest - reach, 'linear'),
        at(0.96, rest - reach, 'linear'),
        at(1, rest, 'linear'),
      );
    else if (channel === 'glow' || channel === 'scale')
      stops.push(at(0.4, rest + reach, 'easeInOutCubic'), at(1, rest, 'easeInOutCubic'));
    else stops.push(at(0.25, rest + reach, 'swingOver'), at(0.75, rest - reach, 'swingOver'), at(1, rest, 'swingOver'));
  }
  return { stops, touches };
}

const courseStops = (
  { channel, stops }: Course,
  [from, until]: readonly [number, number],
  { halfHeight }: { readonly halfHeight: number },
): KeyStop[] =>
  stops.map(([share, value], index) =>
    stop(
      round(from + (until - from) * share),
      round(value * (channel === 'x' || channel === 'y' || channel === 'z' ? halfHeight : 1)),
      index === 0 ? 'linear' : 'easeInOutCubic',
    ),
  );

/** When the program runs: what goes on goes on to the end, what happens once takes its time, at most the scene's. */
function spanOf(act: Act, { way, seconds, courses }: Program, body: Body): readonly [number, number] {
  const { timing } = body;
  const from = body.pose !== null ? 0.15 : fromOutside.includes(way) ? 0 : enteredAt(body) + 0.1;
  if (courses.length > 0 || act.times !== undefined || ['enter', 'land'].includes(way)) {
    const natural = (seconds / timing.speed) * Math.max(1, courses.length > 0 ? 1 : 0.4 * (act.times ?? 1));
    return [from, Math.max(from + 0.4, Math.min(timing.settledBy, from + natural * 1.25))];
  }
  if (way === 'stay' || way === 'cross' || way === 'wander') return [from, timing.durationSeconds];
  return [from, Math.max(from + 0.5, toOutside.includes(way) ? timing.durationSeconds : timing.settledBy)];
}

/** What goes to and fro and what changes by the program named `name` between the two times, on the spot. `halfHeight`: of the body. */
export function programMoves(
  name: string,
  [from, until]: readonly [number, number],
  body: { readonly halfHeight: number; readonly speed: number },
): Moves {
  const { swings, courses, seconds } = programOf(name);
  const end = courses.length > 0 ? Math.min(until, from + seconds / body.speed) : until;
  return Object.fromEntries([
    ...swings.map((swing) => [swing.channel, swingStops(swing, {}, [from, until], body).stops]),
    ...courses.map((course) => [course.channel, courseStops(course, [from, end], body)]),
  ]);
}

/** What a thing does by a verb: the program's way, what swings on it, and what changes once. */
export function act(motion: Act, body: Body): MotionKeys {
  const named = programOf(motion.program);
  const program = body.anchored && (named.way === 'cross' || named.way === 'wander') ? { ...named, way: 'stay' as const } : named;
  const span = spanOf(motion, program, body);
  const way = wayOf(motion, program.way, span, body);
  const swings = program.swings.flatMap((swing) =>
    way[swing.channel] === undefined
      ? [{ channel: swing.channel, ...swingStops(swing, motion, span, { ...body, speed: body.timing.speed }) }]
      : [],
  );
  const moves: Moves = {
    ...Object.fromEntries(swings.map(({ channel, stops }) => [channel, stops])),
    ...Object.fromEntries(program.courses.map((course) => [course.channel, courseStops(course, span, body)])),
    ...way,
  };
  // A ball does not walk.
  const turning = body.rolls && body.stands && moves.x !== undefined && moves.rotateZ === undefined;
  const goes = program.way === 'cross' && !body.timing.last;
  return {
    comment: `What it does: ${motion.verb}.`,
    ...moves,
    ...(turning ? { rotateZ: (moves.x ?? []).map((key) => ({ ...key, value: rollDegrees(key.value, body.radius) })) } : {}),
    touches: swings.flatMap(({ touches }) => touches),
    ownEntrance: fromOutside.includes(program.way),
    ownExit: program.lasts || goes || toOutside.includes(program.way),
  };
}
