import { useMemo } from 'react';
import { CanvasTexture, SRGBColorSpace } from 'three';
import { useTheme } from '../stage/contexts.ts';
import { Actor, type ActorProps } from './actor.tsx';
import { luminance, mix, surface } from './color.ts';
import { looks } from './look.ts';

interface BallProps extends ActorProps {
  readonly color: string;
  readonly radius: number;
  readonly band?: boolean;
}

function bandTexture(color: string): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 4;
  canvas.height = 512;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas.');
  const pale = luminance(color) > 0.6 ? mix(color, '#000000', 0.18) : mix(color, '#ffffff', 0.82);
  context.fillStyle = color;
  context.fillRect(0, 0, 4, 512);
  context.fillStyle = pale;
  context.fillRect(0, 222, 4, 68);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

export function Ball({ color, radius, band = true, ...actor }: BallProps) {
  const { style } = useTheme();
  const skin = useMemo(() => (band ? bandTexture(surface(color)) : null), [band, color]);
  return (
    <Actor {...actor} halfHeight={radius} footprint={radius} stands>
      <mesh castShadow rotation={[0.35, 0.5, Math.PI / 2 - 0.25]}>
        <sphereGeometry args={[radius, 64, 40]} />
        <meshStandardMaterial
          key={band ? 'band' : 'plain'}
          color={skin ? '#ffffff' : surface(color)}
          map={skin}
          roughness={looks[style].roughness}
        />
      </mesh>
    </Actor>
  );
}
