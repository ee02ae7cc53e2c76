import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { type Meeting, type Moves, type Part, type Player, pressed, rolled, type Setting } from './players.ts';

/** A meeting that is choreographed rather than computed: where the bodies go is the point, not what happens to them. */
type Way = (who: readonly Player[], whom: readonly Player[], setting: Setting) => Meeting;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const middle = (players: readonly Player[]): number => mean(players.map(({ place }) => place[0]));
const widest = (players: readonly Player[]): number => Math.max(...players.map(({ radius }) => radius));
const side = (who: readonly Player[], whom: readonly Player[]): 1 | -1 => (middle(who) <= middle(whom) ? 1 : -1);

function parts(
  players: readonly Player[],
  movesOf: (player: Player, index: number) => Moves,
  at: readonly number[] = [],
): Part[] {
  const touches = at.map((time) => ({ time: round(time), strength: 0.7 }));
  return players.map((player, index) => ({ moves: movesOf(player, index), touches }));
}

/** What goes along the floor: round bodies roll, others hop a little with each step. */
function walked(player: Player, x: readonly KeyStop[], { playful, speed }: Setting): Moves {
  if (player.round) return { x, rotateZ: x.map((key) => ({ ...key, value: rolled(key.value, player), note: null })) };
  const stepSeconds = 0.3 / speed;
  const lift = player.halfHeight * (playful ? 0.3 : 0.14);
  const y: KeyStop[] = [stop(0, 0)];
  const rotateZ: KeyStop[] = [stop(0, 0)];
  x.forEach((key, index) => {
    const before = x[index - 1];
    if (before === undefined || before.value === key.value) return;
    const steps = Math.max(1, Math.round((key.time - before.time) / stepSeconds));
    const seconds = (key.time - before.time) / steps;
    if (before.time > (y.at(-1)?.time ?? 0)) y.push(stop(before.time, 0, 'linear'));
    if (before.time > (rotateZ.at(-1)?.time ?? 0)) rotateZ.push(stop(before.time, 0, 'linear'));
    for (let step = 0; step < steps; step += 1) {
      const from = before.time + step * seconds;
      y.push(stop(round(from + seconds / 2), round(lift), 'rise'), stop(round(from + seconds), 0, 'fall'));
      const lean = step === steps - 1 ? 0 : (step % 2 === 0 ? 1 : -1) * (playful ? 5 : 2.5);
      rotateZ.push(stop(round(from + seconds), lean, 'swingOver'));
    }
  });
  return { x, y, rotateZ };
}

/** Both cross the frame, whom ahead, out on one side and in on the other, and come to rest as near as they got. */
function pursuit(gapSeconds: number, comment: string): Way {
  return (who, whom, setting) => {
    const sign = side(who, whom);
    const { start, until, frame } = setting;
    const out = Math.max(start + 1, start + (until - start) * 0.45);
    const path = (player: Player, late: number, rest: number): KeyStop[] => {
      const away = sign * (frame.width / 2 + player.radius * 1.6) - player.place[0];
      const again = -sign * (frame.width / 2 + player.radius * 1.6) - player.place[0];
      const back = out + late + 0.05;
      return [
        stop(0, 0),
        stop(round(start + late), 0, 'linear'),
        stop(round(out + late), round(away), 'easeInCubic', 'runs out of the frame'),
        stop(round(back), round(again), 'hold', 'comes in on the other side'),
        stop(round(Math.max(back + 0.5, until)), round(rest), 'easeOutCubic'),
      ];
    };
    // In the end who is close behind whom.
    const gap = (widest(who) + widest(whom)) * 1.25;
    const centre = (middle(who) + middle(whom)) / 2;
    return {
      comment,
      who: parts(who, (player) => walked(player, path(player, gapSeconds, centre - (sign * gap) / 2 - middle(who)), setting)),
      whom: parts(whom, (player) => walked(player, path(player, 0, centre + (sign * gap) / 2 - middle(whom)), setting)),
    };
  };
}

