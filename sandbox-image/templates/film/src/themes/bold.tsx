import { Box, useScene } from '../drawing/setting.tsx';
import { createTheme, fillOf, inkOn, TickStroke } from './plain.tsx';
import type { BarProps, CardProps, TickProps } from './theme.ts';
import { jetBrains, sansFace } from './type.ts';

function Card({ x, y, width, height, tone = 'ink', progress = 1, children }: CardProps) {
  const { colors } = useScene();
  const fill = tone === 'plain' ? 'ink' : tone;
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      style={{
        background: fillOf(colors, fill),
        color: inkOn(colors, fill),
        clipPath: `inset(${(1 - Math.min(1, progress)) * 100}% 0 0 0)`,
      }}
    >
      {children}
    </Box>
  );
}

function Tick({ x, y, size, progress, checked }: TickProps) {
  const { colors } = useScene();
  return (
    <Box
      x={x}
      y={y}
      width={size}
      height={size}
      opacity={progress > 0 ? 1 : 0}
      style={{ background: checked > 0 ? colors.accent : colors.ink }}
    >
      <svg aria-hidden width={size} height={size} viewBox="0 0 100 100">
        {checked > 0 ? null : <rect x={13} y={13} width={74} height={74} fill={colors.groundTop} />}
        <TickStroke checked={checked} color={colors.onAccent} width={16} />
      </svg>
    </Box>
  );
}

function Bar({ x, y, width, height, tone }: BarProps) {
  const { colors } = useScene();
  return (
    <Box x={x} y={y} width={width} height={height} style={{ background: fillOf(colors, tone === 'plain' ? 'ink' : tone) }} />
  );
}

export const bold = createTheme({
  display: sansFace('Anton', 400, { tracking: -0.005, lineHeight: 1.08 }),
  text: sansFace('Archivo Variable', 620, { tracking: -0.015, lineHeight: 1.18 }),
  strong: sansFace('Archivo Variable', 800, { tracking: -0.02, lineHeight: 1.15 }),
  figures: sansFace('Anton', 400, { tracking: 0, lineHeight: 1.05 }),
  mono: jetBrains,
  capitals: true,
  radius: 0,
  stroke: 8,
  Card,
  Tick,
  Bar,
  barInk: (colors, tone) => inkOn(colors, tone === 'plain' ? 'ink' : tone),
});
