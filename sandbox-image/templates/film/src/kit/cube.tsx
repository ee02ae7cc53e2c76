import { useMemo } from 'react';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { useTheme } from '../stage/contexts.ts';
import { Actor, type ActorProps } from './actor.tsx';
import { surface } from './color.ts';
import { looks } from './look.ts';

interface CubeProps extends ActorProps {
  readonly color: string;
  readonly edge: number;
}

export function Cube({ color, edge, ...actor }: CubeProps) {
  const { style } = useTheme();
  const look = looks[style];
  const geometry = useMemo(() => new RoundedBoxGeometry(edge, edge, edge, 5, edge * look.edgeRadius), [edge, look]);
  return (
    <Actor {...actor} halfHeight={edge / 2} footprint={edge * 0.76} stands>
      <mesh castShadow receiveShadow geometry={geometry}>
        <meshStandardMaterial color={surface(color)} roughness={look.roughness} />
      </mesh>
    </Actor>
  );
}
