import { type Ref, useImperativeHandle, useMemo, useRef } from 'react';
import { Color, type Mesh, type ShaderMaterial } from 'three';
import { useFilm } from '../stage/contexts.ts';
import { mix, rgb } from './color.ts';
import { discMaterial } from './disc-material.ts';
import { looks } from './look.ts';

const fragmentShader = /* glsl */ `
  varying vec2 p;
  uniform vec3 color;
  uniform float opacity, softness;
  void main() {
    float d = length(p);
    float alpha = opacity * (1.0 - smoothstep(1.0 - softness, 1.0, d));
    gl_FragColor = vec4(color, alpha);
  }`;

/** Returns the shadow colour: the background's hue, much darker, not grey. */
export function shadowColor(backgroundBottom: string): string {
  return mix(backgroundBottom, '#0a0612', 0.82);
}

/** Returns a round shadow's material: `opacity` 0 to 1, `softness` 0 to 1 (fraction of the radius that is penumbra). */
export function useShadowMaterial(): ShaderMaterial {
  const { palette } = useFilm().theme;
  return useMemo(() => {
    const color = new Color().setRGB(...rgb(shadowColor(palette.backgroundBottom)));
    const uniforms = { color: { value: color }, opacity: { value: 0 }, softness: { value: 1 } };
    return discMaterial({ fragmentShader, uniforms });
  }, [palette.backgroundBottom]);
}

export interface Shadow {
  set(x: number, foot: number, z: number, radius: number, presence: number): void;
}

/** The key light comes from the upper left front, so the shadow moves right and back as a body rises. */
const drift = { x: 0.42, z: -0.3 };

/**
 * Draws a round body's shadow on the floor: a dark core at the point of contact inside a wide penumbra. As the body rises,
 * the penumbra moves away from the light, softens and fades.
 */
export function ContactShadow({ ref }: { ref: Ref<Shadow> }) {
  const { view, theme } = useFilm();
  const look = looks[theme.style];
  const core = useRef<Mesh>(null);
  const wide = useRef<Mesh>(null);
  const coreMaterial = useShadowMaterial();
  const wideMaterial = useShadowMaterial();

  useImperativeHandle(ref, () => ({
    set(x, foot, z, radius, presence) {
      if (!core.current || !wide.current) return;
      const height = Math.max(0, foot - view.groundY);
      // A body that rises from below the floor does not cast a shadow yet.
      const isBelow = foot < view.groundY - radius * 0.5;
      const visible = radius > 0.001 && presence > 0.001 && !isBelow;
      // The core disappears half a radius above the floor, the penumbra at three quarters of the frame's height.
      const touch = Math.max(0, 1 - height / (radius * 0.5 + 0.001));
      const away = Math.min(1, height / (view.height * 0.75));
      core.current.visible = visible && touch > 0;
      core.current.position.set(x + radius * 0.05, view.groundY + 0.012, z);
      core.current.scale.setScalar(radius * 1.75);
      wide.current.visible = visible && away < 1;
      wide.current.position.set(
        x + radius * 0.22 + height * drift.x * 0.5,
        view.groundY + 0.01,
        z - radius * 0.12 + height * drift.z * 0.5,
      );
      const spread = radius * (1.32 - 0.4 * away);
      wide.current.scale.set(spread * 2.15, spread * 1.9, 1);
      set(coreMaterial, look.contactShadow * touch * touch * presence, 0.95);
      set(wideMaterial, look.castShadow * (1 - away) ** 1.6 * presence, 0.8 + 0.2 * away);
    },
  }));

  return (
    <>
      <mesh ref={wide} material={wideMaterial} rotation={[-Math.PI / 2, 0, 0]} renderOrder={-6}>
        <planeGeometry args={[1, 1]} />
      </mesh>
      <mesh ref={core} material={coreMaterial} rotation={[-Math.PI / 2, 0, 0]} renderOrder={-5}>
        <planeGeometry args={[1, 1]} />
      </mesh>
    </>
  );
}

function set(material: ShaderMaterial, opacity: number, softness: number): void {
  const uniforms = material.uniforms as { opacity: { value: number }; softness: { value: number } };
  uniforms.opacity.value = opacity;
  uniforms.softness.value = softness;
}
