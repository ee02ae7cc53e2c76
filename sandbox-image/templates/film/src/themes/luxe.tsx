import { Box, useScene } from '../drawing/setting.tsx';
import { mix } from '../kit/color.ts';
import { createTheme, Gradient, Path as PlainPath } from './plain.tsx';
import type { BarProps, CardProps, PathProps, RuleProps } from './theme.ts';
import { jetBrains, sansFace, serifFace } from './type.ts';

function Ground() {
  const { colors, frame, motion } = useScene();
  const from = frame.width * (0.2 + ((motion.drift(12) * 0.02) % 0.6));
  return (
    <Gradient>
      <div
        style={{
          position: 'absolute',
          left: from,
          top: -frame.height * 0.3,
          width: frame.width * 0.36,
          height: frame.height * 1.6,
          transform: 'rotate(17deg)',
          background: `linear-gradient(90deg, transparent, ${colors.accent}17, transparent)`,
        }}
      />
    </Gradient>
  );
}

/** Draws a gold line, and a light that travels along it while it is drawn. */
function Rule({ x, y, length, vertical = false, progress }: RuleProps) {
  const { colors } = useScene();
  const drawn = length * Math.min(1, progress);
  const light = Math.min(1, progress) * 85 - 15;
  const shine = mix(colors.accent, '#ffffff', 0.75);
  return (
    <Box
      x={x}
      y={y}
      width={vertical ? 2.5 : drawn}
      height={vertical ? drawn : 2.5}
      style={{
        background: `linear-gradient(${vertical ? '180deg' : '90deg'}, ${colors.accent} ${light - 14}%, ${shine} ${light}%, ${colors.accent} ${light + 14}%)`,
      }}
    />
  );
}

function Path(line: PathProps) {
  return <PlainPath {...line} tone="accent" />;
}

function Card({ x, y, width, height, tone = 'plain', progress = 1, children }: CardProps) {
  const { colors } = useScene();
  const filled = tone === 'accent' || tone === 'helper';
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      opacity={Math.min(1, progress)}
      style={{
        background: filled
          ? `linear-gradient(105deg, ${mix(colors.accent, '#000000', 0.12)}, ${mix(colors.accent, '#ffffff', 0.28)} 48%, ${colors.accent})`
          : `linear-gradient(${mix(colors.groundTop, colors.accent, 0.05)}, ${mix(colors.groundBottom, colors.accent, 0.09)})`,
        color: filled ? colors.onAccent : colors.ink,
        border: filled ? undefined : `1.5px solid ${colors.accent}66`,
      }}
    >
      {children}
    </Box>
  );
}

function Bar({ x, y, width, height, tone, vertical }: BarProps) {
  const { colors } = useScene();
  const shine = mix(colors.accent, '#ffffff', 0.35);
  return (
    <Box
      x={x}
      y={y}
      width={width}
      height={height}
      style={{
        background:
          tone === 'plain'
            ? mix(colors.accent, colors.groundBottom, 0.66)
            : `linear-gradient(${vertical ? '0deg' : '90deg'}, ${colors.accent}, ${shine})`,
      }}
    />
  );
}

const display = serifFace('Playfair Display Variable', 430, { tracking: -0.014, lineHeight: 1.1 });

export const luxe = createTheme({
  display,
  emphasis: { ...display, italic: true },
  text: sansFace('Jost Variable', 400, { tracking: 0.008, lineHeight: 1.3 }),
  figures: { ...display, tracking: 0, lineHeight: 1 },
  mono: jetBrains,
  radius: 0,
  stroke: 2.5,
  material: 'gold',
  Ground,
  Rule,
  Path,
  Card,
  Bar,
});