/** Who goes to whom and the two go on together; `drag` = whom comes behind. */
function haul(drag: boolean, comment: string): Way {
  return (who, whom, setting) => {
    const sign = side(who, whom) * (drag ? -1 : 1);
    const { start, until, frame } = setting;
    const touching = widest(who) * 0.95 + widest(whom) * 0.95;
    const reach = middle(whom) - side(who, whom) * touching - middle(who);
    const meet = start + Math.min(1.1, (until - start) * 0.35);
    const free = frame.width / 2 - Math.max(widest(who), widest(whom)) * 1.3;
    const lead = drag ? middle(who) + reach : middle(whom);
    const way = Math.max(0, free - sign * lead) * (drag ? 0.9 : 0.75);
    const go = Math.min(meet + 0.35, until - 0.5);
    const along = (from: number): KeyStop[] => [
      stop(round(go), round(from), 'linear', drag ? 'pulls' : 'pushes'),
      stop(round(until), round(from + sign * way), 'easeInOutCubic'),
    ];
    const lean = (player: Player): Moves =>
      player.round
        ? {}
        : {
            rotateZ: [
              stop(0, 0),
              stop(round(meet), 0, 'linear'),
              stop(round(go), -sign * 7, 'easeOutCubic'),
              stop(round(until - 0.2), -sign * 5, 'linear'),
              stop(round(until + 0.2), 0, 'easeOutCubic'),
            ],
          };
    return {
      comment,
      who: parts(who, (player) => ({
        ...walked(
          player,
          [
            stop(0, 0),
            stop(round(start), 0, 'linear'),
            stop(round(meet), round(reach), 'easeInOutCubic', 'reaches it'),
            ...along(reach),
          ],
          setting,
        ),
        ...lean(player),
      })),
      whom: parts(
        whom,
        (player) => {
          const x = [stop(0, 0), ...along(0)];
          return player.round ? walked(player, x, setting) : { x };
        },
        [meet],
      ),
    };
  };
}

/** An arc from where the bodies are to `(dx, dy)` away, `height` above the higher of both ends. */
function arc(from: number, until: number, dx: number, dy: number, height: number): Pick<Moves, 'x' | 'y'> {
  const top = Math.max(0, dy) + height;
  // Two parabolas that share their top: times go with the roots of the heights.
  const up = Math.sqrt(top) / (Math.sqrt(top) + Math.sqrt(top - dy));
  const peak = from + (until - from) * up;
  return {
    x: [stop(0, 0), stop(round(from), 0, 'linear'), stop(round(until), round(dx), 'linear')],
    y: [
      stop(0, 0),
      stop(round(from), 0, 'linear'),
      stop(round(peak), round(top), 'rise'),
      stop(round(until), round(dy), 'fall', 'lands'),
    ],
  };
}

/** A jump needs a crouch before it. */
function leap(player: Player, from: number, until: number, dx: number, dy: number, height: number, setting: Setting): Moves {
  const low = 1 - (1 - setting.manner.impactSquash) * 0.8;
  return {
    ...arc(from, until, dx, dy, height),
    squash: [
      stop(0, 1),
      stop(round(from - 0.24), 1, 'linear'),
      stop(round(from - 0.06), round(low), 'easeOutCubic', 'crouches'),
      stop(round(from), 1.06, 'easeInCubic'),
      stop(round((from + until) / 2), 1, 'easeInOutCubic'),
      ...pressed(until, player.round ? 1 : 0.7, setting),
    ],
  };
}

const over: Way = (who, whom, setting) => {
  const { start, until, frame } = setting;
  const sign = side(who, whom);
  const [up, down] = [start + 0.3, Math.min(until, start + 0.3 + 1.1 / setting.speed)];
  const height = Math.min(frame.height * 0.42, widest(whom) * 2 + widest(who) * 1.2);
  // What is jumped over stands in the middle, so that there is a place to land.
  const centre = (middle(who) + middle(whom)) / 2;
  const away = Math.min(frame.width / 2 - widest(who) * 1.2, (widest(who) + widest(whom)) * 1.25);
  const from = -sign * away + centre - middle(who);
  return {
    comment: 'Jumps over it in one parabola.',
    who: parts(
      who,
      (player) => {
        const { x = [], ...rest } = leap(player, up, down, 2 * sign * away, 0, height, setting);
        return { ...rest, x: x.map((key) => ({ ...key, value: round(key.value + from) })) };
      },
      [down],
    ),
    whom: parts(whom, () => ({ x: [stop(0, round(centre - middle(whom)))] })),
  };
};

