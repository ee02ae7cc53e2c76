import type { FilmScene, FilmText } from '../../../contract/film.ts';
import { round, worldX, worldY } from './frame.ts';
import { type KeyStop, stop } from './keyframes.ts';
import type { SceneLayout, TextPlace } from './layout/places.ts';
import { inkBox } from './layout/text-stack.ts';
import type { Role } from './meetings/meet.ts';
import { type Moves, type Player, playersOf, pressed, type Setting } from './meetings/players.ts';
import { programMoves } from './motion/act.ts';
import { readingSeconds } from './text-times.ts';

type Met = NonNullable<FilmText['met']>;

/** How a text moves that a subject writes, wipes away or brings, or that lands on one. */
export interface TextMove {
  readonly channels: Readonly<Partial<Record<'reveal' | 'leave' | 'x' | 'y', readonly KeyStop[]>>>;
  readonly entrance?: FilmText['entrance'];
  readonly exit?: FilmText['exit'];
}

/** Where the words are, in world units, as the camera sees them. */
interface Ink {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Encounter {
  readonly text: FilmText;
  readonly ink: Ink;
  readonly players: readonly Player[];
  readonly setting: Setting;
  readonly effect: string | undefined;
}

interface Deed {
  readonly comment: string;
  readonly moves: readonly Moves[];
  /** When something is hit. */
  readonly contact?: number;
  readonly text: TextMove;
}

const middleOf = ({ left, right, top, bottom }: Ink) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });
const held = (time: number, value: number): KeyStop => stop(round(time), round(value), 'linear');
const gone = (time: number, value: number, note: string | null = null): KeyStop =>
  stop(round(time), round(value), 'easeInOutCubic', note);
const shown = (from: number, until: number): readonly KeyStop[] => [stop(round(from), 0), stop(round(until), 1, 'linear')];

/** Up and down around the line, as a hand goes that writes or rubs. */
function strokes([from, until]: readonly [number, number], middle: number, height: number, count: number): KeyStop[] {
  return Array.from({ length: count }, (_, index) =>
    stop(
      round(from + ((index + 1) / count) * (until - from)),
      round(middle + (index === count - 1 ? 0 : (index % 2 === 0 ? 1 : -1) * height)),
      'swingOver',
    ),
  );
}

/** A pen that writes: its tip, at the lower left of the drawing, is where the words begin to be. */
function written({ text, ink, players, setting: { start, until, speed } }: Encounter): Deed {
  const signs = [...text.text].length;
  const there = start + 0.5;
  const end = Math.min(until - 0.3, there + Math.min(2.2, Math.max(1, signs * 0.13)) / Math.sqrt(speed));
  const { y } = middleOf(ink);
  const lift = (ink.top - ink.bottom) * 0.18;
  return {
    comment: 'Goes to the beginning of the words, writes them, and goes back.',
    moves: players.map(({ place: [px, py], radius, halfHeight }) => {
      const [dx, dy] = [radius * 0.62 - px, y + halfHeight * 0.62 - py];
      return {
        x: [stop(0, 0), held(start, 0), gone(there, ink.left + dx, 'writes'), held(end, ink.right + dx), gone(end + 0.7, 0)],
        y: [
          stop(0, 0),
          held(start, 0),
          gone(there, dy),
          ...strokes([there, end], dy, lift, Math.max(4, Math.min(24, signs * 2))),
          gone(end + 0.7, 0),
        ],
      };
    }),
    text: { entrance: 'wipe', channels: { reveal: shown(there, end) } },
  };
}

/** A sponge, a broom, a wave: it runs over the words from their end, and takes them along. */
function wiped({ text, ink, players, setting: { start, until } }: Encounter): Deed {
  const from = Math.max(start, Math.min(start + readingSeconds(text.text) - 0.4, until - 2.2));
  const [there, end] = [from + 0.5, Math.min(until, from + 1.9)];
  const { y } = middleOf(ink);
  const lift = (ink.top - ink.bottom) * 0.22;
  return {
    comment: 'Goes to the end of the words, wipes them away, and goes back.',
    moves: players.map(({ place: [px, py] }) => ({
      x: [stop(0, 0), held(from, 0), gone(there, ink.right - px, 'wipes'), held(end, ink.left - px), gone(end + 0.8, 0)],
      y: [stop(0, 0), held(from, 0), gone(there, y - py), ...strokes([there, end], y - py, lift, 8), gone(end + 0.8, 0)],
    })),
    text: {
      exit: 'wipe',
      channels: { reveal: shown(Math.max(0, start - 0.7), start - 0.1), leave: shown(there, end) },
    },
  };
}

