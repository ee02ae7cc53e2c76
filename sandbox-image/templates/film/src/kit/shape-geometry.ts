import {
  type BufferGeometry,
  CapsuleGeometry,
  CatmullRomCurve3,
  ConeGeometry,
  ExtrudeGeometry,
  LatheGeometry,
  OctahedronGeometry,
  Path,
  Shape,
  TorusGeometry,
  TubeGeometry,
  Vector2,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

export type ShapeName =
  | 'circle'
  | 'square'
  | 'triangle'
  | 'star'
  | 'heart'
  | 'hexagon'
  | 'ring'
  | 'cylinder'
  | 'cone'
  | 'pyramid'
  | 'diamond'
  | 'capsule'
  | 'balloon'
  | 'cloud';

/** Returns a closed outline through the corners, each rounded by `rounding` world units. */
function roundedPolygon(corners: readonly Vector2[], rounding: number): Shape {
  const shape = new Shape();
  corners.forEach((corner, index) => {
    const before = corners.at(index - 1) ?? corner;
    const after = corners[(index + 1) % corners.length] ?? corner;
    const towards = (other: Vector2) =>
      corner.clone().add(
        other
          .clone()
          .sub(corner)
          .setLength(Math.min(rounding, other.distanceTo(corner) * 0.45)),
      );
    const start = towards(before);
    const end = towards(after);
    if (index === 0) shape.moveTo(start.x, start.y);
    else shape.lineTo(start.x, start.y);
    shape.quadraticCurveTo(corner.x, corner.y, end.x, end.y);
  });
  shape.closePath();
  return shape;
}

function polygon(sides: number, radius: number, turn: number): Vector2[] {
  return Array.from({ length: sides }, (_, index) => {
    const angle = turn + (index / sides) * Math.PI * 2;
    return new Vector2(Math.cos(angle) * radius, Math.sin(angle) * radius);
  });
}

function star(radius: number): Vector2[] {
  return Array.from({ length: 10 }, (_, index) => {
    const angle = Math.PI / 2 + (index / 10) * Math.PI * 2;
    const length = index % 2 === 0 ? radius : radius * 0.52;
    return new Vector2(Math.cos(angle) * length, Math.sin(angle) * length);
  });
}

function heart(radius: number): Shape {
  const shape = new Shape();
  const s = radius / 0.95;
  shape.moveTo(0, -0.92 * s);
  shape.bezierCurveTo(-0.32 * s, -0.62 * s, -1.02 * s, -0.22 * s, -1.0 * s, 0.32 * s);
  shape.bezierCurveTo(-0.98 * s, 0.74 * s, -0.68 * s, 0.92 * s, -0.45 * s, 0.9 * s);
  shape.bezierCurveTo(-0.22 * s, 0.88 * s, -0.07 * s, 0.72 * s, 0, 0.52 * s);
  shape.bezierCurveTo(0.07 * s, 0.72 * s, 0.22 * s, 0.88 * s, 0.45 * s, 0.9 * s);
  shape.bezierCurveTo(0.68 * s, 0.92 * s, 0.98 * s, 0.74 * s, 1.0 * s, 0.32 * s);
  shape.bezierCurveTo(1.02 * s, -0.22 * s, 0.32 * s, -0.62 * s, 0, -0.92 * s);
  return shape;
}

function cloud(radius: number): Shape {
  const shape = new Shape();
  const s = radius * 1.12;
  shape.moveTo(-0.68 * s, -0.55 * s);
  shape.lineTo(0.7 * s, -0.55 * s);
  shape.bezierCurveTo(1.14 * s, -0.55 * s, 1.16 * s, 0.06 * s, 0.72 * s, 0.08 * s);
  shape.bezierCurveTo(0.78 * s, 0.44 * s, 0.42 * s, 0.6 * s, 0.18 * s, 0.42 * s);
  shape.bezierCurveTo(0.02 * s, 0.86 * s, -0.64 * s, 0.72 * s, -0.58 * s, 0.16 * s);
  shape.bezierCurveTo(-1.14 * s, 0.2 * s, -1.18 * s, -0.55 * s, -0.68 * s, -0.55 * s);
  return shape;
}

function extrude(shape: Shape, radius: number): BufferGeometry {
  const bevel = radius * 0.13;
  const geometry = new ExtrudeGeometry(shape, {
    depth: radius * 0.26,
    bevelEnabled: true,
    bevelThickness: bevel,
    bevelSize: bevel,
    bevelOffset: -bevel,
    bevelSegments: 5,
    curveSegments: 22,
  });
  geometry.center();
  return geometry;
}

/** Revolves a profile that runs from the bottom of the axis to its top. */
function lathe(profile: Path): BufferGeometry {
  return new LatheGeometry(profile.getPoints(10), 56);
}

function cylinder(radius: number): BufferGeometry {
  const [r, h, e] = [radius * 0.74, radius, radius * 0.12];
  const profile = new Path();
  profile.moveTo(0.0001, -h);
  profile.lineTo(r - e, -h);
  profile.quadraticCurveTo(r, -h, r, -h + e);
  profile.lineTo(r, h - e);
  profile.quadraticCurveTo(r, h, r - e, h);
  profile.lineTo(0.0001, h);
  return lathe(profile);
}

function cone(radius: number): BufferGeometry {
  const [r, h, e] = [radius * 0.9, radius, radius * 0.12];
  const profile = new Path();
  profile.moveTo(0.0001, -h);
  profile.lineTo(r - e, -h);
  profile.quadraticCurveTo(r, -h, r - e * 0.45, -h + e);
  profile.lineTo(e * 0.5, h - e * 0.8);
  profile.quadraticCurveTo(e * 0.2, h, 0.0001, h);
  return lathe(profile);
}

/** Returns a balloon with a knot and a string, which hangs below the balloon's half height. */
function balloon(radius: number): BufferGeometry {
  const profile = new Path();
  profile.moveTo(0.0001, -0.97 * radius);
  profile.lineTo(0.11 * radius, -radius);
  profile.lineTo(0.045 * radius, -0.88 * radius);
  profile.bezierCurveTo(0.5 * radius, -0.6 * radius, 0.83 * radius, -0.12 * radius, 0.83 * radius, 0.27 * radius);
  profile.bezierCurveTo(0.83 * radius, 0.72 * radius, 0.45 * radius, radius, 0.0001, radius);
  const string = [-1, -1.25, -1.55, -1.85].map(
    (y, index) => new Vector3((index % 2 === 0 ? 0.05 : -0.06) * (index / 3) * radius, y * radius, 0),
  );
  const thread = new TubeGeometry(new CatmullRomCurve3(string), 24, radius * 0.013, 6);
  return mergeGeometries([new LatheGeometry(profile.getPoints(20), 56), thread]);
}

/** Returns a named shape's geometry; `radius` is half its height. */
export function shapeGeometry(name: ShapeName, radius: number): BufferGeometry {
  switch (name) {
    case 'circle': {
      const shape = new Shape();
      shape.absarc(0, 0, radius, 0, Math.PI * 2, false);
      return extrude(shape, radius);
    }
    case 'square':
      return extrude(roundedPolygon(polygon(4, radius * 1.25, Math.PI / 4), radius * 0.3), radius);
    case 'triangle':
      return extrude(roundedPolygon(polygon(3, radius * 1.2, Math.PI / 2), radius * 0.36), radius);
    case 'star':
      return extrude(roundedPolygon(star(radius * 1.12), radius * 0.16), radius);
    case 'heart':
      return extrude(heart(radius), radius);
    case 'hexagon':
      return extrude(roundedPolygon(polygon(6, radius * 1.04, Math.PI / 6), radius * 0.2), radius);
    case 'ring':
      return new TorusGeometry(radius * 0.74, radius * 0.24, 28, 80);
    case 'cylinder':
      return cylinder(radius);
    case 'cone':
      return cone(radius);
    case 'pyramid': {
      const geometry = new ConeGeometry(radius * 1.2, radius * 2, 4, 1);
      geometry.rotateY(Math.PI / 4);
      return geometry.toNonIndexed();
    }
    case 'diamond':
      return gem(radius);
    case 'capsule':
      return new CapsuleGeometry(radius * 0.52, radius * 0.96, 14, 40);
    case 'cloud':
      return extrude(cloud(radius), radius);
    case 'balloon':
      return balloon(radius);
  }
}

function gem(radius: number): BufferGeometry {
  const profile = [
    new Vector2(0.0001, -radius),
    new Vector2(radius * 0.95, radius * 0.35),
    new Vector2(radius * 0.58, radius * 0.85),
    new Vector2(0.0001, radius * 0.85),
  ];
  const geometry = new LatheGeometry(profile, 8).toNonIndexed();
  geometry.computeVertexNormals();
  return geometry;
}

export function isFaceted(name: ShapeName): boolean {
  return name === 'pyramid' || name === 'diamond';
}

export function pebbleGeometry(radius: number): BufferGeometry {
  return new OctahedronGeometry(radius, 1);
}
