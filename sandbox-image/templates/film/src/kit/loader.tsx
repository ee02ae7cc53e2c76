import { useMemo, useRef } from 'react';
import { CapsuleGeometry, CylinderGeometry, type Group, type Mesh, SphereGeometry, TorusGeometry } from 'three';
import { useMoment } from '../stage/clock.ts';
import { useTheme } from '../stage/contexts.ts';
import { ease, easeInOutCubic } from '../stage/easing.ts';
import { Actor, type ActorProps } from './actor.tsx';
import { mix, surface } from './color.ts';
import { looks } from './look.ts';
import { alongTube } from './torus-range.ts';

interface LoaderProps extends ActorProps {
  readonly variant: 'ring' | 'dots' | 'bar';
  readonly radius: number;
  readonly color: string;
  /** Seconds per cycle. The loop has no visible seam. */
  readonly turnSeconds: number;
}

type PartProps = Pick<LoaderProps, 'radius' | 'color' | 'turnSeconds'>;

export function Loader({ variant, track, place, ...part }: LoaderProps) {
  const { Indicator, heightShare } = {
    ring: { Indicator: Ring, heightShare: 1 },
    dots: { Indicator: Dots, heightShare: 0.4 },
    bar: { Indicator: Bar, heightShare: 0.2 },
  }[variant];
  return (
    <Actor track={track} place={place} halfHeight={part.radius * heightShare} footprint={part.radius * 0.9} stands={false}>
      <Indicator {...part} />
    </Actor>
  );
}

function useTrackColor(color: string): string {
  const { palette } = useTheme();
  return mix(mix(palette.backgroundBottom, palette.ink, 0.14), color, 0.12);
}

/** Draws an arc whose tail follows its head with the same easing, later. */
function Ring({ radius, color, turnSeconds }: PartProps) {
  const { style } = useTheme();
  const thickness = radius * 0.13;
  const middle = radius - thickness;
  const beads = 240;
  const bead = useMemo(() => new SphereGeometry(thickness, 20, 14), [thickness]);
  const rail = useMemo(() => new TorusGeometry(middle, thickness * 0.72, 18, 96), [middle, thickness]);
  const arc = useRef<Mesh>(null);
  const torus = useMemo(() => alongTube(new TorusGeometry(middle, thickness, 20, beads)), [middle, thickness]);
  const head = useRef<Mesh>(null);
  const tail = useRef<Mesh>(null);
  useMoment((seconds) => {
    const round = seconds / turnSeconds;
    const whole = Math.floor(round);
    const phase = round - whole;
    const ahead = ease(easeInOutCubic, Math.min(1, phase * 1.45));
    const behind = ease(easeInOutCubic, Math.max(0, (phase - 0.31) * 1.45));
    const length = Math.max(0.04, ahead - behind) * 0.82 * Math.PI * 2;
    const start = Math.PI / 2 - (whole + behind) * 0.82 * Math.PI * 2 - round * 1.2;
    if (!arc.current) return;
    // The torus starts at angle 0. The arc is its first part, rotated so that it ends at the tail.
    const segments = Math.max(1, Math.round((length / (Math.PI * 2)) * beads));
    const exact = (segments / beads) * Math.PI * 2;
    torus.draw(segments);
    arc.current.rotation.z = start - exact;
    const capAt = (cap: Mesh | null, angle: number) => cap?.position.set(Math.cos(angle) * middle, Math.sin(angle) * middle, 0);
    capAt(head.current, start);
    capAt(tail.current, start - exact);
  });
  const material = <meshStandardMaterial color={surface(color)} roughness={looks[style].roughness} />;
  return (
    <group>
      <mesh geometry={rail} receiveShadow>
        <meshStandardMaterial color={surface(useTrackColor(color))} roughness={0.7} />
      </mesh>
      <mesh ref={arc} geometry={torus.geometry} castShadow>
        {material}
      </mesh>
      <mesh ref={head} geometry={bead} castShadow>
        {material}
      </mesh>
      <mesh ref={tail} geometry={bead} castShadow>
        {material}
      </mesh>
    </group>
  );
}

function Dots({ radius, color, turnSeconds }: PartProps) {
  const { style } = useTheme();
  const size = radius * 0.26;
  const group = useRef<Group>(null);
  const geometry = useMemo(() => new SphereGeometry(size, 36, 24), [size]);
  useMoment((seconds) => {
    group.current?.children.forEach((dot, index) => {
      const phase = (((seconds / turnSeconds - index * 0.14) % 1) + 1) % 1;
      const air = Math.min(1, phase / 0.55);
      const height = phase < 0.55 ? 4 * air * (1 - air) : 0;
      const landed = Math.max(0, 1 - Math.abs(phase - 0.6) / 0.07);
      const squash = 1 - 0.2 * landed + 0.06 * height;
      dot.position.y = height * radius * 0.75 - size * (1 - squash);
      dot.scale.set(1 / Math.sqrt(squash), squash, 1 / Math.sqrt(squash));
    });
  });
  return (
    <group ref={group}>
      {[-1, 0, 1].map((side) => (
        <mesh key={side} position={[side * radius * 0.74, 0, 0]} geometry={geometry} castShadow>
          <meshStandardMaterial color={surface(color)} roughness={looks[style].roughness} />
        </mesh>
      ))}
    </group>
  );
}

function Bar({ radius, color, turnSeconds }: PartProps) {
  const { style } = useTheme();
  const thickness = radius * 0.17;
  const length = radius * 2.6;
  const fill = useRef<Group>(null);
  const rail = useMemo(() => new CapsuleGeometry(thickness * 1.25, length, 12, 28).rotateZ(Math.PI / 2), [thickness, length]);
  const rod = useMemo(() => new CylinderGeometry(thickness, thickness, 1, 28, 1, true).rotateZ(Math.PI / 2), [thickness]);
  const ends = useMemo(() => new SphereGeometry(thickness, 28, 20), [thickness]);
  useMoment((seconds) => {
    const phase = (seconds / (turnSeconds * 1.8)) % 1;
    const filled = Math.max(0.001, ease(easeInOutCubic, Math.min(1, phase / 0.82)) * length);
    const [left, right, bar] = fill.current?.children ?? [];
    left?.position.set(-length / 2, 0, 0);
    right?.position.set(-length / 2 + filled, 0, 0);
    bar?.position.set(-length / 2 + filled / 2, 0, 0);
    bar?.scale.set(filled, 1, 1);
  });
  const material = <meshStandardMaterial color={surface(color)} roughness={looks[style].roughness} />;
  return (
    <group>
      <mesh geometry={rail} position={[0, 0, -thickness * 1.1]}>
        <meshStandardMaterial color={surface(useTrackColor(color))} roughness={0.7} />
      </mesh>
      <group ref={fill}>
        <mesh geometry={ends} castShadow>
          {material}
        </mesh>
        <mesh geometry={ends} castShadow>
          {material}
        </mesh>
        <mesh geometry={rod} castShadow>
          {material}
        </mesh>
      </group>
    </group>
  );
}
