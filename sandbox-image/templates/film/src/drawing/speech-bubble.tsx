import { FrameSvg } from '../themes/plain.tsx';
import type { Rect } from '../themes/theme.ts';
import { Lines } from './lines.tsx';
import { type LayoutSetting, useScene } from './setting.tsx';
import { setText, type TextSet } from './text.ts';

export interface Speech {
  readonly set: TextSet;
  readonly width: number;
  readonly height: number;
}

const pad = { x: 40, y: 26 };
const tail = { width: 44, height: 40 };

export function setSpeech(text: string, { frame, theme }: LayoutSetting): Speech {
  const wide = frame.shape === 'wide';
  const set = setText({
    text,
    face: theme.strong,
    ...{ size: wide ? 60 : 64, minSize: 40, width: frame.width * (wide ? 0.42 : 0.72), height: 240, maxCharacters: 22 },
    lineHeight: 1.2,
  });
  return { set, width: Math.max(120, set.width + 2 * pad.x), height: set.height + 2 * pad.y };
}

interface BubbleProps {
  readonly speech: Speech;
  /** Middle of the speaker, the top of its head, and half of its width. */
  readonly x: number;
  readonly head: number;
  readonly reach: number;
  /** Middle of another figure that is in the air, where the bubble would cover it. */
  readonly aloft: number | null;
  /** The bubble stays inside. */
  readonly area: Rect;
  readonly shown: number;
  readonly opacity: number;
}

/** Moves the bubble to the speaker's side of a figure in the air. */
const besideFigure = (left: number, width: number, { x, aloft, distance }: { x: number; aloft: number; distance: number }) =>
  aloft >= x ? Math.min(left, aloft - distance - width) : Math.max(left, aloft + distance);

/** A bubble above its speaker, or beside a speaker with no room above. */
export function Bubble({ speech, x, head, reach, aloft, area, shown, opacity }: BubbleProps) {
  const { frame, theme, colors } = useScene();
  if (shown <= 0.02 || opacity <= 0) return null;
  const { set, width, height } = speech;
  const within = (value: number, size: number, from: number, room: number) => Math.min(from + room - size, Math.max(from, value));
  const isAbove = head - height - tail.height - 10 >= area.y;
  const side = x < frame.width / 2 ? 1 : -1;
  const wanted = isAbove ? x - width * 0.5 + side * width * 0.18 : x + side * (reach + tail.height + width / 2) - width / 2;
  const free = aloft === null ? wanted : besideFigure(wanted, width, { x, aloft, distance: reach + 24 });
  const left = within(free, width, area.x, area.width);
  const top = isAbove ? head - height - tail.height - 10 : within(head, height, area.y, area.height);
  const radius = Math.min(theme.radius === 0 ? 0 : 44, height / 2);
  const [right, bottom] = [left + width, top + height];
  const foot = within(x - tail.width / 2, tail.width, left + radius + 6, width - 2 * radius - 12);
  const point = isAbove
    ? `L${foot + tail.width} ${bottom}L${foot + tail.width / 2 + (x - foot - tail.width / 2) * 0.6} ${bottom + tail.height}L${foot} ${bottom}`
    : '';
  const middle = top + height / 2;
  const nose = side > 0 ? left : right;
  const beside = isAbove ? '' : `M${nose} ${middle - 20}L${nose - side * tail.height} ${middle}L${nose} ${middle + 20}z`;
  const outline = `M${left + radius} ${top}H${right - radius}A${radius} ${radius} 0 0 1 ${right} ${top + radius}V${bottom - radius}A${radius} ${radius} 0 0 1 ${right - radius} ${bottom}${point}H${left + radius}A${radius} ${radius} 0 0 1 ${left} ${bottom - radius}V${top + radius}A${radius} ${radius} 0 0 1 ${left + radius} ${top}z${beside}`;
  const [originX, originY] = isAbove
    ? [frame.left(foot + tail.width / 2, 0), bottom + tail.height]
    : [frame.left(nose, 0), middle];
  return (
    <div
      className="box"
      style={{
        inset: 0,
        opacity: opacity * Math.min(1, shown * 3),
        transformOrigin: `${originX}px ${originY}px`,
        transform: `scale(${shown})`,
      }}
    >
      <FrameSvg>
        <path
          d={outline}
          fill={colors.surface}
          stroke={colors.ink}
          strokeWidth={Math.max(3, theme.stroke)}
          strokeLinejoin="round"
        />
      </FrameSvg>
      <Lines
        set={set}
        x={left + (width - set.width) / 2}
        y={top + pad.y}
        align="center"
        color={colors.ink}
        entrance="none"
        progress={() => 1}
      />
    </div>
  );
}
