import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { programMoves } from '../motion/act.ts';
import { type Moves, type Player, pressed, type Setting } from './players.ts';
import { centre, middle, parts, side, tallest, type Way, walked, widest } from './steps.ts';

/** Where who stands beside whom, from where it rests. */
const beside = (who: readonly Player[], whom: readonly Player[], gap: number): number =>
  middle(whom) - side(who, whom) * (widest(who) + widest(whom)) * gap - middle(who);

/** Who goes there, from `from` on, and its height with it where it is in the air. */
function approach(
  player: Player,
  [start, there]: readonly [number, number],
  [dx, dy]: readonly [number, number],
  setting: Setting,
  from = 0,
): Moves {
  const x = [
    stop(0, round(from)),
    stop(round(start), round(from), 'linear'),
    stop(round(there), round(dx), 'easeInOutCubic', 'reaches it'),
  ];
  const y =
    setting.gait === 'air'
      ? { y: [stop(0, 0), stop(round(start), 0, 'linear'), stop(round(there), round(dy), 'easeInOutCubic')] }
      : {};
  return { ...walked(player, x, setting), ...y };
}

const arrival = ({ start, until }: Setting): number => start + Math.min(1.1, (until - start) * 0.35);

const reaching: Way = (who, whom, setting) => {
  const { start, until, frame, fresh } = setting;
  const there = start + Math.min(1.8, (until - start) * 0.6);
  const dx = beside(who, whom, 0.95);
  // A way that is hardly one comes in from outside.
  const from = fresh && Math.abs(dx) < frame.width * 0.2 ? -side(who, whom) * (frame.width / 2 + widest(who)) - middle(who) : 0;
  return {
    comment: 'Goes there and stays.',
    who: parts(who, (player) => approach(player, [start, there], [dx, centre(whom) - player.place[1]], setting, from)),
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
  const height = setting.to === null ? tallest(who) * 1.5 : tallest(setting.to) * 2.1;
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
          : [stop(round(down), round(height), 'linear'), stop(round(down + 0.25), round(tallest(setting.to) * 2), 'fall')]),
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
      const dy = centre(whom) + tallest(whom) + player.halfHeight * 1.3 - player.place[1];
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
  watch: watching,
  lift: lifting,
  pour: pouring,
  become: becoming,
} as const satisfies Record<string, Way>;
