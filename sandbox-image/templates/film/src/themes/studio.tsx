import { useScene } from '../drawing/setting.tsx';
import { createTheme, Gradient } from './plain.tsx';
import { jetBrains, sansFace } from './type.ts';

function Ground() {
  const { colors, frame } = useScene();
  const column = frame.width / (frame.shape === 'wide' ? 6 : 4);
  return (
    <Gradient>
      <div
        style={{
          position: 'absolute',
          inset: 0,
          opacity: colors.dark ? 0.25 : 0.4,
          background: `repeating-linear-gradient(90deg, transparent 0 ${column - 1.5}px, ${colors.faint} ${column - 1.5}px ${column}px)`,
          maskImage: 'linear-gradient(transparent, #000 60%)',
        }}
      />
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
