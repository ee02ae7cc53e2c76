import { useMemo } from 'react';
import { type BufferGeometry, Color, ExtrudeGeometry, Float32BufferAttribute, Shape } from 'three';
import { SVGLoader } from 'three/examples/jsm/loaders/SVGLoader.js';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { useTheme } from '../stage/contexts.ts';
import { Actor, type ActorProps } from './actor.tsx';
import { hex, mix, oklab, rgbOf, surface } from './color.ts';
import { looks } from './look.ts';

/** A flat drawing: SVG without its outer element, on a square of 32 by 32, and its natural main colour. */
export interface Drawing {
  readonly svg: string;
  readonly color: string;
}

interface FigureProps extends ActorProps {
  readonly drawing: Drawing;
  /** Replaces the drawing's main colour along with its highlights and shades. */
  readonly color: string;
  /** Half of the longer side in world units. */
  readonly radius: number;
  /** Whether it stands on the floor instead of hovering. */
  readonly stands?: boolean;
  readonly mirrored?: boolean;
}

/** Half the thickness of the lowest layer, and the offset of each further layer, in the drawing's units. */
const halfThickness = 1.4;
const layerStep = 0.14;
/** A colour with less chroma is grey. Fills within this hue angle are highlights and shades of the main colour. */
const greyChroma = 0.04;
const familyRadians = 0.7;

function recolored(fill: string, natural: string, wanted: string): string {
  if (natural === wanted) return fill;
  const [[l, a, b], [fromL, fromA, fromB], [toL, toA, toB]] = [oklab(fill), oklab(natural), oklab(wanted)];
  const [chroma, fromChroma] = [Math.hypot(a, b), Math.hypot(fromA, fromB)];
  const away = Math.abs(Math.atan2(a * fromB - b * fromA, a * fromA + b * fromB));
  const isKin =
    fromChroma < greyChroma ? chroma < greyChroma && Math.abs(l - fromL) < 0.25 : chroma >= greyChroma && away < familyRadians;
  if (!isKin) return fill;
  const strength = fromChroma < greyChroma ? 1 : Math.min(1.3, chroma / fromChroma);
  return hex(rgbOf([Math.min(0.97, Math.max(0.08, toL + (l - fromL) * 0.8)), toA * strength, toB * strength]));
}

/** How much paler the surface behind the holes in a silhouette is. */
const holePaleness = 0.72;

/** Returns a drawing as one solid, each layer raised above the one below. It is 2 units high or wide, and centred. */
function solid(drawing: Drawing, color: string): BufferGeometry {
  const { paths } = new SVGLoader().parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${drawing.svg}</svg>`);
  const fillOf = (path: (typeof paths)[number]): string =>
    (path.userData as { style?: { fill?: string } } | undefined)?.style?.fill ?? 'none';
  const layer = (shapes: Shape[], fill: string, front: number): BufferGeometry => {
    const geometry = new ExtrudeGeometry(shapes, { depth: front + halfThickness, bevelEnabled: false, curveSegments: 8 });
    const shade = new Color(surface(fill));
    const count = geometry.getAttribute('position').count;
    geometry.setAttribute('color', new Float32BufferAttribute(Array.from({ length: count }, () => shade.toArray()).flat(), 3));
    // SVG's y axis points down. Half a turn around x makes the front face the camera.
    return geometry.translate(0, 0, -front).rotateX(Math.PI);
  };
  // In a single-colour drawing, only the holes separate its parts, so a paler surface behind them makes it two-tone.
  const isSilhouette = new Set(paths.map(fillOf)).size === 1;
  const layers = paths.flatMap((path, index) => {
    if (fillOf(path) === 'none') return [];
    const shapes = SVGLoader.createShapes(path);
    const fill = recolored(`#${new Color(fillOf(path)).getHexString()}`, drawing.color, color);
    const own = layer(shapes, fill, halfThickness + index * layerStep);
    const holes = isSilhouette ? shapes.flatMap((shape) => shape.holes.map((hole) => new Shape(hole.getPoints()))) : [];
    return holes.length === 0 ? [own] : [layer(holes, mix(fill, '#ffffff', holePaleness), halfThickness / 2), own];
  });
  const merged = mergeGeometries(layers);
  merged.computeBoundingBox();
  const { min, max } = merged.boundingBox ?? { min: { x: 0, y: -32 }, max: { x: 32, y: 0 } };
  const scale = 2 / Math.max(max.x - min.x, max.y - min.y);
  return merged.translate(-(min.x + max.x) / 2, -(min.y + max.y) / 2, 0).scale(scale, scale, scale);
}

/** Draws a lit relief of a layered drawing, with a shadow. */
export function Figure({ drawing, color, radius, stands = false, mirrored = false, ...actor }: FigureProps) {
  const { style } = useTheme();
  const { geometry, halfHeight } = useMemo(() => {
    const made = solid(drawing, color);
    return { geometry: made, halfHeight: made.boundingBox?.max.y ?? 1 };
  }, [drawing, color]);
  return (
    <Actor {...actor} halfHeight={radius} footprint={radius * 0.7} stands={stands}>
      <mesh
        castShadow
        geometry={geometry}
        scale={[mirrored ? -radius : radius, radius, radius]}
        position-y={stands ? (halfHeight - 1) * radius : 0}
      >
        <meshStandardMaterial vertexColors roughness={looks[style].roughness + 0.15} />
      </mesh>
    </Actor>
  );
}
