import { ease, easeInCubic, easeInOutCubic, easeOutCubic } from '../stage/easing.ts';
import { bounceAt, planBounces } from './shape-motion.ts';

export type ActName =
  | 'enter'
  | 'leave'
  | 'walk'
  | 'run'
  | 'hop'
  | 'jump'
  | 'fly'
  | 'float'
  | 'swim'
  | 'roll'
  | 'drive'
  | 'bounce'
  | 'spin'
  | 'shake'
  | 'nod'
  | 'wave'
  | 'grow'
  | 'shrink'
  | 'fall'
  | 'rise'
  | 'appear'
  | 'vanish'
  | 'meet'
  | 'chase'
  | 'wait'
  | 'stop'
  | 'sit'
  | 'say';

export interface Pose {
  readonly x: number;
  /** Height of the feet above the ground. */
  readonly height: number;
  /** −1 faces the start edge, 1 faces away from it. */
  readonly facing: number;
  readonly turn: number;
  readonly scale: number;
  readonly opacity: number;
  readonly wide: number;
  readonly tall: number;
  /** Pivot of rotation: 0 is at its feet, 0.5 at its centre. */
  readonly pivot: number;
  /** 1 is sitting: lower and wider, because drawings have no joints. */
  readonly seated: number;
}

export interface Scope {
  readonly start: Pose;
  readonly size: number;
  /** Limits for the feet, and their maximum height. */
  readonly left: number;
  readonly right: number;
  readonly ceiling: number;
  readonly width: number;
  /** Shortens distances, so that several actors stay apart. */
  readonly stride: number;
  /** Positions of others in the way, and the minimum distance from them. */
  readonly obstacles: readonly number[];
  readonly clearance: number;
  /** The actor that the act refers to, or the nearest one if the act needs another. */
  readonly other: { readonly pose: Pose; readonly size: number } | null;
  readonly seconds: number;
  /** Where an entrance starts, or a move ends: −1 is the start edge; `null` lets the act decide. */
  readonly side: -1 | 1 | null;
  /** Whether the drawing points up and to the right instead of to the side. */
  readonly nosed: boolean;
}

/** Returns a pose for every fraction of the act's time. The next act starts at the last pose. */
export type Act = (scope: Scope) => (u: number) => Pose;

const eased = (u: number) => ease(easeInOutCubic, u);
const mixed = (from: number, to: number, share: number) => from + (to - from) * share;
/** Rises from 0 to 1 and returns, along a parabola. */
const arc = (u: number) => 4 * u * (1 - u);
/** Fades an oscillation in and out, so that it starts and ends at rest. */
const swell = (u: number) => Math.sin(Math.PI * u);

function deform(pose: Pose, tall: number): Pose {
  return { ...pose, tall: pose.tall * tall, wide: pose.wide / Math.sqrt(tall) };
}

/**
 * Returns the end of a walk of this length: towards the other actor if there is one, otherwise ahead, or back at the frame's
 * edge.
 */
function goal(
  { start, size, left, right, other, stride, obstacles, clearance, side: wantedSide }: Scope,
  longest: number,
): { x: number; facing: number } {
  const distance = longest * stride;
  if (other !== null) {
    const side = Math.sign(other.pose.x - start.x) || 1;
    return { x: other.pose.x - side * (size + other.size) * 0.42, facing: side };
  }
  const reach = (side: number) => {
    const wanted = Math.min(right, Math.max(left, start.x + side * distance));
    const before = obstacles.filter((x) => (x - start.x) * side > 0).map((x) => x - side * clearance);
    const nearest = before.reduce((end, x) => ((x - end) * side < 0 ? x : end), wanted);
    return (nearest - start.x) * side > 0 ? nearest : start.x;
  };
  if (wantedSide !== null) return { x: reach(wantedSide), facing: wantedSide };
  const [ahead, back] = [reach(start.facing), reach(-start.facing)];
  const turns = Math.abs(ahead - start.x) < distance * 0.45 && Math.abs(back - start.x) > Math.abs(ahead - start.x);
  return turns ? { x: back, facing: -start.facing } : { x: ahead, facing: start.facing };
}

function steps({ distance, count, bob, lean }: { distance: number; count: number; bob: number; lean: number }): Act {
  return (scope) => {
    const { start, size, width } = scope;
    const to = goal(scope, width * distance);
    return (u) => {
      const pace = swell(Math.min(1, u * 1.02));
      const beat = u * count * Math.PI;
      return {
        ...start,
        x: mixed(start.x, to.x, eased(u)),
        height: start.height + Math.abs(Math.sin(beat)) * size * bob * Math.min(1, pace * 2),
        facing: to.facing,
        turn: to.facing * (lean * pace + Math.sin(beat) * 3.5 * Math.min(1, pace * 2)),
      };
    };
  };
}