const onto: Way = (who, whom, setting) => {
  const { start, until } = setting;
  const [up, down] = [start + 0.3, Math.min(until, start + 0.3 + 0.95 / setting.speed)];
  const dy = Math.max(...whom.map(({ halfHeight }) => halfHeight)) * 2;
  return {
    comment: 'Jumps up and lands on top.',
    who: parts(
      who,
      (player) => ({ ...leap(player, up, down, middle(whom) - middle(who), dy * 0.97, player.halfHeight * 0.9, setting) }),
      [down],
    ),
    whom: parts(whom, () => ({ squash: [stop(0, 1), ...pressed(down, 0.8, setting)] })),
  };
};

const catching: Way = (who, whom, setting) => {
  const { start, until, frame } = setting;
  const sign = side(who, whom);
  const meet = Math.min(until - 0.5, start + 1.5 / setting.speed);
  const high = frame.height * 0.2;
  const [reachX, reachY] = [middle(who) + sign * widest(who) * 0.75 - middle(whom), high * 0.55];
  const land = Math.min(until, meet + 0.4);
  return {
    comment: 'It flies over in an arc; the other jumps and has it.',
    who: parts(who, (player) => leap(player, meet - 0.42, land, 0, 0, high * 0.7, setting), [land]),
    whom: parts(whom, (player) => {
      const away = sign * (frame.width / 2 + player.radius * 1.5) - player.place[0];
      return {
        x: [
          stop(0, round(away)),
          stop(round(start), round(away), 'linear', 'comes flying'),
          stop(round(meet), round(reachX), 'linear', 'is caught'),
        ],
        y: [
          stop(0, 0),
          stop(round(start), 0, 'linear'),
          stop(round((start + meet) / 2), round(frame.height * 0.4), 'rise'),
          stop(round(meet), round(reachY), 'fall'),
          stop(round(land), 0, 'fall'),
        ],
        rotateZ: [
          stop(0, 0),
          stop(round(start), 0, 'linear'),
          stop(round(meet), round(sign * 300), 'linear'),
          stop(round(land), round(sign * 360), 'easeOutCubic'),
        ],
      };
    }),
  };
};

const throwing: Way = (who, whom, setting) => {
  const { start, until, frame } = setting;
  const sign = middle(who) <= 0 ? 1 : -1;
  const lift = start + 0.5;
  const release = Math.min(until - 0.8, start + 0.95);
  const land = Math.min(until, release + 1.05 / setting.speed);
  const top = Math.max(...who.map(({ halfHeight }) => halfHeight)) * 1.9;
  return {
    comment: 'Winds up and throws it in an arc.',
    who: parts(who, () => ({
      rotateZ: [
        stop(0, 0),
        stop(round(lift), 0, 'linear'),
        stop(round(release - 0.12), sign * 16, 'easeInOutCubic', 'winds up'),
        stop(round(release + 0.06), -sign * 18, 'easeInCubic', 'throws'),
        stop(round(release + 0.5), 0, 'easeOutCubic'),
      ],
    })),
    whom: parts(
      whom,
      (player, index) => {
        const held = middle(who) - player.place[0];
        const far = sign * (frame.width / 2 - player.radius * (1.4 + index * 2.1)) - player.place[0];
        return {
          x: [
            stop(0, 0),
            stop(round(start), 0, 'linear'),
            stop(round(lift), round(held), 'easeInOutCubic', 'is taken'),
            stop(round(release), round(held), 'linear'),
            stop(round(land), round(far), 'linear'),
          ],
          y: [
            stop(0, 0),
            stop(round(start), 0, 'linear'),
            stop(round(lift), round(top), 'easeInOutCubic'),
            stop(round(release), round(top), 'linear'),
            stop(round(release + (land - release) * 0.42), round(top + frame.height * 0.16), 'rise'),
            stop(round(land), 0, 'fall', 'lands'),
          ],
          rotateZ: [stop(0, 0), stop(round(release), 0, 'linear'), stop(round(land), -sign * 360, 'linear')],
          squash: [stop(0, 1), ...pressed(land, 0.9, setting)],
        };
      },
      [land],
    ),
  };
};

