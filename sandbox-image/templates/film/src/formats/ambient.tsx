import { type Point, straightPath } from '../drawing/curve.ts';
import { setHeading } from '../drawing/heading.tsx';
import { Lines } from '../drawing/lines.tsx';
import { type LayoutSetting, useLayout, useScene } from '../drawing/setting.tsx';
import { setOptional, type TextSet } from '../drawing/text.ts';
import { mix } from '../kit/color.ts';
import { between, hash } from '../kit/random.ts';
import { FrameSvg } from '../themes/plain.tsx';
import type { Rect } from '../themes/theme.ts';

type Kind = 'waves' | 'particles' | 'gradient' | 'grid' | 'snow' | 'rain' | 'confetti';

interface AmbientProps {
  readonly kind: Kind;
  readonly text: string | null;
  readonly subtitle: string | null;
}

interface Layout {
  readonly text: TextSet | null;
  readonly subtitle: TextSet | null;
  readonly y: number;
  /** Area of the text, in which nothing moves; `null` if there is no text. */
  readonly words: Rect | null;
}

function layOut({ text, subtitle }: AmbientProps, setting: LayoutSetting): Layout {
  const { safe } = setting.frame;
  const main = setHeading(text, { size: 132, width: safe.width, height: safe.height * 0.32, maxCharacters: 22 }, setting);
  const small = setOptional(subtitle, { face: setting.theme.text, size: 50, width: safe.width, height: 120, maxCharacters: 44 });
  const height = (main?.height ?? 0) + (small === null ? 0 : small.height + 14);
  const y = safe.y + safe.height - height;
  const width = Math.max(main?.width ?? 0, small?.width ?? 0);
  return { text: main, subtitle: small, y, words: height === 0 ? null : { x: safe.x, y, width, height } };
}

/**
 * Draws one kind of slow motion. Every movement makes whole turns within the scene's length, so that the end leads into the
 * start.
 */
export function AmbientFormat(props: AmbientProps) {
  const { frame, colors, motion } = useScene();
  const { text, subtitle, y, words } = useLayout(layOut, props);
  const shown = motion.loops ? 1 : motion.enter(0, 0.8) * (1 - motion.leave());
  const leave = motion.loops ? 0 : motion.leave(0.15);
  const progress = (at: number) => (motion.loops ? 1 : motion.enter(at, 0.6));
  const phase = motion.seconds / motion.duration;
  const Drawing = drawings[props.kind];
  return (
    <>
      <div className="box" style={{ inset: 0, opacity: shown }}>
        <Drawing phase={phase} words={words} />
      </div>
      {text === null ? null : (
        <Lines
          set={text}
          x={frame.safe.x}
          y={y}
          color={colors.ink}
          entrance="fade"
          progress={(line) => progress(0.1 + line * 0.08)}
          leave={leave}
        />
      )}
      {subtitle === null ? null : (
        <Lines
          set={subtitle}
          x={frame.safe.x}
          y={y + (text === null ? 0 : text.height + 14)}
          color={props.kind === 'gradient' ? colors.ink : colors.muted}
          entrance="fade"
          progress={() => progress(0.3)}
          leave={leave}
        />
      )}
    </>
  );
}

AmbientFormat.seamless = true;
AmbientFormat.composited = true;

interface DrawingProps {
  /** Progress through the loop, 0 to 1. */
  readonly phase: number;
  readonly words: Rect | null;
}

const turn = 2 * Math.PI;
const lineCount = 48;
const pointCount = 56;

