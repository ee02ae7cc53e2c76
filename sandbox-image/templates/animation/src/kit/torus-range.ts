import type { TorusGeometry } from 'three';

/**
 * three.js indexes a torus around its tube, so a draw range would cut it open lengthwise. This index runs
 * along the ring instead: `draw(n)` shows its first n segments, from angle 0 upwards.
 */
export function alongTube(geometry: TorusGeometry): { geometry: TorusGeometry; draw: (segments: number) => void } {
  const { radialSegments, tubularSegments } = geometry.parameters;
  const index: number[] = [];
  const row = tubularSegments + 1;
  for (let segment = 1; segment <= tubularSegments; segment += 1) {
    for (let side = 1; side <= radialSegments; side += 1) {
      const a = row * side + segment - 1;
      const b = row * (side - 1) + segment - 1;
      index.push(a, b, a + 1, b, b + 1, a + 1);
    }
  }
  geometry.setIndex(index);
  return { geometry, draw: (segments) => geometry.setDrawRange(0, segments * radialSegments * 6) };
}
