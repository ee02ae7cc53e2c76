import { type Ref, useImperativeHandle, useRef } from 'react';
import type { ShadowMaterial } from 'three';
import { useFilm } from '../stage/contexts.ts';
import { shadowColor } from './contact-shadow.tsx';
import { looks } from './look.ts';

export interface GroundShade {
  /** Sets the shadow strength: 1 as the style defines it, 0 for none. Shadows disappear together with their bodies. */
  setPresence(presence: number): void;
}

/**
 * Receives the key light's exact shadows from bodies that stand firmly on the floor, such as bars and debris. Invisible
 * itself. Bodies that jump or fly have a `ContactShadow` instead.
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
        color={shadowColor(theme.palette.backgroundBottom)}
        opacity={castShadow}
        depthWrite={false}
        toneMapped={false}
      />
    </mesh>
  );
}
