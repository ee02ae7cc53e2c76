import { programOf } from '../../programs.ts';
import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { programMoves } from '../motion/act.ts';
import { type Moves, type Player, pressed, type Setting } from './players.ts';
import { arc, leap, middle, parts, side, type Way, walked, widest } from './steps.ts';

const top = (players: readonly Player[]): number => Math.max(...players.map(({ halfHeight }) => halfHeight));
const centre = (players: readonly Player[]): number =>
  players.reduce((sum, { place }) => sum + place[1], 0) / Math.max(1, players.length);
/** Where who stands beside whom, from where it rests. */
const beside = (who: readonly Player[], whom: readonly Player[], gap: number): number =>
  middle(whom) - side(who, whom) * (widest(who) + widest(whom)) * gap - middle(who);

/** Who goes there, and its height with it where it is in the air. */
function approach(
  player: Player,
  [start, there]: readonly [number, number],
  [dx, dy]: readonly [number, number],
  setting: Setting,
): Moves {
  const x = [stop(0, 0), stop(round(start), 0, 'linear'), stop(round(there), round(dx), 'easeInOutCubic', 'reaches it')];
  const y =
    setting.gait === 'air'
      ? { y: [stop(0, 0), stop(round(start), 0, 'linear'), stop(round(there), round(dy), 'easeInOutCubic')] }
      : {};
  return { ...walked(player, x, setting), ...y };
}

const arrival = ({ start, until }: Setting): number => start + Math.min(1.1, (until - start) * 0.35);

const reaching: Way = (who, whom, setting) => {
  const there = setting.start + Math.min(1.8, (setting.until - setting.start) * 0.6);
  const dx = beside(who, whom, 0.95);
  return {
    comment: 'Goes there and stays.',
    who: parts(who, (player) => approach(player, [setting.start, there], [dx, centre(whom) - player.place[1]], setting)),
    whom: parts(whom, () => ({ squash: [stop(0, 1), ...pressed(there, 0.25, setting)] })),
  };
};

/** Two strokes with the whole body, to the other and back. */
function strokes(there: number, sign: number, { until, speed }: Setting): KeyStop[] {
  const each = Math.min(0.7 / speed, Math.max(0.3, (until - there) / 3));
  return [0, 1].flatMap((index) => {
    const from = there + index * each;
    return [
      stop(round(from), 0, 'linear'),
      stop(round(from + each * 0.3), round(sign * 7), 'easeOutCubic'),
      stop(round(from + each * 0.5), round(-sign * 12), 'easeInCubic', 'does it'),
      stop(round(from + each), 0, 'easeInOutCubic'),
    ];
  });
}

const doing: Way = (who, whom, setting) => {
  const there = arrival(setting);
  const contact = there + 0.35 / setting.speed;
  const sign = side(who, whom);
  const dx = beside(who, whom, 0.92);
  const { effect, speed, until } = setting;
  return {
    comment: 'Goes there and does it; the other answers from the contact on.',
    who: parts(
      who,
      (player) => {
        const gone = approach(player, [setting.start, there], [dx, centre(whom) - player.place[1]], setting);
        const before = (gone.rotateZ ?? [stop(0, 0)]).filter(({ time }) => time < there);
        const turned = player.round ? gone.rotateZ : [...before, ...strokes(there, sign, setting)];
        return turned === undefined ? gone : { ...gone, rotateZ: turned };
      },
      [contact],
    ),
    whom: parts(whom, ({ halfHeight }, index) => {
      const from = contact + index * Math.min(0.18, (until - contact) / (whom.length * 3));
      return effect === null
        ? { squash: [stop(0, 1), ...pressed(from, 0.6, setting)] }
        : programMoves(effect, [from, Math.max(from + 0.6, until)], { halfHeight, speed });
    }),
  };
};

/** Several go one after the other: when each begins and arrives. */
function turns(who: readonly Player[], { start, until, speed }: Setting): (readonly [number, number])[] {
  const each = Math.min(1.1 / speed, (until - start) * 0.5);
  const late = Math.min(0.35, Math.max(0, until - start - each - 0.3) / Math.max(1, who.length - 1));
  return who.map((_, index) => [start + 0.3 + index * late, start + 0.3 + index * late + each]);
}