/** Pieces that come together where the words are, and become them. */
function made({ ink, players, setting: { start, until } }: Encounter): Deed {
  const each = Math.min(0.16, (until - start - 1.4) / Math.max(1, players.length));
  const { y } = middleOf(ink);
  const last = start + each * (players.length - 1) + 0.8;
  return {
    comment: 'The pieces come together and become the words.',
    moves: players.map(({ place: [px, py] }, index) => {
      const from = start + index * each;
      const x = ink.left + ((index + 0.5) / players.length) * (ink.right - ink.left) - px;
      return {
        x: [stop(0, 0), held(from, 0), gone(from + 0.8, x)],
        y: [stop(0, 0), held(from, 0), gone(from + 0.8, y - py)],
        rotateZ: [stop(0, 0), held(from, 0), gone(from + 0.8, index % 2 === 0 ? 180 : -180)],
        scale: [stop(0, 1), held(from + 0.55, 1), stop(round(from + 0.95), 0, 'easeInCubic', 'becomes a letter')],
      };
    }),
    text: { entrance: 'pieces', channels: { reveal: shown(start + 0.55, Math.max(last + 0.5, start + 1.6)) } },
  };
}

/** A stamp: it comes down on the place of the words and leaves them there. */
function stamped({ ink, players, setting: { start } }: Encounter): Deed {
  const { x, y } = middleOf(ink);
  const contact = start + 0.95;
  return {
    comment: 'Comes down on the place of the words and leaves them there.',
    contact,
    moves: players.map(({ place: [px, py], halfHeight }) => {
      const low = y + halfHeight * 0.55 - py;
      return {
        x: [stop(0, 0), held(start, 0), gone(start + 0.5, x - px), held(contact + 0.25, x - px), gone(contact + 1, 0)],
        y: [
          stop(0, 0),
          held(start, 0),
          gone(start + 0.5, low + halfHeight * 1.3),
          held(contact - 0.18, low + halfHeight * 1.5),
          stop(round(contact), round(low), 'fall', 'stamps'),
          held(contact + 0.16, low),
          gone(contact + 0.45, low + halfHeight * 1.4),
          gone(contact + 1, 0),
        ],
      };
    }),
    text: {
      entrance: 'stamp',
      channels: {
        reveal: [
          stop(round(contact - 0.01), 0),
          stop(round(contact), 0.45, 'linear'),
          stop(round(contact + 0.3), 1, 'easeOutCubic'),
        ],
      },
    },
  };
}

const most = (values: readonly number[]): number => Math.max(0, ...values);

/** Who pushes words in goes behind them, who pulls them ahead, who carries them below; on the floor where it stands there. */
function brought(how: 'pushed' | 'pulled' | 'carried', { ink, players, setting }: Encounter): Deed {
  const { frame, start, speed } = setting;
  const begin = Math.max(0, start - 0.7);
  const end = begin + 1.9 / Math.sqrt(speed);
  const radius = most(players.map((player) => player.radius));
  const foot = Math.min(...players.map(({ place: [, y], halfHeight }) => y - halfHeight));
  const edge = frame.width / 2 - radius;
  const stands =
    how === 'carried'
      ? middleOf(ink).x
      : how === 'pushed'
        ? Math.max(-edge, ink.left - radius * 1.1)
        : Math.min(edge, ink.right + radius * 1.1);
  // Far enough out that the words and whoever brings them are not to be seen.
  const away = -(Math.max(ink.right, stands + radius) + frame.width / 2 + 0.4);
  const rests = how === 'carried' ? foot + 1.7 * most(players.map(({ halfHeight }) => halfHeight)) : foot;
  const inFrame = (world: number, whole: number): number => round((world / whole) * 100);
  return {
    comment: 'Brings the words into the frame.',
    moves: players.map(({ place: [px] }, index) => {
      const dx = stands + (index - (players.length - 1) / 2) * radius - px;
      return { x: [stop(0, round(dx + away)), held(begin, dx + away), stop(round(end), round(dx), 'easeOutCubic')] };
    }),
    text: {
      entrance: 'fade',
      channels: {
        reveal: shown(begin, begin + 0.05),
        x: [stop(0, inFrame(away, frame.width)), held(begin, (away / frame.width) * 100), stop(round(end), 0, 'easeOutCubic')],
        y: [stop(0, inFrame(ink.bottom - rests, frame.height))],
      },
    },
  };
}