function hops({ distance, count, height }: { distance: number; count: number; height: number }): Act {
  const crouch = 0.2;
  return (scope) => {
    const { start, size, width } = scope;
    const to = distance === 0 ? { x: start.x, facing: start.facing } : goal(scope, width * distance);
    return (u) => {
      const at = Math.min(u, 0.9999) * (count + crouch);
      const hop = Math.min(count, Math.floor(at));
      const within = at - hop;
      const flown = hop < count ? Math.max(0, (within - crouch) / (1 - crouch)) : 0;
      const pressed = within < crouch ? swell(within / crouch) : 0;
      const pose = {
        ...start,
        x: mixed(start.x, to.x, Math.min(1, (hop + flown) / count)),
        height: start.height * (1 - u) + arc(flown) * size * height,
        facing: to.facing,
        turn: to.facing * (distance === 0 ? 0 : (flown - 0.5) * 16 * Math.min(1, flown * 6)),
      };
      return deform(pose, (1 - 0.14 * pressed) * (1 + 0.05 * Math.abs(1 - 2 * flown) * (flown > 0 ? 1 : 0)));
    };
  };
}

const enter: Act = (scope) => {
  const { start, size, width } = scope;
  const nearest = start.x < width / 2 ? -1 : 1;
  const side = scope.side ?? nearest;
  const from = side < 0 ? -size : width + size;
  return (u) => ({
    ...start,
    opacity: 1,
    x: mixed(from, start.x, ease(easeOutCubic, u)),
    height: start.height + Math.abs(Math.sin(u * 5 * Math.PI)) * size * 0.07 * (1 - u),
    facing: -side,
    turn: Math.sin(u * 5 * Math.PI) * 4 * (1 - u),
  });
};

const leave: Act = ({ start, size, width, side: wantedSide }) => {
  const side = wantedSide ?? (Math.sign(start.facing) || 1);
  const to = side < 0 ? -size * 1.2 : width + size * 1.2;
  return (u) => ({
    ...start,
    x: mixed(start.x, to, ease(easeInCubic, u)),
    height: start.height + Math.abs(Math.sin(u * 6 * Math.PI)) * size * 0.07,
    turn: side * 6 * u + Math.sin(u * 6 * Math.PI) * 3,
    facing: side,
    opacity: u < 1 ? start.opacity : 0,
  });
};

const fly: Act = (scope) => {
  const { start, size, ceiling, width } = scope;
  const to =
    scope.other === null
      ? goal(scope, width * 0.34)
      : { ...goal({ ...scope, other: null, obstacles: [] }, width * 0.34), facing: Math.sign(scope.other.pose.x - start.x) || 1 };
  const high = Math.min(ceiling, Math.max(start.height, 0) + Math.max(size * 0.9, ceiling * 0.78));
  const x = scope.other === null ? to.x : scope.other.pose.x;
  return (u) => {
    const crouch = u < 0.12 ? swell(u / 0.12) : 0;
    const flown = eased(Math.max(0, (u - 0.12) / 0.88));
    const climb = swell(flown);
    const pose = {
      ...start,
      x: mixed(start.x, x, flown),
      height: mixed(start.height, high, ease(easeOutCubic, flown)),
      facing: to.facing,
      turn: -to.facing * 12 * climb * (scope.nosed ? 0 : 1),
      pivot: 0.46,
    };
    return deform(pose, 1 - 0.12 * crouch);
  };
};

const float: Act = ({ start, size, ceiling }) => {
  const high = Math.min(ceiling, start.height + size * 0.6);
  return (u) => ({
    ...start,
    height: mixed(start.height, high, eased(u)) + Math.sin(u * 4 * Math.PI) * size * 0.05 * swell(u),
    x: start.x + Math.sin(u * 2 * Math.PI) * size * 0.14,
    turn: Math.sin(u * 3 * Math.PI) * 5 * swell(u),
  });
};

const swim: Act = (scope) => {
  const { start, size, width } = scope;
  const to = goal(scope, width * 0.32);
  return (u) => ({
    ...start,
    x: mixed(start.x, to.x, eased(u)),
    height: start.height + Math.sin(u * 6 * Math.PI) * size * 0.06 * swell(u),
    facing: to.facing,
    turn: -to.facing * Math.cos(u * 6 * Math.PI) * 7 * swell(u),
  });
};

