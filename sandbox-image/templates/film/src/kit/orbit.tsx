import { useMemo, useRef } from 'react';
import { type Group, SphereGeometry, TorusGeometry } from 'three';
import { useMoment } from '../stage/clock.ts';
import { useTheme } from '../stage/contexts.ts';
import { Actor, type ActorProps } from './actor.tsx';
import { mix, surface } from './color.ts';
import { looks } from './look.ts';

interface OrbitProps extends ActorProps {
  readonly radius: number;
  readonly color: string;
  /** One body per colour, from the inside out. */
  readonly bodyColors: readonly string[];
  /** Seconds per cycle of the innermost body; outer ones take longer. */
  readonly turnSeconds: number;
}

export function Orbit({ radius, color, bodyColors, turnSeconds, ...actor }: OrbitProps) {
  const { palette, style } = useTheme();
  const { roughness } = looks[style];
  const arms = useRef<Group>(null);
  const inner = radius * 0.72;
  const outer = radius * 1.78;
  const paths = useMemo(
    () =>
      bodyColors.map((bodyColor, index) => {
        const share = bodyColors.length === 1 ? 0.6 : index / (bodyColors.length - 1);
        const distance = inner + (outer - inner) * share;
        // Bodies on crowded paths are smaller, so that neighbours do not collide.
        const room = Math.min(1, (2.4 * (outer - inner)) / Math.max(1, bodyColors.length - 1) / radius);
        return {
          bodyColor,
          distance,
          size: radius * room * (0.13 + 0.045 * ((index * 7) % 3)),
          start: index * 2.4,
          rail: new TorusGeometry(distance, radius * 0.007, 6, 128),
        };
      }),
    [bodyColors, inner, outer, radius],
  );
  const ball = useMemo(() => new SphereGeometry(1, 40, 28), []);
  useMoment((seconds) => {
    arms.current?.children.forEach((arm, index) => {
      const path = paths[index];
      // Kepler's third law: the period grows with the distance to the power of 3/2.
      if (path) arm.rotation.z = path.start + (seconds / (turnSeconds * (path.distance / inner) ** 1.5)) * Math.PI * 2;
    });
  });
  const railColor = mix(palette.backgroundBottom, palette.ink, 0.3);
  return (
    <Actor {...actor} halfHeight={radius * 0.5} footprint={radius * 0.9} stands={false}>
      <mesh geometry={ball} scale={radius * 0.42} castShadow>
        <meshStandardMaterial color={surface(color)} roughness={roughness} />
      </mesh>
      <group rotation={[-1.22, 0.16, 0]}>
        {paths.map(({ rail }) => (
          <mesh key={rail.uuid} geometry={rail}>
            <meshBasicMaterial color={railColor} toneMapped={false} />
          </mesh>
        ))}
        <group ref={arms}>
          {paths.map(({ bodyColor, distance, size }) => (
            <group key={distance}>
              <mesh geometry={ball} scale={size} position={[distance, 0, 0]} castShadow>
                <meshStandardMaterial color={surface(bodyColor)} roughness={roughness} />
              </mesh>
            </group>
          ))}
        </group>
      </group>
    </Actor>
  );
}