/** Draws a sheet of lines, each with the same wave a little later, that folds into a bright edge and opens again. */
function Waves({ phase, words }: DrawingProps) {
  const { frame, colors, style } = useScene();
  const { width, height } = frame;
  const floor = words === null ? height : words.y;
  const middle = words === null ? height / 2 : floor * 0.52;
  const swing = Math.min(floor * 0.2, height * 0.17) * (style === 'cinematic' ? 0.75 : 1);
  const lines = Array.from({ length: lineCount }, (_, line) => {
    const share = line / (lineCount - 1) - 0.5;
    return Array.from({ length: pointCount }, (_, index): Point => {
      const u = index / (pointCount - 1);
      const wave = Math.sin(turn * (u * 0.85 - phase)) * 0.62 + Math.sin(turn * (u * 1.7 + phase) + 1) * 0.18;
      const spread = Math.sin(turn * (u * 0.75 + 0.1 + 0.12 * Math.sin(turn * phase)) + share * 0.7);
      return [u * (width + 80) - 40, middle - (u - 0.5) * swing * 0.7 + wave * swing + share * spread * swing * 1.5];
    });
  });
  return (
    <FrameSvg>
      <g fill="none" strokeLinejoin="round">
        {lines.map((points, line) => {
          const isWarm = line >= 30 && line <= 36;
          return (
            <path
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order.
              key={line}
              d={straightPath(points)}
              stroke={isWarm ? colors.helper : colors.accent}
              strokeWidth={isWarm ? 3 : 2}
              strokeOpacity={isWarm ? 0.9 : 0.28 + 0.3 * Math.sin((Math.PI * line) / lineCount)}
            />
          );
        })}
      </g>
    </FrameSvg>
  );
}

/** Draws wide areas of colour that move in circles. */
function Gradients({ phase }: DrawingProps) {
  const { frame, colors } = useScene();
  const pools = [colors.accentFill, colors.helperFill, colors.accentFill, colors.helperFill].map((color, index) => {
    const angle = turn * (phase * (index % 2 === 0 ? 1 : -1) + index / 4);
    const [x, y] = [50 + 34 * Math.cos(angle), 46 + 34 * Math.sin(angle)];
    const soft = mix(color, index < 2 ? colors.groundTop : colors.groundBottom, colors.dark ? 0.68 : 0.76);
    return `radial-gradient(circle at ${x}% ${y}%, ${soft}, ${soft}00 ${index < 2 ? 55 : 42}%)`;
  });
  return (
    <div className="box" style={{ left: 0, top: 0, width: frame.width, height: frame.height, background: pools.join(', ') }} />
  );
}

const gridRows = 14;

/** Draws a floor of grid lines that moves towards the viewer by whole cells. */
function Grid({ phase, words }: DrawingProps) {
  const { frame, colors, theme } = useScene();
  const { width, height } = frame;
  // With text in the scene, the grid is a ceiling above it.
  const horizon = words === null ? height * 0.45 : words.y * 0.72;
  const edge = words === null ? height : 0;
  const moved = (phase * 6) % 1;
  const rows = Array.from({ length: gridRows }, (_, row) => 1 / (gridRows - row - moved + 0.35));
  const depth = edge - horizon;
  const yAt = (near: number) => horizon + depth * near * 0.42;
  return (
    <FrameSvg>
      <g stroke={colors.accent} strokeWidth={theme.stroke}>
        {rows.map((near, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their order.
          <line key={row} x1={0} x2={width} y1={yAt(near)} y2={yAt(near)} strokeOpacity={Math.min(0.8, near * 2.2)} />
        ))}
        {Array.from({ length: 25 }, (_, index) => index - 12).map((column) => (
          <line
            key={column}
            x1={width / 2 + column * width * 0.018}
            y1={yAt(0.07)}
            x2={width / 2 + column * width * 0.24}
            y2={edge}
            strokeOpacity={0.4}
          />
        ))}
        <line x1={0} x2={width} y1={yAt(0.07)} y2={yAt(0.07)} stroke={colors.helper} strokeWidth={theme.stroke * 1.5} />
      </g>
    </FrameSvg>
  );
}

interface Fall {
  readonly count: number;
  /** Number of times that a particle crosses the frame in one loop, as a range. */
  readonly crossings: readonly [number, number];
  readonly sway: number;
  readonly upwards?: boolean;
}

interface Particle {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  /** Depth: 0 for the farthest particle, 1 for the nearest. */
  readonly near: number;
  readonly opacity: number;
}

const edge = 60;
const quiet = 70;

/** Returns particles that cross the frame a whole number of times and fade out before they reach the text. */
function useParticles({ phase, words }: DrawingProps, { count, crossings, sway, upwards = false }: Fall): Particle[] {
  const { frame, seed } = useScene();
  const height = frame.height + 2 * edge;
  return Array.from({ length: count }, (_, index) => {
    const near = hash(index, seed, 1);
    const rounds = Math.round(crossings[0] + (crossings[1] - crossings[0]) * near);
    const way = (hash(index, seed, 2) + phase * rounds) % 1;
    const swings = 1 + (index % 2);
    const x = hash(index, seed, 3) * frame.width + Math.sin(turn * (phase * swings + hash(index, seed, 4))) * sway * (0.4 + near);
    const y = (upwards ? 1 - way : way) * height - edge;
    return { index, x, y, near, opacity: words === null ? 1 : clearOf(words, x, y) };
  });
}