const roll: Act = (scope) => {
  const { start, size, width } = scope;
  const to = goal(scope, width * 0.34);
  const way = to.x - start.x;
  // Makes full turns only, so that the figure lands upright.
  const turns = Math.max(1, Math.round(Math.abs(way) / (Math.PI * size * 0.8))) * Math.sign(way || 1);
  return (u) => ({ ...start, x: mixed(start.x, to.x, eased(u)), turn: 360 * turns * eased(u), facing: to.facing, pivot: 0.46 });
};

const drive: Act = (scope) => {
  const { start, size, width } = scope;
  const to = goal(scope, width * 0.42);
  return (u) => {
    const speed = swell(u);
    // The body leans back when it starts and forward when it brakes.
    const push = Math.sin(2 * Math.PI * u) * 4;
    return {
      ...start,
      x: mixed(start.x, to.x, eased(u)),
      height: start.height + Math.abs(Math.sin(u * 34)) * size * 0.012 * speed,
      facing: to.facing,
      turn: -to.facing * push,
    };
  };
};

/** Falls, then bounces to half of the height each time. */
function landing(height: number, seconds: number, count: number, falls: boolean) {
  const plan = planBounces({ height: Math.max(1, height), count, length: seconds * 0.92, falls, restitution: 0.75 });
  return (u: number) => bounceAt(plan, u * seconds);
}

const bounce: Act = ({ start, size, ceiling, seconds }) => {
  const state = landing(Math.min(ceiling, size * 1.1), seconds, 3, false);
  return (u) => {
    const { height, speed, contact } = state(u);
    return deform({ ...start, height: start.height + height }, (1 - 0.16 * contact) * (1 + 0.05 * Math.abs(speed)));
  };
};

/** Falls to the ground. An actor that is already there topples over. */
const fall: Act = ({ start, size, seconds }) => {
  if (start.height < size * 0.08) {
    return (u) => {
      const tipped = ease(easeInCubic, Math.min(1, u * 1.7));
      return { ...start, turn: start.facing * 88 * tipped, height: size * 0.4 * tipped };
    };
  }
  const state = landing(start.height, Math.min(seconds, 1.3), 2, true);
  return (u) => {
    const { height, speed, contact } = state((u * seconds) / Math.min(seconds, 1.3));
    return deform({ ...start, height, opacity: 1 }, (1 - 0.16 * contact) * (1 + 0.05 * Math.abs(speed)));
  };
};

const rise: Act = ({ start, size, ceiling, nosed }) => {
  const high = Math.min(ceiling, start.height + Math.max(size, ceiling * 0.85));
  return (u) => {
    const lift = ease(easeInOutCubic, Math.max(0, (u - 0.1) / 0.9));
    return deform(
      {
        ...start,
        height: mixed(start.height, high, lift),
        turn: nosed ? -45 * start.facing * Math.min(1, u * 5) : 0,
        pivot: 0.46,
        opacity: 1,
      },
      1 - 0.12 * (u < 0.1 ? swell(u / 0.1) : 0),
    );
  };
};

const popped = (u: number) => (u >= 1 ? 1 : 1 - Math.exp(-7 * u) * Math.cos(9 * u));

const scaled =
  (factor: number): Act =>
  ({ start }) =>
  (u) => ({ ...start, scale: mixed(start.scale, start.scale * factor, popped(u)) });

const appear: Act =
  ({ start }) =>
  (u) => ({
    ...start,
    opacity: Math.min(1, u * 6),
    scale: start.scale * Math.max(0.01, popped(Math.min(1, u * 1.3))),
    turn: -14 * (1 - Math.min(1, u * 2)),
  });

const vanish: Act =
  ({ start }) =>
  (u) => {
    const gone = ease(easeInCubic, Math.min(1, u * 1.4));
    return {
      ...start,
      scale: start.scale * Math.max(0.01, 1 - gone),
      turn: 200 * gone,
      pivot: 0.46,
      opacity: gone >= 1 ? 0 : start.opacity,
    };
  };

const spin: Act =
  ({ start, size }) =>
  (u) => ({
    ...start,
    turn: 720 * eased(u),
    pivot: 0.46,
    height: start.height + swell(u) * size * 0.25,
  });

const shake: Act =
  ({ start, size }) =>
  (u) => ({
    ...start,
    x: start.x + Math.sin(u * 14 * Math.PI) * size * 0.07 * (1 - u),
    turn: Math.sin(u * 14 * Math.PI + 1) * 4 * (1 - u),
  });

const nod: Act =
  ({ start }) =>
  (u) => {
    const dip = Math.sin(u * 2 * Math.PI) ** 2;
    return deform({ ...start, turn: start.facing * 13 * dip }, 1 - 0.05 * dip);
  };

