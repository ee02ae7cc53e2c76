import { Box, useScene } from '../drawing/setting.tsx';
import { createTheme, fillOf, GlowingPath, Gradient } from './plain.tsx';
import type { BarProps, RuleProps } from './theme.ts';
import { interFigures, jetBrains, sansFace } from './type.ts';

function Ground() {
  const { colors, frame, motion } = useScene();
  const drift = Math.sin((motion.drift(4) / 16) * 2 * Math.PI) * frame.width * 0.02;
  return (
    <Gradient>
      <div
        style={{
          position: 'absolute',
          left: frame.width * 0.02 + drift,
          top: frame.height * 0.6,
          width: frame.width * 1.1,
          height: frame.height * 0.86,
          background: `radial-gradient(closest-side, ${colors.accent}52, ${colors.accent}1f 45%, transparent)`,
        }}
      />
    </Gradient>
  );
}

function Rule({ x, y, length, vertical = false, progress, tone = 'accent' }: RuleProps) {
  const { colors, theme } = useScene();
  const drawn = length * Math.min(1, progress);
  const color = fillOf(colors, tone === 'plain' ? 'accent' : tone);
  return (
    <Box
      x={x}
      y={y}
      width={vertical ? theme.stroke : drawn}
      height={vertical ? drawn : theme.stroke}
      style={{ background: `linear-gradient(${vertical ? '180deg' : '90deg'}, ${color}20, ${color} 55%, ${color}20)` }}
    />
  );
}

function Bar({ x, y, width, height, tone, vertical }: BarProps) {
  const { colors } = useScene();
  const swapped = tone === 'plain' ? colors.accent : colors.helper;
  const color = tone === 'plain' || tone === 'accent' ? swapped : fillOf(colors, tone);
  // Text is at the start of a row, where the fill must be dense, but never at the foot of a column.
  const start = !vertical && tone !== 'plain' ? 'b8' : '1f';
  const radius = Math.min(10, (vertical ? width : height) / 2);
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      style={{
        background: `linear-gradient(${vertical ? '0deg' : '90deg'}, ${color}${start}, ${color}${tone === 'plain' ? 'a0' : 'ff'})`,
        borderRadius: vertical ? `${radius}px ${radius}px 0 0` : radius,
        boxShadow: tone === 'plain' ? undefined : `0 0 36px -6px ${color}`,
      }}
    />
  );
}

export const midnight = createTheme({
  display: sansFace('Space Grotesk Variable', 500, { tracking: -0.035, lineHeight: 1.05 }),
  text: sansFace('Inter Variable', 450, { tracking: -0.012, lineHeight: 1.3 }),
  figures: interFigures(620),
  barInk: ({ ink, onHelper }, tone) => (tone === 'plain' ? ink : onHelper),
  mono: jetBrains,
  radius: 26,
  stroke: 3,
  material: 'glass',
  Ground,
  Rule,
  Path: GlowingPath,
  Bar,
});