const entering: Way = (who, whom, setting) => {
  const times = turns(who, setting);
  const arrivals = times.map(([, there]) => there);
  const high = top(whom);
  return {
    comment: 'Goes over its edge and is in it.',
    who: parts(
      who,
      (player, index) => {
        const [from, there] = times[index] ?? [setting.start, setting.until];
        const over = leap(
          player,
          from,
          there,
          middle(whom) - player.place[0],
          centre(whom) + high * 0.9 - player.place[1],
          high,
          setting,
        );
        const gone = round(there + 0.28);
        return {
          ...over,
          y: [...(over.y ?? []), stop(gone, round(centre(whom) - player.place[1]), 'easeInCubic', 'is in it')],
          scale: [
            stop(0, 1),
            stop(round(there - 0.12), 1, 'linear'),
            stop(round(there), 0.7, 'easeInCubic'),
            stop(gone, 0, 'easeInCubic'),
          ],
        };
      },
      arrivals.slice(0, 3),
    ),
    whom: parts(whom, () => ({ squash: [stop(0, 1), ...pressed((arrivals.at(-1) ?? setting.start) + 0.2, 0.5, setting)] })),
  };
};

const emerging: Way = (who, whom, setting) => {
  const times = turns(who, setting);
  const sign = side(whom, who);
  return {
    comment: 'Comes out of it and lands beside it.',
    who: parts(who, (player, index) => {
      const [from, there] = times[index] ?? [setting.start, setting.until];
      const inside = [middle(whom) - player.place[0], centre(whom) - player.place[1]] as const;
      // It lands where it rests, or beside it where that is inside.
      const near = Math.abs(inside[0]) < widest(whom) + player.radius ? sign * (widest(whom) + player.radius) + inside[0] : 0;
      const { x = [], y = [] } = arc(from, there, near - inside[0], -inside[1], top(whom) * 1.2);
      return {
        x: x.map((key) => ({ ...key, value: round(key.value + inside[0]) })),
        y: y.map((key) => ({ ...key, value: round(key.value + inside[1]) })),
        scale: [stop(0, 0), stop(round(from), 0, 'linear'), stop(round(from + 0.4), 1, 'easeOutCubic', 'comes out')],
        squash: [stop(0, 1), ...pressed(there, 0.6, setting)],
      };
    }),
    whom: parts(whom, () => ({ squash: [stop(0, 1), ...pressed(times[0]?.[0] ?? setting.start, 0.7, setting)] })),
  };
};

const comingOff: Way = (who, whom, setting) => {
  const { start, until, frame } = setting;
  const leaves = start + Math.min(1.2, (until - start) * 0.4);
  const lands = Math.min(until, leaves + 0.7 / setting.speed);
  const sign = middle(whom) <= 0 ? 1 : -1;
  const edge = widest(whom) + widest(who);
  const away = Math.min(frame.width / 2 - widest(who) * 1.2 - sign * middle(whom), edge * 1.25);
  return {
    comment: 'Stands on it, goes over its edge and comes down.',
    who: parts(
      who,
      (player) => {
        const up = centre(whom) + top(whom) + player.halfHeight * 0.95 - player.place[1];
        const from = middle(whom) - player.place[0];
        const x = [
          stop(0, round(from)),
          stop(round(start), round(from), 'linear'),
          stop(round(leaves), round(from + sign * edge * 0.7), 'easeInCubic'),
          stop(round(lands), round(from + sign * away), 'linear', 'lands'),
        ];
        return {
          ...walked(player, x, setting),
          y: [stop(0, round(up)), stop(round(leaves), round(up), 'linear'), stop(round(lands), 0, 'fall')],
          squash: [stop(0, 1), ...pressed(lands, 0.9, setting)],
        };
      },
      [lands],
    ),
    whom: parts(whom, () => ({})),
  };
};

const passing: Way = (who, whom, setting) => {
  const { start, until, frame, effect } = setting;
  const sign = side(who, whom);
  const behind = effect === 'behind';
  const lane = (widest(who) + widest(whom)) * (behind ? -0.9 : 0.7);
  return {
    comment: behind ? 'Goes past it, behind it.' : 'Goes past it, in front of it.',
    who: parts(who, (player, index) => {
      const far = Math.min(frame.width * 0.34 - player.radius * index, widest(whom) + player.radius * 1.5);
      const x = [
        stop(0, 0),
        stop(round(start + Math.min(index * 0.2, (until - start) * 0.4)), 0, 'linear'),
        stop(round(until), round(sign * far - player.place[0]), 'easeInOutCubic'),
      ];
      const z = [
        stop(0, 0),
        stop(round(start), 0, 'linear'),
        stop(round(start + (until - start) * 0.3), round(lane), 'easeInOutCubic'),
        stop(round(start + (until - start) * 0.7), round(lane), 'linear'),
        stop(round(until), 0, 'easeInOutCubic'),
      ];
      return { ...walked(player, x, setting), z };
    }),
    whom: parts(whom, () => ({ x: [stop(0, round(-middle(whom)))] })),
  };
};