/** Heights of what is pressed flat, over the time from the contact on. */
const flattened = [
  [0, 1],
  [0.07, 0.2],
  [0.22, 0.34],
  [0.38, 0.26],
] as const;

/** Words that fall on somebody, and what becomes of them. */
function landed({ ink, players, setting, effect }: Encounter): Deed {
  const { start, frame, until, manner } = setting;
  const contact = start + 0.75;
  // Few drawings fill their square: their heads are a little lower.
  const top = Math.max(...players.map(({ place: [, y], halfHeight }) => y + halfHeight * 0.6));
  const percent = (world: number): number => (world / frame.height) * 100;
  const down = percent(ink.bottom + (ink.top - ink.bottom) * 0.14 - top);
  const height = percent(1.6 * most(players.map(({ halfHeight }) => halfHeight)));
  const flat = effect === 'flatten' || effect === 'press';
  const sinks = flat
    ? flattened
        .slice(1)
        .map(([after, squash]) => stop(round(contact + after), round(down + (1 - squash) * height * 0.85), 'easeOutCubic'))
    : [
        stop(round(contact + 0.16), round(down - 4 * manner.restitution), 'rise'),
        stop(round(contact + 0.32), round(down), 'fall'),
      ];
  return {
    comment: 'Is hit by the words from above.',
    contact,
    moves: players.map(({ halfHeight }) =>
      flat
        ? {
            squash: [
              stop(0, 1),
              ...flattened.map(([after, squash]) =>
                stop(round(contact + after), squash, after === 0 ? 'linear' : 'easeOutCubic'),
              ),
            ],
          }
        : effect === undefined
          ? { squash: [stop(0, 1), ...pressed(contact, 1, setting)] }
          : programMoves(effect, [contact, until], { halfHeight, speed: setting.speed }),
    ),
    text: {
      entrance: 'fade',
      channels: {
        reveal: shown(contact - 0.45, contact - 0.42),
        y: [stop(0, -80), held(contact - 0.45, -80), stop(round(contact), round(down), 'fall', 'lands'), ...sinks],
      },
    },
  };
}

function deedOf({ how }: Met, encounter: Encounter): Deed {
  switch (how) {
    case 'written':
      return written(encounter);
    case 'wiped':
      return wiped(encounter);
    case 'made':
      return made(encounter);
    case 'stamped':
      return stamped(encounter);
    case 'lands':
      return landed(encounter);
    default:
      return brought(how, encounter);
  }
}

/** What the texts of a scene do with its subjects: a role for each subject, by its id, and the move of each text, by its id. */
export function textDeeds(
  scene: FilmScene,
  layout: SceneLayout,
  moment: Pick<Setting, 'start' | 'until' | 'frame' | 'manner' | 'playful' | 'speed'>,
): { readonly roles: ReadonlyMap<string, Role>; readonly moves: ReadonlyMap<string, TextMove> } {
  const roles = new Map<string, Role>();
  const moves = new Map<string, TextMove>();
  const inkOf = (place: TextPlace): Ink => {
    const box = inkBox(place, moment.frame);
    return {
      left: worldX(moment.frame, box.x),
      right: worldX(moment.frame, box.x + box.width),
      top: worldY(moment.frame, box.y, layout.cameraY),
      bottom: worldY(moment.frame, box.y + box.height, layout.cameraY),
    };
  };
  for (const place of layout.texts) {
    const { met } = place.text;
    const other = layout.subjects.find(({ subject, places }) => subject.id === met?.id && places.length > 0);
    if (met === undefined || other === undefined || roles.has(met.id) || scene.still === 'everything') continue;
    const deed = deedOf(met, {
      text: place.text,
      ink: inkOf(place),
      players: playersOf(other),
      setting: { ...moment, fresh: true, gait: 'air', effect: met.effect ?? null, to: null },
      effect: met.effect,
    });
    const touches = deed.contact === undefined ? [] : [{ time: round(deed.contact), strength: 0.9 }];
    roles.set(met.id, {
      comment: deed.comment,
      faces: met.how === 'pushed' || met.how === 'pulled' || met.how === 'carried' ? 'right' : 'left',
      parts: deed.moves.map((one) => ({ moves: one, touches })),
    });
    moves.set(place.text.id, deed.text);
  }
  return { roles, moves };
}
