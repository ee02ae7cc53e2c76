import { film } from './film.ts';
import { Backdrop } from './kit/backdrop.tsx';
import { LightRig } from './kit/light-rig.tsx';

/** All 3D content of the film. Loaded only if a scene has a `World`. */
export function World() {
  return (
    <>
      <Backdrop />
      <LightRig />
      {film.scenes.map((scene) => (scene.World === undefined ? null : <scene.World key={scene.id} />))}
    </>
  );
}
