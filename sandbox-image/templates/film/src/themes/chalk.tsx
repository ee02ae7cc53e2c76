import { type Point, smoothPath } from '../drawing/curve.ts';
import { faceStyle } from '../drawing/lines.tsx';
import { Box, useLayout, useScene } from '../drawing/setting.tsx';
import { hash } from '../kit/random.ts';
import { createTheme, FrameSvg, fillOf, Gradient } from './plain.tsx';
import type { ArrowProps, BadgeProps, BarProps, CardProps, MarkProps, PathProps, RuleProps, TickProps } from './theme.ts';
import { interFigures, jetBrains, sansFace } from './type.ts';

/** Describes the strands of a chalk stroke: rough lines side by side, with uneven ends. */
interface StrandsRequest {
  readonly points: readonly Point[];
  readonly width: number;
  readonly seed: number;
  readonly strands: number;
}

function strandsOf({ points, width, seed, strands: count }: StrandsRequest) {
  return Array.from({ length: count }, (_, strand) => {
    const side = (strand / Math.max(1, count - 1) - 0.5) * width;
    const wobbled = points.map(([x, y], index): Point => {
      const shake = (salt: number) => (hash(index * 31 + strand, seed, salt) - 0.5) * width * 0.3;
      const next = points[Math.min(points.length - 1, index + 1)] ?? [x, y];
      const before = points[Math.max(0, index - 1)] ?? [x, y];
      const length = Math.hypot(next[0] - before[0], next[1] - before[1]) || 1;
      return [x - ((next[1] - before[1]) / length) * side + shake(1), y + ((next[0] - before[0]) / length) * side + shake(2)];
    });
    return {
      path: smoothPath(wobbled),
      width: (width / count) * (1.2 + hash(strand, seed, 3) * 0.9),
      opacity: 0.6 + hash(strand, seed, 4) * 0.4,
      from: hash(strand, seed, 5) * 0.03,
      until: 1 - hash(strand, seed, 6) * 0.04,
    };
  });
}

/** Returns points along a straight line, so that the line can waver. */
function straight(from: Point, to: Point, step = 90): Point[] {
  const count = Math.max(2, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / step));
  return Array.from({ length: count + 1 }, (_, index) => {
    const share = index / count;
    return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
  });
}

/** Returns a rectangle as one stroke that starts at a corner on the start edge. */
function outline(width: number, height: number, step: number): Point[] {
  return [
    ...straight([0, 3], [width + 2, 0], step),
    ...straight([width, -1], [width - 1, height], step),
    ...straight([width + 1, height], [-2, height - 2], step),
    ...straight([2, height], [0, -1], step),
  ];
}

interface StrokeProps {
  readonly points: readonly Point[];
  readonly width: number;
  readonly color: string;
  readonly seed: number;
  readonly progress: number;
  readonly strands?: number;
}

function Stroke({ points, width, color, seed, progress, strands = 4 }: StrokeProps) {
  const drawn = useLayout(strandsOf, { points, width, seed, strands });
  if (progress <= 0) return null;
  return drawn.map(({ path, width: thin, opacity, from, until }, index) => {
    const length = (until - from) * Math.min(1, progress);
    return (
      <path
        // biome-ignore lint/suspicious/noArrayIndexKey: a strand is its index.
        key={index}
        d={path}
        pathLength={1}
        fill="none"
        stroke={color}
        strokeWidth={thin}
        strokeLinecap="round"
        opacity={opacity}
        strokeDasharray={`0 ${from} ${length} 2`}
      />
    );
  });
}

const smears = Array.from({ length: 14 }, (_, index) => index);

