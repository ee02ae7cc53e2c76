import { useLayoutEffect, useMemo, useRef } from 'react';
import { DoubleSide, InstancedBufferAttribute, type InstancedMesh, Object3D, PlaneGeometry, ShaderMaterial } from 'three';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import type { Track } from '../stage/tracks.ts';
import { rgb } from './color.ts';
import { type ParticlePreset, particleAt } from './particle-motion.ts';
import { projectToFrame } from './project.ts';
import type { Box } from './text.tsx';

interface ParticlesProps {
  /** `amount` (0 to 1) is the fraction of the particles that is visible. */
  readonly track: Track<'amount'>;
  readonly preset: ParticlePreset;
  readonly count: number;
  readonly colors: readonly string[];
  readonly size: number;
  readonly speed: number;
  readonly seed: number;
  /** Areas of the frame with text, where particles fade out so that every word stays readable. */
  readonly clear?: readonly Box[];
}

/** Returns the opacity of particles at a point in the frame: 0 behind text, 1 at a distance from it. */
function clearance(x: number, y: number, boxes: readonly Box[]): number {
  let free = 1;
  for (const box of boxes) {
    const outsideX = Math.abs(x - box.x - box.width / 2) - box.width / 2;
    const outsideY = Math.abs(y - box.y - box.height / 2) - box.height / 2;
    free = Math.min(free, Math.max(0, Math.max(outsideX / 3, outsideY / 5)));
  }
  return free;
}

const vertexShader = /* glsl */ `
  attribute vec3 tint;
  attribute float alpha;
  attribute float blur;
  varying vec2 p;
  varying vec3 color;
  varying float opacity;
  varying float shade;
  varying float soft;
  void main() {
    soft = blur;
    p = uv * 2.0 - 1.0;
    color = tint;
    opacity = alpha;
    vec3 facing = normalize(normalMatrix * mat3(instanceMatrix) * vec3(0.0, 0.0, 1.0));
    shade = 0.68 + 0.32 * abs(facing.z) + 0.12 * facing.y;
    gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
  }`;

/** Shape of one particle, as the alpha at a point p from −1 to 1. */
const looks: Readonly<Record<ParticlePreset, string>> = {
  confetti: 'a = 1.0; c *= shade;',
  snow: 'float d = length(p); a = 1.0 - smoothstep(mix(0.45, 0.0, soft), 1.0, d);',
  stars:
    'float d = length(p); vec2 q = abs(p); a = (1.0 - smoothstep(0.0, 0.34, d)) + 0.75 * max(0.0, 1.0 - d) * (exp(-q.x * 26.0) + exp(-q.y * 26.0)); a = min(a, 1.0);',
  sparkles: 'vec2 q = abs(p); float s = pow(q.x, 0.55) + pow(q.y, 0.55); a = 1.0 - smoothstep(0.86, 1.0, s);',
  rain: 'a = (1.0 - smoothstep(0.3, 1.0, abs(p.x))) * smoothstep(-1.0, 0.6, -p.y) * (1.0 - smoothstep(0.8, 1.0, abs(p.y)));',
  bubbles:
    'float d = length(p); float rim = smoothstep(0.62, 0.97, d) * (1.0 - smoothstep(0.96, 1.0, d)); float glint = 1.0 - smoothstep(0.06, 0.2, distance(p, vec2(-0.38, 0.42))); a = 0.10 * (1.0 - smoothstep(0.97, 1.0, d)) + 0.75 * rim + 0.9 * glint; c = mix(c, vec3(1.0), glint * 0.9 + rim * 0.15);',
  fireworks:
    'float d = length(p); a = (1.0 - smoothstep(0.15, 0.5, d)) + 0.35 * (1.0 - smoothstep(0.1, 1.0, d)); a = min(a, 1.0); c = mix(c, vec3(1.0), 0.55 * (1.0 - smoothstep(0.0, 0.35, d)));',
  leaves:
    'float body = abs(p.y) - (1.0 - p.x * p.x) * 0.86; a = 1.0 - smoothstep(-0.06, 0.03, body); float vein = 1.0 - smoothstep(0.015, 0.05, abs(p.y)); c *= shade * (1.0 - 0.16 * vein) * (p.y > 0.0 ? 1.0 : 0.92);',
};

/** Larger than the particle itself if its light spills over the edge. */
const quadScale: Readonly<Record<ParticlePreset, number>> = {
  confetti: 1,
  snow: 1,
  stars: 2.6,
  sparkles: 1,
  rain: 1,
  bubbles: 1,
  fireworks: 1.7,
  leaves: 1,
};

export function Particles({ track, preset, count, colors, size, speed, seed, clear = [] }: ParticlesProps) {
  const { view } = useFilm();
  const mesh = useRef<InstancedMesh>(null);
  const geometry = useMemo(() => {
    const plane = new PlaneGeometry(1, 1);
    plane.setAttribute('tint', new InstancedBufferAttribute(new Float32Array(count * 3), 3));
    plane.setAttribute('blur', new InstancedBufferAttribute(new Float32Array(count), 1));
    plane.setAttribute('alpha', new InstancedBufferAttribute(new Float32Array(count), 1));
    return plane;
  }, [count]);
  const material = useMemo(
    () =>
      new ShaderMaterial({
        vertexShader,
        fragmentShader: `varying vec2 p; varying vec3 color; varying float opacity; varying float shade; varying float soft;
          void main() { float a = 0.0; vec3 c = color; ${looks[preset]} gl_FragColor = vec4(c, a * opacity); if (gl_FragColor.a < 0.004) discard; }`,
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        toneMapped: false,
      }),
    [preset],
  );
  const dummy = useMemo(() => new Object3D(), []);
  const palette = useMemo(() => colors.map(rgb), [colors]);
  useLayoutEffect(() => () => geometry.dispose(), [geometry]);

  useMoment((seconds) => {
    const instances = mesh.current;
    if (!instances) return;
    const amount = track.now.amount ?? 1;
    const tint = geometry.getAttribute('tint') as InstancedBufferAttribute;
    const blur = geometry.getAttribute('blur') as InstancedBufferAttribute;
    const alpha = geometry.getAttribute('alpha') as InstancedBufferAttribute;
    for (let index = 0; index < count; index += 1) {
      const particle = particleAt(preset, index, count, seed, seconds * speed, view);
      dummy.position.set(particle.x, particle.y, particle.z);
      dummy.rotation.set(particle.rotateX, particle.rotateY, particle.rotateZ);
      const width = particle.size * size * 2 * quadScale[preset];
      dummy.scale.set(width, width * particle.stretch, width);
      dummy.updateMatrix();
      instances.setMatrixAt(index, dummy.matrix);
      tint.setXYZ(index, ...(palette[particle.colorIndex % palette.length] ?? [1, 1, 1]));
      blur.setX(index, particle.blur ?? 0);
      const seen = clear.length > 0 ? projectToFrame(particle.x, particle.y, particle.z) : null;
      alpha.setX(index, particle.opacity * amount * (seen ? clearance(seen.x, seen.y, clear) : 1));
    }
    instances.visible = amount > 0.001;
    instances.instanceMatrix.needsUpdate = true;
    tint.needsUpdate = true;
    blur.needsUpdate = true;
    alpha.needsUpdate = true;
    // After the camera, because a particle's visible position depends on it.
  }, 'overlay');

  return <instancedMesh ref={mesh} args={[geometry, material, count]} frustumCulled={false} renderOrder={5} />;
}
