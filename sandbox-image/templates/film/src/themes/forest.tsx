import { useScene } from '../drawing/setting.tsx';
import { createTheme, Gradient } from './plain.tsx';
import { interFigures, jetBrains, sansFace } from './type.ts';

function Ground() {
  const { colors, frame, motion } = useScene();
  const sway = Math.sin((motion.drift(9) / 7) * 2 * Math.PI) * 1.2;
  const leaves = Array.from({ length: 9 }, (_, index) => ({
    x: 40 + index * 42,
    y: 330 - index * 30 - index * index * 1.6,
    up: index % 2 === 0,
  }));
  return (
    <Gradient>
      <svg aria-hidden width={frame.width} height={frame.height}>
        <g
          transform={`translate(${frame.rightToLeft ? 0 : frame.width} ${frame.height}) scale(${frame.rightToLeft ? 1.15 : -1.15} 1.15) translate(-20 -370) rotate(${sway})`}
          fill={colors.accentFill}
          opacity={colors.dark ? 0.16 : 0.1}
        >
          {leaves.map(({ x, y, up }) => (
            <path
              key={x}
              transform={`translate(${x} ${y}) rotate(${up ? -78 : 12}) scale(${1.35 - x / 700})`}
              d="M0 0C17 -38 68 -38 96 0C70 19 24 24 0 0Z"
            />
          ))}
        </g>
      </svg>
    </Gradient>
  );
}

export const forest = createTheme({
  display: sansFace('Bricolage Grotesque Variable', 700, { tracking: -0.014, lineHeight: 1, variations: "'opsz' 96" }),
  text: sansFace('Source Sans 3 Variable', 430, { tracking: 0, lineHeight: 1.25 }),
  figures: interFigures(680),
  mono: jetBrains,
  radius: 30,
  stroke: 4,
  Ground,
});
