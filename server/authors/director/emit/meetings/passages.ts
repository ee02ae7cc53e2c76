import { programOf } from '../../programs.ts';
import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { programMoves } from '../motion/act.ts';
import { type Moves, type Player, pressed, type Setting } from './players.ts';
import { arc, centre, leap, middle, parts, side, tallest, type Way, walked, widest } from './steps.ts';

/** Several go one after the other: when each begins and arrives. */
function turns(who: readonly Player[], { start, until, speed }: Setting): (readonly [number, number])[] {
  const each = Math.min(1.1 / speed, (until - start) * 0.5);
  const late = Math.min(0.35, Math.max(0, until - start - each - 0.3) / Math.max(1, who.length - 1));
  return who.map((_, index) => [start + 0.3 + index * late, start + 0.3 + index * late + each]);
}

const entering: Way = (who, whom, setting) => {
  const times = turns(who, setting);
  const arrivals = times.map(([, there]) => there);
  const high = tallest(whom);
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
      const { x = [], y = [] } = arc(from, there, near - inside[0], -inside[1], tallest(whom) * 1.2);
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
        const up = centre(whom) + tallest(whom) + player.halfHeight * 0.95 - player.place[1];
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
  const height = tallest(whom);
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

/** Meetings in which somebody goes into, out of, off, past or on another. */
export const passages = {
  into: entering,
  'out-of': emerging,
  off: comingOff,
  past: passing,
  ride: riding,
  juggle: juggling,
} as const satisfies Record<string, Way>;
