import { round } from '../frame.ts';
import { type EaseName, type KeyStop, stop } from '../keyframes.ts';
import { type Body, enteredAt, type MotionKeys, sway } from './body.ts';

/** Hovers: slow, small, never quite still. */
export function float(body: Body): MotionKeys {
  const until = body.timing.durationSeconds;
  const size = body.halfHeight;
  const lift = body.stands ? size * 0.9 : 0;
  const half = 1.25 / body.timing.speed;
  return {
    comment: 'Hovers up and down, leaning a little.',
    y: sway(0, until, size * 0.24, half).map((key) => ({ ...key, value: round(key.value + lift) })),
    rotateZ: sway(0, until, body.playful ? 5 : 3, half * 1.5),
    rotateY: body.flat ? sway(0, until, 16, half * 1.25) : [stop(0, -18), stop(round(until), 42, 'linear')],
  };
}

/** Stands or hovers where it is, alive but calm. Also what every body does between its moves. */
export function appear(body: Body): MotionKeys {
  const until = body.timing.durationSeconds;
  if (body.still) return { comment: 'Appears and stands still.' };
  if (body.stands) return { comment: 'Appears and turns slowly.', rotateY: [stop(0, -24), stop(round(until), 20, 'linear')] };
  return {
    comment: 'Appears and hovers in place.',
    y: sway(0, until, body.halfHeight * body.manner.idle, 1.4 / body.timing.speed),
    rotateY: sway(0, until, 13, 1.7 / body.timing.speed),
  };
}

export function spin(turns: number, body: Body): MotionKeys {
  const { manner, timing } = body;
  const from = enteredAt(body) * 0.35;
  const natural = (0.9 * Math.max(1, Math.abs(turns)) ** 0.8 + 0.6) / timing.speed;
  const until = Math.min(timing.settledBy + 0.3, Math.max(from + natural, timing.settledBy * 0.8));
  const total = round(360 * turns);
  const windUp = round(-Math.sign(turns) * 360 * manner.anticipation * 0.35);
  const stops: KeyStop[] = [stop(0, 0), stop(round(from), 0, 'linear')];
  if (windUp !== 0) stops.push(stop(round(from + 0.25), windUp, 'easeInOutCubic', 'winds up'));
  if (body.playful) {
    const past = round(total + Math.sign(turns) * 14);
    stops.push(stop(round(until - 0.3), past, 'easeInOutCubic'), stop(round(until), total, 'easeInOutCubic', 'settles back'));
  } else stops.push(stop(round(until), total, manner.moveEase));
  const idle = body.stands ? {} : { y: sway(0, timing.durationSeconds, body.halfHeight * manner.idle, 1.4) };
  const comment = `${Math.abs(turns)} turn${Math.abs(turns) === 1 ? '' : 's'} around its axis.`;
  // To the right as seen from the front.
  if (body.wheel) return { comment, rotateZ: stops.map((key) => ({ ...key, value: -key.value })), ...idle };
  return { comment, rotateY: stops, ...idle };
}

/** Heartbeats, evenly over the time there is. */
export function pulse(times: number, body: Body): MotionKeys {
  const { manner, timing } = body;
  const beats = Math.max(1, Math.round(times));
  const from = enteredAt(body) + 0.1;
  const period = Math.min(1.1 / timing.speed, Math.max(0.25, (timing.settledBy + 0.4 - from) / beats));
  const size = body.playful ? 1.2 : 1.12;
  const scale: KeyStop[] = [stop(round(from), 1, 'linear')];
  for (let beat = 0; beat < beats; beat += 1) {
    const start = from + beat * period;
    scale.push(
      stop(round(start + period * 0.28), size, 'easeOutCubic', beat === 0 ? 'beat' : null),
      stop(round(start + period * 0.95), 1, body.playful ? 'easeOutSoftBack' : 'easeInOutCubic'),
    );
  }
  const idle = body.stands ? {} : { y: sway(0, timing.durationSeconds, body.halfHeight * manner.idle * 0.6, 1.6) };
  return { comment: `${beats} beat${beats === 1 ? '' : 's'}.`, scale, ...idle };
}

