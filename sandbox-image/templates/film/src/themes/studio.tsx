import { Box, useScene } from '../drawing/setting.tsx';
import { createTheme, Gradient } from './plain.tsx';
import { jetBrains, sansFace } from './type.ts';

const lineWidth = 2;

/** Draws the lines of a layout grid. Each is a part of its own, because a mask over the whole frame takes as long as all else in it. */
function Ground() {
  const { colors, frame } = useScene();
  const columns = frame.shape === 'wide' ? 6 : 4;
  const lines = Array.from({ length: columns }, (_, index) => ((index + 1) * frame.width) / columns - lineWidth);
  return (
    <Gradient>
      {lines.map((x) => (
        <Box
          key={x}
          x={x}
          y={0}
          width={lineWidth}
          height={frame.height}
          opacity={colors.dark ? 0.25 : 0.4}
          style={{ background: `linear-gradient(transparent, ${colors.faint} 60%)` }}
        />
      ))}
    </Gradient>
  );
}

export const studio = createTheme({
  display: sansFace('Inter Tight Variable', 660, { tracking: -0.03, lineHeight: 1.02 }),
  text: sansFace('Inter Variable', 450, { tracking: -0.012, lineHeight: 1.28 }),
  figures: sansFace('Inter Tight Variable', 680, { tracking: -0.025, lineHeight: 1 }),
  mono: jetBrains,
  radius: 32,
  Ground,
});
