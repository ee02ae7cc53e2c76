import { type Ref, useImperativeHandle, useMemo, useRef } from 'react';
import { AdditiveBlending, Color, type Mesh, NormalBlending } from 'three';
import { useTheme } from '../stage/contexts.ts';
import { oklab } from './color.ts';
import { discMaterial } from './disc-material.ts';

const fragmentShader = /* glsl */ `
  varying vec2 p;
  uniform vec3 color;
  uniform float opacity;
  void main() {
    float d = max(0.0, 1.0 - length(p));
    gl_FragColor = vec4(color, opacity * d * d);
  }`;

export interface Light {
  set(x: number, y: number, z: number, radius: number, brightness: number): void;
}

/** In multiples of the body's radius. */
const reach = 5.2;
/**
 * Below this lightness, a background is dark. Additive light is visible only there; on light backgrounds it would be white on
 * white.
 */
const darkGround = 0.5;

/**
 * Draws the glow around a luminous body. If `distant`, it is part of the sky, which is drawn before the land. Free at
 * brightness 0.
 */
export function Halo({ ref, distant = false }: { ref: Ref<Light>; distant?: boolean }) {
  const { palette } = useTheme();
  const disc = useRef<Mesh>(null);
  const material = useMemo(() => {
    const isDark = oklab(palette.backgroundBottom)[0] < darkGround;
    const made = discMaterial({
      fragmentShader,
      blending: isDark || distant ? AdditiveBlending : NormalBlending,
      uniforms: { color: { value: new Color(isDark ? '#ffd98a' : '#fff3b8') }, opacity: { value: 0 } },
    });
    // Transparent objects are drawn after opaque ones, so the glow would cover the land.
    if (distant) Object.assign(made, { transparent: false, depthTest: false });
    return made;
  }, [palette.backgroundBottom, distant]);
  useImperativeHandle(ref, () => ({
    set(x, y, z, radius, brightness) {
      if (!disc.current) return;
      disc.current.visible = brightness > 0.001;
      disc.current.position.set(x, y, z - 0.05);
      disc.current.scale.setScalar(radius * reach);
      (material.uniforms as { opacity: { value: number } }).opacity.value = brightness * 0.75;
    },
  }));
  return (
    <mesh ref={disc} material={material} renderOrder={distant ? -896 : -4} visible={false}>
      <planeGeometry args={[1, 1]} />
    </mesh>
  );
}
