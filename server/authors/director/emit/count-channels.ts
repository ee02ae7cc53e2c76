import type { Style, Subject } from '../../../contract/film.ts';
import { round } from './frame.ts';
import { type KeyStop, stop } from './keyframes.ts';

type Counter = Extract<Subject, { kind: 'counter' }>;

/** Between whole numbers that are no farther apart than this, every one has its beat, as in "three, two, one". */
const mostBeats = 10;

/** How many numbers of a counter are told off one by one; null when it runs through them. */
export function beatsOf({ from, to }: Pick<Counter, 'from' | 'to'>): number | null {
  const steps = Math.abs(to - from);
  return Number.isInteger(from) && Number.isInteger(to) && steps > 0 && steps <= mostBeats ? steps + 1 : null;
}

interface Counting {
  readonly style: Style;
  /** Seconds: when the counting begins, when a number that rushes has arrived, and when all has to be still. */
  readonly from: number;
  readonly until: number;
  readonly settledBy: number;
  /** Whether the film opens with it: then the first frame already shows something of the ring. */
  readonly first: boolean;
  /** How the code reads the number that is arrived at. */
  readonly target: string;
}

type Channels = Record<'value' | 'progress' | 'scale', readonly KeyStop[]>;

/** How far the gauge is filled by a number: shares of a hundred fill it by as much, everything else when it has arrived. */
function filledBy(value: number, { suffix, from, to }: Counter): number {
  const isShare = suffix.trim() === '%' && Math.min(from, to) >= 0 && Math.max(from, to) <= 100;
  return isShare ? value / 100 : value === to ? 1 : 0;
}

/** The number, how far its ring is closed, and its size, over the time of a scene. */
export function countChannels(subject: Counter, counting: Counting): Channels {
  const beats = beatsOf(subject);
  return beats === null ? rushing(subject, counting) : told(subject, beats, counting);
}

/** Fast at first, slow at last, and a small swell where it arrives. Few values that are not whole run evenly. */
function rushing(subject: Counter, { style, from, until, settledBy, first, target }: Counting): Channels {
  const few = Math.abs(subject.to - subject.from) <= 15;
  const arrives = few ? round(Math.max(until, settledBy)) : until;
  const ease = few ? 'linear' : style === 'cinematic' ? 'easeInOutQuart' : style === 'smooth' ? 'easeOutQuint' : 'easeOutQuart';
  const pop = style === 'playful' || subject.motion.type === 'pulse' ? 0.1 : 0.03;
  return {
    value: [stop(round(from), subject.from), { ...stop(arrives, subject.to, ease, 'arrives'), code: target }],
    progress: [
      stop(round(from), Math.max(first ? 0.02 : 0, filledBy(subject.from, subject))),
      stop(arrives, round(filledBy(subject.to, subject)), ease),
    ],
    scale: [
      stop(0, 0.9),
      stop(round(from + 0.5), 1, 'easeOutCubic'),
      stop(round(arrives - 0.12), 1, 'linear'),
      stop(round(arrives + 0.1), 1 + pop, 'easeOutCubic'),
      stop(round(arrives + 0.5), 1, 'easeInOutCubic'),
    ],
  };
}

/** How much larger a number is on its beat. */
const swells: Readonly<Record<Style, number>> = { playful: 0.16, smooth: 0.06, cinematic: 0.09 };

/** Every number stands for the same time and comes in on its beat, while the ring closes. */
function told(subject: Counter, beats: number, { style, from, settledBy, first, target }: Counting): Channels {
  const beatSeconds = Math.min(1, (settledBy - from) / beats);
  const step = Math.sign(subject.to - subject.from);
  const times = Array.from({ length: beats }, (_, index) => round(from + index * beatSeconds));
  const settle = Math.min(0.4, beatSeconds * 0.6);
  return {
    value: times.map((time, index) => {
      if (index === 0) return stop(time, subject.from);
      const next = stop(time, subject.from + index * step, 'hold');
      return index === beats - 1 ? { ...next, note: 'arrives', code: target } : next;
    }),
    progress: [stop(round(from), first ? 0.02 : 0), stop(round(from + beatSeconds * beats), 1, 'linear')],
    scale: times.flatMap((time, index) =>
      index === 0
        ? [stop(0, 0.9), stop(round(time + settle), 1, 'easeOutCubic')]
        : [
            stop(round(time - 0.03), 1, 'linear'),
            stop(time, 1 + swells[style], 'linear'),
            stop(round(time + settle), 1, 'easeOutCubic'),
          ],
    ),
  };
}
