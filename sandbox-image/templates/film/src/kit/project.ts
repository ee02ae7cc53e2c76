import { Vector3 } from 'three';
import { camera } from '../stage/camera-rig.ts';

const point = new Vector3();

/** Returns where a world position appears, in per cent of the frame from its top-left corner. */
export function projectToFrame(x: number, y: number, z: number): { x: number; y: number } {
  point.set(x, y, z).project(camera);
  return { x: (point.x + 1) * 50, y: (1 - point.y) * 50 };
}
