import { film } from './film.ts';
import { Backdrop } from './kit/backdrop.tsx';
import { LightRig } from './kit/light-rig.tsx';

export function World() {
  return (
    <>
      <Backdrop />
      <LightRig />
      {film.scenes.map((scene) => (scene.World === undefined ? null : <scene.World key={scene.id} />))}
    </>
  );
}