function clearOf({ x, y, width, height }: Rect, atX: number, atY: number): number {
  const [outX, outY] = [Math.max(x - atX, atX - x - width, 0), Math.max(y - atY, atY - y - height, 0)];
  return Math.min(1, Math.max(0, (Math.hypot(outX, outY) - quiet * 0.4) / quiet));
}

function Particles(drawing: DrawingProps) {
  const { colors, seed } = useScene();
  const particles = useParticles(drawing, { count: 90, crossings: [1, 1], sway: 60, upwards: true });
  return (
    <FrameSvg>
      {particles.map(({ index, x, y, near, opacity }) => {
        const glow = 0.45 + 0.4 * Math.sin(turn * (drawing.phase * (1 + (index % 3)) + hash(index, seed, 5)));
        const color = index % 4 === 0 ? colors.helper : colors.accent;
        return (
          <circle key={index} cx={x} cy={y} r={3 + near * near * 17} fill={color} opacity={opacity * glow * (1 - near * 0.4)} />
        );
      })}
    </FrameSvg>
  );
}

function Snow(drawing: DrawingProps) {
  const { colors } = useScene();
  const flakes = useParticles(drawing, { count: 120, crossings: [1, 3], sway: 46 });
  const color = colors.dark ? colors.ink : mix(colors.ink, colors.groundTop, 0.6);
  return (
    <FrameSvg>
      {flakes.map(({ index, x, y, near, opacity }) => (
        <circle key={index} cx={x} cy={y} r={3 + near * near * 13} fill={color} opacity={opacity * (0.35 + near * 0.5)} />
      ))}
    </FrameSvg>
  );
}

function Rain(drawing: DrawingProps) {
  const { colors } = useScene();
  const drops = useParticles(drawing, { count: 110, crossings: [8, 14], sway: 0 });
  return (
    <FrameSvg>
      <g strokeLinecap="round">
        {drops.map(({ index, x, y, near, opacity }) => {
          const length = 34 + near * 70;
          const slant = 0.16;
          return (
            <line
              key={index}
              x1={x + y * slant - 80}
              y1={y}
              x2={x + (y - length) * slant - 80}
              y2={y - length}
              stroke={index % 5 === 0 ? colors.accent : colors.helper}
              strokeWidth={2 + near * 3}
              opacity={opacity * (0.3 + near * 0.5)}
            />
          );
        })}
      </g>
    </FrameSvg>
  );
}

function Confetti(drawing: DrawingProps) {
  const { colors, seed } = useScene();
  const pieces = useParticles(drawing, { count: 110, crossings: [1, 3], sway: 70 });
  const fills = [colors.accentFill, colors.helperFill, mix(colors.accentFill, colors.groundTop, 0.45), colors.ink];
  return (
    <FrameSvg>
      {pieces.map(({ index, x, y, near, opacity }) => {
        const size = 14 + near * 22;
        const spins = (index % 2 === 0 ? 1 : -1) * (1 + (index % 3));
        const angle = 360 * (drawing.phase * spins + hash(index, seed, 6));
        const flip = Math.cos(turn * (drawing.phase * (3 + (index % 4)) + hash(index, seed, 7)));
        const shape = between(0.45, 0.8, index, seed, 8);
        return (
          <rect
            key={index}
            width={size}
            height={size * shape}
            x={-size / 2}
            y={(-size * shape) / 2}
            fill={fills[index % fills.length]}
            opacity={opacity}
            transform={`translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${angle.toFixed(1)}) scale(1 ${flip.toFixed(3)})`}
          />
        );
      })}
    </FrameSvg>
  );
}

const drawings: Readonly<Record<Kind, (props: DrawingProps) => React.ReactNode>> = {
  waves: Waves,
  particles: Particles,
  gradient: Gradients,
  grid: Grid,
  snow: Snow,
  rain: Rain,
  confetti: Confetti,
};
