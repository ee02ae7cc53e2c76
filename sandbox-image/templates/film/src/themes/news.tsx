import { faceStyle } from '../drawing/lines.tsx';
import { Box, useScene } from '../drawing/setting.tsx';
import { createTheme, fillOf, Gradient, inkOn } from './plain.tsx';
import type { BadgeProps, BarProps, CardProps, RuleProps } from './theme.ts';
import { jetBrains, sansFace, serifFace } from './type.ts';

function Ground() {
  const { colors, frame } = useScene();
  return (
    <Gradient>
      <div style={{ position: 'absolute', left: 0, top: 0, width: frame.width, height: 14, background: colors.accentFill }} />
    </Gradient>
  );
}

function Rule({ x, y, length, vertical = false, progress, tone = 'ink' }: RuleProps) {
  const { colors } = useScene();
  const drawn = length * Math.min(1, progress);
  return (
    <Box
      x={x}
      y={y}
      width={vertical ? 2.5 : drawn}
      height={vertical ? drawn : 2.5}
      style={{ background: tone === 'plain' ? colors.faint : fillOf(colors, tone) }}
    />
  );
}

function Card({ x, y, width, height, tone = 'plain', progress = 1, children }: CardProps) {
  const { colors } = useScene();
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      style={{
        background: fillOf(colors, tone),
        color: inkOn(colors, tone),
        borderTop: tone === 'plain' ? `8px solid ${colors.helper}` : undefined,
        clipPath: `inset(0 0 ${(1 - Math.min(1, progress)) * 100}% 0)`,
      }}
    >
      {children}
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
      style={{
        ...faceStyle(theme.display, size * 0.56, 0),
        display: 'grid',
        placeItems: 'center',
        background: fillOf(colors, tone),
        color: inkOn(colors, tone),
        lineHeight: 1,
        clipPath: `inset(0 ${(1 - Math.min(1, progress)) * 100}% 0 0)`,
      }}
    >
      {children}
    </Box>
  );
}

function Bar({ x, y, width, height, tone }: BarProps) {
  const { colors } = useScene();
  return (
    <Box x={x} y={y} width={width} height={height} style={{ background: tone === 'plain' ? colors.helper : colors.accent }} />
  );
}

export const news = createTheme({
  display: sansFace('Archivo Variable', 800, { tracking: -0.018, lineHeight: 1, stretch: 'semi-condensed' }),
  text: serifFace('Source Serif 4 Variable', 460, { tracking: -0.008, lineHeight: 1.22, variations: "'opsz' 60" }),
  strong: sansFace('Archivo Variable', 720, { tracking: -0.012, lineHeight: 1.15 }),
  figures: sansFace('Archivo Variable', 800, { tracking: -0.02, lineHeight: 1 }),
  mono: jetBrains,
  radius: 0,
  stroke: 2.5,
  barInk: ({ onHelper, onAccent }, tone) => (tone === 'plain' ? onHelper : onAccent),
  Ground,
  Rule,
  Card,
  Badge,
  Bar,
});
