import { Box, useScene } from '../drawing/setting.tsx';
import { createTheme, fillOf, GlowingPath, Gradient } from './plain.tsx';
import type { BarProps, CardProps, RuleProps } from './theme.ts';
import { interFigures, jetBrains, sansFace } from './type.ts';

/** Draws scan lines, and a brighter one that passes as the scene enters. */
function Ground() {
  const { colors, frame, motion } = useScene();
  return (
    <Gradient>
      <div
        style={{
          position: 'absolute',
          inset: 0,
          background: 'repeating-linear-gradient(transparent 0 9px, rgb(255 255 255 / 0.015) 9px 12px)',
        }}
      />
      <div
        style={{
          position: 'absolute',
          left: 0,
          width: '100%',
          height: 2,
          top: motion.draw(0, 2.2) * (frame.height + 2) - 2,
          background: colors.helper,
          opacity: 0.28,
        }}
      />
    </Gradient>
  );
}

function Rule({ x, y, length, vertical = false, progress, tone = 'accent' }: RuleProps) {
  const { colors } = useScene();
  const drawn = length * Math.min(1, progress);
  const color = fillOf(colors, tone === 'plain' ? 'accent' : tone);
  return (
    <Box
      x={x}
      y={y}
      width={vertical ? 3 : drawn}
      height={vertical ? drawn : 3}
      style={{ background: color, boxShadow: `0 0 18px ${color}80` }}
    />
  );
}

function Card({ x, y, width, height, tone = 'plain', progress = 1, children }: CardProps) {
  const { colors, theme } = useScene();
  const color = tone === 'plain' ? colors.accent : fillOf(colors, tone);
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      opacity={Math.min(1, progress * 1.5)}
      transform={`scale(${0.96 + 0.04 * progress})`}
      style={{
        background: tone === 'plain' ? colors.groundTop : color,
        color: tone === 'plain' ? colors.ink : colors.onAccent,
        border: `3px solid ${color}`,
        borderRadius: theme.radius,
        boxShadow: `0 0 34px -8px ${color}`,
      }}
    >
      {children}
    </Box>
  );
}

function Bar({ x, y, width, height, tone, vertical }: BarProps) {
  const { colors } = useScene();
  const color = tone === 'plain' ? colors.accent : colors.helper;
  const lines = `repeating-linear-gradient(${vertical ? '0deg' : '90deg'}, ${color} 0 9px, ${color}b0 9px 12px)`;
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      style={{
        background: tone === 'plain' ? `${color}38` : lines,
        border: `2.5px solid ${color}`,
        boxShadow: tone === 'plain' ? undefined : `0 0 34px -6px ${color}`,
      }}
    />
  );
}

export const neon = createTheme({
  display: sansFace('Sora Variable', 700, { tracking: -0.035, lineHeight: 1.06 }),
  text: { ...jetBrains, tracking: -0.03, lineHeight: 1.3 },
  figures: interFigures(760),
  barInk: ({ ink, onHelper }, tone) => (tone === 'plain' ? ink : onHelper),
  mono: jetBrains,
  radius: 14,
  stroke: 3,
  material: 'neon',
  Ground,
  Rule,
  Path: GlowingPath,
  Card,
  Bar,
});