const wave: Act =
  ({ start }) =>
  (u) => ({ ...start, turn: Math.sin(u * 6 * Math.PI) * 12 * swell(u) });

const meet: Act = (scope) => steps({ distance: 0.3, count: 6, bob: 0.05, lean: 3 })(scope);

/** Runs to the other actor, which `fled` moves away in time. */
const chase: Act = (scope) => {
  const { start, size, other, left, right } = scope;
  if (other === null) return run(scope);
  const side = Math.sign(other.pose.x - start.x) || 1;
  const x = Math.min(right, Math.max(left, other.pose.x));
  return (u) => ({
    ...start,
    x: mixed(start.x, x, eased(u)),
    height: Math.abs(Math.sin(u * 9 * Math.PI)) * size * 0.1 * swell(u),
    facing: side,
    turn: side * 8 * swell(u),
  });
};

/** Keeps its distance from the pursuer and turns round at the frame's edge. */
export const fled: Act = ({ start, size, other, left, right, width }) => {
  const side = other === null ? start.facing : Math.sign(start.x - other.pose.x) || 1;
  const ahead = Math.min(right, Math.max(left, start.x + side * width * 0.3));
  const room = Math.abs(ahead - start.x) > size * 0.8;
  const to = room ? ahead : Math.min(right, Math.max(left, start.x - side * width * 0.42));
  return (u) => ({
    ...start,
    x: mixed(start.x, to, eased(Math.min(1, u * 1.05))),
    height: Math.abs(Math.sin(u * 8 * Math.PI + 0.8)) * size * 0.1 * swell(u) + (room ? 0 : arc(u) * size * 1.1),
    facing: Math.sign(to - start.x) || 1,
    turn: (Math.sign(to - start.x) || 1) * 7 * swell(u),
  });
};

const wait: Act =
  ({ start, other }) =>
  (u) => {
    const facing = other === null ? start.facing : Math.sign(other.pose.x - start.x) || start.facing;
    const up = other !== null && other.pose.height > 0 ? 1 : 0.4;
    const looks = Math.min(1, u * 5) * (u > 0.85 ? (1 - u) / 0.15 : 1);
    return deform({ ...start, facing, turn: -facing * 6 * looks * up }, 1 + 0.035 * looks * up);
  };

/** Brakes with a lean, and stands. */
const stop: Act =
  ({ start, size, side }) =>
  (u) => {
    const facing = side ?? start.facing;
    const lean = Math.exp(-5 * u) * Math.sin(9 * u);
    return deform(
      {
        ...start,
        height: mixed(start.height, Math.min(start.height, size * 0.02), eased(Math.min(1, u * 2))),
        facing,
        turn: facing * 12 * lean,
      },
      1 - 0.06 * lean,
    );
  };

/** Stretches, drops and settles lower. */
const sit: Act =
  ({ start, side }) =>
  (u) => {
    const rise = u < 0.16 ? swell(u / 0.16) : 0;
    return deform(
      {
        ...start,
        facing: side ?? start.facing,
        height: start.height * (1 - eased(Math.min(1, u * 2))),
        seated: mixed(start.seated, 1, popped(Math.max(0, (u - 0.16) / 0.84) * 1.2)),
      },
      1 + 0.05 * rise,
    );
  };

/** Turns to the one that it talks to, and nods with its words. */
const say: Act =
  ({ start, other, side }) =>
  (u) => {
    const facing = other === null ? (side ?? start.facing) : Math.sign(other.pose.x - start.x) || start.facing;
    const word = Math.abs(Math.sin(u * 5 * Math.PI)) * swell(Math.min(1, u * 1.25));
    return deform({ ...start, facing, turn: facing * 2.5 * word }, 1 + 0.035 * word);
  };

/** Acts of a figure that sits; all others make it stand up. */
export const seatedActs: ReadonlySet<ActName> = new Set(['sit', 'say', 'nod', 'wave', 'wait', 'stop', 'shake']);

const run = steps({ distance: 0.46, count: 9, bob: 0.1, lean: 8 });

export const actsByName: Readonly<Record<ActName, Act>> = {
  enter,
  leave,
  walk: steps({ distance: 0.26, count: 6, bob: 0.045, lean: 2 }),
  run,
  hop: hops({ distance: 0.26, count: 3, height: 0.42 }),
  jump: hops({ distance: 0, count: 1, height: 1.15 }),
  fly,
  float,
  swim,
  roll,
  drive,
  bounce,
  spin,
  shake,
  nod,
  wave,
  grow: scaled(1.4),
  shrink: scaled(0.6),
  fall,
  rise,
  appear,
  vanish,
  meet,
  chase,
  wait,
  stop,
  sit,
  say,
};