/** Draws a board with traces of wiping. */
function Ground() {
  const { colors, frame, seed } = useScene();
  return (
    <Gradient>
      <svg aria-hidden width={frame.width} height={frame.height}>
        {smears.map((smear) => {
          const y = frame.height * (0.1 + hash(smear, seed, 8) * 0.9);
          return (
            <path
              key={smear}
              d={`M-60 ${y + 140}C${frame.width * 0.3} ${y - 90} ${frame.width * 0.7} ${y - 120} ${frame.width + 80} ${y - 260}`}
              fill="none"
              stroke={colors.ink}
              strokeWidth={14 + hash(smear, seed, 9) * 46}
              strokeLinecap="round"
              opacity={0.012 + hash(smear, seed, 10) * 0.014}
            />
          );
        })}
      </svg>
    </Gradient>
  );
}

function Rule({ x, y, length, vertical = false, progress, tone = 'helper', seed = 1 }: RuleProps) {
  const { colors } = useScene();
  const end: Point = vertical ? [0, length] : [length, 0];
  return (
    <Box x={x} y={y} width={vertical ? 4 : length} height={vertical ? length : 4}>
      <svg aria-hidden width={vertical ? 4 : length} height={vertical ? length : 4}>
        <Stroke
          points={straight([0, 2], end)}
          width={6}
          color={tone === 'plain' ? colors.muted : fillOf(colors, tone)}
          seed={seed}
          progress={progress}
          strands={3}
        />
      </svg>
    </Box>
  );
}

/** Removes points that are too close together, which would make the strands jitter. */
function apart(points: readonly Point[], distance: number): Point[] {
  const last = points.length - 1;
  let [fromX, fromY]: Point = points[0] ?? [0, 0];
  return points.filter(([x, y], index) => {
    const kept = index === 0 || index === last || Math.hypot(x - fromX, y - fromY) >= distance;
    if (kept) [fromX, fromY] = [x, y];
    return kept;
  });
}

function Path({ points, width, endWidth = width, progress, tone = 'ink', color, seed = 2 }: PathProps) {
  const { colors } = useScene();
  const mean = Math.max(7, (width + endWidth) / 2);
  return (
    <FrameSvg>
      <Stroke
        points={apart(points, mean * 2)}
        width={mean}
        color={color ?? (tone === 'plain' ? colors.muted : fillOf(colors, tone))}
        seed={seed}
        progress={progress}
      />
    </FrameSvg>
  );
}

function Card({ x, y, width, height, tone = 'plain', progress = 1, seed = 3, children }: CardProps) {
  const { colors } = useScene();
  const color = tone === 'plain' ? colors.muted : fillOf(colors, tone);
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      style={{ color: colors.ink, background: tone === 'plain' ? undefined : `${color}26` }}
      opacity={Math.min(1, progress * 1.5)}
    >
      <svg aria-hidden width={width} height={height}>
        <Stroke points={outline(width, height, 90)} width={6} color={color} seed={seed} progress={progress} strands={3} />
      </svg>
      {children}
    </Box>
  );
}

function Tick({ x, y, size, progress, checked, seed }: TickProps) {
  const { colors } = useScene();
  const tick: Point[] = [
    [size * 0.1, size * 0.42],
    [size * 0.26, size * 0.62],
    [size * 0.44, size * 0.88],
    [size * 0.9, size * 0.26],
    [size * 1.5, size * -0.5],
  ];
  return (
    <Box x={x} y={y} width={size} height={size}>
      <svg aria-hidden width={size} height={size}>
        <Stroke
          points={outline(size, size, 24)}
          width={6}
          color={checked > 0.5 ? colors.muted : colors.ink}
          seed={seed * 7 + 3}
          progress={progress}
          strands={3}
        />
        <Stroke points={tick} width={size * 0.18} color={colors.accent} seed={seed * 11 + 2} progress={checked} strands={6} />
      </svg>
    </Box>
  );
}

