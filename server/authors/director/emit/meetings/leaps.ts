import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import { pressed } from './players.ts';
import { arc, leap, middle, parts, side, type Way, walked, widest } from './steps.ts';

export const over: Way = (who, whom, setting) => {
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

export const onto: Way = (who, whom, setting) => {
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

export const catching: Way = (who, whom, setting) => {
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

export const throwing: Way = (who, whom, setting) => {
  const { start, until, frame } = setting;
  const sign = middle(who) <= (setting.to === null ? 0 : middle(setting.to)) ? 1 : -1;
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
        const far =
          setting.to === null
            ? sign * (frame.width / 2 - player.radius * (1.4 + index * 2.1)) - player.place[0]
            : middle(setting.to) - player.place[0];
        const end =
          setting.to === null
            ? 0
            : Math.max(...setting.to.map(({ place, halfHeight }) => place[1] + halfHeight * 0.7)) - player.place[1];
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
            stop(round(land), round(end), 'fall', 'lands'),
          ],
          rotateZ: [stop(0, 0), stop(round(release), 0, 'linear'), stop(round(land), -sign * 360, 'linear')],
          squash: [stop(0, 1), ...pressed(land, 0.9, setting)],
        };
      },
      [land],
    ),
  };
};

export const carrying: Way = (who, whom, setting) => {
  const { start, until, frame } = setting;
  const { to } = setting;
  const sign = to === null ? (middle(who) <= 0 ? 1 : -1) : middle(who) <= middle(to) ? 1 : -1;
  const up = start + Math.min(1, (until - start) * 0.35);
  const room =
    to === null ? (frame.width / 2 - widest(who) * 1.4 - sign * middle(who)) * 0.85 : Math.abs(middle(to) - middle(who));
  const way = Math.max(0, room - (to === null ? 0 : widest(to) + widest(who) * 0.9));
  const arrives = to === null ? until : Math.max(up + 0.6, until - 0.7);
  const top = Math.max(...who.map(({ halfHeight }) => halfHeight)) * 1.95;
  const going = (from: number): KeyStop[] => [
    stop(round(up + 0.15), round(from), 'linear', 'carries it'),
    stop(round(arrives), round(from + sign * way), 'easeInOutCubic'),
  ];
  return {
    comment: to === null ? 'Takes it up and carries it across.' : 'Takes it up, carries it there and puts it down.',
    who: parts(who, (player) => walked(player, [stop(0, 0), ...going(0)], setting)),
    whom: parts(whom, (player, index) => {
      const held = middle(who) - player.place[0] + (index - (whom.length - 1) / 2) * player.radius * 1.3;
      const ride = arc(start, up, held, top, player.halfHeight * 0.6);
      const moves = { x: [...(ride.x ?? []), ...going(held)], y: [...(ride.y ?? [])] };
      if (to === null) return moves;
      const high = Math.max(...to.map(({ place, halfHeight }) => place[1] + halfHeight)) + player.halfHeight - player.place[1];
      return {
        x: [...moves.x, stop(round(Math.min(until, arrives + 0.5)), round(middle(to) - player.place[0]), 'easeOutCubic')],
        y: [
          ...moves.y,
          stop(round(arrives), round(top), 'linear'),
          stop(round(Math.min(until, arrives + 0.2)), round(Math.max(top, high) + player.halfHeight * 0.4), 'rise'),
          stop(round(Math.min(until, arrives + 0.5)), round(high), 'fall', 'is put down'),
        ],
      };
    }),
  };
};
export const swapping: Way = (who, whom, setting) => {
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
