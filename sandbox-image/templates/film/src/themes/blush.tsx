import { useScene } from '../drawing/setting.tsx';
import { hash } from '../kit/random.ts';
import { createTheme, Gradient } from './plain.tsx';
import { interFigures, jetBrains, sansFace, serifFace } from './type.ts';

/** Draws a few petals that fall at the edges, away from the text. */
function Ground() {
  const { colors, frame, motion, seed } = useScene();
  const seconds = motion.drift(40);
  const petals = Array.from({ length: 5 }, (_, index) => {
    const side = index % 2 === 0 ? 0.965 : 0.02;
    const x = frame.width * (side + (hash(index, seed, 1) - 0.5) * 0.03) + 18 * Math.sin(seconds * 0.8 + index * 2);
    const y = ((hash(index, seed, 2) + (seconds * 24) / frame.height) % 1) * (frame.height + 120) - 60;
    return { x, y, turn: seconds * 20 + 360 * hash(index, seed, 3), scale: 0.55 + 0.4 * hash(index, seed, 4) };
  });
  return (
    <Gradient>
      <svg aria-hidden width={frame.width} height={frame.height}>
        {petals.map(({ x, y, turn, scale }, index) => (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: a petal is its index.
            key={index}
            transform={`translate(${x} ${y}) rotate(${turn}) scale(${scale})`}
            d="M0 -4C-22 -14 -22 -42 0 -44C22 -42 22 -14 0 -4Z"
            fill={colors.accentFill}
            opacity={0.42}
          />
        ))}
      </svg>
    </Gradient>
  );
}

const display = serifFace('DM Serif Display', 400, { tracking: -0.02, lineHeight: 1.02 });

export const blush = createTheme({
  display,
  emphasis: { ...display, italic: true },
  text: sansFace('DM Sans Variable', 460, { tracking: -0.015, lineHeight: 1.28 }),
  figures: interFigures(560),
  mono: jetBrains,
  radius: 40,
  stroke: 2.5,
  Ground,
});
