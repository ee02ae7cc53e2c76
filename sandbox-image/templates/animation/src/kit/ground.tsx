import { useFilm } from '../stage/contexts.ts';
import { shadeColor } from './contact-shadow.tsx';
import { looks } from './look.ts';

/**
 * A floor that takes the exact shadows of the key light, for what stands firmly on it (bars, debris). It is
 * not seen itself. What jumps and flies has a softer shadow of its own (`ContactShadow`).
 */
export function Ground({ opacity = 1 }: { opacity?: number }) {
  const { view, theme } = useFilm();
  return (
    <mesh position={[0, view.groundY, 0]} rotation={[-Math.PI / 2, 0, 0]} receiveShadow renderOrder={-10}>
      <planeGeometry args={[view.width * 1.4, 7]} />
      <shadowMaterial
        color={shadeColor(theme.palette.backgroundBottom)}
        opacity={looks[theme.style].castShadow * opacity}
        depthWrite={false}
        toneMapped={false}
      />
    </mesh>
  );
}
