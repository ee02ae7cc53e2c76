import { ShaderMaterial, type ShaderMaterialParameters } from 'three';

const vertexShader = /* glsl */ `
  varying vec2 p;
  void main() {
    p = uv * 2.0 - 1.0;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

/** Returns a flat transparent material whose fragment shader has `p`: −1 to 1 on both axes, (0, 0) at the plane's centre. */
export function discMaterial(own: Omit<ShaderMaterialParameters, 'vertexShader'>): ShaderMaterial {
  return new ShaderMaterial({ ...own, vertexShader, transparent: true, depthWrite: false, toneMapped: false });
}