const carrying: Way = (who, whom, setting) => {
  const { start, until, frame } = setting;
  const sign = middle(who) <= 0 ? 1 : -1;
  const up = start + Math.min(1, (until - start) * 0.35);
  const way = Math.max(0, frame.width / 2 - widest(who) * 1.4 - sign * middle(who)) * 0.85;
  const top = Math.max(...who.map(({ halfHeight }) => halfHeight)) * 1.95;
  const going = (from: number): KeyStop[] => [
    stop(round(up + 0.15), round(from), 'linear', 'carries it'),
    stop(round(until), round(from + sign * way), 'easeInOutCubic'),
  ];
  return {
    comment: 'Takes it up and carries it across.',
    who: parts(who, (player) => walked(player, [stop(0, 0), ...going(0)], setting)),
    whom: parts(whom, (player) => {
      const held = middle(who) - player.place[0];
      const ride = arc(start, up, held, top, player.halfHeight * 0.6);
      return { x: [...(ride.x ?? []), ...going(held)], y: [...(ride.y ?? [])] };
    }),
  };
};

const eating: Way = (who, whom, setting) => {
  const { start, until } = setting;
  const sign = side(who, whom);
  const reach = middle(whom) - sign * (widest(who) * 0.7 + widest(whom) * 0.6) - middle(who);
  const there = start + Math.min(1, (until - start) * 0.35);
  const biteSeconds = Math.min(0.42, (until - there) / 4);
  const bites = [1, 2, 3].map((bite) => there + bite * biteSeconds);
  return {
    comment: 'Goes there and eats it in three bites.',
    who: parts(who, (player) => ({
      ...walked(
        player,
        [stop(0, 0), stop(round(start), 0, 'linear'), stop(round(there), round(reach), 'easeInOutCubic', 'reaches it')],
        setting,
      ),
      squash: [
        stop(0, 1),
        ...bites.flatMap((time) => [
          stop(round(time - biteSeconds * 0.45), 1, 'linear'),
          stop(round(time - biteSeconds * 0.15), 1.08, 'easeOutCubic'),
          stop(round(time), 0.93, 'easeInCubic', 'bites'),
        ]),
        stop(round((bites.at(-1) ?? there) + 0.25), 1, 'easeOutCubic'),
      ],
    })),
    whom: parts(whom, () => ({
      scale: [
        stop(round(there), 1, 'linear'),
        ...bites.flatMap((time, index) => [
          stop(round(time - 0.06), [1, 0.72, 0.42][index] ?? 1, 'linear'),
          stop(round(time), [0.72, 0.42, 0][index] ?? 0, 'easeOutCubic', 'a bite less'),
        ]),
      ],
      x: [
        stop(0, 0),
        stop(round(there), 0, 'linear'),
        stop(round(bites.at(-1) ?? there), round(-sign * widest(whom) * 0.8), 'easeInOutCubic'),
      ],
    })),
  };
};

const embracing: Way = (who, whom, setting) => {
  const { start, until } = setting;
  const sign = side(who, whom);
  const meet = start + Math.min(1.4, (until - start) * 0.55);
  const centre = (middle(who) + middle(whom)) / 2;
  const [left, right] = [centre - sign * widest(who) * 0.82 - middle(who), centre + sign * widest(whom) * 0.82 - middle(whom)];
  const toward = (player: Player, reach: number, lean: number): Moves => ({
    ...walked(
      player,
      [stop(0, 0), stop(round(start), 0, 'linear'), stop(round(meet), round(reach), 'easeInOutCubic', 'comes close')],
      setting,
    ),
    squash: [stop(0, 1), ...pressed(meet, 0.9, setting)],
    ...(player.round
      ? {}
      : {
          rotateZ: [
            stop(0, 0),
            stop(round(meet), 0, 'linear'),
            stop(round(meet + 0.3), lean, 'easeOutBack'),
            stop(round(Math.max(meet + 0.6, until)), round(lean * 0.6), 'easeInOutCubic'),
          ],
        }),
  });
  return {
    comment: 'Come to each other and stay close.',
    who: parts(who, (player) => toward(player, left, -sign * 8)),
    whom: parts(whom, (player) => toward(player, right, sign * 8)),
  };
};