/** Who sits on it and both go: out on one side, in on the other, to the middle. */
const riding: Way = (who, whom, setting) => {
  const { start, until, frame } = setting;
  const vehicle = widest(whom);
  const flies = setting.effect !== null && programOf(setting.effect).air;
  const out = frame.width / 2 + vehicle * 1.6;
  const leaves = start + (until - start) * 0.55;
  const along = (from: number): KeyStop[] => [
    stop(0, round(from - out * 0.45)),
    stop(round(start), round(from - out * 0.4), 'linear'),
    stop(round(leaves), round(from + out), 'easeInCubic', 'goes out of the frame'),
    stop(round(leaves + 0.05), round(from - out), 'hold', 'comes in again'),
    stop(round(until), round(from), 'easeOutCubic'),
  ];
  const bob = (height: number): Moves =>
    programMoves(flies ? 'bob' : 'drive', [start, until], { halfHeight: height, speed: setting.speed });
  const lift = flies ? frame.height * 0.12 : 0;
  const raised = (moves: Moves, by: number): Moves => ({
    ...moves,
    y: (moves.y ?? [stop(0, 0)]).map((key) => ({ ...key, value: round(key.value + by) })),
  });
  const height = top(whom);
  return {
    comment: 'Sits on it and rides it across.',
    who: parts(who, (player, index) => {
      const seat = centre(whom) + height * 0.62 + player.halfHeight * 0.8 - player.place[1];
      const row = (index - (who.length - 1) / 2) * player.radius * 1.4;
      return {
        ...raised(bob(height), seat + lift),
        x: along(row - player.place[0]),
        scale: [stop(0, 0.8)],
        z: [stop(0, round(-player.radius * 0.2))],
      };
    }),
    whom: parts(whom, (player) => ({ ...raised(bob(height), lift), x: along(-player.place[0]) })),
  };
};

/** A cascade: each is thrown from hand to hand, one after the other. */
const juggling: Way = (who, whom, setting) => {
  const { start, until, frame, speed } = setting;
  const hands = widest(who) * 0.85;
  const hold = centre(who);
  const height = Math.min(frame.height * 0.34, frame.height / 2 - hold - widest(whom) * 1.4);
  const flight = 0.75 / speed;
  const throws = Math.min(24, Math.max(2, Math.floor((until - start) / flight)));
  return {
    comment: 'Throws them from hand to hand.',
    who: parts(who, ({ halfHeight, place }) => ({
      ...programMoves('juggle', [start, until], { halfHeight, speed }),
      x: [stop(0, round(-place[0]))],
    })),
    whom: parts(whom, ({ place }, index) => {
      const begin = start + (index * flight) / whom.length;
      const hand = (turn: number) => round(((turn + index) % 2 === 0 ? -hands : hands) - place[0]);
      const low = round(hold - place[1]);
      const each = Array.from({ length: throws }, (_, turn) => begin + turn * flight);
      return {
        x: [
          stop(0, hand(0)),
          stop(round(begin), hand(0), 'linear'),
          ...each.map((time, turn) => stop(round(time + flight), hand(turn + 1), 'linear')),
        ],
        y: [
          stop(0, low),
          stop(round(begin), low, 'linear'),
          ...each.flatMap((time) => [
            stop(round(time + flight / 2), round(low + height * (1 - (index % 3) * 0.12)), 'rise'),
            stop(round(time + flight), low, 'fall'),
          ]),
        ],
        z: [stop(0, round(widest(who) * 0.6 - place[2]))],
        scale: [stop(0, 0.5)],
      };
    }),
  };
};

const watching: Way = (who, whom, setting) => {
  const { start, until, speed } = setting;
  const sign = side(who, whom);
  return {
    comment: 'Leans towards it and looks.',
    who: parts(who, (player) => {
      const lean = player.round
        ? {}
        : {
            rotateZ: [
              stop(0, 0),
              stop(round(start), 0, 'linear'),
              stop(round(start + 0.6), -sign * 9, 'easeOutBack'),
              stop(round(until), -sign * 6, 'easeInOutCubic'),
            ],
          };
      const x = [
        stop(0, 0),
        stop(round(start), 0, 'linear'),
        stop(round(start + 0.9), round(beside(who, whom, 1.25) * 0.6), 'easeInOutCubic'),
      ];
      return { ...walked(player, x, setting), ...lean };
    }),
    whom: parts(whom, ({ halfHeight }) => programMoves('sparkle', [start + 0.8, until], { halfHeight, speed })),
  };
};

