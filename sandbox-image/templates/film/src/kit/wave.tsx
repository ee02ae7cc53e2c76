import { useMemo, useRef } from 'react';
import { type Group, type Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from 'three';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import type { Track } from '../stage/tracks.ts';
import { mix, rgb } from './color.ts';

interface WaveProps {
  readonly track: Track<'height' | 'opacity'>;
  readonly lines: number;
  /** Water level in world units. */
  readonly y: number;
  readonly amplitude: number;
  readonly color: string;
  readonly helper: string;
  readonly speed: number;
}

const vertexShader = /* glsl */ `
  uniform float seconds, swell, phase, span, thickness, rank;
  varying float along;
  varying float across;
  void main() {
    along = uv.x;
    across = uv.y;
    float x = (uv.x - 0.5) * span;
    // Three sines of incommensurable wavelengths, so that no repetition is visible.
    float crest = sin(x * 0.42 + seconds * 0.9 + phase) * 0.62
      + sin(x * 0.83 - seconds * 0.63 + phase * 1.7) * 0.3
      + sin(x * 1.55 + seconds * 1.13 + phase * 0.6) * 0.13;
    float breadth = thickness * (0.55 + 0.45 * sin(x * 0.31 - seconds * 0.5 + phase * 2.0));
    float y = crest * swell * (0.75 + 0.5 * rank) + (uv.y - 0.5) * breadth;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(x, y, 0.0, 1.0);
  }`;

const fragmentShader = /* glsl */ `
  uniform vec3 from, to;
  uniform float opacity;
  varying float along;
  varying float across;
  void main() {
    vec3 color = mix(from, to, smoothstep(0.05, 0.95, along));
    // A highlight on the upper edge and a shade on the lower one make it a ribbon instead of a stripe.
    color = mix(color, vec3(1.0), 0.28 * smoothstep(0.62, 0.98, across));
    color *= 1.0 - 0.2 * smoothstep(0.55, 0.0, across);
    float edge = smoothstep(0.0, 0.035, across) * (1.0 - smoothstep(0.965, 1.0, across));
    gl_FragColor = vec4(color, opacity * edge);
  }`;

export function Wave({ track, lines, y, amplitude, color, helper, speed }: WaveProps) {
  const { view } = useFilm();
  const group = useRef<Group>(null);
  const geometry = useMemo(() => new PlaneGeometry(1, 1, 160, 1), []);
  const materials = useMemo(
    () =>
      Array.from({ length: lines }, (_, index) => {
        const rank = lines === 1 ? 0 : index / (lines - 1);
        const uniforms = {
          seconds: { value: 0 },
          swell: { value: 0 },
          opacity: { value: 1 },
          phase: { value: index * 0.9 },
          rank: { value: rank },
          span: { value: view.width * 1.5 },
          thickness: { value: amplitude * (lines === 1 ? 1.5 : 1.35 - 0.5 * rank) },
          from: { value: new Vector3(...rgb(mix(color, helper, rank * 0.7))) },
          to: { value: new Vector3(...rgb(mix(color, helper, Math.min(1, rank * 0.5 + 0.3)))) },
        };
        return new ShaderMaterial({
          vertexShader,
          fragmentShader,
          uniforms,
          transparent: true,
          depthWrite: false,
          toneMapped: false,
        });
      }),
    [lines, amplitude, color, helper, view],
  );
  useMoment((seconds) => {
    const { height = 1, opacity = 1 } = track.now;
    group.current?.children.forEach((ribbon, index) => {
      const uniforms = ((ribbon as Mesh).material as ShaderMaterial).uniforms as Record<
        'seconds' | 'swell' | 'opacity',
        { value: number }
      >;
      const rank = lines === 1 ? 0 : index / (lines - 1);
      uniforms.seconds.value = seconds * speed * (1 - 0.35 * rank);
      uniforms.swell.value = amplitude * height;
      uniforms.opacity.value = opacity * (0.94 - 0.4 * rank);
    });
  });
  return (
    <group ref={group} position={[0, y, 0]}>
      {materials.map((material, index) => (
        // Farther ribbons are drawn first and are slightly higher.
        <mesh
          key={material.uuid}
          geometry={geometry}
          material={material}
          position={[0, (index - (lines - 1) / 2) * amplitude * 0.34, -0.9 * index]}
          renderOrder={-index}
          frustumCulled={false}
        />
      ))}
    </group>
  );
}