const swapping: Way = (who, whom, setting) => {
  const { start, until, frame } = setting;
  const done = Math.min(until, start + 1.3 / setting.speed);
  const way = middle(whom) - middle(who);
  const height = Math.min(frame.height * 0.4, widest(whom) * 2.2 + widest(who) * 0.5);
  return {
    comment: 'They change places, one over the other.',
    who: parts(who, (player) => leap(player, start + 0.25, done, way, 0, height, setting), [done]),
    whom: parts(whom, (player) =>
      walked(
        player,
        [stop(0, 0), stop(round(start + 0.25), 0, 'linear'), stop(round(done), round(-way), 'easeInOutCubic')],
        setting,
      ),
    ),
  };
};

const merging: Way = (who, whom, setting) => {
  const { start, until } = setting;
  const meet = start + Math.min(1.3, (until - start) * 0.55);
  const centre = (middle(who) + middle(whom)) / 2;
  return {
    comment: 'They run into each other and are one, which is larger.',
    who: parts(who, (player) => ({
      ...walked(
        player,
        [
          stop(0, 0),
          stop(round(start), 0, 'linear'),
          stop(round(meet), round(centre - middle(who)), 'easeInCubic', 'become one'),
        ],
        setting,
      ),
      scale: [stop(round(meet - 0.05), 1, 'linear'), stop(round(meet + 0.35), 1.32, setting.manner.enterEase)],
    })),
    whom: parts(whom, (player) => ({
      ...walked(
        player,
        [stop(0, 0), stop(round(start), 0, 'linear'), stop(round(meet), round(centre - middle(whom)), 'easeInCubic')],
        setting,
      ),
      scale: [stop(round(meet - 0.12), 1, 'linear'), stop(round(meet + 0.04), 0, 'easeInCubic')],
    })),
  };
};

const circling: Way = (who, whom, setting) => {
  const { start, until } = setting;
  const centre = -middle(who);
  const across = Math.min(widest(whom) * 1.2 + widest(who) * 1.5, setting.frame.width / 2 - widest(who) * 1.3);
  const sign = side(who, whom);
  const quarters = Math.max(4, Math.round((until - start) / (0.55 / setting.speed) / 4) * 4);
  const at = (quarter: number) => round(start + 0.4 + ((until - start - 0.4) * quarter) / quarters);
  const turn = (quarter: number) => ((quarter + 2) * Math.PI) / 2;
  const indices = Array.from({ length: quarters + 1 }, (_, index) => index);
  return {
    comment: `Goes around it ${quarters / 4} times.`,
    who: parts(who, () => ({
      x: [
        stop(0, 0),
        ...indices.map((quarter) =>
          stop(
            at(quarter),
            round(centre + sign * across * Math.cos(turn(quarter))),
            quarter === 0 ? 'easeInOutCubic' : 'swingOver',
          ),
        ),
      ],
      z: [
        stop(0, 0),
        ...indices.map((quarter) =>
          stop(at(quarter), round(across * 0.8 * Math.sin(turn(quarter))), quarter === 0 ? 'easeInOutCubic' : 'swingOver'),
        ),
      ],
    })),
    whom: parts(whom, () => ({ x: [stop(0, round(-middle(whom)))] })),
  };
};

export const ways = {
  chase: pursuit(0.42, 'One runs after the other, across the frame and back in.'),
  follow: pursuit(0.8, 'One follows the other at a distance.'),
  push: haul(false, 'Goes to it and pushes it along.'),
  pull: haul(true, 'Goes to it and pulls it along.'),
  'jump-over': over,
  'land-on': onto,
  catch: catching,
  throw: throwing,
  carry: carrying,
  eat: eating,
  embrace: embracing,
  swap: swapping,
  merge: merging,
  circle: circling,
} as const satisfies Record<string, Way>;
