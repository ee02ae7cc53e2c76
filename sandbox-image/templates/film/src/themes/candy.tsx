import type { ReactNode } from 'react';
import { faceStyle } from '../drawing/lines.tsx';
import { Box, useScene } from '../drawing/setting.tsx';
import { mix, readable } from '../kit/color.ts';
import type { Colors } from './colors.ts';
import { createTheme, fillOf, Gradient, inkOn, TickStroke } from './plain.tsx';
import type { BadgeProps, BarProps, CardProps, PlateProps, TickProps } from './theme.ts';
import { interFigures, jetBrains, sansFace } from './type.ts';

function Ground() {
  const { colors, frame } = useScene();
  const radius = Math.min(frame.width, frame.height) * 0.34;
  return (
    <Gradient>
      <svg aria-hidden width={frame.width} height={frame.height}>
        <circle cx={frame.width * 0.97} cy={frame.height * 0.06} r={radius} fill={colors.accentFill} opacity={0.1} />
        <circle cx={frame.width * 0.02} cy={frame.height * 0.97} r={radius * 0.7} fill={colors.helperFill} opacity={0.09} />
      </svg>
    </Gradient>
  );
}

/** Returns a circle whose radius oscillates `waves` times. */
function rosette(waves: number, radius: number, depth: number): string {
  const points = Array.from({ length: 121 }, (_, step) => {
    const angle = (step / 120) * 2 * Math.PI;
    const r = radius * (1 + depth * Math.cos(waves * angle));
    return `${(80 + Math.cos(angle) * r).toFixed(1)} ${(80 + Math.sin(angle) * r).toFixed(1)}`;
  });
  return `M${points.join('L')}Z`;
}

const rosettes = [
  rosette(8, 58, 0.075),
  rosette(5, 58, 0.1),
  rosette(12, 59, 0.055),
  rosette(6, 58, 0.09),
  rosette(10, 58, 0.065),
];
const paleOf = (color: string, colors: Colors): string => mix(color, colors.groundTop, 0.86);

const tilts = [-2, 1.6, -1.4, 2, -1.2];
const turns = [-14, 10, -8, 13, -10];
const at = <T,>(values: readonly T[], index: number): T => values[index % values.length] as T;

function Sticker({
  x,
  y,
  size,
  progress,
  index,
  color,
  children,
}: {
  x: number;
  y: number;
  size: number;
  progress: number;
  index: number;
  color: string;
  children: ReactNode;
}) {
  const { colors } = useScene();
  const path = at(rosettes, index);
  return (
    <Box
      x={x - size * 0.16}
      y={y - size * 0.16}
      width={size * 1.32}
      height={size * 1.32}
      transform={`scale(${Math.max(0, progress)}) rotate(${at(turns, index) * progress}deg)`}
    >
      <svg aria-hidden width={size * 1.32} height={size * 1.32} viewBox="0 0 160 160">
        <path d={path} fill="#fff" stroke="#fff" strokeWidth={19} strokeLinejoin="round" />
        <path d={path} fill={paleOf(color, colors)} />
      </svg>
      {children}
    </Box>
  );
}

const toneOf = (index: number, tone: 'plain' | 'accent' | 'helper' | 'ink' | undefined) =>
  tone ?? (index % 2 === 0 ? 'accent' : 'helper');

function Badge({ x, y, size, progress, index, tone, children }: BadgeProps) {
  const { colors, theme } = useScene();
  const color = fillOf(colors, toneOf(index, tone));
  return (
    <Sticker x={x} y={y} size={size} progress={progress} index={index} color={color}>
      <div
        style={{
          ...faceStyle({ ...theme.display, weight: 700 }, size * 0.7, 0),
          position: 'absolute',
          inset: 0,
          display: 'grid',
          placeItems: 'center',
          color: readable(color, paleOf(color, colors)),
          lineHeight: 1,
        }}
      >
        {children}
      </div>
    </Sticker>
  );
}

function Tick({ x, y, size, progress, checked, seed }: TickProps) {
  const { colors } = useScene();
  return (
    <Sticker x={x} y={y} size={size} progress={progress} index={4 + seed * 5} color={colors.accent}>
      <svg aria-hidden width={size * 1.32} height={size * 1.32} viewBox="0 0 100 100">
        <TickStroke checked={checked} color={colors.accent} width={11} />
      </svg>
    </Sticker>
  );
}

function Plate({ x, y, width, height, index, progress, tone }: PlateProps) {
  const { colors } = useScene();
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      transform={`scale(${0.4 + 0.6 * progress})`}
      opacity={Math.min(1, progress * 2)}
      style={{
        background: fillOf(colors, toneOf(index, tone)),
        borderRadius: height / 2,
        boxShadow: `0 0 0 ${height * 0.085}px #fff`,
        transformOrigin: `${height / 2}px 50%`,
        rotate: `${at(tilts, index) * 0.6}deg`,
      }}
    />
  );
}

function Card({ x, y, width, height, tone = 'plain', progress = 1, seed = 0, children }: CardProps) {
  const { colors, theme } = useScene();
  const fill = tone === 'plain' ? '#ffffff' : fillOf(colors, tone);
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      opacity={Math.min(1, progress * 2)}
      transform={`scale(${0.8 + 0.2 * progress}) rotate(${at(tilts, seed) * 0.5}deg)`}
      style={{
        background: fill,
        color: tone === 'plain' ? colors.ink : inkOn(colors, tone),
        borderRadius: theme.radius,
        border: `5px solid ${colors.ink}`,
        boxShadow: `14px 16px 0 ${tone === 'accent' ? colors.helper : colors.accent}`,
      }}
    >
      {children}
    </Box>
  );
}

function Bar({ x, y, width, height, tone, vertical }: BarProps) {
  const { colors } = useScene();
  const radius = Math.min(28, (vertical ? width : height) / 2);
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      style={{
        background: tone === 'plain' ? mix(colors.accent, colors.groundTop, 0.72) : fillOf(colors, tone),
        borderRadius: vertical ? `${radius}px ${radius}px 0 0` : `0 ${radius}px ${radius}px 0`,
      }}
    />
  );
}

export const candy = createTheme({
  display: sansFace('Fredoka Variable', 620, { tracking: -0.022, lineHeight: 0.98 }),
  text: sansFace('Nunito Variable', 650, { tracking: -0.01, lineHeight: 1.25 }),
  figures: interFigures(720),
  mono: jetBrains,
  radius: 56,
  stroke: 6,
  plate: { drawn: true, padding: 44, ink: (colors, tone) => (tone === 'helper' ? colors.onHelper : colors.onAccent) },
  Ground,
  Badge,
  Tick,
  Plate,
  Card,
  Bar,
});
