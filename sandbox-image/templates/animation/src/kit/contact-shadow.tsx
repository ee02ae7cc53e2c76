import { useMemo } from 'react';
import { Color, ShaderMaterial } from 'three';
import { rgb } from './color.ts';

const vertexShader = /* glsl */ `
  varying vec2 p;
  void main() {
    p = uv * 2.0 - 1.0;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
const fragmentShader = /* glsl */ `
  varying vec2 p;
  uniform vec3 color;
  uniform float opacity, softness;
  void main() {
    float d = length(p);
    float alpha = opacity * (1.0 - smoothstep(1.0 - softness, 1.0, d)) * (1.0 - 0.35 * d);
    gl_FragColor = vec4(color, alpha);
  }`;

/** The material of a soft round shade: `opacity` 0…1, `softness` 0…1 = how much of the radius is penumbra. */
export function useShadeMaterial(color: string): ShaderMaterial {
  return useMemo(
    () =>
      new ShaderMaterial({
        vertexShader,
        fragmentShader,
        transparent: true,
        depthWrite: false,
        toneMapped: false,
        uniforms: { color: { value: new Color().setRGB(...rgb(color)) }, opacity: { value: 0 }, softness: { value: 0.9 } },
      }),
    [color],
  );
}
