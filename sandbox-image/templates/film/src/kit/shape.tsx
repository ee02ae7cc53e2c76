import { useMemo } from 'react';
import { useTheme } from '../stage/contexts.ts';
import { Actor, type ActorProps } from './actor.tsx';
import { surface } from './color.ts';
import { looks } from './look.ts';
import { isFaceted, type ShapeName, shapeGeometry } from './shape-geometry.ts';

interface ShapeProps extends ActorProps {
  readonly shape: ShapeName;
  readonly color: string;
  readonly radius: number;
  /** Whether it stands on the floor instead of hovering. */
  readonly stands?: boolean;
}

/** Draws signs (star, heart …) as thick rounded pieces, and solids (cone, cylinder …). */
export function Shape({ shape, color, radius, stands = false, ...actor }: ShapeProps) {
  const { style } = useTheme();
  const geometry = useMemo(() => shapeGeometry(shape, radius), [shape, radius]);
  const faceted = isFaceted(shape);
  return (
    <Actor {...actor} halfHeight={radius} footprint={radius * 0.85} stands={stands}>
      <mesh castShadow geometry={geometry}>
        <meshStandardMaterial
          color={surface(color)}
          roughness={faceted || shape === 'balloon' ? 0.25 : looks[style].roughness}
          flatShading={faceted}
        />
      </mesh>
    </Actor>
  );
}
