import type { TorusGeometry } from 'three';

/**
 * Re-indexes a torus along its ring: `draw(n)` shows its first n segments, from angle 0. three.js indexes around the tube, so
 * a draw range would cut it open lengthwise.
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
