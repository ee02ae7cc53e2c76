import { useEffect, useState } from 'react';
import { CanvasTexture, LinearMipmapLinearFilter, SRGBColorSpace, type Texture } from 'three';
import { holdReady, loadImage } from '../stage/loading.ts';
import { Actor, type ActorProps } from './actor.tsx';

interface LogoProps extends ActorProps {
  readonly src: string;
  readonly height: number;
  readonly aspectRatio: number;
}

/** Enough for a logo that fills half of a 4k frame. Vector images are rasterised at this size. */
const textureHeight = 1024;

async function loadTexture(src: string, aspectRatio: number): Promise<Texture> {
  const image = await loadImage(src);
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, 2048 / (textureHeight * aspectRatio));
  canvas.height = Math.round(textureHeight * scale);
  canvas.width = Math.round(textureHeight * aspectRatio * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = 8;
  return texture;
}

/** Draws an image without lighting, which keeps brand colours exact. */
export function Logo({ src, height, aspectRatio, ...actor }: LogoProps) {
  const [texture, setTexture] = useState<Texture | null>(null);
  useEffect(() => {
    let current = true;
    void holdReady(loadTexture(src, aspectRatio).then((loaded) => current && setTexture(loaded)));
    return () => {
      current = false;
    };
  }, [src, aspectRatio]);
  if (!texture) return null;
  return (
    <Actor {...actor} halfHeight={height / 2} footprint={height * aspectRatio * 0.42} stands={false}>
      <mesh>
        <planeGeometry args={[height * aspectRatio, height]} />
        <meshBasicMaterial
          map={texture}
          transparent
          userData={{ alwaysTransparent: true }}
          toneMapped={false}
          side={2}
          alphaTest={0.01}
        />
      </mesh>
    </Actor>
  );
}
