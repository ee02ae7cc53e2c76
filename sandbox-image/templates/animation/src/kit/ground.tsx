import { type Ref, useImperativeHandle, useRef } from 'react';
import type { ShadowMaterial } from 'three';
import { useFilm } from '../stage/contexts.ts';
import { shadeColor } from './contact-shadow.tsx';
import { looks } from './look.ts';

export interface GroundShade {
  /** 1 = as dark as the style has it, 0 = none: shadows leave together with what throws them. */
  setPresence(presence: number): void;
}

/**
 * A floor that takes the exact shadows of the key light, for what stands firmly on it (bars, debris). It is
 * not seen itself. What jumps and flies has a softer shadow of its own (`ContactShadow`).
 */
export function Ground({ ref = null }: { ref?: Ref<GroundShade> }) {
  const { view, theme } = useFilm();
  const material = useRef<ShadowMaterial>(null);
  const { castShadow } = looks[theme.style];
  useImperativeHandle(ref, () => ({
    setPresence(presence) {
      if (material.current) material.current.opacity = castShadow * presence;
    },
  }));
  return (
    <mesh position={[0, view.groundY, 0]} rotation={[-Math.PI / 2, 0, 0]} receiveShadow renderOrder={-10}>
      <planeGeometry args={[view.width * 1.4, 7]} />
      <shadowMaterial
        ref={material}
        color={shadeColor(theme.palette.backgroundBottom)}
        opacity={castShadow}
        depthWrite={false}
        toneMapped={false}
      />
    </mesh>
  );
}
