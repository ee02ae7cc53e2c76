import type { CSSProperties, ReactNode } from 'react';
import type { Face } from '../themes/theme.ts';
import { useScene } from './setting.tsx';
import { runsOf, type TextSet } from './text.ts';

export function faceStyle(face: Face, size: number, tracking = face.tracking): CSSProperties {
  return {
    fontFamily: face.family,
    fontWeight: face.weight,
    fontStyle: face.italic ? 'italic' : 'normal',
    fontStretch: face.stretch,
    fontVariationSettings: face.variations,
    fontSize: size,
    letterSpacing: `${tracking}em`,
  };
}

interface LinesProps {
  readonly set: TextSet;
  /** Top-left corner of the block, from the start edge, in design pixels. */
  readonly x: number;
  readonly y: number;
  readonly color: string;
  /** Width of the box for alignment. Defaults to that of the widest line. */
  readonly width?: number;
  readonly align?: 'start' | 'center' | 'end';
  readonly progress: (line: number) => number;
  readonly leave?: number;
  /** `rise` moves each line up inside its own clip, `fade` lifts it a little, `none` leaves it in place. */
  readonly entrance?: 'rise' | 'fade' | 'none';
  readonly emphasis?: readonly string[];
  readonly emphasisColor?: string;
  /** Space for descenders and swashes around each clip, in em. */
  readonly room?: number;
}

/** Text whose lines are positioned separately, so that each can be animated. */
export function Lines({
  set,
  x,
  y,
  color,
  width = set.width,
  align = 'start',
  progress,
  leave = 0,
  entrance = 'rise',
  emphasis = [],
  emphasisColor,
  room = 0.25,
}: LinesProps) {
  const { frame, rightToLeft } = useScene();
  const runs = runsOf(set.lines, emphasis);
  const pad = room * set.size;
  const side = (align === 'start') !== rightToLeft ? 'left' : 'right';
  const textAlign = align === 'center' ? 'center' : side;
  return set.lines.map((line, index) => {
    const shown = Math.min(1, progress(index));
    if (shown <= 0 && entrance !== 'none') return null;
    const gone = leave * set.lineStep;
    const move = entrance === 'rise' ? (1 - progress(index)) * (set.lineStep + pad) - Math.max(0, gone * 1.25) : 0;
    const lift = entrance === 'fade' ? (1 - progress(index)) * 24 - leave * 16 : 0;
    const opacity = entrance === 'rise' ? 1 - Math.max(0, leave - 0.5) * 2 : shown * (1 - leave);
    return (
      <div
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order.
        key={index}
        className={entrance === 'rise' ? 'line-clip' : 'line'}
        style={{
          left: frame.left(x, width) - pad,
          top: y + index * set.lineStep - pad,
          width: width + 2 * pad,
          height: set.lineStep + 2 * pad,
          padding: pad,
          boxSizing: 'border-box',
          opacity,
          transform: lift === 0 ? undefined : `translateY(${lift}px)`,
        }}
      >
        <div
          style={{
            ...faceStyle(set.face, set.size, set.tracking),
            lineHeight: `${set.lineStep}px`,
            textAlign,
            color,
            transform: move === 0 ? undefined : `translateY(${move}px)`,
          }}
        >
          {emphasis.length === 0 ? line : <RunsOfLine runs={runs[index] ?? []} color={emphasisColor} />}
        </div>
      </div>
    );
  });
}

function RunsOfLine({
  runs,
  color,
}: {
  readonly runs: ReturnType<typeof runsOf>[number];
  readonly color: string | undefined;
}): ReactNode {
  return runs.map(({ text, emphasised }, index) =>
    emphasised ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs never change their order.
      <span key={index} style={{ color }}>
        {text}
      </span>
    ) : (
      text
    ),
  );
}