export function resize(kind: 'grow' | 'shrink', body: Body): MotionKeys {
  const { manner, timing } = body;
  const [from, to] = kind === 'shrink' ? [1, 0.35] : body.pose === null ? [0.35, 1] : [1, 1.6];
  const start = enteredAt(body) + 0.25;
  const until = Math.min(timing.settledBy, start + Math.max(1, (timing.settledBy - start) * 0.75) / timing.speed);
  const against = manner.anticipation * (kind === 'grow' ? -0.5 : 0.6);
  const scale = [stop(round(start), from, 'linear')];
  if (against !== 0) scale.push(stop(round(start + 0.22), round(from * (1 + against)), 'easeInOutCubic', 'gathers'));
  const ease: EaseName = body.playful ? (kind === 'grow' ? 'easeOutElastic' : 'easeOutBack') : manner.moveEase;
  scale.push(stop(round(Math.max(until, start + 0.6)), to, ease, kind === 'grow' ? 'full size' : 'small'));
  return {
    comment: kind === 'grow' ? 'Starts small and grows.' : 'Starts full and shrinks.',
    scale,
    ...(body.stands ? { rotateY: [stop(0, -20), stop(round(timing.durationSeconds), 24, 'linear')] } : {}),
  };
}

/** Swings like a pendulum that hangs above the frame, its arc getting smaller. */
export function swing(body: Body): MotionKeys {
  const { frame, timing } = body;
  const rope = frame.height * 0.75;
  const first = Math.min(frame.width * 0.2, Math.max(body.sideroom, body.radius * 0.35)) / rope;
  const quarter = 0.52 / Math.sqrt(timing.speed);
  const lift = body.stands ? body.halfHeight * 0.8 : 0;
  const x: KeyStop[] = [];
  const y: KeyStop[] = [];
  const rotateZ: KeyStop[] = [];
  const until = timing.durationSeconds;
  for (let index = 0, time = 0; time <= until + quarter; index += 1, time = index * quarter) {
    const amplitude = first * 0.93 ** index;
    const side = index % 4 === 0 ? -1 : index % 4 === 2 ? 1 : 0;
    const high = index % 2 === 0;
    // Small-angle pendulum: sideways like a sine, upwards like its square.
    if (high) {
      const ease = index === 0 ? null : ('swingOver' as const);
      x.push(stop(round(time), round(side * amplitude * rope), ease));
      rotateZ.push(stop(round(time), round((side * amplitude * 180) / Math.PI, 1), ease));
    }
    y.push(stop(round(time), round(lift + (high ? (amplitude ** 2 * rope) / 2 : 0)), index === 0 ? null : 'swingOver'));
  }
  return { comment: 'A pendulum whose arc gets smaller.', x, y, rotateZ };
}

/** Comes in from one side, holds its place, leaves on the other. */
export function slide(direction: 'left' | 'right' | 'up' | 'down', body: Body): MotionKeys {
  const { frame, manner, timing, playful } = body;
  const horizontal = direction === 'left' || direction === 'right';
  const sign = direction === 'right' || direction === 'up' ? 1 : -1;
  const reach = horizontal ? frame.width / 2 + body.radius * 1.4 : frame.height / 2 + body.halfHeight * 1.6;
  const rest = horizontal ? body.x : body.y;
  const from = round(-sign * (reach + sign * rest) * (timing.first ? 0.8 : 1));
  const inSeconds = Math.min((playful ? 0.85 : manner.enterSeconds * 1.5) / timing.speed, timing.settledBy);
  const ease: EaseName = playful ? 'easeOutBack' : manner.enterEase;
  const way = [stop(0, from), stop(round(inSeconds), 0, ease, 'in place')];
  if (!timing.last) {
    const until = timing.durationSeconds;
    const out = manner.exitSeconds + 0.25;
    way.push(
      stop(round(until - out), 0, 'linear'),
      stop(round(until), round(sign * (reach - sign * rest)), 'easeInCubic', 'leaves'),
    );
  }
  const lean =
    playful && horizontal
      ? {
          rotateZ: [
            stop(0, sign * 9),
            stop(round(inSeconds * 0.45), round(-sign * 7), 'easeInOutCubic', 'brakes'),
            stop(round(inSeconds * 1.15), 0, 'easeOutBack'),
          ],
        }
      : {};
  const turn = body.flat || playful ? {} : { rotateY: [stop(0, -30), stop(round(timing.durationSeconds), 20, 'easeOutCubic')] };
  return {
    comment: `Slides ${direction} into its place.`,
    [horizontal ? 'x' : 'y']: way,
    ...lean,
    ...turn,
    ownEntrance: true,
    ownExit: !timing.last,
  };
}

