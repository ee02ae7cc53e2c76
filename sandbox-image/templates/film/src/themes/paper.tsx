import { createTheme, Gradient } from './plain.tsx';
import { interFigures, jetBrains, sansFace, serifFace } from './type.ts';

function Ground() {
  return (
    <Gradient>
      <svg aria-hidden width="100%" height="100%" opacity={0.34}>
        <filter id="paper-grain">
          <feTurbulence type="fractalNoise" baseFrequency={0.8} numOctaves={2} seed={4} />
          <feColorMatrix values="0 0 0 0 .24  0 0 0 0 .2  0 0 0 0 .14  0 0 0 .16 -.03" />
        </filter>
        <rect width="100%" height="100%" filter="url(#paper-grain)" />
      </svg>
    </Gradient>
  );
}

const display = serifFace('Fraunces Variable', 340, { tracking: -0.028, lineHeight: 1.04, variations: "'opsz' 144" });

export const paper = createTheme({
  display,
  emphasis: { ...display, italic: true, weight: 370, tracking: -0.035 },
  text: sansFace('Inter Variable', 430, { tracking: -0.012, lineHeight: 1.32 }),
  figures: interFigures(560),
  mono: jetBrains,
  radius: 4,
  stroke: 2,
  Ground,
});
