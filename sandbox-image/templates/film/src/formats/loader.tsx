import type { Point } from '../drawing/curve.ts';
import type { Frame } from '../drawing/frame.ts';
import { faceStyle, Lines } from '../drawing/lines.tsx';
import { Box, type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { leftToRight, measure, setOptional, type TextSet } from '../drawing/text.ts';
import { contrast, mix } from '../kit/color.ts';
import { hash } from '../kit/random.ts';
import { bezier, ease } from '../stage/easing.ts';
import { FrameSvg } from '../themes/plain.tsx';
import type { Rect } from '../themes/theme.ts';

interface LoaderProps {
  readonly kind: 'ring' | 'dots' | 'bar' | 'count';
  readonly label: string | null;
}

interface Layout {
  readonly label: (TextSet & Pick<Rect, 'x' | 'y'>) | null;
  /** Area of the drawing. */
  readonly box: Rect;
  /** Size of the number below the cells. */
  readonly numberSize: number;
}

const glide = bezier(0.65, 0, 0.35, 1);
const cells = 100;
const dots = 5;
const turnSeconds = { ring: 2.4, dots: 1.6, bar: 2.4, count: 6 };
const stylePace = { playful: 0.85, smooth: 1, cinematic: 1.4 };
/** Fraction of a turn after which the full cells of a count are cleared. */
const clearFrom = 0.88;
/** Thickness of the ring as a fraction of its radius. */
const thickness = 0.36;
const arcTurns = 250 / 360;

function layOut({ kind, label }: LoaderProps, setting: LayoutSetting): Layout {
  const { safe } = setting.frame;
  const side = Math.min(safe.width, safe.height);
  const arrange = { ring: arrangeRing, dots: arrangeDots, bar: arrangeBar, count: arrangeCount }[kind];
  return arrange(
    side,
    safe.y + safe.height / 2,
    (width, height, size, maxCharacters) =>
      setOptional(label, { face: setting.theme.display, size, width, height, maxCharacters }),
    setting.frame,
  );
}

type SetLabel = (width: number, height: number, size: number, maxCharacters: number) => TextSet | null;
type Arrange = (side: number, middle: number, set: SetLabel, frame: Frame) => Layout;

/** The label is in the hole of the ring. */
const arrangeRing: Arrange = (side, middle, set, { safe }) => {
  const hole = side * (1 - thickness) * 0.84;
  const text = set(hole, hole * 0.64, 116, 12);
  const centre = safe.x + safe.width / 2;
  return {
    box: { x: centre - side / 2, y: middle - side / 2, width: side, height: side },
    label: text && { ...text, x: centre - text.width / 2, y: middle - text.height / 2 },
    numberSize: 0,
  };
};

const arrangeDots: Arrange = (side, middle, set, { safe, shape }) => {
  const height = side * 0.38;
  const width = Math.min(safe.width, side * 1.3);
  const text = set(safe.width, 220, 100, shape === 'wide' ? 26 : 16);
  const y = middle - (height + (text === null ? 0 : text.height + 64)) / 2;
  const centre = safe.x + safe.width / 2;
  return {
    box: { x: centre - width / 2, y, width, height },
    label: text && { ...text, x: centre - text.width / 2, y: y + height + 64 },
    numberSize: 0,
  };
};

const arrangeBar: Arrange = (_, middle, set, { safe, shape }) => {
  const height = 150;
  const text = set(safe.width, 300, 132, shape === 'wide' ? 26 : 14);
  const above = text === null ? 0 : text.height + 44;
  const y = middle - (height + above) / 2;
  return { box: { ...safe, y: y + above, height }, label: text && { ...text, x: safe.x, y }, numberSize: 0 };
};

const arrangeCount: Arrange = (_, middle, set, { safe, shape }) => {
  const wide = shape === 'wide';
  const numberSize = wide ? 190 : 150;
  const below = numberSize + 50;
  const height = Math.min(safe.height - below, safe.width * (wide ? 0.42 : 1));
  const y = middle - (height + below) / 2;
  const text = set(safe.width * 0.52, numberSize, 76, wide ? 26 : 14);
  const bottom = y + height + below - numberSize * 0.1;
  return {
    box: { ...safe, y, height },
    label: text && { ...text, x: safe.x + safe.width - text.width, y: bottom - text.height },
    numberSize,
  };
};

/** Returns the progress through one turn, 0 to 1. A scene lasts whole turns, so that its last frame leads into its first. */
function useTurn(kind: LoaderProps['kind']): number {
  const { motion, style } = useScene();
  // Between other scenes, the count ends at 100.
  if (kind === 'count' && !motion.loops) return clearFrom * Math.min(1, motion.seconds / Math.max(0.5, motion.duration - 1.2));
  const turns = Math.max(1, Math.round(motion.duration / (turnSeconds[kind] * stylePace[style])));
  return ((motion.seconds / motion.duration) * turns) % 1;
}

/** Shows an endless loop. If it is the only scene, it neither enters nor leaves; between other scenes it does both. */
export function LoaderFormat(props: LoaderProps) {
  const { frame, colors, motion } = useScene();
  const layout = useLayout(layOut, props);
  const turn = useTurn(props.kind);
  const entered = motion.loops ? 1 : motion.enter(0, 0.5);
  const leave = motion.leave();
  const { label, box } = layout;
  const Drawing = { ring: Ring, dots: Dots, bar: Track, count: Count }[props.kind];
  return (
    <div
      className="box"
      style={{
        inset: 0,
        opacity: Math.min(1, entered * 1.4) * (1 - leave),
        transform: `scale(${0.86 + 0.14 * entered + leave * 0.2})`,
        transformOrigin: `${frame.left(box.x, box.width) + box.width / 2}px ${box.y + box.height / 2}px`,
      }}
    >
      <Drawing layout={layout} turn={turn} />
      {label === null ? null : (
        <Lines
          set={label}
          x={label.x}
          y={label.y}
          color={colors.ink}
          align={labelSides[props.kind]}
          entrance="none"
          progress={() => 1}
        />
      )}
    </div>
  );
}

LoaderFormat.seamless = true;

const labelSides = { ring: 'center', dots: 'center', bar: 'start', count: 'end' } as const;

interface DrawingProps {
  readonly layout: Layout;
  readonly turn: number;
}

/** Draws icing that runs round a ring. The highlight stays in place while the ring turns. */
function Ring({ layout, turn }: DrawingProps) {
  const { theme, colors, frame } = useScene();
  const { box } = layout;
  const centre: Point = [box.x + box.width / 2, box.y + box.height / 2];
  const outer = box.width / 2;
  const width = outer * thickness;
  const radius = outer - width / 2;
  const at = (turns: number, distance = radius): Point => {
    const angle = turns * 2 * Math.PI;
    return [centre[0] + Math.sin(angle) * distance, centre[1] - Math.cos(angle) * distance];
  };
  const lightAt = (turns: number) => at(turns, radius + width * 0.28);
  const points = Array.from({ length: 61 }, (_, step) => at((step / 60) * arcTurns));
  // Only themes with round shapes have sprinkles.
  const sprinkles = theme.radius >= 40 ? 34 : 0;
  const degrees = turn * (frame.rightToLeft ? -360 : 360);
  return (
    <>
      <FrameSvg>
        <circle
          cx={centre[0]}
          cy={centre[1]}
          r={radius}
          fill="none"
          stroke={colors.faint}
          strokeOpacity={0.55}
          strokeWidth={width}
        />
      </FrameSvg>
      <div
        className="box"
        style={{ inset: 0, transform: `rotate(${degrees}deg)`, transformOrigin: `${frame.left(centre[0], 0)}px ${centre[1]}px` }}
      >
        <theme.Path points={points} width={width * 0.3} endWidth={width * 0.86} progress={1} tone="accent" seed={4} />
        <FrameSvg>
          {Array.from({ length: sprinkles }, (_, index) => {
            const share = (index + 0.5) / sprinkles;
            const room = width * (0.15 + 0.35 * share) * 0.55;
            const [x, y] = at(share * arcTurns);
            const away = (hash(index, 7) - 0.5) * 2 * room;
            const angle = share * arcTurns * 2 * Math.PI;
            const palette = [colors.groundTop, colors.helperFill, colors.onAccent, mix(colors.accentFill, '#ffffff', 0.55)];
            return (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: sprinkles are places on the ring.
                key={index}
                x={-15}
                y={-5}
                width={30}
                height={10}
                rx={5}
                fill={palette[index % palette.length]}
                transform={`translate(${x + Math.sin(angle) * away} ${y - Math.cos(angle) * away}) rotate(${hash(index, 3) * 180})`}
              />
            );
          })}
        </FrameSvg>
      </div>
      {sprinkles === 0 ? null : (
        <FrameSvg opacity={0.5}>
          <path
            d={`M${lightAt(0.84).join(' ')}A${radius + width * 0.28} ${radius + width * 0.28} 0 0 1 ${lightAt(0.92).join(' ')}`}
            fill="none"
            stroke="#ffffff"
            strokeWidth={16}
            strokeLinecap="round"
          />
        </FrameSvg>
      )}
    </>
  );
}

/** Draws dots that hop one after the other, like a bouncing ball. */
function Dots({ layout, turn }: DrawingProps) {
  const { theme } = useScene();
  const { box } = layout;
  const pitch = box.width / dots;
  const size = pitch * 0.62;
  return Array.from({ length: dots }, (_, index) => {
    const phase = (((turn - index * 0.11) % 1) + 1) % 1;
    // The dot hops during the first 45 % of a turn, on a parabola of height 1.
    const hop = phase < 0.45 ? 4 * (phase / 0.45) * (1 - phase / 0.45) : 0;
    return (
      <theme.Badge
        // biome-ignore lint/suspicious/noArrayIndexKey: the dots never change their order.
        key={index}
        x={box.x + index * pitch + (pitch - size) / 2}
        y={box.y + (box.height - size) * (1 - hop)}
        size={size}
        progress={0.78 + 0.22 * hop}
        index={index}
        tone={index === Math.floor(dots / 2) ? 'helper' : 'accent'}
      />
    );
  });
}

/** Draws a bar that fills from its start, and then empties from its start. */
function Track({ layout, turn }: DrawingProps) {
  const { theme } = useScene();
  const { box } = layout;
  const head = ease(glide, Math.min(1, turn / 0.62));
  const tail = ease(glide, Math.max(0, (turn - 0.38) / 0.62));
  const from = box.x + box.width * tail;
  const width = box.width * (head - tail);
  return (
    <>
      <theme.Bar {...box} tone="plain" vertical={false} index={0} />
      {width < 1 ? null : <theme.Bar {...box} x={from} width={width} tone="accent" vertical={false} index={1} />}
    </>
  );
}

/** Returns the number of filled cells while counting, with two short pauses as in a real process. */
function countAt(share: number): number {
  const stops = [
    [0, 0],
    [0.3, 0.38],
    [0.37, 0.4],
    [0.72, 0.81],
    [0.8, 0.83],
    [1, 1],
  ] as const;
  const next = stops.findIndex(([at]) => at > share);
  const [[fromAt, from], [toAt, to]] = [stops[Math.max(0, next - 1)] ?? stops[0], stops[next] ?? stops[5]];
  return next < 0 ? cells : Math.round((from + ((share - fromAt) / (toAt - fromAt)) * (to - from)) * cells);
}

/**
 * Draws a hundred cells, one per cent. A head fills them back and forth like a plotter; then they are cleared in the same
 * order.
 */
function Count({ layout, turn }: DrawingProps) {
  const { frame, theme, colors } = useScene();
  const { box, numberSize } = layout;
  const columns = frame.shape === 'wide' ? 20 : 10;
  const rows = cells / columns;
  const pitch = { x: box.width / (columns - 0.22), y: box.height / (rows - 0.22) };
  const cell = { width: pitch.x * 0.78, height: pitch.y * 0.78 };
  const filled = countAt(Math.min(1, turn / 0.8));
  const emptied = Math.round(cells * ease(glide, Math.max(0, (turn - clearFrom) / (1 - clearFrom))));
  const numberShown = Math.min(1, turn / 0.03, (1 - turn) / 0.08);
  const radius = Math.min(theme.radius * 0.3, cell.width / 2, cell.height / 2);
  const bright = contrast(colors.ink, colors.groundTop) > contrast(colors.accent, colors.groundTop) ? colors.ink : colors.accent;
  const ground = mix(colors.groundTop, colors.groundBottom, 0.5);
  const text = leftToRight(String(filled));
  const face = { ...theme.figures, lineHeight: 1 };
  const width = measure(face, '100') * numberSize;
  return (
    <>
      {Array.from({ length: cells }, (_, index) => {
        const row = Math.floor(index / columns);
        const column = row % 2 === 0 ? index % columns : columns - 1 - (index % columns);
        const [x, y] = [box.x + column * pitch.x, box.y + row * pitch.y];
        const isFilled = index < filled && index >= emptied;
        const age = filled - 1 - index;
        const hot = Math.max(0, 1 - age / 5) * (filled < cells ? 1 : 0);
        const cold = filled < cells ? 0.42 * Math.min(1, Math.max(0, age - 5) / 52) : 0;
        return isFilled ? (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells never change their order.
            key={index}
            x={x}
            y={y}
            {...cell}
            style={{ background: mix(mix(colors.accentFill, bright, hot), ground, cold), borderRadius: radius }}
          />
        ) : (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells never change their order.
            key={index}
            x={x + cell.width * 0.36}
            y={y + cell.height / 2 - 3}
            width={cell.width * 0.28}
            height={6}
            style={{ background: mix(colors.faint, colors.ink, 0.12), borderRadius: Math.min(radius, 3) }}
          />
        );
      })}
      <div
        className="line"
        style={{
          ...faceStyle(face, numberSize),
          left: frame.left(box.x, width + numberSize),
          top: box.y + box.height + 50,
          width: width + numberSize,
          lineHeight: 1,
          textAlign: frame.rightToLeft ? 'right' : 'left',
          color: colors.ink,
          opacity: numberShown,
        }}
      >
        <bdi dir="ltr">
          {text}
          <span style={{ color: colors.accent, marginInlineStart: '0.08em' }}>%</span>
        </bdi>
      </div>
    </>
  );
}
