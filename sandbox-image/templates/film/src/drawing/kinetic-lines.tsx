import type { CSSProperties } from 'react';
import { hash } from '../kit/random.ts';
import { isJoinedScript, splitGraphemes } from '../kit/text/layout.ts';
import { faceStyle } from './lines.tsx';
import type { Motion } from './motion.ts';
import { useScene } from './setting.tsx';
import { runsOf, type TextSet } from './text.ts';

export type Entrance = 'letters' | 'words' | 'typewriter' | 'blur' | 'particles' | 'wipe';

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Splits a line into words with the spaces and punctuation after them, or into letters if the script allows it. */
function piecesOf(text: string, entrance: Entrance): string[] {
  if (entrance === 'wipe') return [text];
  const byLetter = entrance === 'letters' || entrance === 'typewriter' || entrance === 'particles';
  if (byLetter && !isJoinedScript(text)) return splitGraphemes(text);
  const pieces: string[] = [];
  for (const { segment, isWordLike } of words.segment(text)) {
    const last = pieces.length - 1;
    if (last < 0 || isWordLike || /\p{Extended_Pictographic}/u.test(segment)) pieces.push(segment);
    else pieces[last] += segment;
  }
  return pieces;
}

export function pieceCount(set: TextSet, entrance: Entrance): number {
  return set.lines.reduce((sum, line) => sum + piecesOf(line, entrance).length, 0);
}

const timings: Readonly<Record<Entrance, { readonly step: number; readonly seconds: number }>> = {
  letters: { step: 0.04, seconds: 0.5 },
  words: { step: 0.14, seconds: 0.5 },
  typewriter: { step: 0.055, seconds: 0.01 },
  blur: { step: 0.1, seconds: 0.75 },
  particles: { step: 0.03, seconds: 0.95 },
  wipe: { step: 0.14, seconds: 0.8 },
};

const firstAt = 0.15;

/** Returns when a piece's entrance starts. All pieces start within the first half of the scene. */
function startOf(entrance: Entrance, index: number, count: number, motion: Motion): number {
  const spread = Math.min(count * timings[entrance].step, motion.duration * 0.42, entrance === 'typewriter' ? 3 : 1.2);
  // Particles gather everywhere at once, not from the first letter to the last.
  const place = entrance === 'particles' ? hash(index, 3, 17) * 0.6 + (index / count) * 0.4 : index / count;
  return firstAt + place * spread;
}

/** Returns a piece's offset and appearance during its entrance. Lengths are in em. */
function poseOf(entrance: Entrance, index: number, shown: number): CSSProperties {
  const left = 1 - shown;
  const seen = Math.min(1, Math.max(0, shown) * 1.6);
  switch (entrance) {
    case 'letters':
      return { top: `${left * -0.42}em`, opacity: seen };
    case 'words':
      return { top: `${left * 0.4}em`, opacity: seen };
    case 'typewriter':
      return { opacity: shown > 0 ? 1 : 0 };
    case 'blur':
      return { ...soft(left * 0.22), opacity: seen };
    case 'particles':
      return {
        ...soft(left * 0.09),
        left: `${(hash(index, 5, 18) - 0.5) * 1.5 * left}em`,
        top: `${(hash(index, 7, 19) - 0.5) * 1.3 * left}em`,
        opacity: seen,
      };
    case 'wipe':
      return {};
  }
}

/** Draws blurred letters as their shadow alone, which is cheaper than a filter. */
function soft(radius: number): CSSProperties {
  if (radius < 0.004) return {};
  const own = Math.max(0, 1 - radius / 0.12) * 100;
  return {
    textShadow: `0 0 ${radius}em currentColor`,
    WebkitTextFillColor: `color-mix(in srgb, currentColor ${own}%, transparent)`,
  };
}

interface KineticLinesProps {
  readonly set: TextSet;
  readonly entrance: Entrance;
  /** Top-left corner of the block, from the start edge, in design pixels. */
  readonly x: number;
  readonly y: number;
  readonly color: string;
  readonly emphasis?: readonly string[];
  readonly emphasisColor: string;
  readonly before: number;
  readonly count: number;
  readonly leave: number;
}

/** Text that enters by letters, by words or behind an edge. */
export function KineticLines({
  set,
  entrance,
  x,
  y,
  color,
  emphasis = [],
  emphasisColor,
  before,
  count,
  leave,
}: KineticLinesProps) {
  const { frame, motion, rightToLeft } = useScene();
  const runs = runsOf(set.lines, emphasis);
  const pad = set.size * 0.32;
  const { seconds } = timings[entrance];
  const enter = (at: number) => (entrance === 'letters' ? motion.spring(at, seconds) : motion.enter(at, seconds));
  let index = before;
  return runs.map((line, row) => {
    const first = index;
    const pieces = line.flatMap(({ text, emphasised }) =>
      piecesOf(text, entrance).map((piece) => {
        const place = index++;
        return { piece, emphasised, place, shown: enter(startOf(entrance, place, count, motion)) };
      }),
    );
    const opened = entrance === 'wipe' ? motion.enter(startOf(entrance, first, count, motion), seconds) : 1;
    return (
      <div
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order.
        key={row}
        className="line"
        style={{
          ...faceStyle(set.face, set.size, set.tracking),
          left: frame.left(x, set.width) - pad,
          top: y + row * set.lineStep - pad,
          width: set.width + 2 * pad,
          padding: pad,
          boxSizing: 'border-box',
          lineHeight: `${set.lineStep}px`,
          textAlign: rightToLeft ? 'right' : 'left',
          color,
          opacity: 1 - leave,
          transform: `translateY(${(1 - opened) * 24 - leave * 16}px)`,
          clipPath: opened >= 1 ? undefined : leaningEdge(opened, rightToLeft),
        }}
      >
        {pieces.map(({ piece, emphasised, place, shown }) => (
          <span
            key={place}
            style={{ position: 'relative', color: emphasised ? emphasisColor : undefined, ...poseOf(entrance, place, shown) }}
          >
            {piece}
            {entrance === 'typewriter' && isCaretAt(place, count, motion) ? (
              <span
                style={{
                  position: 'absolute',
                  insetInlineStart: '100%',
                  marginInlineStart: '0.05em',
                  top: '0.08em',
                  width: '0.07em',
                  height: '0.95em',
                  background: emphasisColor,
                }}
              />
            ) : null}
          </span>
        ))}
      </div>
    );
  });
}

/** Returns whether the caret comes after a letter: the last typed one. It blinks once all letters are typed. */
function isCaretAt(place: number, count: number, motion: Motion): boolean {
  const typed = (index: number) => motion.enter(startOf('typewriter', index, count, motion), 0.01) > 0;
  if (!typed(place)) return false;
  return place === count - 1 ? motion.seconds % 1.06 < 0.6 : !typed(place + 1);
}

/** Returns the mask for a wipe. Its edge slants like italics. */
function leaningEdge(opened: number, rightToLeft: boolean): string {
  const [upper, lower] = [opened * 118, opened * 118 - 18].map((share) => (rightToLeft ? 100 - share : share));
  const start = rightToLeft ? 100 : 0;
  return `polygon(${start}% 0, ${upper}% 0, ${lower}% 100%, ${start}% 100%)`;
}
