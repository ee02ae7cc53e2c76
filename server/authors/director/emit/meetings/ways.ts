import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { carrying, catching, onto, over, swapping, throwing } from './leaps.ts';
import { type Moves, type Player, pressed } from './players.ts';
import { middle, parts, side, type Way, walked, widest } from './steps.ts';

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
