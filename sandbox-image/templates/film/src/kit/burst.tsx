import { useMemo, useRef } from 'react';
import { type InstancedMesh, Object3D } from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { useMoment } from '../stage/clock.ts';
import { useFilm } from '../stage/contexts.ts';
import type { Place } from './actor.tsx';
import { surface } from './color.ts';
import { Ground } from './ground.tsx';
import { looks } from './look.ts';
import { between, hash } from './random.ts';

interface BurstProps {
  /** When it bursts, in seconds from the start of the scene. */
  readonly at: number;
  readonly place: Place;
  readonly radius: number;
  readonly color: string;
  readonly seed: number;
}

const pieces = 34;
const gravity = 13;
/** Fraction of its speed that a piece keeps when it hits the floor. */
const restitution = 0.35;

interface Piece {
  readonly velocity: readonly [number, number, number];
  readonly size: number;
  readonly spin: number;
  readonly axis: number;
}

/** Returns a thrown piece's state after `t` seconds: it rises, falls, bounces once, then slides to a stop. */
export function thrownAt(height: number, rising: number, t: number): { height: number; slow: number } {
  const landing = (rising + Math.sqrt(rising * rising + 2 * gravity * height)) / gravity;
  if (t < landing) return { height: height + rising * t - (gravity * t * t) / 2, slow: t };
  const speed = (gravity * landing - rising) * restitution;
  const hop = (2 * speed) / gravity;
  const since = t - landing;
  // Friction stops the slide within about half a second.
  const slow = landing + 0.35 * (1 - Math.exp(-since / 0.35));
  return { height: since < hop ? speed * since - (gravity * since * since) / 2 : 0, slow };
}

export function Burst({ at, place, radius, color, seed }: BurstProps) {
  const { theme, view } = useFilm();
  const mesh = useRef<InstancedMesh>(null);
  const geometry = useMemo(() => new RoundedBoxGeometry(1, 1, 1, 2, 0.2), []);
  const list = useMemo<Piece[]>(
    () =>
      Array.from({ length: pieces }, (_, index) => {
        const angle = hash(index, seed, 1) * Math.PI * 2;
        const out = between(0.8, 3.4, index, seed, 2) * Math.sqrt(radius);
        return {
          velocity: [
            Math.cos(angle) * out * 1.5,
            between(2.2, 6.8, index, seed, 3) * Math.sqrt(radius),
            Math.sin(angle) * out * 0.7,
          ],
          size: radius * between(0.12, 0.34, index, seed, 4),
          spin: between(-7, 7, index, seed, 5),
          axis: hash(index, seed, 6) * Math.PI,
        };
      }),
    [radius, seed],
  );
  const dummy = useMemo(() => new Object3D(), []);
  useMoment((seconds) => {
    const instances = mesh.current;
    if (!instances) return;
    const t = seconds - at;
    instances.visible = t > 0;
    if (t <= 0) return;
    list.forEach(({ velocity, size, spin, axis }, index) => {
      const start = [
        (hash(index, seed, 7) - 0.5) * radius,
        (hash(index, seed, 8) - 0.3) * radius,
        (hash(index, seed, 9) - 0.5) * radius,
      ] as const;
      const floor = view.groundY + size * 0.5;
      const { height, slow } = thrownAt(Math.max(0.01, place[1] + start[1] - floor), velocity[1], t);
      dummy.position.set(place[0] + start[0] + velocity[0] * slow, floor + height, place[2] + start[2] + velocity[2] * slow);
      dummy.rotation.set(spin * slow * Math.cos(axis), spin * slow * 0.6, spin * slow * Math.sin(axis));
      dummy.scale.setScalar(size);
      dummy.updateMatrix();
      instances.setMatrixAt(index, dummy.matrix);
    });
    instances.instanceMatrix.needsUpdate = true;
  });
  return (
    <>
      <Ground />
      <instancedMesh ref={mesh} args={[geometry, undefined, pieces]} castShadow frustumCulled={false}>
        <meshStandardMaterial color={surface(color)} roughness={looks[theme.style].roughness} />
      </instancedMesh>
    </>
  );
}