const lifting: Way = (who, whom, setting) => {
  const there = arrival(setting);
  const up = Math.min(setting.until - 0.2, there + 1.1 / setting.speed);
  const reach = beside(who, whom, 0.72);
  const height = setting.to === null ? top(who) * 1.5 : top(setting.to) * 2.1;
  const end = setting.to === null ? 0 : middle(setting.to) - middle(whom);
  const down = Math.min(setting.until, up + 0.9);
  const carried = (from: number): KeyStop[] =>
    setting.to === null
      ? []
      : [stop(round(up), round(from), 'linear'), stop(round(down), round(from + end), 'easeInOutCubic', 'brings it there')];
  return {
    comment: 'Goes there and raises it.',
    who: parts(who, (player) =>
      walked(
        player,
        [
          stop(0, 0),
          stop(round(setting.start), 0, 'linear'),
          stop(round(there), round(reach), 'easeInOutCubic', 'reaches it'),
          ...carried(reach),
        ],
        setting,
      ),
    ),
    whom: parts(whom, () => ({
      y: [
        stop(0, 0),
        stop(round(there), 0, 'linear'),
        stop(round(up), round(height), 'easeInOutCubic', 'is raised'),
        ...(setting.to === null
          ? []
          : [stop(round(down), round(height), 'linear'), stop(round(down + 0.25), round(top(setting.to) * 2), 'fall')]),
      ],
      ...(setting.to === null ? {} : { x: [stop(0, 0), ...carried(0)] }),
    })),
  };
};

const pouring: Way = (who, whom, setting) => {
  const there = arrival(setting);
  const over = Math.min(setting.until, there + 0.7 / setting.speed);
  const sign = side(who, whom);
  const { effect, speed, until } = setting;
  return {
    comment: 'Goes above it and tips over.',
    who: parts(who, (player) => {
      const dx = middle(whom) - sign * (player.radius * 0.9 + widest(whom) * 0.3) - player.place[0];
      const dy = centre(whom) + top(whom) + player.halfHeight * 1.3 - player.place[1];
      return {
        x: [stop(0, 0), stop(round(setting.start), 0, 'linear'), stop(round(there), round(dx), 'easeInOutCubic')],
        y: [stop(0, 0), stop(round(setting.start), 0, 'linear'), stop(round(there), round(dy), 'easeInOutCubic')],
        rotateZ: [
          stop(0, 0),
          stop(round(there), 0, 'linear'),
          stop(round(over), round(-sign * 105), 'easeInOutCubic', 'pours'),
          stop(round(until), round(-sign * 96), 'easeInOutCubic'),
        ],
      };
    }),
    whom: parts(whom, ({ halfHeight }) => programMoves(effect ?? 'bob', [over, until], { halfHeight, speed })),
  };
};

/** One turns quickly as it goes, and where it was the other comes. */
const becoming: Way = (who, whom, setting) => {
  const { start, until, manner } = setting;
  const change = start + Math.min(1.4, (until - start) * 0.45);
  const spot = (middle(who) + middle(whom)) / 2;
  const at = (player: Player): KeyStop[] => [stop(0, round(spot - player.place[0]))];
  return {
    comment: 'Turns into the other.',
    who: parts(who, (player) => ({
      x: at(player),
      scale: [
        stop(round(change - 0.5), 1, 'linear'),
        stop(round(change - 0.2), 1.12, 'easeInOutCubic'),
        stop(round(change + 0.1), 0, 'easeInCubic', 'is gone'),
      ],
      rotateZ: [stop(0, 0), stop(round(change - 0.5), 0, 'linear'), stop(round(change + 0.1), 50, 'easeInCubic')],
    })),
    whom: parts(
      whom,
      (player) => ({
        x: whom.length === 1 ? at(player) : [stop(0, 0)],
        scale: [stop(0, 0), stop(round(change), 0, 'linear'), stop(round(change + 0.5), 1, manner.enterEase, 'is there')],
        rotateZ: [stop(0, -40), stop(round(change), -40, 'linear'), stop(round(change + 0.55), 0, 'easeOutBack')],
      }),
      [change],
    ),
  };
};

/** Meetings in which one does something to the other that the verb alone says. */
export const deedWays = {
  do: doing,
  reach: reaching,
  into: entering,
  'out-of': emerging,
  off: comingOff,
  past: passing,
  ride: riding,
  juggle: juggling,
  watch: watching,
  lift: lifting,
  pour: pouring,
  become: becoming,
} as const satisfies Record<string, Way>;
