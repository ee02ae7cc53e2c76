import { useFilm } from '../stage/contexts.ts';
import { mix } from './color.ts';
import { looks } from './look.ts';

/** The colour of shade: the ground's own hue, much darker, never grey. */
export function shadeColor(backgroundBottom: string): string {
  return mix(backgroundBottom, '#0a0612', 0.82);
}

/** The floor of the studio. It is not seen itself, it only takes the shadows of the key light. */
export function Ground() {
  const { view, theme } = useFilm();
  return (
    <mesh position={[0, view.groundY, 0]} rotation={[-Math.PI / 2, 0, 0]} receiveShadow renderOrder={-10}>
      <planeGeometry args={[view.width * 1.5, 9]} />
      <shadowMaterial color={shadeColor(theme.palette.backgroundBottom)} opacity={looks[theme.style].castShadow} depthWrite={false} toneMapped={false} />
    </mesh>
  );
}
