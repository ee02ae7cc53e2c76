import { ShaderMaterial, type ShaderMaterialParameters } from 'three';

const vertexShader = /* glsl */ `
  varying vec2 p;
  void main() {
    p = uv * 2.0 - 1.0;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

/** A flat, see-through material whose fragment shader has `p`: −1…1 on both axes, (0, 0) in the middle of the plane. */
export function discMaterial(own: Omit<ShaderMaterialParameters, 'vertexShader'>): ShaderMaterial {
  return new ShaderMaterial({ ...own, vertexShader, transparent: true, depthWrite: false, toneMapped: false });
}
