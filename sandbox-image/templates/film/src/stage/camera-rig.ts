import { PerspectiveCamera } from 'three';
import type { View } from './film-definition.ts';

/** Vertical field of view in degrees. A portrait lens shows perspective without distortion. */
const fieldOfViewDegrees = 30;

/** Position of the camera relative to its target. */
export interface CameraPose {
  /** At 1, the plane z = 0 fills the frame exactly; smaller values are nearer. */
  readonly distance: number;
  readonly azimuth: number;
  readonly elevation: number;
  readonly x: number;
  readonly y: number;
}

export const restPose: CameraPose = { distance: 1, azimuth: 0, elevation: 7, x: 0, y: 0 };

export const camera = new PerspectiveCamera(fieldOfViewDegrees, 16 / 9, 0.5, 120);

interface Shot {
  readonly startSeconds: number;
  readonly pose: CameraPose;
}
let shots: Shot[] = [];

/** Adds a scene's shot, which is evaluated at every seek. */
export function addShot(shot: Shot): void {
  shots.push(shot);
}

function mix(a: number, b: number, amount: number): number {
  return a + (b - a) * amount;
}

/** Blends the visible scenes' shots and aims the camera. A later scene takes over within `overlapSeconds`. */
export function aimCamera(view: View, seconds: number, overlapSeconds: number): void {
  const ordered = shots.sort((a, b) => a.startSeconds - b.startSeconds);
  shots = [];
  let pose = ordered[0]?.pose ?? restPose;
  for (const shot of ordered.slice(1)) {
    const x = Math.min(1, Math.max(0, (seconds - shot.startSeconds) / overlapSeconds));
    const amount = x * x * (3 - 2 * x);
    pose = {
      distance: mix(pose.distance, shot.pose.distance, amount),
      azimuth: mix(pose.azimuth, shot.pose.azimuth, amount),
      elevation: mix(pose.elevation, shot.pose.elevation, amount),
      x: mix(pose.x, shot.pose.x, amount),
      y: mix(pose.y, shot.pose.y, amount),
    };
  }
  const radians = Math.PI / 180;
  const fit = view.height / 2 / Math.tan((fieldOfViewDegrees / 2) * radians);
  const radius = fit * pose.distance;
  const flat = radius * Math.cos(pose.elevation * radians);
  camera.position.set(
    pose.x + flat * Math.sin(pose.azimuth * radians),
    pose.y + radius * Math.sin(pose.elevation * radians),
    flat * Math.cos(pose.azimuth * radians),
  );
  camera.lookAt(pose.x, pose.y, 0);
  camera.updateMatrixWorld();
}
