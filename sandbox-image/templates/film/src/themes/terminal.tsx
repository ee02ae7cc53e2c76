import { faceStyle } from '../drawing/lines.tsx';
import { Box, useScene } from '../drawing/setting.tsx';
import { createTheme, fillOf, Gradient, inkOn } from './plain.tsx';
import type { BadgeProps, BarProps, CardProps, MarkProps, TickProps } from './theme.ts';
import { monoFace } from './type.ts';

function Ground() {
  const { colors } = useScene();
  return (
    <Gradient>
      <div
        style={{
          position: 'absolute',
          inset: 0,
          background: `radial-gradient(circle at 1.5px 1.5px, ${colors.ink}1c 1.5px, transparent 2px) 10px 0 / 36px 36px`,
        }}
      />
    </Gradient>
  );
}

function Card({ x, y, width, height, tone = 'plain', progress = 1, children }: CardProps) {
  const { colors, theme } = useScene();
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      opacity={progress > 0.1 ? 1 : 0}
      style={{
        background: tone === 'plain' ? '#05080c' : fillOf(colors, tone),
        color: inkOn(colors, tone),
        border: `2px solid ${tone === 'plain' ? colors.faint : fillOf(colors, tone)}`,
        borderRadius: theme.radius,
        clipPath: `inset(0 ${(1 - Math.min(1, progress)) * 100}% 0 0)`,
      }}
    >
      {children}
    </Box>
  );
}

function Tick({ x, y, size, progress, checked }: TickProps) {
  const { colors, theme } = useScene();
  return (
    <Box
      x={x}
      y={y}
      width={size * 1.4}
      height={size}
      opacity={progress > 0 ? 1 : 0}
      style={{
        ...faceStyle(theme.mono, size * 0.78, 0),
        lineHeight: `${size}px`,
        whiteSpace: 'pre',
        color: checked > 0 ? colors.accent : colors.muted,
      }}
    >
      {`[${checked > 0.3 ? 'x' : ' '}]`}
    </Box>
  );
}

function Badge({ x, y, size, progress, tone = 'accent', children }: BadgeProps) {
  const { colors, theme } = useScene();
  return (
    <Box
      x={x}
      y={y}
      width={size}
      height={size}
      opacity={progress > 0.1 ? 1 : 0}
      style={{
        ...faceStyle(theme.strong, size * 0.5, 0),
        display: 'grid',
        placeItems: 'center',
        background: fillOf(colors, tone),
        color: inkOn(colors, tone),
        lineHeight: 1,
      }}
    >
      {children}
    </Box>
  );
}

function Marker({ x, y, width, height, progress }: MarkProps) {
  const { colors } = useScene();
  return <Box x={x} y={y} width={width * Math.min(1, progress)} height={height} style={{ background: `${colors.accent}3a` }} />;
}

function Bar({ x, y, width, height, tone, vertical }: BarProps) {
  const { colors } = useScene();
  const color = tone === 'plain' ? `${colors.accent}66` : fillOf(colors, tone);
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      style={{ background: `repeating-linear-gradient(${vertical ? '0deg' : '90deg'}, ${color} 0 17px, transparent 17px 23px)` }}
    />
  );
}

export const terminal = createTheme({
  display: monoFace('JetBrains Mono Variable', 700, { tracking: -0.045, lineHeight: 1.12 }),
  text: monoFace('JetBrains Mono Variable', 450, { tracking: -0.025, lineHeight: 1.35 }),
  strong: monoFace('JetBrains Mono Variable', 680, { tracking: -0.025, lineHeight: 1.3 }),
  figures: monoFace('JetBrains Mono Variable', 700, { tracking: -0.04, lineHeight: 1 }),
  mono: monoFace('JetBrains Mono Variable', 500, { tracking: -0.02, lineHeight: 1.4 }),
  radius: 14,
  stroke: 3,
  solidBars: false,
  Ground,
  Card,
  Tick,
  Badge,
  Marker,
  Bar,
});
