import { useMemo, useRef } from 'react';
import { AdditiveBlending, type Group, type Mesh, NormalBlending, PlaneGeometry, type ShaderMaterial, Vector3 } from 'three';
import { currentTime, useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import { ease, easeOutQuart } from '../stage/easing.ts';
import { backgroundAt } from './backdrop.tsx';
import { luminance, mix, rgb } from './color.ts';
import { discMaterial } from './disc-material.ts';
import { between } from './random.ts';

export interface Hit {
  readonly at: number;
  readonly x: number;
  readonly strength: number;
}

interface ImpactsProps {
  readonly hits: readonly Hit[];
  /** Depth at which the contacts happen. */
  readonly z: number;
  readonly radius: number;
  readonly seed: number;
}

const puffsPerHit = 8;
const seconds = { ring: 0.45, puff: 0.6 };

/** `thin` 1 is a ring, 0 is a soft round puff. */
const fragmentShader = /* glsl */ `
  varying vec2 p;
  uniform vec3 color;
  uniform float opacity, thin;
  void main() {
    float d = length(p);
    float ring = smoothstep(0.66, 0.88, d) * (1.0 - smoothstep(0.88, 1.0, d));
    float puff = 1.0 - smoothstep(0.1, 1.0, d);
    gl_FragColor = vec4(color, opacity * mix(puff, ring, thin));
  }`;

interface ShadeUniforms {
  readonly color: { value: Vector3 };
  readonly opacity: { value: number };
  readonly thin: { value: number };
}

/** Draws a landing's effect: a ring that expands, and puffs of dust that settle. */
export function Impacts({ hits, z, radius, seed }: ImpactsProps) {
  const film = useFilm();
  const { view, theme } = film;
  const rings = useRef<Group>(null);
  const puffs = useRef<Group>(null);
  const plane = useMemo(() => new PlaneGeometry(2, 2), []);
  const dark = luminance(theme.palette.backgroundBottom) < 0.2;
  const materials = useMemo(() => {
    const make = (thin: number) =>
      discMaterial({
        fragmentShader,
        uniforms: { color: { value: new Vector3() }, opacity: { value: 0 }, thin: { value: thin } },
        blending: dark ? AdditiveBlending : NormalBlending,
      });
    return { rings: hits.map(() => make(1)), puffs: hits.flatMap(() => Array.from({ length: puffsPerHit }, () => make(0))) };
  }, [hits, dark]);

  const placeRing = (ring: Mesh, hit: Hit, now: number): number => {
    const age = (now - hit.at) / seconds.ring;
    ring.position.set(hit.x, view.groundY + 0.015, z);
    ring.scale.setScalar(radius * (0.7 + (0.6 + 0.7 * hit.strength) * ease(easeOutQuart, age)));
    const strength = dark ? 0.3 : 0.75;
    return age > 0 && age < 1 ? strength * hit.strength * (1 - age) ** 1.5 : 0;
  };
  const placePuff = (puff: Mesh, hit: Hit, rank: number, now: number): number => {
    const age = (now - hit.at) / (seconds.puff * between(0.75, 1.1, rank, seed, 1));
    const side = rank % 2 === 0 ? -1 : 1;
    const out = ease(easeOutQuart, age) * between(0.5, 1.2, rank, seed, 2) * radius * hit.strength;
    const size = radius * between(0.07, 0.15, rank, seed, 3) * (0.6 + 0.8 * age) * (0.5 + 0.5 * hit.strength);
    const hop = Math.sin(Math.PI * Math.min(1, age)) * between(0.05, 0.3, rank, seed, 4) * radius * hit.strength;
    puff.position.set(
      hit.x + side * (radius * 0.45 + out),
      view.groundY + size * 0.8 + hop,
      z + between(-0.5, 0.6, rank, seed, 5) * radius,
    );
    puff.scale.setScalar(size);
    const strength = dark ? 0.22 : 0.8;
    return age > 0 && age < 1 ? strength * (1 - age) ** 1.3 : 0;
  };

  useMoment((now) => {
    const ground = backgroundAt(film, currentTime()).bottom;
    // Dust has the floor's colour: lit from above on a dark floor, paler on a light one.
    const dust = rgb(dark ? mix(ground, '#ffffff', 0.35) : mix(ground, '#ffffff', 0.75));
    const paint = (mesh: Mesh, opacity: number) => {
      mesh.visible = opacity > 0.002;
      const uniforms = (mesh.material as ShaderMaterial).uniforms as unknown as ShadeUniforms;
      uniforms.color.value.set(...dust);
      uniforms.opacity.value = opacity;
    };
    hits.forEach((hit, index) => {
      const ring = rings.current?.children[index] as Mesh | undefined;
      if (ring) paint(ring, placeRing(ring, hit, now));
      for (let rank = index * puffsPerHit; rank < (index + 1) * puffsPerHit; rank += 1) {
        const puff = puffs.current?.children[rank] as Mesh | undefined;
        if (puff) paint(puff, placePuff(puff, hit, rank, now));
      }
    });
  });

  return (
    <>
      <group ref={rings}>
        {materials.rings.map((material) => (
          <mesh key={material.uuid} geometry={plane} material={material} rotation={[-Math.PI / 2, 0, 0]} renderOrder={-4} />
        ))}
      </group>
      <group ref={puffs}>
        {materials.puffs.map((material) => (
          <mesh key={material.uuid} geometry={plane} material={material} renderOrder={4} />
        ))}
      </group>
    </>
  );
}
