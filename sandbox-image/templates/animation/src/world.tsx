import { film } from './film.ts';
import { Backdrop } from './kit/backdrop.tsx';
import { LightRig } from './kit/light-rig.tsx';

/** Everything of the film that is in 3D. Loaded only if a scene has a `World`. */
export function World() {
  return (
    <>
      <Backdrop />
      <LightRig />
      {film.scenes.map((scene) => (scene.World === undefined ? null : <scene.World key={scene.id} />))}
    </>
  );
}