function Badge({ x, y, size, progress, index, tone = 'ink', children }: BadgeProps) {
  const { colors, theme } = useScene();
  const circle = Array.from({ length: 19 }, (_, step): Point => {
    const angle = (step / 17) * 2 * Math.PI - 2;
    const radius = (size / 2) * (1 + (hash(step, index, 20) - 0.5) * 0.06);
    return [size / 2 + Math.cos(angle) * radius, size / 2 + Math.sin(angle) * radius];
  });
  const color = tone === 'plain' || tone === 'ink' ? colors.muted : fillOf(colors, tone);
  return (
    <Box x={x} y={y} width={size} height={size}>
      <svg aria-hidden width={size} height={size}>
        <Stroke points={circle} width={7} color={color} seed={index + 5} progress={progress} strands={3} />
      </svg>
      <div
        style={{
          ...faceStyle(theme.display, size * 0.62, 0),
          position: 'absolute',
          inset: 0,
          display: 'grid',
          placeItems: 'center',
          color: colors.accent,
          lineHeight: 1,
          opacity: Math.min(1, progress),
        }}
      >
        {children}
      </div>
    </Box>
  );
}

function Underline({ x, y, width, height, progress, seed = 4 }: MarkProps) {
  const { colors } = useScene();
  return (
    <Box x={x} y={y} width={width} height={height}>
      <svg aria-hidden width={width} height={height}>
        <Stroke
          points={straight([0, height * 0.6], [width, height * 0.3])}
          width={height * 0.6}
          color={colors.accent}
          seed={seed}
          progress={progress}
          strands={5}
        />
      </svg>
    </Box>
  );
}

/** Draws several strokes with the flat side of the chalk across the text. */
function Marker({ x, y, width, height, progress, seed = 6 }: MarkProps) {
  const { colors } = useScene();
  return (
    <Box x={x} y={y} width={width} height={height} opacity={0.34}>
      <svg aria-hidden width={width} height={height}>
        <Stroke
          points={straight([0, height / 2], [width, height / 2 - 4])}
          width={height * 0.8}
          color={colors.accent}
          seed={seed}
          progress={progress}
          strands={9}
        />
      </svg>
    </Box>
  );
}

function Arrow({ x, y, length, progress, color, stroke = 6 }: ArrowProps) {
  const { rightToLeft } = useScene();
  const size = stroke * 4;
  return (
    <Box x={x} y={y - size} width={length} height={size * 2} transform={rightToLeft ? 'scaleX(-1)' : 'none'}>
      <svg aria-hidden width={length} height={size * 2}>
        <Stroke
          points={straight([0, size], [length, size])}
          width={stroke}
          color={color}
          seed={9}
          progress={progress / 0.75}
          strands={3}
        />
        <Stroke
          points={[
            [length - size, size * 0.1],
            [length, size],
            [length - size, size * 1.9],
          ]}
          width={stroke}
          color={color}
          seed={12}
          progress={(progress - 0.75) / 0.25}
          strands={3}
        />
      </svg>
    </Box>
  );
}

/** Draws a hand-drawn outline, hatched with the side of the chalk. */
function Bar({ x, y, width, height, tone, vertical, index }: BarProps) {
  const { colors } = useScene();
  const color = tone === 'plain' ? colors.muted : fillOf(colors, tone);
  const hatch = `repeating-linear-gradient(${vertical ? 128 : 112}deg, ${color}b8 0 5px, ${color}3a 5px 11px)`;
  if (width < 1 || height < 1) return null;
  return (
    <Box x={x} y={y} width={width} height={height} style={{ background: hatch }}>
      <svg aria-hidden width={width} height={height}>
        <Stroke points={outline(width, height, 60)} width={5} color={color} seed={index + 40} progress={1} strands={2} />
      </svg>
    </Box>
  );
}

export const chalk = createTheme({
  display: sansFace('Caveat Brush', 400, { tracking: 0.002, lineHeight: 1.02 }),
  text: sansFace('Nunito Variable', 560, { tracking: -0.005, lineHeight: 1.28 }),
  figures: interFigures(640),
  mono: jetBrains,
  radius: 6,
  stroke: 6,
  solidBars: false,
  material: 'chalk',
  Ground,
  Rule,
  Path,
  Card,
  Tick,
  Badge,
  Underline,
  Marker,
  Arrow,
  Bar,
});