/** Crosses the frame on an arc, banking into the curve, and lingers in the middle. */
export function fly(body: Body): MotionKeys {
  const { frame, timing } = body;
  const left = -(frame.width / 2 + body.radius * 1.5 + body.x) * (timing.first ? 0.8 : 1);
  const right = frame.width / 2 + body.radius * 1.5 - body.x;
  const inSeconds = Math.min(1.3 / timing.speed, timing.durationSeconds * 0.4);
  const until = timing.durationSeconds;
  const outSeconds = Math.min(0.9 / timing.speed, until * 0.3);
  const hover = body.halfHeight * 0.2;
  const lift = body.stands ? body.halfHeight * 1.2 : 0;
  const x = [stop(0, round(left)), stop(round(inSeconds), round(-body.radius * 0.25), 'easeOutCubic', 'slows down')];
  const y = [stop(0, round(lift - frame.height * 0.16)), stop(round(inSeconds), round(lift + hover), 'easeInOutCubic')];
  const rotateZ = [stop(0, 20), stop(round(inSeconds), -4, 'easeInOutCubic')];
  const z = [stop(0, -2.5), stop(round(inSeconds), 0, 'easeInOutCubic')];
  if (timing.last) {
    x.push(stop(round(until), round(body.radius * 0.2), 'linear'));
    y.push(
      ...sway(inSeconds, until, hover, 1.1)
        .slice(1)
        .map((key) => ({ ...key, value: round(key.value + lift) })),
    );
    rotateZ.push(stop(round(Math.min(until, inSeconds + 0.8)), 0, 'easeInOutCubic'));
  } else {
    x.push(
      stop(round(until - outSeconds), round(body.radius * 0.25), 'linear'),
      stop(round(until), round(right), 'easeInCubic', 'off and away'),
    );
    y.push(
      stop(round(until - outSeconds), round(lift - hover), 'swingOver'),
      stop(round(until), round(lift + frame.height * 0.3), 'easeInCubic'),
    );
    rotateZ.push(stop(round(until - outSeconds), 2, 'easeInOutCubic'), stop(round(until), 24, 'easeInCubic'));
    z.push(stop(round(until), 1.5, 'easeInCubic'));
  }
  return { comment: 'Flies in on an arc, lingers, flies on.', x, y, z, rotateZ, ownEntrance: true, ownExit: !timing.last };
}

/** When the body of `explode` bursts, in seconds from the start of the scene. */
export function burstAt(body: Body): number {
  return round(Math.min(Math.max(enteredAt(body) + 0.45, body.timing.durationSeconds * 0.34), body.timing.settledBy));
}

/** Trembles, swells and is gone; its pieces are particles of the scene. */
export function explode(body: Body): MotionKeys {
  const burst = burstAt(body);
  const tremble = Array.from({ length: 7 }, (_, index) =>
    stop(round(burst - 0.42 + index * 0.06), index === 6 ? 0 : index % 2 === 0 ? -4 : 4, 'linear'),
  );
  return {
    comment: 'Trembles, swells, bursts into pieces.',
    scale: [
      stop(round(burst - 0.42), 1, 'linear'),
      stop(round(burst - 0.12), 0.86, 'easeInOutCubic', 'gathers'),
      stop(round(burst), 1.25, 'easeInCubic', 'bursts'),
      stop(round(burst + 0.05), 0, 'linear'),
    ],
    rotateZ: [stop(0, 0), ...tremble],
    ownExit: true,
  };
}
