import { useContext } from 'react';
import { addShot, restPose } from '../stage/camera-rig.ts';
import { useMoment } from '../stage/clock.ts';
import { SceneContext } from '../stage/contexts.ts';
import type { Track } from '../stage/tracks.ts';

export type CameraChannel = 'distance' | 'azimuth' | 'elevation' | 'x' | 'y';

export function Camera({ track }: { track: Track<CameraChannel> }) {
  const scene = useContext(SceneContext);
  useMoment(() => addShot({ startSeconds: scene?.startSeconds ?? 0, pose: { ...restPose, ...track.now } }), 'camera');
  return null;
}
